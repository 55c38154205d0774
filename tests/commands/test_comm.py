"""comm: calls against the real tool, from a table and at random."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.block_sizes import assert_agreement_in_small_blocks, texts
from commands.comparison import assert_agreement
from keysh import Shell

FILES = {
    "x": b"a\nb\nd\n", "y": b"b\nc\nd", "u": b"b\na\n", "z": b"a\0b\0",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x y", "-1 x y", "-12 x y", "-123 x y", "-3 x y", "--total x y", "x u", "u x",
        "--check-order x u", "--nocheck-order u x", "-z z z", "--output-delimiter=: x y",
        "--output-delimiter= --total x y", "--output-delimiter=a --output-delimiter=b x y", "x -",
        "- y", "x no", "d x", "x", "", "x y z", "x y z\t",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("comm", words.split(), tmp_path, FILES, b"b\nd\n")


CONTENT = st.lists(
    st.sampled_from([b"a\n", b"b\n", b"c", b"\n", b"\xc3\xa9\n", b"\xff\n"]), max_size=8
).map(b"".join)
WORDS = st.lists(
    st.sampled_from(["-1", "-2", "-3", "--check-order", "--nocheck-order", "--total"]), max_size=3
)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("comm")
    assert_agreement("comm", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)


ORDERED = texts([b"a", b"b", b"", b"c d", b"e\xff", b"\xc3\xa9", b"\x00", b"m"])
OPTIONS = st.lists(
    st.sampled_from(["-1", "-2", "-3", "-12", "--total", "--check-order", "--nocheck-order"]),
    max_size=2,
)


@settings(max_examples=100)
@given(x=ORDERED, y=ORDERED, words=OPTIONS)
def test_any_block_size_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, words: list[str]
) -> None:
    assert_agreement_in_small_blocks("comm", words, tmp_path_factory.mktemp("comm"), x, y)


def test_input_after_a_disorder_is_not_read() -> None:
    shell = Shell(files={"/u": "b\na\n"})
    answer = shell.run("comm --check-order u -", stdin=repeat("z\n" * 1000))
    assert (answer.code, answer.stdout) == (1, "b\n")
    assert answer.stderr == "comm: file 1 is not in sorted order\n"
