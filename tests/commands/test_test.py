"""test and [: tables, and random conditions against bash's builtins."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from commands.bash_builtins import bash_builtin
from commands.command_runner import on_disk, run_keysh
from keysh.schema.arguments import GlobArgument, NamedArgument
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS

FILE_OPERATORS = [
    "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-p", "-r", "-s", "-u", "-w", "-x", "-G",
    "-L", "-N", "-O", "-S",
]  # fmt: skip
NAMES = [
    "file", "empty", "dir", "link", "broken", "loop", "fifo", "socket", "bits", "dir/in", "dir/",
    "file/", "missing", ".", "dir/..",
]  # fmt: skip

CONDITIONS = (
    r"""
-t x|-t|-t 99|! -t|-t x -a b|-t 99 -a b|a b|-q b|-foo b|a b c|a b c d|a b c d e|( a )|( a|( a b
( a b c|! ! ! ! ! a|a -a|a -a b -o|a = b -a (|( -n a -a b ) c|( a = b x|1 -eq x|x -eq 1|1 -eq +1
1 -eq 99999999999999999999|1 -eq 9223372036854775807|-9223372036854775808 -lt 0|1 -lt 0x2|1 -eq -
a =~ b|! a b|( )|( ! )|-n = -n|= = =|! = !|-n -a -n|-f = a b|a = a -o|a = a b|a = a b c|( ( a ) )
( -n a )|( -n )|( x y )|x = x -o 1 -eq x|a -a b -a c -o d -x|! ( a|x -nt y -z|-b|!|-n !|! !|! ( a )
! ! a b|( a = a ) -a ! ( b = c )|a < b|B < a|a > b|x -o ( -a )|-n x -a -t|-n x -o -t x -o b|]|[
a -a b -o|-z x -o -n x -a -z x|-n x -o -z x -a -z x|( ( ( a ) ) -o b )|( ! a = b ) -a ( c )|( = b
! ( = b )|( = ( -a b|a -o b -o c -o -z|1 -eq 1 -a 2 -gt 1 -o 1 -ne 1|-e|-e file -a -d dir|é < f
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "file").write_text("text")
    (folder / "empty").touch()
    (folder / "dir").mkdir()
    (folder / "dir/in").touch(0o755)
    (folder / "link").symlink_to("file")
    (folder / "broken").symlink_to("nothing")
    (folder / "loop").symlink_to("loop")
    (folder / "bits").touch()
    (folder / "bits").chmod(0o7640)
    (folder / "twin").hardlink_to(folder / "file")
    os.mkfifo(folder / "fifo")
    here = os.getcwd()
    os.chdir(folder)  # the path of a socket may not be long
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind("socket")
    finally:
        os.chdir(here)
    for name, times in (("file", (5, 9)), ("empty", (7, 3)), ("dir/in", (2, 2)), ("bits", (9, 9))):
        os.utime(folder / name, times)
    return folder


def agree(calls: list[list[str]], folder: Path, name: str = "test") -> None:
    files = on_disk(folder)
    for call, expected in zip(calls, bash_builtin(name, calls, folder), strict=True):
        assert run_keysh(name, *call, fs=files) == expected, call


def test_files(folder: Path) -> None:
    agree([[operator, name] for operator in FILE_OPERATORS for name in [*NAMES, ""]], folder)


def test_pairs_of_files(folder: Path) -> None:
    names = ["file", "empty", "bits", "twin", "link", "dir/../file", "broken", "missing", ""]
    operators = ("-nt", "-ot", "-ef")
    agree([[a, operator, b] for operator in operators for a in names for b in names], folder)


def test_conditions(folder: Path) -> None:
    calls = [condition.split(" ") for condition in CONDITIONS]
    numbers = ["", " 1", "1 ", "1\n", "\n1", " ", "1 2", "\t1\t", "1\v", "-1", "- 1", "++1", "01"]
    calls += [[], [""], ["", "-a", ""], ["!", ""], ["-z", ""], ["-n", ""]]
    agree(calls + [["1", "-eq", number] for number in numbers], folder)


def test_bracket(folder: Path) -> None:
    calls = [[], ["a"], ["]"], ["]", "]"], ["a", "b", "]"], ["-z", "", "]"], ["-q", "b", "]"]]
    agree(calls, folder, "[")


TOKENS = st.sampled_from(
    ["!", "!", "(", "(", ")", ")", "-a", "-a", "-o", "-o", "=", "!=", "<", "-eq", "-lt", "-nt",
     "-f", "-d", "-n", "-z", "-e", "-t", "a", "b", "1", "2", "file", "dir", "-q", ""]
)  # fmt: skip


@given(calls=st.lists(st.lists(TOKENS, max_size=9), min_size=150, max_size=200))
@settings(derandomize=True, max_examples=15, deadline=None, phases=[Phase.generate])
def test_agrees_with_bash(calls: list[list[str]], folder: Path) -> None:
    agree([call for call in calls if not asks_for_an_option(call)], folder)


def asks_for_an_option(call: list[str]) -> bool:
    """Whether a `-o` may be the test of a shell option, which is skipped."""
    return any(
        word == "-o" and (not at or call[at - 1] in ("!", "(", "-a", "-o"))
        for at, word in enumerate(call)
    )


def test_virtual_files_use_owner_permissions() -> None:
    fs = MemoryFS({"/f": ""})
    fs.set_mode("/f", 0o500)
    reported = [run_keysh("test", operator, "/f", fs=fs).status for operator in ("-r", "-w", "-x")]
    assert reported == [0, 1, 0]


def test_files_of_two_file_systems_are_never_the_same(tmp_path: Path) -> None:
    fs = MemoryFS({"/a": "", "/b": ""})
    fs.link("/a", "/c")
    assert run_keysh("test", "/a", "-ef", "/c", fs=fs).status == 0
    assert run_keysh("test", "/a", "-ef", "/b", fs=fs).status == 1
    assert isinstance(on_disk(tmp_path), LocalFS)


def test_odd_words() -> None:
    assert run_keysh("test", NamedArgument("a", 1, "a=1"), "=", "a=1").status == 0
    assert run_keysh("test", GlobArgument("*", lambda: ["x"]), "=", "*").status == 0
    assert run_keysh("test", [1, 2], "=", "[1,2]").status == 0
    assert run_keysh("test", 2, "-gt", 1).status == 0


def test_parentheses_do_not_exhaust_the_stack() -> None:
    answer = run_keysh("test", *["("] * 5000, "a", *[")"] * 5000)
    assert (answer.status, answer.err) == (2, "test: more than 100 parentheses in each other\n")
    assert run_keysh("test", *["!"] * 100_001, "").status == 0
