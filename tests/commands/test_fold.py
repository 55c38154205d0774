"""fold: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance
from commands.sample_texts import FILES, texts


class TestFold(TextCommandConformance):
    name = "fold"


class TestFoldAtBlanks(TextCommandConformance):
    name = "fold"
    arguments = ("-s", "-w", "7")


@pytest.mark.parametrize(
    "words",
    ["-w3 f", "-3 f", "-s -w4 f", "-b -w2 u", "-w 5 u", "-w0 f", "-wx f", "-w4 missing f", "d", ""],
)
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("fold", words.split(" ") if words else [], tmp_path, FILES, b"a " * 60)


CONTENT = texts(b"\x08")
WORDS = st.lists(st.sampled_from(["-b", "-s", "-w 3", "-w5", "-w 10", "x", "y"]), max_size=4)


@settings(max_examples=80)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("fold")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("fold", given_words, folder, {"x": x, "y": y}, stdin)
