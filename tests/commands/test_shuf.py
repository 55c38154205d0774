"""shuf: a table of calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.agreeing import agree
from commands.running import ours

FILES = {
    "f": b"one two\nb\tc\n\nlast", "g": b"x:y:z\n1:2\nplain\n",
    "n": b"10\n9\n-1\n2.5\n 3\n1K\n2M\n", "e": b"", "z": b"b\x00a\x00c",
    "u": b"gr\xc3\xb6\xc3\x9fe \xe2\x82\xac\n\xc3\xa4\n", "v": b"a10\na9\na1.2\n.b\na~\n",
    "m": b"mar\nJAN\nx\nfeb 2\n", "k": b"b 2 x\na 2 y\nc 10 x\na 1 z\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "e", "-n0 f", "-n0 missing", "-e a", "-i 3-3", "-i 5-4", "-i 9-1", "-i x", "-e -i 1-2",
        "-i1-2 x", "f g", "missing", "d", "-n x f", "-e", "-r e",
    ],
)  # fmt: skip
def test_a_call_does_what_gnu_does(tmp_path: Path, words: str) -> None:
    agree("shuf", words.split(" ") if words else [], tmp_path, FILES, b"")


def test_the_lines_are_the_same_in_another_order() -> None:
    lines = [b"%d" % i for i in range(3000)]
    drawn = ours("shuf", stdin=b"\n".join(lines)).out.split()
    assert sorted(drawn, key=int) == lines
    assert drawn != lines


def test_a_few_are_drawn_once_each() -> None:
    drawn = ours("shuf", "-i", "1-50", "-n", "20").out.split()
    assert len(set(drawn)) == 20
    assert {int(one) for one in drawn} <= set(range(1, 51))


def test_lines_may_come_again() -> None:
    drawn = ours("shuf", "-r", "-n", "2000", "-e", "a", "b").out.split()
    assert len(drawn) == 2000
    assert set(drawn) == {b"a", b"b"}


def test_chance_is_the_host_s() -> None:
    assert ours("shuf", "-i", "1-99") == ours("shuf", "-i", "1-99")
