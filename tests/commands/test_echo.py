"""echo: tables, and random words against bash's builtin."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.bash_builtins import bash_builtin
from commands.command_runner import run_keysh
from keysh.schema.arguments import GlobArgument, NamedArgument

CALLS = [
    [], ["a", "b"], ["", ""], ["-n", "a"], ["-n"], ["-e", r"a\tb"], ["-E", r"a\tb"],
    ["-neE", r"\t"], ["-nE", "-e", r"\t"], ["-e", "-x", "-n"], ["-"], ["--"], ["--", "-n"],
    ["--help"], ["-nx", "a"], ["-e", "-n", "--", "a"], ["-e", r"a\cb", "c"], ["-en", r"\c"],
    ["-e", r"\a\b\e\E\f\n\r\t\v\\"], ["-e", r"\0\01\012\0123\01234\0777\08\1\12"],
    ["-e", r"\x\x4\x41\x414\xg\xc3\xa9\xff"], ["-e", r"\u\u4\u00e9\u00e9f\u20ac\ud800"],
    ["-e", r"\U\U1F600 \U0001F6000 \U110000 \U7fffffff \Uffffffff \U200000 \U4000000"],
    ["-e", "\\"], ["-e", "\\\\"], ["-e", "\\\\\\"], ["-e", r"\\t"], ["-e", r"\'\"\?\z\(\{"],
    ["-e", r"\u0000|\x00|\0"], ["-e", "\udcff\\0303\udca9"],
]  # fmt: skip


def agree(calls: list[list[str]], folder: Path) -> None:
    for call, expected in zip(calls, bash_builtin("echo", calls, folder), strict=True):
        assert run_keysh("echo", *call) == expected, call


def test_table(tmp_path: Path) -> None:
    agree(CALLS, tmp_path)


WORDS = st.lists(
    st.one_of(
        st.sampled_from(["-n", "-e", "-E", "-ne", "-nn", "-", "-en-"]),
        st.lists(
            st.one_of(
                st.sampled_from(["\\", "\\0", "\\x", "\\u", "\\U", "\\c", "\\\\", "\\1", "é", " "]),
                st.sampled_from("abcefnrtvE01789gFD'\"\n-"),
            ),
            max_size=12,
        ).map("".join),
    ),
    max_size=5,
)


@given(calls=st.lists(WORDS.map(lambda words: ["-e", *words]) | WORDS, min_size=40, max_size=60))
@settings(derandomize=True, max_examples=12, deadline=None)
def test_agrees_with_bash(calls: list[list[str]], tmp_path_factory: pytest.TempPathFactory) -> None:
    agree(calls, tmp_path_factory.getbasetemp())


def test_odd_words() -> None:
    answer = run_keysh(
        "echo",
        NamedArgument("a", 1.5, "a=1.50"),
        GlobArgument("*.py", lambda: ["x.py", "y.py"]),
        GlobArgument("*.c", list),
        [1, {"a": "é"}],
        {"k": None},
        True,
        7,
    )
    assert answer.out.decode() == 'a=1.50 x.py y.py [1,{"a":"é"}] {"k":null} true 7\n'


def test_glob_results_that_look_like_options() -> None:
    assert run_keysh("echo", GlobArgument("-*", lambda: ["-n", "x"])).out == b"x"
