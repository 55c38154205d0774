"""File systems of hosts: streams with `read` and `write` only, no inodes, errors without numbers.

The table of docs/filesystems.md is what a recording file system sees of the scripts in it.
"""

from __future__ import annotations

import io
import re
import stat as kinds
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh import Entry, MemoryFS, Shell, Stat

pytestmark = pytest.mark.quick

PAGE = Path(__file__).parents[2] / "docs" / "filesystems.md"


class Bare:
    """A stream that has only what it must have."""

    def __init__(self, data: bytes = b"", take: Callable[[bytes], object] = len) -> None:
        self.data, self.take = data, take

    def read(self, size: int = -1) -> bytes:
        size = len(self.data) if size < 0 else size
        data, self.data = self.data[:size], self.data[size:]
        return data

    def write(self, data: bytes) -> None:
        self.take(bytes(data))


class Buffer(io.BytesIO):
    """What is in memory until it is closed."""

    def __init__(self, take: Callable[[bytes], object]) -> None:
        super().__init__()
        self.take = take

    def close(self) -> None:
        if not self.closed:
            self.take(self.getvalue())
        super().close()


class Table(keysh.FileSystem):
    """Two files of a database, which has no inodes and errors of its own."""

    def __init__(self, *, is_bare: bool) -> None:
        self.is_bare = is_bare
        self.files = {"/a": b"1\n2\n3\n", "/b": b"x\n"}

    def stat(self, path: str) -> Stat:
        if path == "/":
            return Stat(kinds.S_IFDIR | 0o755)
        if path == "/gone":
            raise OSError("the database is gone")
        if path not in self.files:
            raise FileNotFoundError(path)
        return Stat(kinds.S_IFREG | 0o644, len(self.files[path]))

    def list(self, path: str) -> Iterator[Entry]:
        return iter([Entry(name[1:], kinds.S_IFREG) for name in self.files])

    def open(self, path: str, access: str = "r", permissions: int = 0o666) -> Any:
        if access == "r":
            self.stat(path)
            return Bare(self.files[path]) if self.is_bare else io.BytesIO(self.files[path])
        if access != "a":
            self.files[path] = b""

        def take(data: bytes) -> None:
            self.files[path] = self.files.get(path, b"") + data

        return Bare(take=take) if self.is_bare else Buffer(take)

    def remove(self, path: str) -> None:
        del self.files[path]


@pytest.mark.parametrize("is_bare", [True, False], ids=["bare", "BytesIO"])
@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("cat a; cat <b", "1\n2\n3\nx\n"),
        ("wc -l <a; read -r x <a; echo $x", "3\n1\n"),
        ("head -n 1 a; tail -n 1 a; tac b", "1\n3\nx\n"),
        ("echo new >b; echo more >>b; cat b", "new\nmore\n"),
        ("{ echo 1; echo 2; } >c; exec 3>>c; echo 3 >&3; exec 3>&-; cat c", "1\n2\n3\n"),
        ("sort -r a -o b; cat b", "3\n2\n1\n"),
        ("tee c <a | wc -l; cat c", "3\n1\n2\n3\n"),
        ("cp a /tmp/a; cp /tmp/a c; cp a b; cmp a b && cat c", "1\n2\n3\n"),
        ("mv a /tmp/a; cat /tmp/a; ls", "1\n2\n3\nb\n"),
        ("dd if=a of=b status=none; cat b", "1\n2\n3\n"),
        ("tar cf /tmp/t -C /d a; tar tf /tmp/t; diff a a && grep 2 a", "a\n2\n"),
        ("[ a -ef b ] || echo different; [ a -ef ./a ] && echo same", "different\nsame\n"),
    ],
)
def test_streams_need_to_read_and_write_only(script: str, output: str, *, is_bare: bool) -> None:
    for beneath in (Table(is_bare=is_bare), keysh.OverlayFS(Table(is_bare=is_bare))):
        shell = Shell({"/": MemoryFS({"/tmp/.keep": ""}), "/d": beneath}, cwd="/d", journal=True)
        result = shell.run(script)
        assert (result.stdout, result.stderr) == (output, "")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("cat gone", "cat: gone: the database is gone"),
        ("cat <gone", "keysh: line 1: gone: the database is gone"),
        ("cat none", "cat: none: No such file or directory"),
        ("truncate -s 2 b", "truncate: Illegal seek"),
        ("mkdir x", "mkdir: cannot create directory 'x': Read-only file system"),
        ("chmod 600 a", "chmod: changing permissions of 'a': Read-only file system"),
    ],
)
def test_errors_have_a_text(script: str, message: str) -> None:
    shell = Shell({"/": MemoryFS(), "/d": Table(is_bare=True)}, cwd="/d")
    assert shell.run(script).stderr == f"{message}\n"


# ---------------------------------------------------------------- the table of verbs

VERBS = (
    "stat", "list", "make_directory", "remove_directory", "remove", "rename", "link", "make_fifo",
    "make_link", "read_link", "set_mode", "set_times", "set_owner",
)  # fmt: skip


class Recorder(keysh.FileSystem):
    """Notes the verbs that are called of a file system in memory."""

    def __init__(self) -> None:
        self.inner = MemoryFS({"/a.txt": "1\n", "/b.txt": "2\n", "/dir/c.txt": "3\n"})
        self.inner.make_link("a.txt", "/link")
        self.inner.make_directory("/empty")
        self.verbs: set[str] = set()

    def open(self, path: str, access: Any = "r", permissions: int = 0o666) -> keysh.Stream:
        self.verbs.add(f"open {access}")
        return self.inner.open(path, access, permissions)


def recording_verb(name: str) -> Callable[..., Any]:
    def verb(self: Recorder, *arguments: Any) -> Any:
        self.verbs.add(name)
        return getattr(self.inner, name)(*arguments)

    return verb


for each in VERBS:
    setattr(Recorder, each, recording_verb(each))


def verbs_of(script: str) -> set[str]:
    recorder = Recorder()
    result = Shell({"/": MemoryFS({"/tmp/.keep": ""}), "/d": recorder}, cwd="/d").run(script)
    assert not result.stderr, script
    return recorder.verbs


ROW = re.compile(r"^\| (?P<scripts>`.+`) \| (?P<verbs>.+) \|$", re.MULTILINE)
TABLE = PAGE.read_text().partition("| script | verbs |")[2].partition("\n\n")[0]
ROWS = [
    (script, set(re.findall("`([^`]+)`", row["verbs"])))
    for row in ROW.finditer(TABLE)
    for script in re.findall("`([^`]+)`", row["scripts"])
]


def test_the_table_names_every_verb() -> None:
    named = {verb.split()[0] for _, verbs in ROWS for verb in verbs}
    assert named == {*VERBS, "open"} - {"set_owner"}  # which a script may only call as root


@pytest.mark.parametrize(("script", "verbs"), ROWS, ids=[script for script, _ in ROWS])
def test_verbs_of_a_script(script: str, verbs: set[str]) -> None:
    assert verbs_of(script.replace("\\|", "|")) == verbs
