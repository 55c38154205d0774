"""FsspecFS over storages of fsspec: memory, local files, zip, and names without directories."""

from __future__ import annotations

import copy
import errno
import io
import pickle
import stat as kinds
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.implementations.zip import ZipFileSystem

from keysh.testing import FileSystemConformance
from keysh.testing.conformance.kit import fails, get, names, put, tree
from keysh.vfs.api import FileSystem
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.remote.fsspec import FsspecFS, modification_time
from keysh.vfs.remote.stream import WriteStream
from keysh.vfs.router import Router


class Names(AbstractFileSystem):  # type: ignore[misc]
    """A storage like an object store: contents by name, and directories only by their files."""

    root_marker = ""
    cachable = False

    def __init__(self) -> None:
        super().__init__()
        self.objects: dict[str, bytes] = {}

    def info(self, path: str, **_: object) -> dict[str, object]:
        path = path.strip("/")
        if path in self.objects:
            return {"name": path, "type": "file", "size": len(self.objects[path])}
        if any(key.startswith(f"{path}/") for key in [*self.objects]):
            return {"name": path, "type": "directory", "size": None}
        raise FileNotFoundError(path)

    def ls(self, path: str, detail: bool = True, **_: object) -> list[Any]:
        prefix = f"{path.strip('/')}/".lstrip("/")
        below = {
            key[len(prefix) :].split("/")[0] for key in [*self.objects] if key.startswith(prefix)
        }
        if not below:
            raise FileNotFoundError(path)
        return [self.info(prefix + each) for each in below]

    def pipe_file(self, path: str, value: bytes, **_: object) -> None:
        self.objects[path] = value

    def rm_file(self, path: str) -> None:
        del self.objects[path]

    def rmdir(self, path: str) -> None:
        raise FileNotFoundError(path)

    def cp_file(self, path1: str, path2: str, **_: object) -> None:
        self.objects[path2] = self.objects[path1]

    def _open(self, path: str, mode: str = "rb", **_: object) -> io.BytesIO:
        if mode == "rb":
            return io.BytesIO(self.objects[path])
        objects = self.objects

        class Upload(io.BytesIO):
            def close(self) -> None:
                if not self.closed:
                    objects[path] = self.getvalue()
                super().close()

        return Upload()


class NoCopying(Names):
    def cp_file(self, path1: str, path2: str, **_: object) -> None:
        raise NotImplementedError


