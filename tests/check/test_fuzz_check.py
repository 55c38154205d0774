"""Checking any text that parses gives diagnostics, never an exception."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from check.checking import diagnostics
from keysh.diagnostics.exceptions import ScriptError
from properties.programs import programs

PIECES = [
    "x=", "'a b'", "$x", '"$x"', "${x[0]}", "${x:-", "}", "xs=(", ")", "head", "-n", "lines=",
    "[1, ", "]", "{a: ", "break", "local", "f(a: int = ", ") {", "f()", "{", "\n", ";", "|", "&&",
    "for x in", "do", "done", "if", "then", "fi", "eval", "read", "*", "> a", "$(", "$((", "))",
    "[[", "]]", "=~", "timeout", "env", "set", "--", "printf -v", "declare -a",
    "# keysh: allow E301", "trap", "...$x", "~", "é", "\\", "+=", "xargs", "command", "copy",
    "--help", "[", "(",
]  # fmt: skip


@settings(max_examples=150)
@given(programs())
def test_program(text: str) -> None:
    assert all(one.code for one in diagnostics(text))


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join))
def test_pieces(text: str) -> None:
    try:
        result = diagnostics(text)
    except ScriptError:
        return
    assert all(str(one) and 0 <= one.start <= one.end <= len(text) for one in result)


@pytest.mark.parametrize(
    ("opener", "closer", "count"),
    [
        ("{ ", "; }", 190),
        ("echo $(", ")", 190),
        ("x=($(", "))", 95),
        ("! { ", "; } > a && echo", 190),
        ("( ", " ) | cat", 190),
        ("if cat; then ", "; fi", 190),
        ('echo "${x:-$(', ')}"', 60),
    ],
)
def test_deep_nesting(opener: str, closer: str, count: int) -> None:
    result = diagnostics(opener * count + "frob" + closer * count)
    assert [one.code for one in result] == ["E301"]


def test_many_assignments_and_reads() -> None:
    """The cost of checking a read must not grow with the number of assignments."""
    text = "x='a b'\ncat $x\n" * 3000 + "# keysh: allow E301\n" * 3000 + "echo $y\n" * 3000
    assert [one.code for one in diagnostics(text)] == ["W301"]
