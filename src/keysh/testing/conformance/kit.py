"""What all parts of the conformance class share: the initial tree and the ways to inspect it."""

from __future__ import annotations

import errno
import os
import stat as kinds
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from keysh.vfs.api import FileSystem, LinkInPath


class Kit:
    """The claims a file system does not make are set to False in its class, and so skipped."""

    has_links = True
    has_hard_links = True
    has_modes = True
    has_times = True
    has_inodes = True  # inode numbers are stable and unique
    has_any_name = True  # all that Linux allows: bytes that are no UTF-8, control characters
    has_long_names = True  # 255 bytes and no more
    has_random_access = True  # "rw", writing at a place, truncating
    has_append = True
    keeps_open_files = True  # streams outlive a removed or replaced name
    counts_subdirectories = True  # a directory's link count is 2 and one for each in it

    @pytest.fixture
    def fs(self) -> FileSystem:
        """An empty file system."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def no_umask(self) -> Iterator[None]:
        """The umask of the process must not affect the requested permissions."""
        mask = os.umask(0)
        yield
        os.umask(mask)

    @pytest.fixture
    def furnished_fs(self, fs: FileSystem) -> FileSystem:
        """/file /dir/inner /dir/sub/ /dir2/ /empty/, /link -> file, /dirlink -> dir, /lost."""
        put(fs, "/file", b"text")
        for path in ("/dir", "/dir/sub", "/dir2", "/empty"):
            fs.make_directory(path)
        put(fs, "/dir/inner", b"inside")
        if self.has_links:
            fs.make_link("file", "/link")
            fs.make_link("dir", "/dirlink")
            fs.make_link("nowhere", "/lost")
        return fs

    def require_claims(self, *claims: str) -> None:
        """Skip the test unless the file system makes these claims."""
        for claim in claims:
            if not getattr(self, claim):
                pytest.skip(f"{type(self).__name__}: not {claim}")


def put(fs: FileSystem, path: str, data: bytes = b"") -> None:
    with fs.open(path, "w") as stream:
        assert stream.write(data) == len(data)


def get(fs: FileSystem, path: str) -> bytes:
    with fs.open(path) as stream:
        return stream.read()


def names(fs: FileSystem, path: str = "/") -> list[str]:
    return sorted(entry.name for entry in fs.list(path))


def tree(fs: FileSystem, path: str = "/") -> dict[str, object]:
    """Return the tree below a directory: contents of files, texts of links, or None."""
    result: dict[str, object] = {}
    for entry in fs.list(path):
        below = f"{path.rstrip('/')}/{entry.name}"
        assert kinds.S_IFMT(fs.stat(below).mode) == entry.kind
        if entry.kind == kinds.S_IFDIR:
            result[below] = None
            result |= tree(fs, below)
        elif entry.kind == kinds.S_IFLNK:
            result[below] = fs.read_link(below)
        else:
            result[below] = get(fs, below)
    return result


def call(fs: FileSystem, verb: str, *arguments: object) -> None:
    """Complete an operation: a list may be lazy, and a stream must be closed."""
    answer = getattr(fs, verb)(*arguments)
    if verb == "list":
        list(answer)
    elif verb == "open":
        answer.close()


@contextmanager
def fails(number: int, path: str, other: str | None = None) -> Iterator[None]:
    """An error has the kernel's errno and message, and names the path, or both paths."""
    with pytest.raises(OSError) as caught:  # noqa: PT011 the errno is looked at below
        yield
    error = caught.value
    got = (errno.errorcode.get(error.errno or 0), error.filename, error.filename2)
    assert got == (errno.errorcode[number], path, other)
    assert error.strerror == os.strerror(number)


@contextmanager
def leads_through(path: str, target: str, rest: str) -> Iterator[None]:
    with pytest.raises(LinkInPath) as caught:
        yield
    link = caught.value
    assert (link.path, link.target, link.rest) == (path, target, rest)
