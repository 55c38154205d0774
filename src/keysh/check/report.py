"""CheckReport: collects diagnostics, with the severities that the host and the script set.

frobnicate --now    # keysh: allow E301

# keysh: allow E301 E302
frobnicate --now
"""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeVar

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.diagnostics.dialect import Dialect
    from keysh.syntax.ast import Script
    from keysh.syntax.lexer.cursor import Tick
    from keysh.syntax.node import Node

    T = TypeVar("T")

ALLOW_MARK = "keysh: allow "
SEVERITIES = {"error": "error", "warn": "warning", "warning": "warning", "off": ""}
MAX_LINES_TO_CODE = 50  # from a comment to the code it is about
MAX_DIAGNOSTICS = 1000  # of one script; five are shown
NODES_PER_TICK = 512  # of some 5 us each


# Codes that mean another severity in the bash dialect, where bash itself fails when it gets there,
# and those that are about what only keysh's own dialect does with words.
BASH_SEVERITIES = {
    **dict.fromkeys(("E111", "E301", "E302", "E303", "E304", "E305", "E306", "E309"), "warn"),
    **dict.fromkeys(("E204", "E205", "E310", "E311", "W304", "W305", "W306", "W307"), "off"),
}


def refuse_unknown_severities(severities: Mapping[str, str]) -> None:
    """Raise ValueError for an unknown code or severity."""
    from keysh.diagnostics.diagnostic import CODES  # noqa: PLC0415 - few hosts set any

    for code, severity in severities.items():
        if code not in CODES:
            raise ValueError(f"check names {code!r}, which is no code of a diagnostic")
        if severity not in SEVERITIES:
            known = ", ".join(SEVERITIES)
            raise ValueError(f"check must make {code} one of {known}, but has {severity!r}")


class CheckReport:
    """The diagnostics of one script, and what its check has cost so far."""

    __slots__ = ("_allowed", "_severities", "_source", "_tick", "diagnostics", "nodes_left")

    def __init__(
        self, script: Script, severities: Mapping[str, str], tick: Tick | None = None
    ) -> None:
        """`tick` is called again and again, and may end the check by an exception.

        Who walks counts `nodes_left` down, without a call for each, and below zero calls `look`.
        """
        self._tick, self.nodes_left = tick, NODES_PER_TICK
        self._source, self._severities = script.source, severities
        if script.source.dialect is BASH:
            self._severities = {**BASH_SEVERITIES, **severities}
        self._allowed = allowed_codes(script) if ALLOW_MARK in script.source.text else {}
        self.diagnostics: list[Diagnostic] = []

    def add(
        self,
        code: str,
        start: int,
        end: int,
        fact: str,
        datum: str = "",
        fix: str = "",
        *,
        is_soft: bool = False,
    ) -> None:
        """Add a diagnostic; with `is_soft` it is a warning, unless the host has set a severity."""
        if len(self.diagnostics) >= MAX_DIAGNOSTICS:
            return
        severity = "warning" if is_soft or code[0] == "W" else "error"
        if code in self._severities:
            severity = SEVERITIES[self._severities[code]]
        if not severity:
            return
        if self._allowed and code in self._allowed.get(self._source.position(start)[0], ()):
            return
        from keysh.diagnostics.diagnostic import Diagnostic  # noqa: PLC0415 - most scripts have none

        self.diagnostics.append(
            Diagnostic(code, self._source, start, end, fact, datum, fix, severity)
        )

    def look(self) -> None:
        """Call `tick`: enough nodes have been counted."""
        self.nodes_left = NODES_PER_TICK
        if self._tick is not None:
            self._tick()

    def ticking(self, facts: Sequence[T]) -> Iterable[T]:
        """Return the facts that a rule looks at; it ticks where they are many."""
        if len(facts) < NODES_PER_TICK or self._tick is None:
            return facts
        from keysh.text.bounds.slices import with_ticks  # noqa: PLC0415 - only for many

        return with_ticks(facts, self._tick)

    @property
    def dialect(self) -> Dialect:
        """The dialect of the script."""
        return self._source.dialect

    def source_of(self, node: Node) -> str:
        """Return a node's source."""
        return self._source.text[node.start : node.end]

    def sorted_diagnostics(self) -> list[Diagnostic]:
        """Return all diagnostics in source order."""
        return sorted(self.diagnostics, key=lambda diagnostic: diagnostic.start)


def allowed_codes(script: Script) -> dict[int, set[str]]:
    """Return the codes that comments allow, by line: the comment's, or the next one with code."""
    source = script.source
    starts = source.line_starts()
    allowed: dict[int, set[str]] = {}
    for trivia in script.trivia:
        words = trivia.text.lstrip("# \t")
        if trivia.kind != "comment" or not words.startswith(ALLOW_MARK):
            continue
        number, column = source.position(trivia.start)
        if not source.line(number)[: column - 1].strip():
            number = next(
                (n for n in range(number + 1, min(number + MAX_LINES_TO_CODE, len(starts) + 1))
                 if source.line(n).strip()[:1] not in ("", "#")), number,
            )  # fmt: skip
        codes = words[len(ALLOW_MARK) :].replace(",", " ").split()
        allowed.setdefault(number, set()).update(codes)
    return allowed
