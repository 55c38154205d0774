"""strings: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement

WIDE = "".join(f"word {i}\t\n\u20ac" for i in range(300))
FILES = {
    "wide": b"".join(WIDE.encode(f"utf-{size}-{order}") + b"x" for size in (16, 32)
                     for order in ("le", "be")) * 9,
    "x": b"abc\0abcd\0hello world\n\x01a\tbcd", "e": b"",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-n2 x", "-3 x", "-a x", "-f x e", "-td x", "-t x x", "-o x", "-w x", "-eS x",
        "-s: x", "-n 7 x", "no x", "x/y x", "d x", "e", "", "-n 0 x", "-n x x", "-Telf64-x86-64 x",
        "-el wide", "-eb wide", "-eL wide", "-eB wide", "-el -n2 -tx wide", "-eb -w -n2 wide",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("strings", words.split(), tmp_path, FILES, b"\xff\xfestring\0")


CONTENT = st.lists(
    st.sampled_from(
        [
            b"abcd",
            b"hello ",
            b"\n",
            b"\0",
            b"ab",
            b"\t",
            b"\xc3\xa9",
            b"\x01",
            b"a\0b\0c\0\0d\0e\0f",
            b"\0\0a\0\0\0b\0\0\0c\0",
        ]
    ),
    max_size=25,
).map(b"".join)
WORDS = st.lists(
    st.sampled_from(["-n2", "-f", "-td", "-w", "-eS", "-s:", "-el", "-eB"]), max_size=3
)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("strings")
    assert_agreement("strings", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)
