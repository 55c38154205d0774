"""rev: tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement
from commands.sample_texts import FILES


@pytest.mark.parametrize(
    "words",
    ["f", "u", "f g", "missing f", "e", ""],
)
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("rev", words.split(" ") if words else [], tmp_path, FILES, b"ab")


CONTENT = st.lists(st.sampled_from([b"\n", b"a", b"b", b"\xc3\xa9", b" "]), max_size=30).map(
    b"".join
)
WORDS = st.lists(st.sampled_from(["x", "y"]), max_size=4)


@settings(max_examples=20)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("rev")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("rev", given_words, folder, {"x": x, "y": y}, stdin)
