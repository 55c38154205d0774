"""Tests of tables: every row is checked, and each that fails is named with its error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rows import each_row


def test_each_failing_row_is_reported() -> None:
    checked = []

    @each_row("number, word", [(1, "a"), (2, "b"), (3, "c")])
    def check(number: int, word: str) -> None:
        checked.append(word)
        if number == 1:
            pytest.fail("the first")
        assert number != 3, "the third"

    with pytest.raises(BaseExceptionGroup, match="2 of 3 rows") as caught:
        check()
    assert checked == ["a", "b", "c"]
    assert [str(error).splitlines()[0] for error in caught.value.exceptions] == [
        "the first", "the third",
    ]  # fmt: skip
    assert re.findall("in the row (.*)", str(caught.value)) == [
        "{'number': 1, 'word': 'a'}", "{'number': 3, 'word': 'c'}",
    ]  # fmt: skip


def test_skipping_in_a_row_is_a_failure() -> None:
    """The other rows would be skipped with it."""

    @each_row("row", [1, 2])
    def check(row: int) -> None:
        pytest.skip("no tool")

    with pytest.raises(BaseExceptionGroup, match="2 of 2 rows"):
        check()


@each_row("row", ["a", "b"])
def test_rows_share_the_fixtures(tmp_path: Path, row: str) -> None:
    (tmp_path / row).touch()
    assert "a" in [path.name for path in tmp_path.iterdir()]