class Storage(FileSystemConformance):
    """Claims that no storage makes."""

    has_links = False
    has_hard_links = False
    has_modes = False
    has_times = False
    has_inodes = False
    has_any_name = False
    has_long_names = False
    has_append = False  # by two at once
    counts_subdirectories = False

    # They look at a file that is not closed yet.
    test_truncates = None
    test_writes_are_visible_immediately = None

    def test_appends(self, fs: FileSystem) -> None:
        put(fs, "/f", b"one")
        with fs.open("/f", "a") as stream:
            stream.seek(0)
            stream.write(b"two")
            stream.truncate(5)
            stream.write(b"three")
        assert get(fs, "/f") == b"onetwthree"

    @pytest.mark.parametrize("size", [0, 3, 15])
    def test_truncates_when_closed(self, fs: FileSystem, size: int) -> None:
        put(fs, "/f", b"0123456789")
        with fs.open("/f", "rw") as stream:
            stream.seek(7)
            assert stream.truncate(size) == size
            assert stream.tell() == 7
        assert get(fs, "/f") == b"0123456789"[:size].ljust(size, b"\0")

    def test_is_written_when_closed(self, fs: FileSystem) -> None:
        with fs.open("/f", "w") as stream:
            assert names(fs) == ["f"]
            stream.write(b"text")
            stream.flush()
            assert get(fs, "/f") == b""
        assert get(fs, "/f") == b"text"

    def test_reading_is_not_a_change(self, fs: FileSystem) -> None:
        put(fs, "/f", b"text")
        with fs.open("/f", "rw") as stream:
            assert stream.read() == b"text"
            put(fs, "/f", b"new")
        assert get(fs, "/f") == b"new"

    def test_readers_have_their_own_positions(self, fs: FileSystem) -> None:
        put(fs, "/f", b"text")
        with fs.open("/f") as one, fs.open("/f") as other:
            assert one.read(2) == b"te"
            assert other.read() == b"text"
            assert one.read() == b"xt"

    def test_large_files_are_spooled_to_disk(
        self, fs: FileSystem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(WriteStream, "MAX_MEMORY_BYTES", 100)
        with fs.open("/f", "w") as stream:
            for _ in range(50):
                stream.write(b"0123456789")
        with fs.open("/f", "a") as stream:
            stream.write(b"end")
        assert get(fs, "/f") == b"0123456789" * 50 + b"end"
        with fs.open("/f", "rw") as stream:
            stream.truncate(10)
            stream.seek(2000)
            stream.write(b"far")
        assert get(fs, "/f") == b"0123456789".ljust(2000, b"\0") + b"far"

    def test_links_and_attributes_are_unsupported(self, fs: FileSystem) -> None:
        put(fs, "/f")
        with fails(errno.EPERM, "/l"):
            fs.make_link("f", "/l")
        with fails(errno.EPERM, "/f", "/l"):
            fs.link("/f", "/l")
        with fails(errno.EPERM, "/f"):
            fs.set_mode("/f", 0o600)
        with fails(errno.EPERM, "/f"):
            fs.set_times("/f", 1, 2)

    def test_names_that_look_like_patterns(self, fs: FileSystem) -> None:
        for name in ("a*", "ab", "[x]", "x", "?"):
            put(fs, f"/{name}", name.encode())
        fs.rename("/a*", "/b*")
        fs.remove("/?")
        fs.rename("/[x]", "/[y]")
        assert tree(fs) == {"/ab": b"ab", "/b*": b"a*", "/x": b"x", "/[y]": b"[x]"}

    def test_emptied_directory_remains(self, fs: FileSystem) -> None:
        fs.make_directory("/d")
        fs.make_directory("/d/e")
        put(fs, "/d/e/f")
        fs.remove("/d/e/f")
        assert tree(fs) == {"/d": None, "/d/e": None}
        put(fs, "/d/e/f")
        fs.rename("/d", "/new")
        fs.rename("/new/e/f", "/f")
        assert tree(fs) == {"/new": None, "/new/e": None, "/f": b""}
        fs.remove_directory("/new/e")
        assert tree(fs) == {"/new": None, "/f": b""}

    def test_overlay_commits_into_it(self, fs: FileSystem) -> None:
        fs.make_directory("/d")
        put(fs, "/d/f", b"old")
        overlay = OverlayFS(fs)
        put(overlay, "/d/f", b"new")
        overlay.rename("/d", "/e")
        overlay.commit()
        assert tree(fs) == {"/e": None, "/e/f": b"new"}


class TestMemory(Storage):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return FsspecFS(MemoryFileSystem(global_store=False, skip_instance_cache=True))


class TestBelowARoot(Storage):
    @pytest.fixture
    def fs(self) -> FileSystem:
        storage = MemoryFileSystem(global_store=False, skip_instance_cache=True)
        storage.pipe_file("/other", b"out of sight")
        storage.mkdir("/deep/root")
        return FsspecFS(storage, "/deep/root/")


class TestLocal(Storage):
    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return FsspecFS(LocalFileSystem(), str(tmp_path))


class TestNames(Storage):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return FsspecFS(Names())


class TestNoCopying(Storage):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return FsspecFS(NoCopying(), "bucket")


@pytest.fixture
def archive(tmp_path: Path) -> FsspecFS:
    with zipfile.ZipFile(tmp_path / "files.zip", "w") as file:
        file.writestr("top", b"text")
        file.writestr("dir/inner", b"inside" * 1000)
        file.mkdir("empty")
    return FsspecFS(ZipFileSystem(str(tmp_path / "files.zip")))


class TestZip:
    def test_zip_can_be_read(self, archive: FsspecFS) -> None:
        assert tree(archive) == {
            "/top": b"text",
            "/dir": None,
            "/dir/inner": b"inside" * 1000,
            "/empty": None,
        }
        stat = archive.stat("/top")
        assert abs(stat.modified / 1e9 - time.time()) < 2 * 86400
        assert stat.mode == kinds.S_IFREG | 0o644
        with archive.open("/dir/inner") as stream:
            stream.seek(3)
            assert stream.read(6) == b"ideins"

    def test_zip_cannot_be_changed(self, archive: FsspecFS) -> None:
        before = tree(archive)
        with fails(errno.EROFS, "/new"):
            archive.open("/new", "w")
        with fails(errno.EROFS, "/top"):
            archive.open("/top", "w")
        with fails(errno.EROFS, "/new"):
            archive.make_directory("/new")
        with fails(errno.EROFS, "/top"):
            archive.remove("/top")
        with fails(errno.EROFS, "/top", "/new"):
            archive.rename("/top", "/new")
        with fails(errno.ENOENT, "/missing"):
            archive.open("/missing")
        with fails(errno.ENOTDIR, "/top/x"):
            archive.stat("/top/x")
        assert tree(archive) == before

    def test_zip_can_be_changed_in_an_overlay(self, archive: FsspecFS) -> None:
        overlay = OverlayFS(archive)
        overlay.rename("/dir", "/moved")
        with overlay.open("/moved/inner", "a") as stream:
            stream.write(b"!")
        assert get(overlay, "/moved/inner") == b"inside" * 1000 + b"!"
        with pytest.raises(OSError, match="Read-only"):
            overlay.commit()

    def test_can_be_mounted_in_a_router(self, archive: FsspecFS) -> None:
        router = Router({"/": MemoryFS(), "/zip": archive})
        router.make_link("zip/dir/../top", "/link")
        assert get(router, "/link") == b"text"


def test_links_of_the_storage_are_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "dir").mkdir()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dirlink").symlink_to("dir")
    fs = FsspecFS(LocalFileSystem(), str(tmp_path))
    assert tree(fs) == {"/file": b"text", "/link": b"text", "/dir": None, "/dirlink": None}


