"""MemoryFS agrees with the kernel: after each operation on both, their trees are equal.

Snapshots are taken in between; their originals must be unchanged at the end.
"""

from __future__ import annotations

import os
import shutil
import stat as kinds
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from keysh.vfs.api import FileSystem, LinkInPath
from keysh.vfs.memory.filesystem import MemoryFS
from vfs.kernel import KernelFS, scratch

if TYPE_CHECKING:
    from keysh.vfs.stream import Stream

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is expected is Linux's way")

# An existing path, one directly below it, or any; the choice is made at the operation.
paths = st.tuples(
    st.sampled_from(["there", "there", "behind", "any"]),
    st.integers(0, 40),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map("/".join),
)
accesses = st.sampled_from(["r", "w", "a", "x", "rw"])
data = st.binary(max_size=12)
stream_acts = st.one_of(
    st.tuples(st.just("read"), st.integers(-1, 20)),
    st.tuples(st.just("write"), data),
    st.tuples(st.just("seek"), st.integers(-20, 40), st.sampled_from([0, 1, 2])),
    st.tuples(st.just("truncate"), st.none() | st.integers(0, 40)),
)
# Bits that neither keep a user out nor go away at a write.
modes = st.sampled_from([0o700, 0o755, 0o777, 0o1777])
times = st.integers(0, 2**62)
numbers = st.integers(0, 3)
Spec = tuple[str, int, str]


def answer(act: object, *arguments: object) -> object:
    """Return the result or the error of a call in a comparable form."""
    try:
        return act(*arguments)  # type: ignore[operator]
    except LinkInPath as link:
        return "link", link.path, link.target, link.rest
    except OSError as error:
        return "error", error.errno, error.filename, error.filename2


with_streams = precondition(lambda self: self.streams)


