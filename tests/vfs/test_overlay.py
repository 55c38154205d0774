"""OverlayFS: nothing below changes before a commit, and then it is what was seen."""

from __future__ import annotations

import errno
import random
import stat as kinds
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.errors import OverlayConflict
from keysh.vfs.api import FileSystem, LinkInPath, failure
from keysh.vfs.local import LocalFS
from keysh.vfs.memory import MemoryFS
from keysh.vfs.overlay import OverlayFS
from vfs.conformance import FileSystemConformance
from vfs.conforming.kit import Kit, fails, get, leads_through, names, put, tree

if TYPE_CHECKING:
    from keysh.vfs.api import Access, Stream


class TestOverMemory(FileSystemConformance):
    counts_subdirectories = False  # where a directory shows both sides

    @pytest.fixture
    def fs(self) -> FileSystem:
        return OverlayFS(MemoryFS())


class TestOverLocal(FileSystemConformance):
    counts_subdirectories = False

    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return OverlayFS(LocalFS(tmp_path))


class TestWithLocalUpper(FileSystemConformance):
    counts_subdirectories = False

    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return OverlayFS(MemoryFS(), LocalFS(tmp_path))


class TestOverSomething(FileSystemConformance):
    """All files that a test begins with are below, and all that it does happens above."""

    counts_subdirectories = False
    has_inodes = False  # a copy has another number

    @pytest.fixture
    def fs(self) -> FileSystem:
        self.lower = MemoryFS()
        return OverlayFS(self.lower)

    @pytest.fixture
    def furnished(self, fs: FileSystem) -> Iterator[FileSystem]:
        furnish(self.lower)
        before = picture(self.lower)
        yield fs
        assert picture(self.lower) == before


def furnish(fs: FileSystem) -> None:
    """The files of the conformance class."""
    for path in ("/dir", "/dir/sub", "/dir2", "/empty"):
        fs.make_directory(path)
    put(fs, "/file", b"text")
    put(fs, "/dir/inner", b"inside")
    for name, target in (("link", "file"), ("dirlink", "dir"), ("lost", "nowhere")):
        fs.make_link(target, f"/{name}")


def view(fs: FileSystem) -> dict[str, object]:
    """What programs see: contents, links, modes, and which names are one file."""
    found: dict[str, object] = {}
    firsts: dict[tuple[int, int], str] = {}
    for path, content in {"/": None, **dict(sorted(tree(fs).items()))}.items():
        stat = fs.stat(path)
        first = firsts.setdefault((stat.device, stat.inode), path)
        found[path] = (content, oct(stat.mode), first, stat.links if stat.is_file else 0)
    return found


def picture(fs: FileSystem) -> dict[str, object]:
    """All that could show that something was touched."""
    found = {}
    for path, content in {"/": None, **tree(fs)}.items():
        stat = fs.stat(path)
        found[path] = (content, stat.mode, stat.modified, stat.changed, stat.inode, stat.links)
    return found


def times(fs: FileSystem) -> dict[str, int]:
    """When the files and directories were modified."""
    paths = ["/", *tree(fs)]
    return {path: fs.stat(path).modified for path in paths if not fs.stat(path).is_link}


# The property: whatever is done, an overlay answers as a copy of the lower file system would.

PATHS = st.sampled_from(
    ["/a", "/b", "/c", "/a/a", "/a/b", "/b/a", "/b/c", "/a/b/a", "/b/c/a", "/a/b/c", "/"]
)
ACCESS = st.sampled_from(["r", "w", "a", "x", "rw"])
DATA = st.binary(max_size=3)
SLOTS = st.integers(0, 2)
ACTS = st.one_of(
    st.tuples(st.just("put"), PATHS, DATA),
    st.tuples(st.just("put"), PATHS, DATA),
    st.tuples(st.just("make_directory"), PATHS),
    st.tuples(st.just("make_directory"), PATHS),
    st.tuples(st.just("make_link"), st.sampled_from(["a", "b/c"]), PATHS),
    st.tuples(st.just("remove"), PATHS),
    st.tuples(st.just("remove"), PATHS),
    st.tuples(st.just("remove_directory"), PATHS),
    st.tuples(st.just("rename"), PATHS, PATHS),
    st.tuples(st.just("rename"), PATHS, PATHS),
    st.tuples(st.just("link"), PATHS, PATHS),
    st.tuples(st.just("set_mode"), PATHS, st.sampled_from([0o700, 0o755, 0o640])),
    st.tuples(st.just("set_times"), PATHS, st.just(1), st.integers(1, 9)),
    st.tuples(st.just("list"), PATHS),
    st.tuples(st.just("stat"), PATHS),
    st.tuples(st.just("read_link"), PATHS),
    st.tuples(st.just("hold"), SLOTS, PATHS, ACCESS),
    st.tuples(st.just("hold"), SLOTS, PATHS, ACCESS),
    st.tuples(st.just("read"), SLOTS, st.integers(-1, 2)),
    st.tuples(st.just("write"), SLOTS, DATA),
    st.tuples(st.just("write"), SLOTS, DATA),
    st.tuples(st.just("seek"), SLOTS, st.integers(0, 3)),
    st.tuples(st.just("truncate"), SLOTS, st.integers(0, 3)),
)


