"""column: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.agreeing import agree
from commands.running import ours

FILES = {
    "x": b"a b c\nfoo   bar\n\nx:y z\n", "n": b"1\n2\n3\n4\n5\n6\n7\n",
    "u": b"\xc3\xa9\tb\nccc\td\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-t x", "-t -s: x", "-t -o+ x", "-c 20 n", "-x -c 20 n", "-t -N A,B x", "-t -R 1 x",
        "-t -L x", "-t -d -N a,b x", "-t -s: -o :: x", "-t -l 2 x", "-t u", "no", "n u", "",
        "-t -x x", "-t -N a,b -R b x",
    ],
)  # fmt: skip
def test_a_call_does_what_gnu_does(tmp_path: Path, words: str) -> None:
    agree("column", words.split(), tmp_path, FILES, b"a\nb\n")


CONTENT = st.lists(
    st.sampled_from(
        [b"a", b"bb", b"\n", b"ccc\n", b"\xc3\xa9", b" ", b"  ", b":", b"\t", b"dddddddd"]
    ),
    max_size=25,
).map(b"".join)
WORDS = st.lists(st.sampled_from(["-t", "-L", "-c20", "-s:", "-o+"]), max_size=3)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_do_what_gnu_does(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("column")
    agree("column", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)


def test_json_is_a_row_for_each_line() -> None:
    answer = ours("column", "-J", "-N", "a,b", files={}, stdin=b"1 x\n2\n")
    assert answer.out == b'{"a":"1","b":"x"}\n{"a":"2","b":null}\n'
