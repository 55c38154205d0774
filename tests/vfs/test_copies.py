"""Copied and pickled file systems are independent, or the copy is refused in one line."""

from __future__ import annotations

import copy
import errno
import io
import os
import pickle
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from keysh import Shell
from keysh.diagnostics.uncopied import Uncopied
from keysh.process.process import Process
from keysh.process.wakeup import Flag
from keysh.testing.conformance.kit import fails, get, put, tree
from keysh.vfs.api import FileSystem
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.local.root import open_root
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.router import Router
from keysh.vfs.synthetic.dev import DevFS

FILES = {"/a": "text", "/d/b": b"bytes"}


def repickled(fs: FileSystem) -> FileSystem:
    result: FileSystem = pickle.loads(pickle.dumps(fs))
    return result


def snapshot(fs: FileSystem) -> FileSystem:
    return fs.snapshot()


COPIES: list[Callable[[FileSystem], FileSystem]] = [snapshot, copy.copy, copy.deepcopy, repickled]
MAKERS: dict[str, Callable[[], FileSystem]] = {
    "memory": lambda: MemoryFS(FILES),
    "overlay": lambda: OverlayFS(MemoryFS(FILES)),
    "router": lambda: Router({"/": MemoryFS(FILES), "/m": OverlayFS(MemoryFS(FILES))}),
}


def loaded_once() -> str:
    return "lazy"


@pytest.mark.parametrize("act", COPIES)
@pytest.mark.parametrize("kind", MAKERS)
def test_copy_is_independent(kind: str, act: Callable[[FileSystem], FileSystem]) -> None:
    fs = MAKERS[kind]()
    fs.make_link("a", "/l")
    other = act(fs)
    assert type(other) is type(fs)
    before = tree(fs)
    assert tree(other) == before
    put(other, "/d/b", b"changed")
    other.remove("/a")
    assert tree(fs) == before
    put(fs, "/new", b"1")
    assert "/new" not in tree(other)


@pytest.mark.parametrize("act", COPIES)
def test_read_only_copy_keeps_what_it_has(act: Callable[[FileSystem], FileSystem]) -> None:
    memory = MemoryFS(FILES)
    other = act(ReadOnlyFS(memory))
    put(memory, "/a", b"changed")
    assert get(other, "/a") == b"text"
    with fails(errno.EROFS, "/a"):
        other.remove("/a")


def test_two_mounts_of_one_file_system_stay_one() -> None:
    memory = MemoryFS(FILES)
    router = Router({"/": memory, "/m": memory})
    for act in COPIES:
        other = act(router)
        put(other, "/m/a", b"changed")
        assert get(other, "/a") == b"changed"
    assert get(router, "/a") == b"text"


