"""pathchk against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.comparison import assert_agreement

FILES = {"f": b"", "-dash": b""}


@pytest.mark.parametrize("option", ["", "-p", "-P", "-pP", "--portability"])
@pytest.mark.parametrize(
    "name",
    ["a", "", "a b", "-a", "a/-b", "abcdefghijklmnop", "x" * 255, "a/" * 127 + "b",
     "a/" * 128 + "b", "ü", "a/b/", "f", "a\\b", "/", "f//g"],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, option: str, name: str) -> None:
    words = [option] * bool(option)
    if name != "f//g" or option:
        assert_agreement("pathchk", [*words, "--", name, "fine"], tmp_path, FILES)


@pytest.mark.parametrize("words", ["", "-z a", "a b -a"])
def test_usage_matches_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("pathchk", words.split(), tmp_path, FILES)
