"""Long scripts: the work of the scanner grows with the length of a text, not with its square."""

from __future__ import annotations

import sys

import pytest

import keysh
from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.source import Source
from keysh.syntax.lexer.scanner import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any


def lines_run_to_scan(text: str) -> int:
    """Return how many lines of Python run to scan a text."""
    count = 0

    def count_line(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return count_line

    before = sys.gettrace()
    sys.settrace(count_line)
    try:
        scan(Source(text, dialect=BASH))
    finally:
        sys.settrace(before)
    return count


@pytest.mark.quick
@pytest.mark.parametrize("line", ["if !(a); then b; fi\n", "shopt shopt -s; !(a)\n"])
def test_negated_subshells_are_linear(line: str) -> None:
    scan(Source(line, dialect=BASH))
    short, long = lines_run_to_scan(line * 100), lines_run_to_scan(line * 400)
    assert long < 4.2 * short


@pytest.mark.quick
@pytest.mark.parametrize(
    ("before", "is_negation"),
    [
        ("", True), ("shopt -s extglob\n", False), ("shopt -s nullglob extglob; ", False),
        ("shopt -s extglob\nshopt -u extglob\n", True), ("echo shopt; echo -s extglob\n", True),
        ("shopt -s nullglob; echo extglob\n", True), ("f() { shopt -s extglob; }\n", False),
    ],
)  # fmt: skip
def test_negation_or_pattern(before: str, is_negation: bool) -> None:
    result = keysh.run(f"{before}!(exit 1) && echo negated", dialect="bash")
    assert result.stdout.endswith("negated\n") == is_negation
