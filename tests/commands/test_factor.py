"""factor: calls against the real tool, from a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.comparison import assert_agreement

FILES = {
    "x": b"",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "1 2 3 4 0 12", "x -3 7", "18446744073709551615", "1000000007 999999999989",
        "100000000000000000039", "+5 1.5", "600851475143", "9999999600000123 25 49",
        "1000000014000000049", "",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("factor", words.split(), tmp_path, FILES, b"12 13\n 77 x\n5\xc2\xa07\t9\v3\n")


@pytest.mark.parametrize("start", [2, 10_000, 999_900, 4_000_000_000])
def test_consecutive_numbers(tmp_path: Path, start: int) -> None:
    assert_agreement("factor", [str(start + i) for i in range(100)], tmp_path, {})
