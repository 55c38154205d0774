"""expr: expressions against the real tool, and limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement


@pytest.mark.parametrize(
    "words",
    [
        "1 + 2", "2 ^ 3", "a : \\(.\\)", "abc : b", "abc : .*", "length abé", "substr hello 2 3",
        "index hello lo", "match abc ab", "+ length", "0", "", "1 +", "1 / 0", "a + 1", "1 < 2",
        "a < b", "10 < 9", "01 = 1", "( 1 + 2 ) * 3", "( 1", "1 )", "0 | 5", "0 & 5", "a | b",
        "-- -5 + 2", "5 % -3", "-7 / 2", "-7 % 3", "x = x", "1 2", "substr hello 0 2",
        "substr hello 2 x", "99999999999999999999 + 1", "length", "a : [", "--help 1", "x != y",
        "1 >= 1", "1 == 1", "5 - -3", "- 3", "index é é", "00 | 7", "-0 | 7", "1 | 1 / 0",
        "0 & 1 / 0", "1 | a : [", "- | 3", "2 * 3 + 4", "2 + 3 * 4", "8 / 2 / 2", "a : b : c",
        "1 < 2 < 3", "length + length", "1 | ( 2", "-1 < 0", "b > a", "( 3 x", "4 - 3 - 2",
        "index abc", "substr abc 1",
    ],
)  # fmt: skip
def test_expressions_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("expr", words.split(), tmp_path, {})


def test_words_may_be_empty_or_hold_blanks(tmp_path: Path) -> None:
    for words in (["a", "=", ""], ["", "|", "0"], ["", "|", ""], ["a b", ":", "a *"]):
        assert_agreement("expr", words, tmp_path, {})


def test_nesting_is_bounded() -> None:
    answer = run_keysh("expr", *["("] * 5000, "1")
    assert (answer.status, answer.err) == (2, "expr: expression nests deeper than 100\n")


def test_numbers_are_bounded() -> None:
    big = "9" * 3000
    answer = run_keysh("expr", big, "*", big, "*", big)
    assert (answer.status, answer.err) == (2, "expr: number is too large\n")
