"""Every operation: its effect on a tree, and its refusals."""

from __future__ import annotations

import errno
import stat as kinds

import pytest

from keysh.testing.conformance.kit import Kit, call, fails, get, names, put, tree
from keysh.vfs.api import FileSystem

WRITES = ("w", "a", "x", "rw")

# The verb with its arguments, and the errno; the error names the first path.
REFUSED: list[tuple[tuple[str, ...], int]] = [
    (("stat", "/missing"), errno.ENOENT),
    (("stat", "/missing/x"), errno.ENOENT),
    (("stat", "/file/x"), errno.ENOTDIR),
    (("stat", "/file/x/y"), errno.ENOTDIR),
    (("stat", "/dir/missing"), errno.ENOENT),
    (("list", "/missing"), errno.ENOENT),
    (("list", "/missing/x"), errno.ENOENT),
    (("list", "/file"), errno.ENOTDIR),
    (("list", "/file/x"), errno.ENOTDIR),
    (("open", "/missing"), errno.ENOENT),
    (("open", "/missing/x"), errno.ENOENT),
    (("open", "/dir"), errno.EISDIR),
    (("open", "/empty"), errno.EISDIR),
    (("open", "/"), errno.EISDIR),
    (("open", "/file/x"), errno.ENOTDIR),
    *[(("open", "/missing/x", access), errno.ENOENT) for access in WRITES],
    *[(("open", "/file/x", access), errno.ENOTDIR) for access in WRITES],
    *[(("open", "/dir", access), errno.EISDIR) for access in ("w", "a", "rw")],
    *[(("open", "/", access), errno.EISDIR) for access in ("w", "a", "rw")],
    (("open", "/file", "x"), errno.EEXIST),
    (("open", "/dir", "x"), errno.EEXIST),
    (("open", "/", "x"), errno.EEXIST),
    (("make_directory", "/file"), errno.EEXIST),
    (("make_directory", "/dir"), errno.EEXIST),
    (("make_directory", "/"), errno.EEXIST),
    (("make_directory", "/missing/x"), errno.ENOENT),
    (("make_directory", "/file/x"), errno.ENOTDIR),
    (("remove_directory", "/missing"), errno.ENOENT),
    (("remove_directory", "/missing/x"), errno.ENOENT),
    (("remove_directory", "/file"), errno.ENOTDIR),
    (("remove_directory", "/file/x"), errno.ENOTDIR),
    (("remove_directory", "/dir"), errno.ENOTEMPTY),
    (("remove_directory", "/"), errno.EBUSY),
    (("remove", "/missing"), errno.ENOENT),
    (("remove", "/missing/x"), errno.ENOENT),
    (("remove", "/file/x"), errno.ENOTDIR),
    (("remove", "/dir"), errno.EISDIR),
    (("remove", "/empty"), errno.EISDIR),
    (("remove", "/"), errno.EISDIR),
]

REFUSED_BY_LINKS: list[tuple[tuple[str, ...], int]] = [
    (("read_link", "/missing"), errno.ENOENT),
    (("read_link", "/missing/x"), errno.ENOENT),
    (("read_link", "/file/x"), errno.ENOTDIR),
    (("read_link", "/file"), errno.EINVAL),
    (("read_link", "/dir"), errno.EINVAL),
    (("read_link", "/"), errno.EINVAL),
]

REFUSED_BY_ATTRIBUTES: list[tuple[str, int]] = [
    ("/missing", errno.ENOENT),
    ("/missing/x", errno.ENOENT),
    ("/file/x", errno.ENOTDIR),
]


def title_of_case(case: object) -> str:
    """A case's name: the verb and its arguments."""
    return " ".join(case) if isinstance(case, tuple) else ""


