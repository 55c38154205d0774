"""nl: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import sample_texts
from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance

FILES = {**sample_texts.FILES, "s": b"a\n\\:\\:\\:\nb\n\\:\\:\nc\n\n\n\\:\nd\n"}


class TestNl(TextCommandConformance):
    name = "nl"


@pytest.mark.parametrize(
    "words",
    [
        "f", "-ba f", "-bn f", "-ha -fa s", "s", "-ba s", "-p s", "-i5 -v3 f", "-nln f", "-nrz f",
        "-w3 -s: f", "-l2 -ba f", "-dx f", "-w0 f", "-bx f", "-nx f",
        "-bpa f", "-bp^a*$ f", "-hp. -bp -fpx s", r"-bp\(a f", "-bp f", "-l2 -bp^$ f",
        "-s\u00e9 f", "-i x f", "-l x f", "-v x f", "-w x f",
        "missing f", "d f", "", "-v 9223372036854775806 f", "-v 9223372036854775806 -i2 f",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("nl", words.split(" ") if words else [], tmp_path, FILES, b"a\n\nb")


CONTENT = sample_texts.texts(b"\n\\:\\:\n", b"\n\\:\n", b"\n\\:\\:\\:\n", b"\n\n")
WORDS = st.lists(
    st.sampled_from(["-ba", "-ha", "-fa", "-p", "-i2", "-l2", "-nln", "-nrz", "x", "y"]), max_size=4
)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("nl")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("nl", given_words, folder, {"x": x, "y": y}, stdin)


@pytest.mark.parametrize(
    "words",
    ["-ba f", "-ba -nln f", "-ba -nrz f", "-ba -w1 f", "-ba -w2 -nrz f", "-ba -v998 f", "-v -3 f",
     "-ba -v -1003 f", "-ba -v999990 -s: f", "-ba -nln -w9 -v99998 f", "-i3 f"],
)  # fmt: skip
def test_numbering_thousands_of_lines_matches_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("nl", words.split(), tmp_path, {"f": b"line\n" * 2_500}, b"")
