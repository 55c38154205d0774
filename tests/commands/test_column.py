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
    "t": b"a bb c\ndddd e ffffff\nx\n1 2 3 4\n",
    "u": b"\xc3\xa9\tb\nccc\td\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-t x", "-t -s: x", "-t -o+ x", "-c 20 n", "-x -c 20 n", "-t -N A,B x", "-t -R 1 x",
        "-t -L x", "-t -d -N a,b x", "-t -s: -o :: x", "-t -l 2 x", "-t u", "no", "n u", "",
        "-t -x x", "-t -N a,b -R b x",
        "-t -N A,B,C -H B t", "-t -H 2 t", "-t -N A,B,C -O C,A t", "-t -O 3,1 t", "-t -H - t",
        "-t -N A,B,C -H - t", "-t -N A,B,C -H 0 t", "-t -H A t", "-t -N A,B -H A t", "-t -R 0 t",
        "-t -N A,B -R B,A t", "-t -N A,B,C -R - t", "-t -O 0 t", "-t -H 2,2 t", "-t -O 9 t",
        "-t -H 1 -O 3,1 t", "-t -H 3,4 t", "-t -N A,B,C,D,E -H C -d t", "-t -H 1x t", "-t -H -1 t",
        "-t -N 2,1 -H 1 t", "-t -N A -N B t", "-t -H 1 -H 2 t", "-H 1 t", "-O 1 t", "-N 1 t",
        "-t -N A,B,C,D -H A,-,C -R 4 -O D t",
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


@settings(max_examples=60)
@given(
    x=CONTENT,
    hidden=st.lists(st.sampled_from(["1", "2", "A", "-", "5"]), max_size=2),
    first=st.sets(st.sampled_from(["1", "2", "3", "B", "5"]), max_size=2),
    right=st.lists(st.sampled_from(["1", "B", "4"]), max_size=2),
)
def test_columns_are_chosen_as_by_the_real_tool(
    tmp_path_factory: pytest.TempPathFactory,
    x: bytes,
    hidden: list[str],
    first: set[str],
    right: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("column")
    lists = {"-H": hidden, "-O": sorted(first), "-R": right}
    words = [word for option, names in lists.items() if names for word in (option, ",".join(names))]
    agree("column", ["-t", "-N", "A,B,C", *words, "x"], folder, {"x": x})


def test_a_field_without_a_name_is_no_json() -> None:
    answer = ours("column", "-J", "-N", "a", files={}, stdin=b"1\n2 3\n")
    assert answer.err == "column: line 3: for JSON the name of the column 2 is required\n"
    assert (answer.status, answer.out) == (1, b"")
