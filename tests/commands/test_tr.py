"""tr: a table of calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.comparison import assert_agreement

FILES = {}


@pytest.mark.parametrize(
    "words",
    [
        "a b", "a-z A-Z", "[:lower:] [:upper:]", "[:upper:] [:lower:]", "-d a", "-d a-m", "-s a",
        "-s [:space:]", "-s a b", "-ds a b", "-cd a-z", "-cs a-z \\n", "-c a-z x", "-t abc x",
        "abc x", "a-c [x*]", "a-d [x*2]y", "\\141 x", "\\n ,", "é e", "[=a=] x", "a", "-d a b",
        "a b c", "", "-ds a", "z-a x", "[:foo:] x", "a [:digit:]", "a [=b=]", "[a*] b",
        "a [b*][c*]", "abc [:upper:]", "a-z[:digit:] [:upper:]1", "a ", "[:alpha:] [:upper:]",
        "a \\", "\\400 x", "-C a x", "[a*x] b", "a [b*x]", "[::] a", "[==] a", "[=ab=] x",
        "-c [:alpha:] xy", "[a b", "[:a b", "a- b-", "-- -a xy",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement(
        "tr",
        words.split(" ") if words else [],
        tmp_path,
        FILES,
        b"aabbccxx  \xc3\xa9[]:=*-A1\n\n\ttail",
    )