class TestMemory:
    def test_pickle_keeps_everything(self) -> None:
        fs = MemoryFS({**FILES, "/lazy": loaded_once}, max_bytes=20, max_files=9)
        fs.link("/a", "/d/same")
        fs.make_link("a", "/l")
        fs.set_mode("/d/b", 0o4710)
        fs.set_times("/d", 10, 20)
        with fs.open("/gone", "w") as stream:
            stream.write(b"1234")
            fs.remove("/gone")
            other = pickle.loads(pickle.dumps(fs))
        for path in ("/", "/a", "/d", "/d/b", "/d/same", "/l", "/lazy"):
            one, two = fs.stat(path), other.stat(path)
            assert all(getattr(one, name) == getattr(two, name) for name in one.__slots__), path
        assert [entry.name for entry in other.list("/")] == ["a", "d", "lazy", "l"]
        assert (other.bytes_used, other.files_used) == (fs.bytes_used, fs.files_used) == (13, 6)
        with fails(errno.ENOSPC, "/a"):
            put(other, "/a", bytes(20))
        put(other, "/new")
        assert other.stat("/new").inode not in {fs.stat(path).inode for path in tree(fs)}

    def test_a_fixed_clock_goes_with_the_files(self) -> None:
        shell = Shell(clock=5)
        for act in COPIES:
            copy = act(shell.fs.mounts["/"])
            put(copy, "/new")
            assert copy.stat("/new").modified == 5_000_000_000

    def test_a_clock_of_the_host_is_pickled_as_the_host_has_it(self) -> None:
        files = Shell(clock=seven_seconds).fs.mounts["/"]
        copy = pickle.loads(pickle.dumps(files))
        put(copy, "/new")
        assert copy.stat("/new").modified == 7_000_000_000
        with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
            pickle.dumps(Shell(clock=lambda: 7).fs.mounts["/"])

    def test_unloaded_function_must_be_one_that_pickles(self) -> None:
        fs = MemoryFS({"/lazy": lambda: "x"})
        with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
            pickle.dumps(fs)
        fs.stat("/lazy")
        assert get(pickle.loads(pickle.dumps(fs)), "/lazy") == b"x"

    def test_subclass_and_its_attributes_are_kept(self) -> None:
        fs = Labelled(FILES)
        fs.label = "mine"
        for act in COPIES:
            other = act(fs)
            assert isinstance(other, Labelled)
            assert other.label == "mine"


def seven_seconds() -> float:
    return 7.0


class Labelled(MemoryFS):
    label = ""


class TestOverlays:
    def test_snapshot_has_the_same_changes_and_base(self) -> None:
        base = MemoryFS(FILES)
        fs = OverlayFS(base)
        fs.remove("/a")
        fs.make_directory("/new")
        other = fs.snapshot()
        assert other.lower is base
        assert repr(other.diff()) == repr(fs.diff())
        put(other, "/a", b"again")
        other.remove("/d/b")
        assert sorted(change.path for change in fs.diff()) == ["/a", "/new"]
        fs.commit()
        assert sorted(tree(base)) == ["/d", "/d/b", "/new"]

    def test_open_streams_stay_with_the_original(self) -> None:
        fs = OverlayFS(MemoryFS(FILES))
        with fs.open("/a", "a") as unchanged, fs.open("/n", "w") as new:
            other = fs.snapshot()
            unchanged.write(b"!")
            new.write(b"!")
        assert (get(fs, "/a"), get(fs, "/n")) == (b"text!", b"!")
        assert (get(other, "/a"), get(other, "/n")) == (b"text", b"")

    def test_upper_without_snapshots_is_refused(self, tmp_path: Path) -> None:
        fs = OverlayFS(MemoryFS(FILES), LocalFS(tmp_path))
        for act in COPIES:
            with pytest.raises(ValueError, match=r"^a LocalFS has no snapshots$"):
                act(fs)

    def test_pickled_with_a_directory_below(self, tmp_path: Path) -> None:
        (tmp_path / "f").write_text("1")
        fs = OverlayFS(LocalFS(tmp_path))
        put(fs, "/f", b"2")
        other = pickle.loads(pickle.dumps(fs))
        other.commit()
        assert (tmp_path / "f").read_text() == "2"


