"""join: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.block_sizes import assert_agreement_in_small_blocks, texts
from commands.comparison import assert_agreement

FILES = {
    "x": b"a 1 2\nb 3 4\nb 5\nd 6\n", "y": b"a x\nb y z\nc w\n", "u": b"b\na\n",
    "t": b"k:1:2\nm::3\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x y", "-a1 x y", "-a2 -e E -o 0,1.2,2.2 x y", "-v1 x y", "-v2 x y",
        "-o auto -e E -a1 -a2 x y", "-t: t t", "-t : -1 1 -2 1 t t", "-j 1 x y", "-1 2 -2 2 x y",
        "--header x y", "x u", "u x", "--check-order x u", "--nocheck-order u x", "-i x y",
        "-o 1.1 2.2 x y", "-o 1.1 2.2 0 x y", "x -o 1.1 2.2 y", "x y -o 1.1 2.2", "-o 1.1 2.2 x",
        "-o auto 1.1 x y", "-o 2.2 x y z", "-o 1.1 2.2 -- x y",
        "-z x y", "-t ab x y", "-1 0 x y", "-a 3 x y", "-o 3.1 x y", "-o 1 x y", "x -", "x no",
        "x", "", "x y z", "-o1.1,2.9 x y", "-1 1 -1 2 x y", "-j 1 -2 2 x y", "-1 2 -j 2 x y",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("join", words.split(), tmp_path, FILES, b"a p\nd q\n")


CONTENT = st.lists(
    st.sampled_from([b"a 1\n", b"a 2\n", b"b 1 x\n", b"c\n", b"\n", b"A  3\n", b"a\t:\n"]),
    max_size=7,
).map(b"".join)
WORDS = st.lists(
    st.sampled_from(
        ["-a1", "-a2", "-v1", "-j2", "-eX", "-oauto", "-t:", "-i", "--header", "--nocheck-order"]
    ),
    max_size=3,
)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("join")
    assert_agreement("join", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)


ORDERED = texts([b"a", b"b 1", b"b 2", b"", b"c:d", b"e\xff f", b"\xc3\xa9 x y", b"m  2", b"B 3"])
OPTIONS = st.lists(
    st.sampled_from(
        ["-a1", "-a2", "-v1", "-i", "-t:", "-eX", "--header", "--check-order", "--nocheck-order"]
    ),
    max_size=2,
)


@settings(max_examples=100)
@given(x=ORDERED, y=ORDERED, words=OPTIONS)
def test_any_block_size_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, words: list[str]
) -> None:
    assert_agreement_in_small_blocks("join", words, tmp_path_factory.mktemp("join"), x, y)
