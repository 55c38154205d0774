"""Tables: the display of values, which never exceeds the width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.diagnostics.display import display_width
from keysh.text.table import MAX_TABLE_DEPTH, format_table
from keysh.values import Numeral

TABLES = [
    ([{"a": 1, "b": "x"}, {"a": 20, "c": None}], " a  b  c\n 1  x\n20\n"),
    ({"name": "amy", "tags": ["x", "y"]}, 'name  amy\ntags  ["x","y"]\n'),
    (["one", "two"], "0  one\n1  two\n"),
    ([{"wide": "字字", "n": Numeral("1.10")}], "wide     n\n字字  1.10\n"),
    ([{"bad": "a\x1b[1m\nb"}], "bad\na\\x1b[1m\\nb\n"),
    ([], "[]\n"),
    ({}, "{}\n"),
    ([{}], "0  {}\n"),
]


@pytest.mark.parametrize(("value", "wanted"), TABLES)
def test_table(value: object, wanted: str) -> None:
    assert format_table(value, 80) == wanted


@pytest.mark.parametrize("screen", [1, 5, 12, 20, 33])
def test_table_fits_the_screen(screen: int) -> None:
    rows = [{"name": "x" * 30, "other": "y" * 15, "count": number} for number in range(3)]
    lines = format_table(rows, screen).splitlines()
    assert len(lines) == 4
    assert max(map(len, lines)) <= screen
    assert "…" in lines[1]


NESTED = [
    # Short flat values stay on one line.
    ({"a": {"b": 1}}, 'a  {"b":1}\n'),
    ({"a": {"b": [1]}, "long": 2}, "a\n  b  [1]\nlong  2\n"),
    ([[1, [2]], "x"], "0\n  0  1\n  1  [2]\n1  x\n"),
    ({"rows": [{"a": 1}, {"a": 20}], "none": []}, "rows\n   a\n   1\n  20\nnone  []\n"),
    ({"t": ["x" * 20, "y" * 20]}, f"t\n  0  {'x' * 20}\n  1  {'y' * 20}\n"),
    ({"a\nb": {"c": [{}]}}, "a\\nb\n  c  [{}]\n"),
]


@pytest.mark.parametrize(("value", "wanted"), NESTED)
def test_tree(value: object, wanted: str) -> None:
    assert format_table(value, 30) == wanted


def test_deep_tree_is_cut() -> None:
    value: object = ["end"]
    for _ in range(100):
        value = [value]
    lines = format_table(value, 80).splitlines()
    assert len(lines) == MAX_TABLE_DEPTH
    assert lines[-1].strip().startswith("0  [[[[")


def test_nothing_is_cut_without_a_width() -> None:
    long = "x" * 20_000
    assert format_table([{"a": long, "b": 1}], 0) == f"a{' ' * 19_999}  b\n{long}  1\n"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab 字\n\x1b", max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab字", max_size=6), inner),
    max_leaves=12,
)


@given(VALUES, st.integers(1, 60))
def test_no_line_exceeds_the_width(value: object, screen: int) -> None:
    text = format_table(value, screen)
    assert text.endswith("\n")
    if value and isinstance(value, list | dict):
        assert max(map(display_width, text.splitlines())) <= screen


@given(VALUES)
def test_every_leaf_is_shown_without_a_width(value: object) -> None:
    text = format_table(value, 0)
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list | dict):
            waiting += item if isinstance(item, list) else item.values()
        elif isinstance(item, int) and not isinstance(item, bool):
            assert str(item) in text
