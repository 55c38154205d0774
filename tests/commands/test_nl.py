"""nl: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.agreeing import agree
from commands.conformance import TextCommandConformance

FILES = {
    "s": b"a\n\\:\\:\\:\nb\n\\:\\:\nc\n\n\n\\:\nd\n", "f": b"one two\nb\tc\n\nlast",
    "g": b"x:y:z\n1:2\nplain\n", "n": b"10\n9\n-1\n2.5\n 3\n1K\n2M\n", "e": b"",
    "z": b"b\x00a\x00c", "u": b"gr\xc3\xb6\xc3\x9fe \xe2\x82\xac\n\xc3\xa4\n",
    "v": b"a10\na9\na1.2\n.b\na~\n", "m": b"mar\nJAN\nx\nfeb 2\n",
    "k": b"b 2 x\na 2 y\nc 10 x\na 1 z\n",
}  # fmt: skip


class TestNl(TextCommandConformance):
    name = "nl"


@pytest.mark.parametrize(
    "words",
    [
        "f", "-ba f", "-bn f", "-ha -fa s", "s", "-ba s", "-p s", "-i5 -v3 f", "-nln f", "-nrz f",
        "-w3 -s: f", "-l2 -ba f", "-dx f", "-w0 f", "-bx f", "-nx f",
        "-bpa f", "-bp^a*$ f", "-hp. -bp -fpx s", r"-bp\(a f", "-bp f", "-l2 -bp^$ f",
        "-i x f", "-l x f", "-v x f", "-w x f",
        "missing f", "d f", "",
    ],
)  # fmt: skip
def test_a_call_does_what_gnu_does(tmp_path: Path, words: str) -> None:
    agree("nl", words.split(" ") if words else [], tmp_path, FILES, b"a\n\nb")


CONTENT = st.lists(
    st.sampled_from(
        [
            b"\n", b"\n", b"a", b"b", b" ", b"\t", b"1", b"2", b"10", b"\xc3\xa9", b"\xff", b"A",
            b"foo", b",", b":", b"\x00", b"\r", b"\n\\:\\:\n", b"\n\\:\n", b"\n\\:\\:\\:\n",
            b"\n\n",
        ]
    ),
    max_size=30,
).map(b"".join)  # fmt: skip
WORDS = st.lists(
    st.sampled_from(["-ba", "-ha", "-fa", "-p", "-i2", "-l2", "-nln", "-nrz", "x", "y"]), max_size=4
)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_do_what_gnu_does(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("nl")
    given_words = [part for word in words for part in word.split(" ")]
    agree("nl", given_words, folder, {"x": x, "y": y}, stdin)


@pytest.mark.parametrize(
    "words",
    ["-ba f", "-ba -nln f", "-ba -nrz f", "-ba -w1 f", "-ba -w2 -nrz f", "-ba -v998 f", "-v -3 f",
     "-ba -v -1003 f", "-ba -v999990 -s: f", "-ba -nln -w9 -v99998 f", "-i3 f"],
)  # fmt: skip
def test_thousands_of_lines_are_numbered_as_by_gnu_s(tmp_path: Path, words: str) -> None:
    agree("nl", words.split(), tmp_path, {"f": b"line\n" * 2_500}, b"")
