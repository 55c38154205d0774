"""MemoryFS with `enforce_modes` allows what the kernel allows a user who is not root."""

from __future__ import annotations

import errno
import os
import shutil
import stat as kinds
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from keysh.testing.conformance.kit import call, put, tree
from keysh.vfs.api import FileSystem
from keysh.vfs.memory.filesystem import MemoryFS
from vfs.kernel import KernelFS, scratch

NOBODY = 65534
FILES = {"none": 0, "write": 0o200, "read": 0o400, "both": 0o600, "others": 0o077}
ACTS: list[tuple[object, ...]] = [
    *[("open", f"/d/{name}", access) for name in FILES for access in ("r", "w", "a", "x", "rw")],
    *[("open", "/d/new", access, 0) for access in ("r", "w", "a", "x", "rw")],
    ("list", "/d"),
    ("list", "/d/sub"),
    ("stat", "/d"),
    ("stat", "/d/none"),
    ("stat", "/d/missing"),
    ("stat", "/d/sub/x"),
    ("stat", "/d/none/x"),
    ("make_directory", "/d/new"),
    ("make_directory", "/d/sub"),
    ("make_directory", "/d/sub/new"),
    ("remove_directory", "/d/sub"),
    ("remove_directory", "/d/none"),
    ("remove_directory", "/d/missing"),
    ("remove_directory", "/e"),
    ("remove", "/d/none"),
    ("remove", "/d/sub"),
    ("remove", "/d/missing"),
    ("rename", "/d/none", "/d/new"),
    ("rename", "/d/none", "/d/read"),
    ("rename", "/d/none", "/d/sub"),
    ("rename", "/d/none", "/d/none"),
    ("rename", "/d/none", "/e/new"),
    ("rename", "/d/none", "/e/f"),
    ("rename", "/e/f", "/d/new"),
    ("rename", "/e/f", "/d/none"),
    ("rename", "/e/f", "/d"),
    ("rename", "/d/sub", "/d/new"),
    ("rename", "/d/sub", "/e/new"),
    ("rename", "/d/sub", "/d/sub/x"),
    ("rename", "/d", "/e/new"),
    ("rename", "/d/sub", "/d"),
    ("rename", "/d/sub", "/e/f"),
    ("link", "/d/both", "/e/new"),
    ("link", "/e/f", "/d/new"),
    ("link", "/e/f", "/d/none"),
    ("link", "/e", "/d/new"),
    ("make_link", "x", "/d/new"),
    ("make_link", "x", "/d/none"),
    ("read_link", "/d/none"),
    ("set_mode", "/d/none", 0o600),
    ("set_mode", "/d", 0o700),
    ("set_times", "/d/none", 1, 2),
]


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A directory of a user who is not root; the test runs as that user."""
    folder = scratch()
    is_root = os.geteuid() == 0
    mask = os.umask(0)
    if is_root:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    yield folder
    if is_root:
        os.seteuid(0)
    os.umask(mask)
    shutil.rmtree(folder)


def furnish(fs: FileSystem) -> None:
    for path in ("/d", "/d/sub", "/e"):
        fs.make_directory(path, 0o755)
    for name, mode in FILES.items():
        put(fs, f"/d/{name}", b"text")
        fs.set_mode(f"/d/{name}", mode)
    put(fs, "/e/f", b"more")


def outcome(fs: FileSystem, act: tuple[object, ...], modes: dict[str, int]) -> object:
    """Return the result of an operation in a new tree with these modes, and the tree afterwards."""
    furnish(fs)
    for path, mode in modes.items():
        fs.set_mode(path, mode)
    try:
        call(fs, *act)  # type: ignore[arg-type]
        answer = "done"
    except OSError as error:
        answer = errno.errorcode[error.errno or 0]
    return answer, look(fs, "/")


def look(fs: FileSystem, path: str) -> list[object]:
    """Everything below, made readable on the way; this comes last."""
    result: list[object] = []
    for entry in sorted(fs.list(path), key=lambda entry: entry.name):
        below = f"{path.rstrip('/')}/{entry.name}"
        stat = fs.stat(below)
        result.append((below, oct(stat.mode), stat.is_directory or (stat.links, stat.size)))
        if entry.kind == kinds.S_IFDIR:
            fs.set_mode(below, 0o700)
            result += look(fs, below)
    return result


@pytest.mark.skipif(sys.platform != "linux", reason="what is expected is what Linux does")
@pytest.mark.parametrize("mode", range(8), ids=oct)
def test_enforces_as_the_kernel_does(nobody: Path, mode: int) -> None:
    number = 0
    for modes in ({"/d": mode << 6}, {"/d": 0o755, "/e": mode << 6}, {"/d/sub": mode << 6}):
        for act in ACTS:
            number += 1
            root = nobody / str(number)
            root.mkdir()
            expected = outcome(KernelFS(root), act, modes)
            got = outcome(MemoryFS(enforce_modes=True), act, modes)
            assert got == expected, (act, modes)


def test_does_not_enforce_unless_asked() -> None:
    fs = MemoryFS()
    furnish(fs)
    fs.set_mode("/d", 0)
    put(fs, "/d/none", b"new")
    assert tree(fs)["/d/none"] == b"new"