class Verbs(Kit):
    def test_starts_empty(self, fs: FileSystem) -> None:
        assert names(fs) == []
        assert fs.stat("/").is_directory

    @pytest.mark.parametrize(("act", "number"), REFUSED, ids=title_of_case)
    def test_verb_refuses(
        self, furnished_fs: FileSystem, act: tuple[str, ...], number: int
    ) -> None:
        before = tree(furnished_fs)
        with fails(number, act[1]):
            call(furnished_fs, *act)
        assert tree(furnished_fs) == before

    @pytest.mark.parametrize(("act", "number"), REFUSED_BY_LINKS, ids=title_of_case)
    def test_read_link_refuses(
        self, furnished_fs: FileSystem, act: tuple[str, ...], number: int
    ) -> None:
        self.require_claims("has_links")
        with fails(number, act[1]):
            call(furnished_fs, *act)

    @pytest.mark.parametrize(("path", "number"), REFUSED_BY_ATTRIBUTES)
    def test_set_mode_refuses(self, furnished_fs: FileSystem, path: str, number: int) -> None:
        self.require_claims("has_modes")
        with fails(number, path):
            furnished_fs.set_mode(path, 0o600)

    @pytest.mark.parametrize(("path", "number"), REFUSED_BY_ATTRIBUTES)
    def test_set_times_refuses(self, furnished_fs: FileSystem, path: str, number: int) -> None:
        self.require_claims("has_times")
        with fails(number, path):
            furnished_fs.set_times(path, 1, 2)

    def test_makes_directories(self, fs: FileSystem) -> None:
        fs.make_directory("/a")
        fs.make_directory("/a/b")
        put(fs, "/a/b/c", b"deep")
        assert tree(fs) == {"/a": None, "/a/b": None, "/a/b/c": b"deep"}
        assert fs.stat("/a/b").is_directory
        assert not fs.stat("/a/b").is_file

    def test_removes_directory(self, furnished_fs: FileSystem) -> None:
        furnished_fs.remove_directory("/empty")
        with fails(errno.ENOENT, "/empty"):
            furnished_fs.stat("/empty")
        furnished_fs.make_directory("/empty")
        assert names(furnished_fs, "/empty") == []

    def test_emptied_directory_can_be_removed(self, furnished_fs: FileSystem) -> None:
        furnished_fs.remove("/dir/inner")
        furnished_fs.remove_directory("/dir/sub")
        furnished_fs.remove_directory("/dir")
        assert "dir" not in names(furnished_fs)

    def test_removes_file(self, furnished_fs: FileSystem) -> None:
        furnished_fs.remove("/file")
        with fails(errno.ENOENT, "/file"):
            furnished_fs.open("/file")
        assert "file" not in names(furnished_fs)
        put(furnished_fs, "/file", b"again")
        assert get(furnished_fs, "/file") == b"again"

    def test_removed_name_can_be_reused_for_another_kind(self, furnished_fs: FileSystem) -> None:
        furnished_fs.remove("/file")
        furnished_fs.make_directory("/file")
        furnished_fs.remove_directory("/empty")
        put(furnished_fs, "/empty", b"a file")
        assert furnished_fs.stat("/file").is_directory
        assert furnished_fs.stat("/empty").is_file

    def test_stat_has_size_and_kind(self, furnished_fs: FileSystem) -> None:
        stat = furnished_fs.stat("/dir/inner")
        assert (stat.size, stat.is_file, stat.is_directory, stat.is_link) == (6, True, False, False)
        put(furnished_fs, "/dir/inner", b"")
        assert furnished_fs.stat("/dir/inner").size == 0

    def test_lists_kinds(self, furnished_fs: FileSystem) -> None:
        listed = {entry.name: entry.kind for entry in furnished_fs.list("/")}
        expected = {
            "file": kinds.S_IFREG,
            "dir": kinds.S_IFDIR,
            "dir2": kinds.S_IFDIR,
            "empty": kinds.S_IFDIR,
        }
        if self.has_links:
            expected |= dict.fromkeys(("link", "dirlink", "lost"), kinds.S_IFLNK)
        assert listed == expected

    def test_lists_many(self, fs: FileSystem) -> None:
        wanted = sorted(f"{number:04}" for number in range(1500))
        for name in wanted:
            put(fs, f"/{name}")
        assert names(fs) == wanted

    def test_directory_may_change_while_being_listed(self, fs: FileSystem) -> None:
        for number in range(50):
            put(fs, f"/{number}")
        seen = set()
        for entry in fs.list("/"):
            seen.add(entry.name)
            fs.remove(f"/{entry.name}")
        assert seen == {str(number) for number in range(50)}
        assert names(fs) == []

    def test_deep_directories_work(self, fs: FileSystem) -> None:
        path = ""
        for _ in range(300):
            path += "/d"
            fs.make_directory(path)
        put(fs, f"{path}/f", b"bottom")
        assert get(fs, f"{path}/f") == b"bottom"
        assert names(fs, path) == ["f"]
