"""seq: a table of calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.agreeing import agree

FILES = {}


@pytest.mark.parametrize(
    "words",
    [
        "3", "2 4", "5 -1 1", "1 2 8", "0.5 2", "1 .25 2", "-w 8 11", "-w -1 .5 1", "-s, 3",
        "-s  3", "-f %g 3", "-f %05.1f 1 3", "-f %d 3", "-f x 3", "-f % 3", "-f %g%g 3",
        "-f %%%g 2", "-w -f %g 3", "3 1", "1 0 3", "x", "1 2 3 4", "", "nan", "1e2 102",
        "0x10 0x12", "-3", "-3 -1", "1 1", "-5 2 -1", "100 -50 -100", "1.5 3", "-w 1.5 10",
        "-f %e 2", "10000000000000000000 10000000000000000002",
    ],
)  # fmt: skip
def test_a_call_does_what_gnu_does(tmp_path: Path, words: str) -> None:
    agree("seq", words.split(" ") if words else [], tmp_path, FILES, b"")
