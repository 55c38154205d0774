"""cmp: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement

FILES = {
    "x": b"abc\nd", "y": b"abc\ne", "short": b"abc", "line": b"abc\n", "e": b"", "z": b"aXcYZ\n",
    "odd": b"\x01\xff\t", "odder": b"x\n\x80",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x y", "-l x z", "-b x y", "-bl x z", "short x", "line x", "e x", "x e", "-s x e",
        "-l short x", "x x", "-n 3 x y", "-n2 short x", "-i 2 x y", "-i 1:2 x y", "x z 1 1",
        "x z 1 2 3", "x no", "no nope", "x d", "-s x no", "-n x x y", "-i x x y", "", "x",
        "-l -s x y", "-bl odd odder", "-b odd odder", "-i 9 short x", "x z x", "-n 1K x y",
        "-i 1kB x y", "-l x -", "-", "d d", "-n 0 x y", "-i1: x y", "-i 3 short line", "- -",
        "-c x y", "-i :1 x y", "-n 0x3 x z", "-n 010 x z", "x z 0x1", "-n 99999999999999999999 x y",
        "-n 18446744073709551615 x y", "-n 0x x y", "-i 08 x y", "-i 1:2:3 x y", "-Z x y",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("cmp", words.split(), tmp_path, FILES, b"aXcYZ\n")


CONTENT = st.lists(st.sampled_from([b"a", b"a", b"b", b"\n", b"\xff"]), max_size=10).map(b"".join)
WORDS = st.lists(st.sampled_from(["-b", "-l", "-n3", "-i1", "-i2:1"]), max_size=3)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("cmp")
    assert_agreement("cmp", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)
