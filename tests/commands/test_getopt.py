"""getopt against the real one of util-linux."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.command_runner import run_gnu, run_keysh

CALLS = [
    ["-o", "ab:", "-l", "foo,bar:,baz::", "-n", "prog", "--", "-a", "-b", "x", "--foo", "--bar=1",
     "--baz", "--baz=2", "rest", "it's", "--", "z"],
    ["-o", "ab:", "-l", "foobar,foobaz", "--", "--foo", "-c", "-b"],
    ["-o", "ab:", "-l", "foobar,foobaz:", "--", "--foobar=1", "--foobaz", "--nope", "-ab"],
    ["ab:", "-a", "-b", "x y", "z"], ["-u", "-o", "a", "--", "-a", "x y"], ["-T"],
    ["-o", "a", "-s", "csh", "--", "-a", "it!s \\x"], ["-s", "zsh", "-o", "a"],
    ["-o", "+a", "--", "-a", "x", "-a"], ["-o", "-a", "--", "x", "-a", "y"],
    ["-a", "-o", "a", "-l", "foo,bar:", "--", "-foo", "-bar", "3", "-a", "-fo", "-z"],
    ["-q", "-o", "a", "--", "-b"], ["-Q", "-o", "a", "--", "-a", "-b"], ["--"], ["-o"],
    ["-o", "a:"], ["-o", "a::", "--", "-a", "-ax", "-a", "x"], ["a-b", "-a", "-", "--", "x"],
    ["-o", "", "-l", "a b,c", "--", "--a", "--b", "--c"], ["-l", "foo", "--", "abc", "-a", "-z"],
    ["-o", ":", "--", "-a"], ["-n", "my prog", "-o", "a", "--", "-b"],
    ["-o", "a", "--", "", "a b", "n\nl", "b\\s"], ["-o", "a", "-l", "foo:", "--", "--=x", "--fo="],
    ["", "-a"], [], ["-o", "a", "-l", "foo", "--", "--foo=bar"], ["+ab", "x", "-a"],
    ["-o", "a", "-l", "x", "-l", "y:", "--", "--y", "1", "--x"], ["-o", "abc:", "--", "-abcx"],
]  # fmt: skip


@pytest.mark.parametrize("words", CALLS, ids=repr)
def test_it_answers_as_the_real_one(tmp_path: Path, words: list[str]) -> None:
    assert run_keysh("getopt", *words) == run_gnu("getopt", *words, cwd=tmp_path)


def test_posixly_correct_ends_at_the_first_operand(tmp_path: Path) -> None:
    words = ["-o", "a", "--", "x", "-a"]
    real = run_gnu("getopt", *words, cwd=tmp_path, POSIXLY_CORRECT="1")
    assert run_keysh("getopt", *words, env={"POSIXLY_CORRECT": "1"}) == real
