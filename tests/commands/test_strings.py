"""strings: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.agreeing import agree

FILES = {
    "x": b"abc\0abcd\0hello world\n\x01a\tbcd", "e": b"",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-n2 x", "-3 x", "-a x", "-f x e", "-td x", "-t x x", "-o x", "-w x", "-eS x",
        "-s: x", "-n 7 x", "no x", "e", "", "-n 0 x",
    ],
)  # fmt: skip
def test_a_call_does_what_gnu_does(tmp_path: Path, words: str) -> None:
    agree("strings", words.split(), tmp_path, FILES, b"\xff\xfestring\0")


CONTENT = st.lists(
    st.sampled_from([b"abcd", b"hello ", b"\n", b"\0", b"ab", b"\t", b"\xc3\xa9", b"\x01"]),
    max_size=25,
).map(b"".join)
WORDS = st.lists(st.sampled_from(["-n2", "-f", "-td", "-w", "-eS", "-s:"]), max_size=3)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_do_what_gnu_does(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("strings")
    agree("strings", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)