def test_pickle_has_the_storage_and_a_copy_is_refused(tmp_path: Path) -> None:
    fs = FsspecFS(LocalFileSystem(), str(tmp_path))
    put(fs, "/f", b"1")
    other = pickle.loads(pickle.dumps(fs))
    put(other, "/f", b"2")
    assert get(fs, "/f") == b"2"
    for act in (copy.copy, copy.deepcopy, FsspecFS.snapshot):
        with pytest.raises(OSError, match=r"^a FsspecFS has no snapshots$"):
            act(fs)


class Broken(Names):
    """A storage that raises a given exception."""

    error: BaseException

    def ls(self, path: str, detail: bool = True, **_: object) -> list[Any]:
        raise self.error


@pytest.mark.parametrize(
    ("error", "number"),
    [
        (PermissionError("no errno"), errno.EACCES),
        (OSError(errno.ENOSPC, "full"), errno.ENOSPC),
        (OSError("no errno"), errno.EIO),
        (RuntimeError("of its own"), errno.EIO),
        (TimeoutError(), errno.ETIMEDOUT),
        (NotImplementedError(), errno.EIO),
    ],
)
def test_errors_have_the_errno_of_the_kernel(error: Exception, number: int) -> None:
    storage = Broken()
    storage.error = error
    with fails(number, "/"):
        FsspecFS(storage).list("/")


def test_interruption_is_not_an_error() -> None:
    storage = Broken()
    storage.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        FsspecFS(storage).list("/")


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({}, 0),
        ({"mtime": 1.5, "created": 9}, 1_500_000_000),
        ({"LastModified": datetime(1970, 1, 1, 0, 1, tzinfo=UTC)}, 60_000_000_000),
        ({"updated": "1970-01-01T00:01:00Z"}, 60_000_000_000),
        ({"updated": "yesterday"}, 0),
        ({"date_time": (1980, 1, 1, 0, 0, 0)}, 315_532_800_000_000_000),
    ],
)
def test_times_of_storages(info: dict[str, object], expected: int) -> None:
    assert modification_time(info) == expected
