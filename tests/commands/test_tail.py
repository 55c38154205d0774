"""tail: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.agreeing import agree
from commands.conformance import TextCommandConformance

FILES = {
    "f": b"one two\nb\tc\n\nlast", "g": b"x:y:z\n1:2\nplain\n",
    "n": b"10\n9\n-1\n2.5\n 3\n1K\n2M\n", "e": b"", "z": b"b\x00a\x00c",
    "u": b"gr\xc3\xb6\xc3\x9fe \xe2\x82\xac\n\xc3\xa4\n", "v": b"a10\na9\na1.2\n.b\na~\n",
    "m": b"mar\nJAN\nx\nfeb 2\n", "k": b"b 2 x\na 2 y\nc 10 x\na 1 z\n",
}  # fmt: skip


class TestTail(TextCommandConformance):
    name = "tail"


class TestTailFromALineOn(TextCommandConformance):
    name = "tail"
    arguments = ("-n", "+3")


@pytest.mark.parametrize(
    "words",
    [
        "f", "-n1 f", "-n 2 f g", "-2 f", "-n +2 f", "-n +0 f", "-c3 f", "-c+3 u", "-c 1 u",
        "-q f g", "-v f", "-z -n1 z", "-n0 f", "-n0 missing", "missing f", "d", "-n x f", "-c x f",
        "-n 1K f", "-n 1c f", "f -", "", "-n -1 f", "-n +2 -c 3 f",
    ],
)  # fmt: skip
def test_a_call_does_what_gnu_does(tmp_path: Path, words: str) -> None:
    agree("tail", words.split(" ") if words else [], tmp_path, FILES, b"in\nput\n")


CONTENT = st.lists(
    st.sampled_from(
        [
            b"\n", b"\n", b"a", b"b", b" ", b"\t", b"1", b"2", b"10", b"\xc3\xa9", b"\xff", b"A",
            b"foo", b",", b":", b"\x00", b"\r",
        ]
    ),
    max_size=30,
).map(b"".join)  # fmt: skip
WORDS = st.lists(
    st.sampled_from(["-n 2", "-n +2", "-c 3", "-c +3", "-q", "-v", "-z", "-n 1", "-n 0", "x", "y"]),
    max_size=4,
)


@settings(max_examples=80)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_do_what_gnu_does(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("tail")
    given_words = [part for word in words for part in word.split(" ")]
    agree("tail", given_words, folder, {"x": x, "y": y}, stdin)