class MemoryAndKernel(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.mask = os.umask(0)
        self.root = scratch()
        self.root.chmod(0o755)
        self.kernel = KernelFS(self.root)
        self.memory = MemoryFS()
        self.streams: list[tuple[Stream, Stream]] = []
        self.aside: list[tuple[MemoryFS, object]] = []

    @initialize(paths=st.permutations(["/a", "/b", "/a/a", "/b/c", "/c/b"]))
    def furnish(self, paths: list[str]) -> None:
        """Create some files first, in directories whose order varies."""
        for number, path in enumerate(paths):
            self.both("make_directory", path)
            self.open(("any", 0, f"{path[1:]}/{'bca'[number % 3]}"), "w", 0o700)
        while self.streams:
            self.close(0)

    def path(self, spec: Spec) -> str:
        kind, number, steps = spec
        if kind == "any":
            return f"/{steps}"
        root, *others = sorted(memory_picture(self.memory))
        result = [*others, root][number % (len(others) + 1)]
        return result if kind == "there" else f"{result.rstrip('/')}/{steps[0]}"

    def both(self, verb: str, *arguments: object) -> None:
        expected = answer(getattr(self.kernel, verb), *arguments)
        assert answer(getattr(self.memory, verb), *arguments) == expected

    @rule(path=paths)
    def make_directory(self, path: Spec) -> None:
        self.both("make_directory", self.path(path))

    @rule(path=paths)
    def remove_directory(self, path: Spec) -> None:
        self.both("remove_directory", self.path(path))

    @rule(path=paths)
    def remove(self, path: Spec) -> None:
        self.both("remove", self.path(path))

    @rule(old=paths, new=paths)
    def rename(self, old: Spec, new: Spec) -> None:
        self.both("rename", self.path(old), self.path(new))

    @rule(existing=paths, path=paths)
    def link(self, existing: Spec, path: Spec) -> None:
        self.both("link", self.path(existing), self.path(path))

    @rule(text=st.sampled_from(["a", "../b", "/c/a", "é\udcff"]), path=paths)
    def make_link(self, text: str, path: Spec) -> None:
        self.both("make_link", text, self.path(path))

    @rule(path=paths)
    def read_link(self, path: Spec) -> None:
        self.both("read_link", self.path(path))

    @rule(path=paths, mode=modes)
    def set_mode(self, path: Spec, mode: int) -> None:
        self.both("set_mode", self.path(path), mode)

    @rule(path=paths, accessed=times, modified=times)
    def set_times(self, path: Spec, accessed: int, modified: int) -> None:
        place = self.path(path)
        self.both("set_times", place, accessed, modified)
        expected, got = answer(self.kernel.stat, place), answer(self.memory.stat, place)
        if not isinstance(expected, tuple):
            assert (got.accessed, got.modified) == (expected.accessed, expected.modified)  # type: ignore[attr-defined]

    @rule(path=paths)
    def list(self, path: Spec) -> None:
        place = self.path(path)

        def listed(fs: FileSystem) -> set[tuple[str, int]]:
            return {(entry.name, entry.kind) for entry in fs.list(place)}

        assert answer(listed, self.memory) == answer(listed, self.kernel)

    @rule(path=paths, access=accesses, content=data, permissions=modes)
    def put(self, path: Spec, access: str, content: bytes, permissions: int) -> None:
        before = len(self.streams)
        self.open(path, access, permissions)
        if len(self.streams) > before:
            self.on_stream(before, "write", content)
            self.close(before)

    @precondition(lambda self: len(self.streams) < 4)
    @rule(path=paths, access=accesses, permissions=modes)
    def open(self, path: Spec, access: str, permissions: int) -> None:
        """Open a stream on both sides, and keep them."""
        arguments = self.path(path), access, permissions
        expected = answer(self.kernel.open, *arguments)
        got = answer(self.memory.open, *arguments)
        if isinstance(expected, tuple) or isinstance(got, tuple):
            assert got == expected
        else:
            self.streams.append((expected, got))  # type: ignore[arg-type]

    def on_stream(self, number: int, verb: str, *arguments: object) -> None:
        real_answer, ours = self.streams[number % len(self.streams)]
        expected = answer(getattr(real_answer, verb), *arguments)
        got = answer(getattr(ours, verb), *arguments)
        if isinstance(expected, tuple):  # Python's own streams often give no errno, and no path
            assert isinstance(got, tuple)
            assert expected[1] in (None, got[1])
        else:
            assert got == expected

    @with_streams
    @rule(acts=st.lists(st.tuples(numbers, stream_acts), min_size=1, max_size=8))
    def use_streams(self, acts: list[tuple[int, tuple[object, ...]]]) -> None:
        for number, (verb, *arguments) in acts:
            self.on_stream(number, str(verb), *arguments)
            self.look_the_same()

    @with_streams
    @rule(number=numbers)
    def close(self, number: int) -> None:
        for stream in self.streams.pop(number % len(self.streams)):
            stream.close()

    @rule()
    def go_on_with_a_snapshot(self) -> None:
        while self.streams:
            self.close(0)
        self.aside.append((self.memory, memory_picture(self.memory)))
        self.memory = self.memory.snapshot()

    @invariant()
    def look_the_same(self) -> None:
        picture = memory_picture(self.memory)
        assert picture == kernel_picture(self.root)
        for real_answer, ours in self.streams:
            assert ours.tell() == real_answer.tell()

    @invariant()
    def add_up(self) -> None:
        """Used space is that of files in directories, and of removed files still open."""
        files = {}
        names = 0
        for place in self.root.rglob("*"):
            names += 1
            result = place.lstat()
            if kinds.S_ISREG(result.st_mode):
                files[result.st_ino] = result.st_size
        for real_answer, _ in self.streams:
            result = os.fstat(real_answer.fileno())  # type: ignore[attr-defined]
            names += result.st_ino not in files
            files[result.st_ino] = result.st_size
        assert (self.memory.files_used, self.memory.bytes_used) == (names, sum(files.values()))

    def teardown(self) -> None:
        for pair in self.streams:
            for stream in pair:
                stream.close()
        shutil.rmtree(self.root)
        os.umask(self.mask)
        for memory, picture in self.aside:
            assert memory_picture(memory) == picture


def memory_picture(fs: MemoryFS) -> dict[str, object]:
    """Return mode, size, links and contents of every path, and which paths share a file."""
    result: dict[str, object] = {}
    first: dict[int, str] = {}
    todo = ["/"]
    while todo:
        path = todo.pop()
        stat = fs.stat(path)
        what: object = None
        if stat.is_directory:
            todo += sorted(f"{path.rstrip('/')}/{entry.name}" for entry in fs.list(path))
        elif stat.is_link:
            what = fs.read_link(path)
        else:
            with fs.open(path) as stream:
                what = stream.read()
        size = 0 if stat.is_directory else stat.size
        same = first.setdefault(stat.inode, path)
        result[path] = (oct(stat.mode), size, stat.links, same, what)
    return result


def kernel_picture(root: Path) -> dict[str, object]:
    result: dict[str, object] = {}
    first: dict[int, str] = {}
    todo = ["/"]
    while todo:
        path = todo.pop()
        place = f"{root}{path}"
        stat = os.lstat(place)
        what: object = None
        if kinds.S_ISDIR(stat.st_mode):
            todo += sorted(f"{path.rstrip('/')}/{name}" for name in os.listdir(place))
        elif kinds.S_ISLNK(stat.st_mode):
            what = os.readlink(place)
        else:
            what = Path(place).read_bytes()
        size = 0 if kinds.S_ISDIR(stat.st_mode) else stat.st_size
        same = first.setdefault(stat.st_ino, path)
        result[path] = (oct(stat.st_mode), size, stat.st_nlink, same, what)
    return result


@pytest.mark.quick
def test_agrees_with_the_kernel_quick() -> None:
    short = settings(max_examples=10, stateful_step_count=30, derandomize=True, deadline=None)
    run_state_machine_as_test(MemoryAndKernel, settings=short)


def test_agrees_with_the_kernel() -> None:
    long = settings(max_examples=120, stateful_step_count=60, derandomize=True, deadline=None)
    run_state_machine_as_test(MemoryAndKernel, settings=long)
