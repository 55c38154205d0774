"""The router: the kernel's way through links, mounts, and what both are together."""

from __future__ import annotations

import errno
import os
import stat as kinds
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.vfs.api import Entry, FileSystem, LinkInPath, Stat, failure
from keysh.vfs.local import LocalFS
from keysh.vfs.memory import MemoryFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.router import Router
from vfs.conformance import FileSystemConformance
from vfs.conforming.kit import call, fails, get, names, put, tree


class Following(FileSystemConformance):
    """All but the claims that a link is not followed, for to follow is what the router is for."""

    test_does_not_go_through = None
    test_tells_the_first_link_and_the_rest = None
    test_lost_links_are_told_too = None
    test_open_needs_what_it_leads_to = None
    test_list_and_mode_need_what_it_leads_to = None
    test_link_may_lead_to_itself = None
    test_link_has_times_of_its_own = None


class TestOneMemory(Following):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return Router(MemoryFS())


class TestOneLocal(Following):
    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return Router(LocalFS(tmp_path))


class TestInAnotherRouter(Following):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return Router(Router(MemoryFS()))


# The same done by the kernel. A tree, some acts with paths of any kind, and all answers and what
# is left must be alike. The tree stands so deep that no path climbs out of it.

DEEP = "/w" * 12
Tree = dict[str, str | None]
Act = tuple[str, ...]


def opened(flags: int) -> Callable[[str], None]:
    def act(path: str) -> None:
        descriptor = os.open(path, flags, 0o644)
        try:
            if not flags & os.O_CREAT:
                os.read(descriptor, 1)  # which a directory refuses
        finally:
            os.close(descriptor)

    return act


MADE = os.O_CREAT | os.O_WRONLY

# How the kernel does it, and how the router.
VERBS: dict[str, tuple[Callable[..., object], Callable[..., object]]] = {
    "stat": (
        lambda path: kinds.S_IFMT(os.lstat(path).st_mode),
        lambda fs, path: kinds.S_IFMT(fs.stat(path).mode),
    ),
    "stat following": (
        lambda path: kinds.S_IFMT(os.stat(path).st_mode),
        lambda fs, path: kinds.S_IFMT(fs.stat(path, follow=True).mode),
    ),
    "list": (lambda path: sorted(os.listdir(path)), names),
    "open r": (opened(os.O_RDONLY), lambda fs, path: fs.open(path).close()),
    "open w": (opened(MADE | os.O_TRUNC), lambda fs, path: fs.open(path, "w").close()),
    "open a": (opened(MADE | os.O_APPEND), lambda fs, path: fs.open(path, "a").close()),
    "open x": (opened(MADE | os.O_EXCL), lambda fs, path: fs.open(path, "x").close()),
    "make_directory": (os.mkdir, lambda fs, path: fs.make_directory(path)),
    "remove_directory": (os.rmdir, lambda fs, path: fs.remove_directory(path)),
    "remove": (os.unlink, lambda fs, path: fs.remove(path)),
    "rename": (os.rename, lambda fs, old, new: fs.rename(old, new)),
    "link": (
        lambda old, new: os.link(old, new, follow_symlinks=False),
        lambda fs, old, new: fs.link(old, new),
    ),
    "make_link": (lambda path: os.symlink("b", path), lambda fs, path: fs.make_link("b", path)),
    "read_link": (os.readlink, lambda fs, path: fs.read_link(path)),
    "set_mode": (lambda path: os.chmod(path, 0o700), lambda fs, path: fs.set_mode(path, 0o700)),
    "set_times": (
        lambda path: os.utime(path, ns=(1, 2)),
        lambda fs, path: fs.set_times(path, 1, 2),
    ),
}

NAMES = st.sampled_from(["a", "b", "c"])
TARGETS = st.sampled_from(
    ["a", "b", "c", "a/b", "../a", "../b/", ".", "..", "a/..", "c/.", "a//b", "missing", "./c/"]
)
STEPS = st.sampled_from(["a", "b", "c", "a", "b", "c", ".", "..", ""])
PATHS = st.lists(STEPS, min_size=1, max_size=5).map(lambda steps: "/" + "/".join(steps))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    found: Tree = {}
    folders = [""]
    for _ in range(draw(st.integers(1, 10))):
        path = f"{draw(st.sampled_from(folders))}/{draw(NAMES)}"
        if path in found:
            continue
        kind = draw(st.sampled_from(["file", "folder", "folder", "link", "link"]))
        if kind == "folder":
            folders.append(path)
        found[path] = {"file": "", "folder": None, "link": draw(TARGETS)}[kind]
    return found


@st.composite
def acts(draw: st.DrawFn) -> Act:
    verb = draw(st.sampled_from([*VERBS]))
    return (verb, *(draw(PATHS) for _ in range(2 if verb in ("rename", "link") else 1)))


def build(fs: FileSystem, tree: Tree) -> None:
    for at in range(2, len(DEEP) + 1, 2):
        fs.make_directory(DEEP[:at])
    for path, content in tree.items():
        if content is None:
            fs.make_directory(DEEP + path)
        elif content:
            fs.make_link(content, DEEP + path)
        else:
            put(fs, DEEP + path)


def answer(act: Callable[..., object], *arguments: object) -> object:
    try:
        return act(*arguments)
    except OSError as error:
        # Of a directory that is there with a `/` behind it, "x" says the one or the other.
        return "EEXIST" if error.errno == errno.EISDIR else errno.errorcode[error.errno or 0]


@settings(max_examples=150)
@given(tree_of=trees(), done=st.lists(acts(), min_size=1, max_size=12))
def test_same_as_the_kernel(tree_of: Tree, done: list[Act]) -> None:
    with tempfile.TemporaryDirectory() as kernel, tempfile.TemporaryDirectory() as folder:
        routers = [Router(MemoryFS()), Router(LocalFS(folder))]
        for fs in (*routers, LocalFS(kernel)):
            build(fs, tree_of)
        for verb, *paths in done:
            by_kernel, by_router = VERBS[verb]
            expected = answer(by_kernel, *(kernel + DEEP + path for path in paths))
            for router in routers:
                got = answer(by_router, router, *(DEEP + path for path in paths))
                assert got == expected, (verb, *paths)
        left = tree(LocalFS(kernel))
        for router in routers:
            assert tree(router) == left
