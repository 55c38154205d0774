"""Report: where diagnostics gather, each with the severity that the host and the script give it.

frobnicate --now    # keysh: allow E301

# keysh: allow E301 E302
frobnicate --now
"""

from __future__ import annotations

from keysh.diagnostics.diagnostic import CODES, Diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.syntax.ast import Script
    from keysh.syntax.node import Node

ALLOW_MARK = "keysh: allow "
SEVERITIES = {"error": "error", "warn": "warning", "warning": "warning", "off": ""}
MAX_LINES_TO_CODE = 50  # lines within which a comment's code is looked for
MAX_DIAGNOSTICS = 1000  # diagnostics kept of one script; a reader sees five


def refuse_unknown_severities(severities: Mapping[str, str]) -> None:
    """Raise ValueError where a host names a code or a severity that there is not."""
    for code, severity in severities.items():
        if code not in CODES:
            raise ValueError(f"check names {code!r}, which is no code of a diagnostic")
        if severity not in SEVERITIES:
            known = ", ".join(SEVERITIES)
            raise ValueError(f"check must make {code} one of {known}, but has {severity!r}")


class CheckReport:
    """The diagnostics of one script."""

    __slots__ = ("_allowed", "_severities", "_source", "diagnostics")

    def __init__(self, script: Script, severities: Mapping[str, str]) -> None:
        self._source, self._severities = script.source, severities
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
        """Report one thing; it is a warning where `is_soft`, if the host has not said otherwise."""
        if len(self.diagnostics) >= MAX_DIAGNOSTICS:
            return
        severity = "warning" if is_soft or code[0] == "W" else "error"
        if code in self._severities:
            severity = SEVERITIES[self._severities[code]]
        if not severity:
            return
        if self._allowed and code in self._allowed.get(self._source.position(start)[0], ()):
            return
        self.diagnostics.append(
            Diagnostic(code, self._source, start, end, fact, datum, fix, severity)
        )

    def source_of(self, node: Node) -> str:
        """A node as it is written."""
        return self._source.text[node.start : node.end]

    def sorted_diagnostics(self) -> list[Diagnostic]:
        """All of them, as they stand in the source."""
        return sorted(self.diagnostics, key=lambda diagnostic: diagnostic.start)


def allowed_codes(script: Script) -> dict[int, set[str]]:
    """The codes that comments allow, by line: a comment's own, or the next one with code."""
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
