"""ReadOnlyFS: reading works as usual, and every change is refused."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from keysh.testing.conformance.kit import Kit, call, fails, get, leads_through, names, put, tree
from keysh.vfs.api import FileSystem
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.readonly import ReadOnlyFS

CHANGES = [
    *[("open", "/file", access) for access in ("w", "a", "rw")],
    *[("open", "/new", access) for access in ("w", "a", "rw", "x")],
    ("make_directory", "/new"),
    ("remove_directory", "/empty"),
    ("remove_directory", "/dir"),
    ("remove", "/file"),
    ("remove", "/link"),
    ("rename", "/file", "/new"),
    ("rename", "/file", "/dir/inner"),
    ("link", "/file", "/new"),
    ("make_link", "x", "/new"),
    ("set_mode", "/file", 0o600),
    ("set_times", "/link", 1, 2),
]
# Other errors come first.
WRONG = [
    (("open", "/file", "x"), errno.EEXIST),
    (("open", "/link", "x"), errno.EEXIST),
    (("open", "/dir", "w"), errno.EISDIR),
    (("open", "/missing/x", "w"), errno.ENOENT),
    (("open", "/file/x", "w"), errno.ENOTDIR),
    (("make_directory", "/dir"), errno.EEXIST),
    (("make_directory", "/missing/x"), errno.ENOENT),
    (("remove", "/missing"), errno.ENOENT),
    (("remove", "/dir"), errno.EISDIR),
    (("remove_directory", "/file"), errno.ENOTDIR),
    (("rename", "/missing", "/new"), errno.ENOENT),
    (("link", "/file", "/dir"), errno.EEXIST),
    (("set_mode", "/missing", 0o600), errno.ENOENT),
    (("read_link", "/file"), errno.EINVAL),
]
THROUGH = [
    *[("open", "/dirlink/inner", access) for access in ("w", "a", "rw", "x")],
    ("make_directory", "/dirlink/inner"),
    ("remove_directory", "/dirlink/inner"),
    ("remove", "/dirlink/inner"),
    ("rename", "/dirlink/inner", "/new"),
    ("rename", "/file", "/dirlink/inner"),
    ("link", "/file", "/dirlink/inner"),
    ("make_link", "x", "/dirlink/inner"),
    ("set_mode", "/dirlink/inner", 0o600),
    ("set_times", "/dirlink/inner", 1, 2),
]


def told(case: object) -> str:
    return " ".join(map(str, case)) if isinstance(case, tuple) else ""


class TestReadOnly(Kit):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return MemoryFS()

    @pytest.fixture
    def held(self, furnished_fs: FileSystem) -> ReadOnlyFS:
        return ReadOnlyFS(furnished_fs)

    def test_reads(self, held: ReadOnlyFS, furnished_fs: FileSystem) -> None:
        assert tree(held) == tree(furnished_fs)
        assert names(held, "/dir") == ["inner", "sub"]
        assert get(held, "/dir/inner") == b"inside"
        assert held.read_link("/link") == "file"
        with held.open("/file") as stream, pytest.raises(OSError, match="Bad file descriptor"):
            stream.write(b"x")

    @pytest.mark.parametrize("act", CHANGES, ids=told)
    def test_refuses(self, held: ReadOnlyFS, act: tuple[str, ...]) -> None:
        before = tree(held)
        paths = act[2:] if act[0] == "make_link" else act[1:]
        with fails(errno.EROFS, *paths[: 2 if act[0] in ("rename", "link") else 1]):
            call(held, *act)
        assert tree(held) == before

    @pytest.mark.parametrize(("act", "number"), WRONG, ids=told)
    def test_other_errors_are_reported(
        self, held: ReadOnlyFS, act: tuple[str, ...], number: int
    ) -> None:
        with fails(number, *act[1 : 3 if act[0] in ("rename", "link") else 2]):
            call(held, *act)

    @pytest.mark.parametrize("act", THROUGH, ids=told)
    def test_links_are_reported(self, held: ReadOnlyFS, act: tuple[str, ...]) -> None:
        with leads_through("/dirlink", "dir", "/inner"):
            call(held, *act)

    def test_final_links_are_reported(self, held: ReadOnlyFS) -> None:
        for act in (("open", "/lost", "w"), ("set_mode", "/lost", 0)):
            with leads_through("/lost", "nowhere", ""):
                call(held, *act)

    def test_every_verb_is_covered(self) -> None:
        everything = vars(FileSystem).items()
        verbs = {name for name, value in everything if callable(value) and name[0] != "_"}
        assert verbs <= {*vars(ReadOnlyFS)}


def test_real_path(tmp_path: Path) -> None:
    fs = LocalFS(tmp_path)
    put(fs, "/file")
    assert ReadOnlyFS(fs).real_path("/file") == str(tmp_path / "file")
