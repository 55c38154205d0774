"""Names suggested for a mistyped one: similar names, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.diagnostics.suggestions import closest_names, edit_distance

pytestmark = pytest.mark.quick

COMMANDS = (
    "awk", "basename", "cat", "cd", "chmod", "cp", "cut", "date", "dd", "df", "diff", "du", "echo",
    "find", "git", "grep", "head", "jq", "kill", "ls", "mkdir", "mv", "nl", "python3", "rm", "sed",
    "sh", "sort", "tail", "touch", "tr", "uniq", "wc", "xargs", "xz",
)  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sl", "ls"), ("gti", "git"), ("grpe", "grep"), ("ehco", "echo"), ("ecko", "echo"),
        ("mkdri", "mkdir"), ("haed", "head"), ("hed", "head"), ("tial", "tail"), ("sotr", "sort"),
        ("wcc", "wc"), ("lls", "ls"), ("car", "cat"), ("xarg", "xargs"), ("pyhton3", "python3"),
        ("baesnmae", "basename"), ("rgep", "grep"), ("gerp", "grep"), ("hcmod", "chmod"),
        ("fin", "find"), ("sored", ""), ("chown", ""), ("frobnicate", ""), ("kubectl", ""),
        ("x", ""), ("q", ""), ("qq", ""), ("lx", ""), ("make", ""), ("", ""), ("gut", "git"),
        ("pwd", ""), ("nope", ""), ("x" * 1000, ""),
    ],
)  # fmt: skip
def test_command(typed: str, meant: str) -> None:
    assert closest_names(typed, COMMANDS) == ([meant] if meant else [])


def test_suggestions_are_ordered() -> None:
    assert closest_names("dc", COMMANDS, 3) == ["cd"]
    assert closest_names("sor", ["soar", "sort", "for", "sour", "rso"], 3) == [
        "soar",
        "sort",
        "sour",
    ]


def test_command_with_the_same_ending_is_suggested() -> None:
    assert closest_names("no-color", ["column", "color", "all"]) == ["color"]
    assert closest_names("no-all", ["all"]) == []


def edits(one: str, other: str) -> int:
    """Compute the same distance by its definition, case by case."""
    if not one or not other:
        return len(one) + len(other)
    least = min(
        edits(one[1:], other) + 1,
        edits(one, other[1:]) + 1,
        edits(one[1:], other[1:]) + (one[0] != other[0]),
    )
    if one[:2] == other[1::-1] and len(one) > 1 and len(other) > 1:
        least = min(least, edits(one[2:], other[2:]) + 1)
    return least


WORDS = st.text("abc", max_size=5)


@given(WORDS, WORDS)
def test_distance(one: str, other: str) -> None:
    assert edit_distance(one, other) == edits(one, other) == edit_distance(other, one)
