"""Rename, as rename(2): moving, replacing, and refusals."""

from __future__ import annotations

import errno

import pytest

from keysh.testing.conformance.kit import Kit, fails, get, put, tree
from keysh.vfs.api import FileSystem

MOVES = [
    ("/file", "/new"),
    ("/file", "/dir/new"),
    ("/file", "/dir/inner"),
    ("/dir/inner", "/file"),
    ("/dir/inner", "/dir/new"),
    ("/dir", "/new"),
    ("/dir", "/empty"),
    ("/dir", "/dir2"),
    ("/dir", "/dir2/dir"),  # /dir2 begins like /dir and is not in it
    ("/dir/sub", "/new"),
    ("/dir/sub", "/empty"),
    ("/empty", "/dir/sub"),
    ("/empty", "/dir/sub/new"),
]
LINK_MOVES = [
    ("/link", "/file"),
    ("/link", "/lost"),
    ("/lost", "/dir/new"),
    ("/dirlink", "/dir/new"),
    ("/dirlink", "/file"),
    ("/file", "/link"),
    ("/file", "/dirlink"),
]
STAYS = ["/file", "/dir", "/empty", "/dir/inner", "/dir/sub"]
REFUSED = [
    ("/dir2", "/dir", errno.ENOTEMPTY),
    ("/dir/sub", "/dir", errno.ENOTEMPTY),
    ("/dir/inner", "/dir", errno.ENOTEMPTY),
    ("/dir", "/file", errno.ENOTDIR),
    ("/empty", "/file", errno.ENOTDIR),
    ("/file", "/dir", errno.EISDIR),
    ("/file", "/empty", errno.EISDIR),
    ("/dir/inner", "/dir/sub", errno.EISDIR),
    ("/dir", "/dir/new", errno.EINVAL),
    ("/dir", "/dir/inner", errno.EINVAL),
    ("/dir", "/dir/sub", errno.EINVAL),
    ("/dir", "/dir/sub/new", errno.EINVAL),
    ("/dir", "/dir/missing/new", errno.ENOENT),
    ("/dir", "/dir/inner/new", errno.ENOTDIR),
    ("/file", "/file/new", errno.ENOTDIR),
    ("/file", "/missing/new", errno.ENOENT),
    ("/missing", "/new", errno.ENOENT),
    ("/missing", "/missing", errno.ENOENT),
    ("/missing", "/file", errno.ENOENT),
    ("/missing", "/missing/new", errno.ENOENT),
    ("/missing/x", "/new", errno.ENOENT),
    ("/file/x", "/new", errno.ENOTDIR),
    ("/file/x", "/missing/new", errno.ENOTDIR),
    ("/missing/x", "/file/new", errno.ENOENT),
    ("/", "/new", errno.EBUSY),
    ("/", "/dir", errno.EBUSY),
    ("/", "/", errno.EBUSY),
    ("/", "/missing/new", errno.ENOENT),
    ("/missing/x", "/", errno.ENOENT),
    ("/missing", "/", errno.EBUSY),
    ("/file", "/", errno.EBUSY),
    ("/dir", "/", errno.EBUSY),
]
LINK_REFUSED = [
    ("/dir", "/dirlink", errno.ENOTDIR),
    ("/dir", "/lost", errno.ENOTDIR),
    ("/dirlink", "/dir", errno.EISDIR),
    ("/dirlink", "/empty", errno.EISDIR),
    ("/lost", "/dir", errno.EISDIR),
]


def tree_after_move(before: dict[str, object], old: str, new: str) -> dict[str, object]:
    """Return the expected tree after a rename."""
    kept = {path: what for path, what in before.items() if path != new}
    return {
        new + path[len(old) :] if path == old or path.startswith(f"{old}/") else path: what
        for path, what in kept.items()
    }


class Renames(Kit):
    @pytest.mark.parametrize(("old", "new"), MOVES)
    def test_moves(self, furnished_fs: FileSystem, old: str, new: str) -> None:
        before = tree(furnished_fs)
        furnished_fs.rename(old, new)
        assert tree(furnished_fs) == tree_after_move(before, old, new)

    @pytest.mark.parametrize(("old", "new"), LINK_MOVES)
    def test_moves_links(self, furnished_fs: FileSystem, old: str, new: str) -> None:
        self.require_claims("has_links")
        before = tree(furnished_fs)
        furnished_fs.rename(old, new)
        assert tree(furnished_fs) == tree_after_move(before, old, new)

    @pytest.mark.parametrize("path", STAYS)
    def test_rename_onto_itself_does_nothing(self, furnished_fs: FileSystem, path: str) -> None:
        before = tree(furnished_fs)
        furnished_fs.rename(path, path)
        assert tree(furnished_fs) == before

    @pytest.mark.parametrize(("old", "new", "number"), REFUSED)
    def test_rename_refuses(
        self, furnished_fs: FileSystem, old: str, new: str, number: int
    ) -> None:
        self.refuse(furnished_fs, old, new, number)

    @pytest.mark.parametrize(("old", "new", "number"), LINK_REFUSED)
    def test_rename_refuses_links(
        self, furnished_fs: FileSystem, old: str, new: str, number: int
    ) -> None:
        self.require_claims("has_links")
        self.refuse(furnished_fs, old, new, number)

    def refuse(self, fs: FileSystem, old: str, new: str, number: int) -> None:
        before = tree(fs)
        with fails(number, old, new):
            fs.rename(old, new)
        assert tree(fs) == before

    def test_old_name_is_free(self, furnished_fs: FileSystem) -> None:
        furnished_fs.rename("/file", "/new")
        put(furnished_fs, "/file", b"second")
        assert get(furnished_fs, "/new") == b"text"
        assert get(furnished_fs, "/file") == b"second"

    def test_rename_back_and_forth(self, furnished_fs: FileSystem) -> None:
        before = tree(furnished_fs)
        furnished_fs.rename("/dir", "/dir2/x")
        furnished_fs.rename("/dir2", "/empty")
        furnished_fs.rename("/empty/x", "/dir")
        furnished_fs.rename("/empty", "/dir2")
        furnished_fs.make_directory("/empty")
        assert tree(furnished_fs) == before

    def test_inode_is_kept_by_rename(self, furnished_fs: FileSystem) -> None:
        self.require_claims("has_inodes")
        for old, new in (("/file", "/dir/inner"), ("/dir", "/empty")):
            number = furnished_fs.stat(old).inode
            furnished_fs.rename(old, new)
            assert furnished_fs.stat(new).inode == number