class TestLocal:
    @pytest.mark.parametrize("act", COPIES[1:])
    def test_copy_closes_nothing_of_others(
        self, act: Callable[[FileSystem], FileSystem], tmp_path: Path
    ) -> None:
        (tmp_path / "f").write_text("1")
        fs = LocalFS(tmp_path, read_only=True, umask=0o27)
        other = act(fs)
        assert isinstance(other, LocalFS)
        assert other.is_read_only
        assert other._umask == 0o27
        del other
        with open(tmp_path / "f") as file:  # it would have the number of the root
            del fs
            assert file.read() == "1"

    @pytest.mark.parametrize("act", COPIES[1:])
    def test_copy_outlives_the_original(
        self, act: Callable[[FileSystem], FileSystem], tmp_path: Path
    ) -> None:
        (tmp_path / "f").write_text("1")
        with LocalFS(tmp_path) as fs:
            other = act(fs)
        assert get(other, "/f") == b"1"
        with fails(errno.EBADF, "/f"):
            act(fs).stat("/f")

    def test_copy_follows_a_moved_directory(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        fs = LocalFS(tmp_path / "a")
        (tmp_path / "a").rename(tmp_path / "b")
        put(copy.deepcopy(fs), "/f", b"1")
        assert (tmp_path / "b/f").read_text() == "1"

    def test_pickle_refuses_another_directory(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        data = pickle.dumps(LocalFS(tmp_path / "a"))
        (tmp_path / "a").rename(tmp_path / "b")
        with pytest.raises(FileNotFoundError, match=r"/a'$"):
            pickle.loads(data)
        (tmp_path / "a").mkdir()
        with pytest.raises(OSError, match=r"another directory is there now: .*/a'$") as raised:
            pickle.loads(data)
        assert raised.value.errno == errno.ESTALE

    def test_pickle_of_another_machine_goes_by_the_path(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "a").mkdir()
        monkeypatch.setattr("keysh.vfs.local.root.machine_since_start", lambda: "elsewhere")
        data = pickle.dumps(LocalFS(tmp_path / "a"))
        monkeypatch.undo()
        (tmp_path / "a").rename(tmp_path / "b")
        (tmp_path / "a").mkdir()
        (tmp_path / "a/f").touch()
        assert [*tree(pickle.loads(data))] == ["/f"]

    def test_pickle_is_read_in_another_process(self, tmp_path: Path) -> None:
        (tmp_path / "f").write_text("1")
        program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).open('/f').read())"
        with LocalFS(tmp_path) as fs:
            ran = subprocess.run(
                [sys.executable, "-c", program],
                input=pickle.dumps(fs), capture_output=True, check=True,
            )  # fmt: skip
        assert ran.stdout == b"b'1'\n"


@pytest.mark.parametrize("act", COPIES[:3])
def test_file_system_without_snapshots_says_so(
    act: Callable[[FileSystem], FileSystem], tmp_path: Path
) -> None:
    for fs in (DevFS(), FileSystem()):
        with pytest.raises(io.UnsupportedOperation, match=f"^a {type(fs).__name__} has no snap"):
            act(fs)
    for around in (ReadOnlyFS(LocalFS(tmp_path)), Router({"/": LocalFS(tmp_path)})):
        with pytest.raises(io.UnsupportedOperation, match=r"^a LocalFS has no snapshots$"):
            act(around)


def test_devices_with_streams_of_a_shell_are_not_pickled() -> None:
    with (
        MemoryFS().open("/f", "w") as stream,
        pytest.raises(TypeError, match=r"^a MemoryStream holds open files"),
    ):
        pickle.dumps(DevFS({1: stream}))


def test_holders_of_descriptors_refuse(tmp_path: Path) -> None:
    overlay = OverlayFS(MemoryFS(FILES))
    with (
        Flag() as flag,
        overlay.open("/a") as lower,
        MemoryFS(FILES).open("/a") as memory,
        LocalFS(tmp_path).open("/f", "w") as local,
    ):
        for holder in (flag, lower, memory, local):
            for act in (copy.copy, copy.deepcopy, pickle.dumps):
                with pytest.raises(TypeError, match=r"^(a \w+ holds open files|cannot pickle).*$"):
                    act(holder)
        flag.set()  # its descriptor is still its own
        assert select.select([flag.fd], [], [], 0)[0]
    assert issubclass(Process, Uncopied)


def test_a_root_is_shared_and_not_closed_twice(tmp_path: Path) -> None:
    root = open_root(os.fspath(tmp_path))
    assert copy.deepcopy(root) is copy.copy(root) is root
    other = pickle.loads(pickle.dumps(root))
    assert other.descriptor != root.descriptor
