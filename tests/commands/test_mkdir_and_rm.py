"""mkdir rmdir rm unlink truncate: tables and random calls against the real tools."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, run_keysh
from commands.file_effects import run_both
from keysh.vfs.api import Entry, failure
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.router import Router

TABLE = """
mkdir|mkdir d|mkdir f g|mkdir f/g|mkdir -p d a|mkdir -p a/x|mkdir -pv f/g/h|mkdir -v f
mkdir -m 700 f|mkdir -m foo f|mkdir -m 0700 -p f/g|mkdir nowhere|mkdir to_d|mkdir -p nowhere
mkdir -p nowhere/x|mkdir a/|mkdir f/ -v|mkdir -pm u=rwx,g= f/g|mkdir -m 1777 f
mkdir -p d/sub/../new|mkdir -pv f/./g//h/|mkdir -p to_d/new|mkdir -p /|mkdir -m a+rwx,g-s f
mkdir -pv f d/f|mkdir --parents --verbose f/g|mkdir d/new/x d/new|mkdir -m 7777 f|mkdir -m 888 f
rmdir|rmdir d|rmdir a|rmdir f|rmdir empty|rmdir -v empty|rmdir -p e/d|rmdir -pv e/d empty
rmdir --ignore-fail-on-non-empty d|rmdir -p --ignore-fail-on-non-empty e/d|rmdir to_d|rmdir to_d/
rmdir .|rmdir empty/|rmdir e/d/.|rmdir e/d/..|rmdir -v empty a e/d|rm|rm -f|rm d|rm -d d
rm --preserve-root=x f|rm --preserve-root=all f|rm -rf to_d/|rm -rf a/x
rm -d empty|rm f|rm -f f|rm a b|rm -v a to_a nowhere|rm -r d|rm -rv empty|rm -r . ..
rm -r d/. e/..|rm -rf .|rm a/|rm to_d|rm -r to_d|rm f/ a/x|rm -f a/x|rm -fv a f b
rm --interactive=x a|rm --interactive=never a|rm -dv empty d|rm -r --preserve-root=all d
rm --no-preserve-root a|rm -- -x|rm -v hard|rm -rfv d/sub f|rm -R e empty
rm --one-file-system -r d|rm -r to_d/|rm -i|rm -v d/sub/y|rm ./a ../x|rm -Z a|rm -r f d|rm run b
rm -r /f -f|unlink|unlink a b|unlink a|unlink f|unlink d|unlink a/|unlink to_a|unlink nowhere
truncate|truncate -s 5|truncate a|truncate -s x a|truncate -s +5 a|truncate -s -1 a
truncate -s <1 b|truncate -s >700 b|truncate -s %100 b|truncate -s /100 b|truncate -s %0 a
truncate -s /0 a|truncate -r b a|truncate -r f a|truncate -r b -s 5 a|truncate -r b -s +5 a
truncate -o a|truncate -os 1 a|truncate -c -s 1 f|truncate -s 1 d|truncate -s 1 f/x
truncate -s 1K a|truncate -s +-5 a|truncate -s 1KB f|truncate -s 1Z a|truncate -s 3 a b f
truncate -s 0 to_a nowhere|truncate -s 1b a|truncate -s -9999 b|truncate -s 1KiB a
truncate --size=%7 a b|truncate -s /4 -s 0 a|truncate -s >2 -s 3 a|truncate -s +2 -s 5 a
truncate -s -9223372036854775807 a|truncate -s /x a|truncate -s -2 -s +1 a|truncate -s +1 -s >3 a
rm f//|rm to_d/|rm nowhere/|rm -f --interactive=never f|rm --interactive=never -f f|rm -d d e/d
rm -f --interactive=never|rm -r a/ nowhere/|rm a// d//|mkdir -m +t f|mkdir -m g-x f|mkdir -m u+s f g
mkdir -pm g-x f/g|mkdir -p a/|mkdir -m a+w f|mkdir -m u= f|mkdir -m g-x,+t f|rmdir to_a/
rmdir nowhere/|rmdir a/|sync -df a|sync -d|sync f a|md5sum --tag -t a|md5sum -t --tag a
md5sum --tag -t -b a
cmp -i x|cmp -n x -s -l a b|cmp d f|cmp -s d a|cmp d ./d|cmp hard a|cmp a d
"""  # fmt: skip
CALLS = [call for call in TABLE.strip("\n").replace("\n", "|").split("|") if call]


@pytest.mark.parametrize("call", CALLS)
def test_calls_match_gnu(tmp_path: Path, call: str) -> None:
    run_both(tmp_path, *call.split(" "))


@pytest.mark.parametrize(
    "words",
    ["mkdir|", "mkdir|-p|", "rmdir|", "rm|", "rm|-f|", "unlink|", "truncate|-s| 5|a",
     "truncate|-s||a", "rm|two words|it's", "mkdir|-v|x y", "rm|x\ny"],
)  # fmt: skip
def test_odd_arguments_match_gnu(tmp_path: Path, words: str) -> None:
    run_both(tmp_path, *words.split("|"))


@pytest.mark.parametrize("stdin", [b"y\ny\ny\ny\ny\ny\n", b"n\n", b"", b"y\nn\ny\nY\n"])
@pytest.mark.parametrize(
    "words",
    ["rm -i a b", "rm -ri empty e/d", "rm -I a b hard new", "rm -rI e", "rm -I a", "rm -id empty",
     "rm -fi a", "rm -if a", "rm -i f", "rm --interactive empty a", "rm --interactive=once -r e",
     "rm -i to_a d/sub/y", "rm -rI e a", "rm -ri d/sub", "rm -id e/d e", "rm -vri d/sub"],
)  # fmt: skip
def test_prompts_are_shown(tmp_path: Path, words: str, stdin: bytes) -> None:
    run_both(tmp_path, *words.split(" "), stdin=stdin)


NAMES = ["a", "b", "d", "e", "e/d", "hard", "to_a", "to_d", "nowhere", "f", "d/sub", "d/sub/y", ".",
         "empty", "d/f", "f/g/h", "a/f", "to_d/sub", "d/up", "e/.", "empty/"]  # fmt: skip
COMMANDS = {
    "mkdir": ["-p", "-v", "-m700", "-m=rx", "-m=w"],
    "rmdir": ["-p", "-v", "--ignore-fail-on-non-empty"],
    "rm": ["-r", "-f", "-d", "-v", "-i", "-I"],
    "truncate": ["-s5", "-s+3", "-s-1", "-c", "-s%4", "-s>2", "-r", "-o"],
}


@settings(max_examples=60, derandomize=True)
@given(data=st.data())
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(COMMANDS)))
    options = data.draw(st.lists(st.sampled_from(COMMANDS[name]), max_size=3))
    names = data.draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True))
    if "-p" in options and name == "rmdir":
        names = [one for one in names if ".." not in one]
    run_both(tmp_path_factory.mktemp("t"), name, *options, *names, stdin=b"y\ny\nn\ny\n")


def test_a_deep_tree_is_removed() -> None:
    fs = MemoryFS()
    path = ""
    for _ in range(1500):
        path += "/d"
        fs.make_directory(path)
    assert run_keysh("rm", "-r", "/d", fs=fs) == Answer(0, b"", "")
    assert [*fs.list("/")] == []


class Shut(MemoryFS):
    """A file system whose directories are unreadable."""

    def list(self, path: str) -> Iterator[Entry]:
        raise failure(errno.EACCES, path)


def test_unreadable_empty_directory_is_removed() -> None:
    fs = Shut({"/d/a": "1"})
    fs.make_directory("/e")
    assert run_keysh("rm", "-r", "/e", fs=fs) == Answer(0, b"", "")
    refused = "rm: cannot remove '/d': Permission denied\n"
    assert run_keysh("rm", "-r", "/d", fs=fs) == Answer(1, b"", refused)


def test_root_is_never_removed() -> None:
    fs = MemoryFS({"/a": "1"})
    answer = run_keysh("rm", "-r", "/", fs=fs)
    assert answer.status == 1
    assert answer.err == (
        "rm: it is dangerous to operate recursively on '/'\n"
        "rm: use --no-preserve-root to override this failsafe\n"
    )
    assert [entry.name for entry in fs.list("/")] == ["a"]


def test_read_only_files_stay() -> None:
    fs = Router({"/": ReadOnlyFS(MemoryFS({"/d/a": "1"}))})
    assert run_keysh("rm", "/d/a", fs=fs).err == "rm: cannot remove '/d/a': Read-only file system\n"
    assert (
        run_keysh("rm", "-r", "/d", fs=fs).err
        == "rm: cannot remove '/d/a': Read-only file system\n"
    )
    made = run_keysh("mkdir", "/x", fs=fs)
    assert made.err == "mkdir: cannot create directory '/x': Read-only file system\n"
    assert run_keysh("mkdir", "-p", "/d", fs=fs) == Answer(0, b"", "")


def test_full_file_system_is_reported() -> None:
    fs = MemoryFS({"/a": "1"}, max_files=1)
    answer = run_keysh("mkdir", "/d", fs=fs)
    assert answer == Answer(
        1, b"", "mkdir: cannot create directory '/d': No space left on device\n"
    )


def test_temporary_name_is_created() -> None:
    fs = MemoryFS({"/tmp/x": ""})
    made = run_keysh("mktemp", fs=fs)
    path = made.out.decode().strip()
    assert made.status == 0
    assert path.startswith("/tmp/tmp.")
    assert fs.stat(path).mode & 0o777 == 0o600
    again = run_keysh("mktemp", fs=fs).out.decode().strip()  # the same chance, so the name is taken
    assert again != path
    folder = run_keysh("mktemp", "-d", "-p", "/tmp", "aXXXb", fs=fs).out.decode().strip()
    assert fs.stat(folder).mode & 0o777 == 0o700
    assert (len(folder), folder[:6], folder[-1]) == (10, "/tmp/a", "b")


@pytest.mark.parametrize(
    "words",
    ["XX", "a b", "-p nope", "-p nope fXXX", "-t a/XXX", "-p d /a/XXX", "-d nope/XXX",
     "-dq nope/XXX", "--suffix=a/b XXX", "nope/XXXX", "--suffix=x a", "--suffix=.c aXXXb",
     "-p d -t a/bXXX", "a/bXX", "--tmpdir=nope -d", "aXXXb/c"],
)  # fmt: skip
def test_name_that_cannot_be_created_is_reported(tmp_path: Path, words: str) -> None:
    assert run_both(tmp_path, "mktemp", *words.split(" ")).status == 1


def test_dry_run_creates_nothing() -> None:
    fs = MemoryFS()
    answer = run_keysh("mktemp", "-u", "--tmpdir=/d", "--suffix=.c", "XXXX", fs=fs)
    assert (answer.status, len(answer.out)) == (0, len("/d/abcd.c\n"))
    assert [*fs.list("/")] == []