class Hand:
    """Does acts to a file system and tells what came of it; holds up to three open files."""

    def __init__(self, fs: FileSystem) -> None:
        self.fs = fs
        self.held: dict[int, Stream] = {}

    def do(self, verb: str, *arguments: object) -> object:
        try:
            return getattr(self if hasattr(self, verb) else self.fs, verb)(*arguments)
        except OSError as error:
            return errno.errorcode[error.errno or 0]
        except LinkInPath as link:
            return (link.path, link.target, link.rest)

    def put(self, path: str, data: bytes) -> None:
        put(self.fs, path, data)

    def list(self, path: str) -> list[str]:
        return names(self.fs, path)

    def stat(self, path: str) -> tuple[int, int]:
        stat = self.fs.stat(path)
        return stat.mode, stat.size if stat.is_file else 0

    def hold(self, slot: int, path: str, access: Access) -> None:
        stream = self.fs.open(path, access)
        self.release(slot)
        self.held[slot] = stream

    def release(self, slot: int) -> None:
        if slot in self.held:
            self.held.pop(slot).close()

    def let_go(self) -> None:
        for slot in [*self.held]:
            self.release(slot)

    def read(self, slot: int, size: int) -> bytes | None:
        return self.held[slot].read(size) if slot in self.held else None

    def write(self, slot: int, data: bytes) -> int | None:
        return self.held[slot].write(data) if slot in self.held else None

    def seek(self, slot: int, place: int) -> int | None:
        return self.held[slot].seek(place) if slot in self.held else None

    def truncate(self, slot: int, size: int) -> int | None:
        return self.held[slot].truncate(size) if slot in self.held else None


def check_against_copy(
    lower: FileSystem, upper: FileSystem, first: list[tuple], then: list[tuple]
) -> None:
    below, reference = Hand(lower), Hand(MemoryFS())
    for act in first:
        assert below.do(*act) == reference.do(*act)
    below.let_go()
    reference.let_go()
    before, view_before = picture(lower), view(lower)
    overlay = OverlayFS(lower, upper, by_content=True)
    hand = Hand(overlay)
    for act in then:
        assert hand.do(*act) == reference.do(*act), act
    assert view(overlay) == view(reference.fs)
    hand.let_go()
    reference.let_go()
    expected, expected_times = view(overlay), times(overlay)
    assert view(reference.fs) == expected
    assert applied(view_before, overlay) == {path: seen[:2] for path, seen in expected.items()}
    assert picture(lower) == before
    overlay.commit()
    assert overlay.diff() == []
    assert view(lower) == expected
    assert view(overlay) == expected
    assert times(lower) == expected_times


def applied(before: dict[str, tuple], overlay: OverlayFS) -> dict[str, tuple]:
    """What the list of changes says that the contents and modes should be now."""
    found = {path: seen[:2] for path, seen in before.items()}
    now = view(overlay)
    for change in overlay.diff():
        if change.action == "removed":
            del found[change.path]
        else:
            assert (change.path in found) == (change.action == "changed")
            found[change.path] = now[change.path][:2]
    return found


FIRST = st.lists(ACTS, max_size=12).map(lambda acts: [act for act in acts if act[0] != "link"])


@settings(max_examples=300)
@given(first=FIRST, then=st.lists(ACTS, max_size=20))
def test_answers_as_a_copy_would(first: list[tuple], then: list[tuple]) -> None:
    check_against_copy(MemoryFS(), MemoryFS(), first, then)


@settings(max_examples=60)
@given(first=FIRST, then=st.lists(ACTS, max_size=20))
def test_answers_as_a_copy_would_on_disk(first: list[tuple], then: list[tuple]) -> None:
    with tempfile.TemporaryDirectory() as lower, tempfile.TemporaryDirectory() as upper:
        check_against_copy(LocalFS(lower), LocalFS(upper), first, then)
