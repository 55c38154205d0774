"""Candidate: one completion of a word."""

from __future__ import annotations


class Candidate:
    """A completion: `text` replaces the source from `start` on; `help` describes it in one line.

    `kind` is command, function, alias, keyword, program, option, parameter, value, variable, key,
    job, file or directory.
    """

    __slots__ = ("help", "kind", "start", "text")

    def __init__(self, text: str, start: int, kind: str, help: str = "") -> None:
        self.text, self.start, self.kind, self.help = text, start, kind, help

    def record(self) -> dict[str, object]:
        """Return the candidate as a record."""
        return {"text": self.text, "start": self.start, "kind": self.kind, "help": self.help}

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text!r} at {self.start}>"
