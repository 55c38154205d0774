"""LocalFS: its own behaviour; conformance.py and test_containment.py have the rest."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import gc
import os
import resource
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyfakefs.fake_filesystem_unittest import Patcher

from keysh.testing import FileSystemConformance
from keysh.vfs.api import LinkInPath
from keysh.vfs.local import filesystem as local
from keysh.vfs.local import root as local_root
from keysh.vfs.local.filesystem import LocalFS
from unprivileged import unprivileged
from vfs.timeout import hang_guard  # noqa: F401 - a fixture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Access

pytestmark = pytest.mark.usefixtures("hang_guard")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root-of-the-host"
    made.mkdir()
    return made


@pytest.fixture
def fs(root: Path) -> Iterator[LocalFS]:
    with LocalFS(root) as opened:
        yield opened


@pytest.fixture
def _unprivileged(fs: LocalFS, root: Path) -> Iterator[None]:
    """Run as `nobody`, who owns the files in the root."""
    assert fs.stat("/").is_directory  # opened while that was possible
    with unprivileged(root):
        yield


def write(fs: LocalFS, path: str, data: bytes = b"", access: Access = "w") -> None:
    with fs.open(path, access) as stream:
        stream.write(data)


def read(fs: LocalFS, path: str) -> bytes:
    with fs.open(path) as stream:
        return stream.read()


def descriptors(root: Path) -> int:
    """Count descriptors of the test's own files; others may be closed at any time."""
    gc.collect()
    count = 0
    for number in os.listdir("/dev/fd"):
        with contextlib.suppress(OSError):  # the listing itself is closed by now
            count += os.readlink(f"/dev/fd/{number}").startswith(str(root))
    return count


@pytest.mark.skipif(sys.platform != "linux", reason="what is expected is what Linux does")
class TestOnDisk(FileSystemConformance):
    @pytest.fixture
    def fs(self, root: Path) -> Iterator[LocalFS]:
        # Some file systems of Linux, such as btrfs, do not count the directories in a directory.
        self.counts_subdirectories = root.stat().st_nlink > 1
        with LocalFS(root) as opened:
            yield opened


class Unclosed(local_root.RootDirectory):
    """A traceback may keep it beyond the fake disk, when its number means a file of the machine."""

    __slots__ = ()

    def __del__(self, close: object = None) -> None:
        pass


# What pyfakefs 6 does unlike a kernel, by the test, or the case of a test, that finds it out.
UNFAITHFUL = {
    "test_starts_empty": "does not know `.` relative to a descriptor",
    "test_inodes_are_unique": "does not know `.` relative to a descriptor",
    "test_read_link_refuses[read_link /-]": "does not know `.` relative to a descriptor",
    "test_rename_refuses": "checks in another order, and renames the root",
    "test_hard_link_refuses[/missing-/dir/inner-2]": "checks in another order",
    "test_verb_refuses[open /dir x-]": "checks in another order",
    "test_verb_refuses[open / x-]": "checks in another order",
    "test_name_is_taken": "does not see that a link is there with O_EXCL and O_NOFOLLOW",
    "test_link_keeps_its_text": "encodes the text of a link strictly",
    "test_link_refuses_text": "makes links with any text",
    "test_reader_cannot_write": "raises no OSError for it",
    "test_refuses_to_seek_before_the_start": "raises no OSError for it",
    "test_deep_directories_work": "takes minutes",
}


class TestOnFakeDisk(FileSystemConformance):
    """The same walk over directories that are Python objects; the claims are those of pyfakefs."""

    # It has no /proc to set modes by, times without the kernel's rules, and names of any length.
    has_modes = has_times = has_any_name = has_long_names = has_random_access = False
    counts_subdirectories = False

    @pytest.fixture
    def fs(
        self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[LocalFS]:
        test = request.node
        if test.function.__module__ == "keysh.testing.conformance.thread_tests":
            pytest.skip("pyfakefs is not made for threads")
        for case in (test.name, test.originalname):
            if case in UNFAITHFUL:
                pytest.skip(f"pyfakefs: {UNFAITHFUL[case]}")
        # `io.FileIO` is written in C and finds no file behind a descriptor of the fake.
        monkeypatch.setattr(local, "LocalFile", lambda fd, mode, path: os.fdopen(fd, mode, 0))
        monkeypatch.setattr(local_root, "RootDirectory", Unclosed)
        gc.disable()  # what other tests have left closes real descriptors, which the fake has not
        try:
            with Patcher() as fake:
                fake.fs.create_dir("/root")
                with LocalFS("/root") as opened:
                    yield opened
        finally:
            gc.enable()


# The root.


def test_missing_root_is_reported_with_its_host_path(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        LocalFS(tmp_path / "missing")
    assert caught.value.filename == str(tmp_path / "missing")


def test_root_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match="file"):
        LocalFS(tmp_path / "file")


def test_relative_root_survives_a_chdir_of_the_host(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root.parent)
    with LocalFS(root.name) as fs:
        monkeypatch.chdir("/")
        write(fs, "/file", b"text")
        assert fs.real_path("/file") == str(root / "file")
    assert (root / "file").read_bytes() == b"text"


def test_root_of_the_machine() -> None:
    with LocalFS("/") as fs:
        assert fs.stat("/usr/bin").is_directory
        assert fs.real_path("/usr/bin") == "/usr/bin"
        assert fs.real_path("/") == "/"
        assert "usr" in {entry.name for entry in fs.list("/")}


def test_moved_root_is_still_the_root(fs: LocalFS, root: Path) -> None:
    write(fs, "/file", b"text")
    root.rename(root.with_name("moved"))
    root.mkdir()
    (root / "file").write_bytes(b"another")
    assert read(fs, "/file") == b"text"
    assert fs.real_path("/file") is None  # where it was is not where it is


def test_removed_root_is_empty(fs: LocalFS, root: Path) -> None:
    root.rmdir()
    assert fs.stat("/").is_directory
    assert list(fs.list("/")) == []
    with pytest.raises(FileNotFoundError, match="'/file'"):
        fs.open("/file", "w")
    assert fs.real_path("/") is None


def test_root_itself_cannot_be_changed(fs: LocalFS) -> None:
    write(fs, "/file")
    for act, number in (
        (lambda: fs.open("/", "r"), errno.EISDIR),
        (lambda: fs.open("/", "w"), errno.EISDIR),
        (lambda: fs.open("/", "x"), errno.EEXIST),
        (lambda: fs.make_directory("/"), errno.EEXIST),
        (lambda: fs.make_link("t", "/"), errno.EEXIST),
        (lambda: fs.link("/file", "/"), errno.EEXIST),
        (lambda: fs.remove_directory("/"), errno.EBUSY),
        (lambda: fs.rename("/", "/other"), errno.EBUSY),
        (lambda: fs.rename("/file", "/"), errno.EBUSY),
        (lambda: fs.read_link("/"), errno.EINVAL),
    ):
        with pytest.raises(OSError, match=os.strerror(number)):
            act()


# real_path and open_directory.


def test_real_path_needs_an_existing_file(fs: LocalFS, root: Path) -> None:
    write(fs, "/file")
    assert fs.real_path("/file") == str(root / "file")
    assert fs.real_path("/") == str(root)
    assert fs.real_path("/missing") is None
    assert fs.real_path("/file/below") is None


def test_open_directory_is_kept(fs: LocalFS) -> None:
    fs.make_directory("/a")
    fs.make_directory("/a/b")
    descriptor = fs.open_directory("/a/b")
    try:
        fs.rename("/a", "/c")
        write(fs, "/c/b/file")
        assert os.stat("file", dir_fd=descriptor).st_ino == fs.stat("/c/b/file").inode
        assert not os.get_inheritable(descriptor)
    finally:
        os.close(descriptor)


def test_open_directory_requires_a_directory(fs: LocalFS) -> None:
    write(fs, "/file")
    fs.make_link("/", "/link")
    with pytest.raises(NotADirectoryError):
        fs.open_directory("/file")
    with pytest.raises(FileNotFoundError):
        fs.open_directory("/missing")
    with pytest.raises(LinkInPath):
        fs.open_directory("/link")


# Fifos, sockets and devices.


@pytest.mark.parametrize("access", ["r", "w", "a", "rw"])
def test_fifo_is_refused_without_waiting(fs: LocalFS, root: Path, access: Access) -> None:
    os.mkfifo(root / "fifo")
    with pytest.raises(PermissionError, match="'/fifo'"):
        fs.open("/fifo", access)
    with pytest.raises(FileExistsError):
        fs.open("/fifo", "x")
    assert [entry.kind for entry in fs.list("/")] == [stat.S_IFIFO]
    fs.rename("/fifo", "/other")
    fs.remove("/other")


def test_refused_fifo_is_not_opened(fs: LocalFS, root: Path) -> None:
    """Opening one for a moment would end the wait of a writer, who then finds no reader."""
    os.mkfifo(root / "fifo")
    opened = threading.Event()

    def wait_for_a_reader() -> None:
        with open(root / "fifo", "wb", buffering=0):
            opened.set()

    writer = threading.Thread(target=wait_for_a_reader)
    writer.start()
    for _ in range(100):
        with pytest.raises(PermissionError):
            fs.open("/fifo")
    assert not opened.is_set()
    with open(root / "fifo", "rb"):
        writer.join()


def test_allowed_fifo_opens_at_once_and_then_blocks(root: Path) -> None:
    os.mkfifo(root / "fifo")
    with LocalFS(root, allow_devices=True) as fs:
        with pytest.raises(OSError, match=os.strerror(errno.ENXIO)):
            fs.open("/fifo", "w")
        with fs.open("/fifo") as reader, fs.open("/fifo", "w") as writer:
            assert not fcntl.fcntl(writer.fileno(), fcntl.F_GETFL) & os.O_NONBLOCK  # type: ignore[attr-defined]
            writer.write(b"text")
            assert reader.read(4) == b"text"


def test_fifo_is_opened_only_by_open_fifo(root: Path) -> None:
    os.mkfifo(root / "fifo")
    (root / "file").write_bytes(b"")
    with LocalFS(root, allow_fifos=True) as fs, LocalFS(root, True, allow_fifos=True) as fixed:
        told(lambda: fs.open("/fifo"), errno.EACCES)
        told(lambda: fs.open_fifo("/file", "r"), errno.EACCES)
        told(lambda: fs.open_fifo("/missing", "w"), errno.ENOENT)
        told(lambda: fs.open_fifo("/fifo", "w"), errno.ENXIO)
        told(lambda: fixed.open_fifo("/fifo", "w"), errno.EROFS)
        with fs.open_fifo("/fifo", "r") as reader:
            assert not reader.has_met_peer
            with fs.open_fifo("/fifo", "w") as writer:
                writer.write(b"text")
            assert reader.read() == b"text"
            assert reader.has_met_peer
    with LocalFS(root) as fs:
        told(lambda: fs.open_fifo("/fifo", "r"), errno.EACCES)


@pytest.mark.parametrize("allow_devices", [False, True])
def test_socket_is_refused(
    root: Path, allow_devices: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)  # the whole path may be too long for a socket
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    # The kernel itself does not open one.
    number = errno.ENXIO if allow_devices else errno.EACCES
    with LocalFS(root, allow_devices=allow_devices) as fs:
        for access in ("r", "w", "rw"):
            told(lambda access=access: fs.open("/socket", access), number)
        assert stat.S_ISSOCK(fs.stat("/socket").mode)


def test_devices_are_refused_unless_allowed() -> None:
    for access in ("r", "w", "rw"):
        with LocalFS("/dev") as fs, pytest.raises(PermissionError, match="'/null'"):
            fs.open("/null", access)
    with LocalFS("/dev", allow_devices=True) as fs:
        write(fs, "/null", b"text")
        write(fs, "/null", b"text", "a")
        assert read(fs, "/null") == b""
        with fs.open("/zero") as stream:
            assert stream.read(3) == b"\0\0\0"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_full_disk_error_has_the_path() -> None:
    with LocalFS("/dev", allow_devices=True) as fs, fs.open("/full", "w") as stream:
        with pytest.raises(OSError, match="'/full'") as caught:
            stream.write(b"text")
        assert caught.value.errno == errno.ENOSPC


def test_fifo_removed_while_listing_has_no_kind(root: Path) -> None:
    os.mkfifo(root / "fifo")
    with os.scandir(root) as entries:
        entry = next(entries)
        (root / "fifo").unlink()
        assert local.entry_kind(entry) == 0


# Streams.


def test_write_is_complete(root: Path) -> None:
    """The kernel writes a first part, and a second call reports the error."""
    with LocalFS(root) as fs, fs.open("/file", "w") as stream:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        try:
            assert stream.write(bytes(1000)) == 1000
            stream.seek(0)
            with pytest.raises(OSError, match="'/file'") as caught:
                stream.write(bytes(1500))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.errno == errno.EFBIG


def test_truncating_keeps_the_file_and_sets_its_time(fs: LocalFS) -> None:
    for data in (b"text", b""):
        write(fs, "/file", data)
        fs.set_times("/file", 1, 1)
        inode = fs.stat("/file").inode
        fs.open("/file", "w").close()
        after = fs.stat("/file")
        assert (after.size, after.inode) == (0, inode)
        assert after.modified > 1


def test_stream_outlives_the_file_system_and_the_name(root: Path) -> None:
    with LocalFS(root) as fs:
        stream = fs.open("/file", "rw")
        fs.remove("/file")
    stream.write(b"text")
    stream.seek(0)
    assert stream.read() == b"text"
    stream.close()
    stream.close()


def test_umask_is_that_of_the_host(fs: LocalFS) -> None:
    previous = os.umask(0o027)
    try:
        fs.open("/file", "w", 0o666).close()
        fs.make_directory("/made", 0o777)
    finally:
        os.umask(previous)
    assert stat.S_IMODE(fs.stat("/file").mode) == 0o640
    assert stat.S_IMODE(fs.stat("/made").mode) == 0o750


def test_umask_can_be_overridden(root: Path) -> None:
    previous = os.umask(0o027)
    try:
        with LocalFS(root, umask=0o027) as fs:
            fs.open("/file", "w", 0o666).close()
            fs.open("/file", "w", 0o777).close()
            fs.make_directory("/made", 0o7777)
            fs.make_link("there", "/link")
            with pytest.raises(LinkInPath):
                fs.open("/link", "w", 0o666)
            with pytest.raises(FileExistsError):
                fs.open("/file", "x", 0o666)
    finally:
        os.umask(previous)
    assert stat.S_IMODE((root / "file").stat().st_mode) == 0o666
    assert stat.S_IMODE((root / "made").stat().st_mode) == 0o1777


# Names.


@pytest.mark.parametrize("name", [b"\xff\xfe", b"a\nb", b" ", b"\\", b"'\"", b"\x01", "é".encode()])
def test_any_name_survives(fs: LocalFS, root: Path, name: bytes) -> None:
    path = "/" + os.fsdecode(name)
    write(fs, path, b"text")
    assert os.listdir(os.fsencode(root)) == [name]
    assert ["/" + entry.name for entry in fs.list("/")] == [path]
    assert read(fs, path) == b"text"
    fs.make_link(path[1:], "/link")
    assert fs.read_link("/link") == path[1:]
    real = fs.real_path(path)
    assert real is not None
    assert Path(real).read_bytes() == b"text"


def test_path_length_is_counted_from_the_root(fs: LocalFS) -> None:
    path = ""
    for _ in range(20):
        path += "/" + "d" * 200
        fs.make_directory(path)
    path += "/" + "f" * (4095 - len(path) - 1)
    write(fs, path, b"text")  # on the machine, this path is longer than the kernel takes at once
    assert read(fs, path) == b"text"


# Read-only.

CHANGES: dict[str, Callable[[LocalFS], object]] = {
    "w": lambda fs: fs.open("/file", "w"),
    "w new": lambda fs: fs.open("/new", "w"),
    "a": lambda fs: fs.open("/file", "a"),
    "x": lambda fs: fs.open("/new", "x"),
    "x old": lambda fs: fs.open("/file", "x"),
    "rw": lambda fs: fs.open("/file", "rw"),
    "make_directory": lambda fs: fs.make_directory("/new"),
    "remove_directory": lambda fs: fs.remove_directory("/directory"),
    "remove": lambda fs: fs.remove("/file"),
    "rename": lambda fs: fs.rename("/file", "/new"),
    "link": lambda fs: fs.link("/file", "/new"),
    "make_link": lambda fs: fs.make_link("t", "/new"),
    "set_mode": lambda fs: fs.set_mode("/file", 0),
    "set_times": lambda fs: fs.set_times("/file", 1, 1),
    "through a link": lambda fs: fs.remove("/link/file"),
    "missing": lambda fs: fs.remove("/missing/file"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_read_only_refuses_every_change_up_front(
    root: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "file").write_bytes(b"text")
    (root / "directory").mkdir()
    (root / "link").symlink_to("directory")

    def look() -> dict[Path, tuple[int, ...]]:
        result = {path: os.lstat(path) for path in [root, *root.rglob("*")]}
        return {
            path: (at.st_mode, at.st_ino, at.st_nlink, at.st_uid, at.st_size, at.st_mtime_ns)
            for path, at in result.items()
        }

    before = look()
    with LocalFS(root, read_only=True) as fs:
        with monkeypatch.context() as patch:
            for function in ("open", "stat", "mkdir", "unlink", "rename", "chmod", "utime"):
                patch.delattr(os, function)
            with pytest.raises(OSError, match=os.strerror(errno.EROFS)):
                CHANGES[name](fs)
        assert read(fs, "/file") == b"text"
        assert len(list(fs.list("/"))) == 3
    assert look() == before


# Errors: the errno of the kernel, the virtual path, and never a path of the machine.

FAILURES: dict[str, tuple[int, Callable[[LocalFS], object]]] = {
    "stat missing": (errno.ENOENT, lambda fs: fs.stat("/missing")),
    "stat below missing": (errno.ENOENT, lambda fs: fs.stat("/missing/a/b")),
    "stat below file": (errno.ENOTDIR, lambda fs: fs.stat("/file/a")),
    "stat far below file": (errno.ENOTDIR, lambda fs: fs.stat("/full/file/a/b")),
    "stat long": (errno.ENAMETOOLONG, lambda fs: fs.stat("/" + "n" * 256)),
    "stat below long": (errno.ENAMETOOLONG, lambda fs: fs.stat("/" + "n" * 256 + "/a")),
    "stat NUL": (errno.EINVAL, lambda fs: fs.stat("/a\0b")),
    "stat below NUL": (errno.EINVAL, lambda fs: fs.stat("/a\0b/c")),
    "stat lone surrogate": (errno.EILSEQ, lambda fs: fs.stat("/\ud800")),
    "stat below lone surrogate": (errno.EILSEQ, lambda fs: fs.stat("/\ud800/a")),
    "list missing": (errno.ENOENT, lambda fs: fs.list("/missing")),
    "list file": (errno.ENOTDIR, lambda fs: fs.list("/file")),
    "list below file": (errno.ENOTDIR, lambda fs: fs.list("/file/a")),
    "open missing": (errno.ENOENT, lambda fs: fs.open("/missing")),
    "open below file": (errno.ENOTDIR, lambda fs: fs.open("/file/a", "w")),
    "open directory": (errno.EISDIR, lambda fs: fs.open("/full")),
    "write directory": (errno.EISDIR, lambda fs: fs.open("/full", "w")),
    "append directory": (errno.EISDIR, lambda fs: fs.open("/full", "a")),
    "read and write directory": (errno.EISDIR, lambda fs: fs.open("/full", "rw")),
    "make what is there": (errno.EEXIST, lambda fs: fs.open("/file", "x")),
    "make directory": (errno.EEXIST, lambda fs: fs.open("/full", "x")),
    "make below missing": (errno.ENOENT, lambda fs: fs.open("/missing/a", "w")),
    "make long": (errno.ENAMETOOLONG, lambda fs: fs.open("/" + "n" * 256, "w")),
    "make_directory there": (errno.EEXIST, lambda fs: fs.make_directory("/file")),
    "make_directory below missing": (errno.ENOENT, lambda fs: fs.make_directory("/missing/a")),
    "remove_directory full": (errno.ENOTEMPTY, lambda fs: fs.remove_directory("/full")),
    "remove_directory file": (errno.ENOTDIR, lambda fs: fs.remove_directory("/file")),
    "remove_directory missing": (errno.ENOENT, lambda fs: fs.remove_directory("/missing")),
    "remove missing": (errno.ENOENT, lambda fs: fs.remove("/missing")),
    "remove below file": (errno.ENOTDIR, lambda fs: fs.remove("/file/a")),
    "rename missing": (errno.ENOENT, lambda fs: fs.rename("/missing", "/new")),
    "rename below missing": (errno.ENOENT, lambda fs: fs.rename("/missing/a", "/new")),
    "rename into missing": (errno.ENOENT, lambda fs: fs.rename("/file", "/missing/new")),
    "rename to full": (errno.ENOTEMPTY, lambda fs: fs.rename("/empty", "/full")),
    "rename to directory": (errno.EISDIR, lambda fs: fs.rename("/file", "/full")),
    "rename to file": (errno.ENOTDIR, lambda fs: fs.rename("/empty", "/file")),
    "rename into itself": (errno.EINVAL, lambda fs: fs.rename("/full", "/full/new")),
    "rename NUL": (errno.EINVAL, lambda fs: fs.rename("/file", "/a\0b")),
    "link missing": (errno.ENOENT, lambda fs: fs.link("/missing", "/new")),
    "link there": (errno.EEXIST, lambda fs: fs.link("/file", "/empty")),
    "link below file": (errno.ENOTDIR, lambda fs: fs.link("/file", "/file/new")),
    "link directory": (errno.EPERM, lambda fs: fs.link("/empty", "/new")),
    "make_link there": (errno.EEXIST, lambda fs: fs.make_link("t", "/file")),
    "make_link empty": (errno.ENOENT, lambda fs: fs.make_link("", "/new")),
    "make_link NUL": (errno.EINVAL, lambda fs: fs.make_link("a\0b", "/new")),
    "make_link long": (errno.ENAMETOOLONG, lambda fs: fs.make_link("t" * 5000, "/new")),
    "read_link file": (errno.EINVAL, lambda fs: fs.read_link("/file")),
    "read_link missing": (errno.ENOENT, lambda fs: fs.read_link("/missing")),
    "set_mode missing": (errno.ENOENT, lambda fs: fs.set_mode("/missing", 0)),
    "set_times missing": (errno.ENOENT, lambda fs: fs.set_times("/missing", 1, 1)),
    "set_times never": (errno.EINVAL, lambda fs: fs.set_times("/file", 1, 1 << 100)),
    "open_directory file": (errno.ENOTDIR, lambda fs: fs.open_directory("/file")),
    "open_directory missing": (errno.ENOENT, lambda fs: fs.open_directory("/missing")),
}

# Cases where the owner has no permission for the directory `shut` or the file `shut-file`.
DENIALS: dict[str, Callable[[LocalFS], object]] = {
    "stat": lambda fs: fs.stat("/shut/file"),
    "list": lambda fs: fs.list("/shut"),
    "list below": lambda fs: fs.list("/shut/a/b"),
    "read": lambda fs: fs.open("/shut-file"),
    "write": lambda fs: fs.open("/shut-file", "w"),
    "make": lambda fs: fs.open("/shut/new", "w"),
    "make_directory": lambda fs: fs.make_directory("/shut/new"),
    "remove": lambda fs: fs.remove("/shut/file"),
    "rename": lambda fs: fs.rename("/shut/file", "/new"),
    "rename into": lambda fs: fs.rename("/file", "/shut/new"),
    "link": lambda fs: fs.link("/file", "/shut/new"),
    "make_link": lambda fs: fs.make_link("t", "/shut/new"),
    "set_mode": lambda fs: fs.set_mode("/shut/file", 0),
}


@pytest.fixture
def full(root: Path) -> Path:
    """The root with the files of FAILURES and DENIALS."""
    (root / "full").mkdir()
    (root / "empty").mkdir()
    (root / "file").write_bytes(b"text")
    (root / "full/file").write_bytes(b"text")
    (root / "shut").mkdir()
    (root / "shut/file").touch()
    (root / "shut-file").touch()
    (root / "shut").chmod(0)
    (root / "shut-file").chmod(0)
    return root


def told(act: Callable[[], object], number: int) -> None:
    """Neither an error nor its cause names a path of the machine."""
    with pytest.raises(OSError, match="'/") as caught:
        act()
    error: BaseException | None = caught.value
    assert caught.value.errno == number
    assert caught.value.filename.startswith("/")
    while error is not None:
        told = (
            f"{error} {error!r} {getattr(error, 'filename', '')} {getattr(error, 'filename2', '')}"
        )
        assert "root-of-the-host" not in told
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("name", FAILURES)
@pytest.mark.usefixtures("full")
def test_failure_has_the_virtual_path(fs: LocalFS, name: str) -> None:
    number, act = FAILURES[name]
    told(lambda: act(fs), number)


@pytest.mark.parametrize("name", DENIALS)
@pytest.mark.usefixtures("full", "_unprivileged")
def test_permission_error_has_the_virtual_path(fs: LocalFS, name: str) -> None:
    told(lambda: DENIALS[name](fs), errno.EACCES)


def test_removing_a_directory_by_name_is_refused(fs: LocalFS) -> None:
    fs.make_directory("/made")
    told(lambda: fs.remove("/made"), errno.EISDIR if os.uname().sysname == "Linux" else errno.EPERM)


def test_rename_and_link_errors_have_both_paths(fs: LocalFS) -> None:
    fs.make_directory("/a")
    for act in (fs.rename, fs.link):
        for old, new in (("/a/x", "/y"), ("/missing/x", "/y"), ("/a", "/missing/y"), ("/a", "/\0")):
            with pytest.raises(OSError) as caught:  # noqa: PT011 - the errno differs, not the paths
                act(old, new)
            assert (caught.value.filename, caught.value.filename2) == (old, new)


@pytest.mark.usefixtures("full", "_unprivileged")
def test_mode_of_an_unreadable_file_can_be_set(fs: LocalFS) -> None:
    fs.set_mode("/shut-file", 0o600)
    assert read(fs, "/shut-file") == b""


@pytest.mark.usefixtures("full", "_unprivileged")
def test_search_only_directory(fs: LocalFS) -> None:
    fs.set_mode("/full", 0o100)
    assert read(fs, "/full/file") == b"text"
    told(lambda: fs.list("/full"), errno.EACCES)


# Descriptors, threads, processes.


@pytest.mark.usefixtures("full")
def test_no_descriptor_leaks(fs: LocalFS, root: Path) -> None:
    os.mkfifo(root / "fifo")
    fs.make_link("full", "/link")
    acts = [act for _, act in FAILURES.values()]
    acts += [
        lambda fs: fs.stat("/full/file"),
        lambda fs: fs.list("/full"),
        lambda fs: read(fs, "/full/file"),
        lambda fs: fs.open("/fifo"),
        lambda fs: fs.stat("/link/a/b"),
        lambda fs: fs.open("/full/file/../x"),
        lambda fs: fs.rename("/full/file", "/full/other"),
        lambda fs: fs.rename("/full/other", "/full/file"),
        lambda fs: fs.set_mode("/link", 0),
        lambda fs: fs.set_mode("/full/file", 0o600),
        lambda fs: allowed.open("/full"),  # refused only when it is open
    ]
    with LocalFS(root, allow_devices=True) as allowed:
        before = descriptors(root)
        for _ in range(10_000 // len(acts) + 1):
            for act in acts:
                with contextlib.suppress(OSError, LinkInPath):
                    act(fs)
        assert descriptors(root) == before


def test_interrupted_walk_leaves_no_descriptor(
    fs: LocalFS, monkeypatch: pytest.MonkeyPatch
) -> None:
    fs.make_directory("/a")
    fs.make_directory("/a/b")
    real = os.open

    def interrupted(step: str, *arguments: int, **options: int) -> int:
        if step == "b":
            raise KeyboardInterrupt
        return real(step, *arguments, **options)

    before = descriptors(root)
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", interrupted)
        for path in ("/a/b/c", "/a/b"):
            with pytest.raises(KeyboardInterrupt):
                fs.list(path)
    assert descriptors(root) == before


def test_root_is_closed_with_the_file_system(root: Path) -> None:
    before = descriptors(root)
    with LocalFS(root) as fs:
        assert descriptors(root) == before + 1
    assert descriptors(root) == before
    fs.close()
    for act in (lambda: fs.stat("/"), lambda: fs.real_path("/"), lambda: fs.rename("/a", "/b")):
        told(act, errno.EBADF)
    forgotten = LocalFS(root)
    assert forgotten.stat("/").is_directory
    del forgotten
    assert descriptors(root) == before


def in_threads(count: int, act: Callable[[int], None]) -> None:
    """Run `act` in several threads, and raise the first exception here."""
    failed: list[BaseException] = []

    def run(number: int) -> None:
        try:
            act(number)
        except BaseException as error:  # noqa: BLE001 - raised again below
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def test_threads_do_not_interfere(fs: LocalFS, root: Path) -> None:
    def work(number: int) -> None:
        mine, data = f"/{number}", b"%d" % number * 100
        fs.make_directory(mine)
        for turn in range(200):
            write(fs, f"{mine}/{turn}", data)
            fs.rename(f"{mine}/{turn}", f"{mine}/file")
            assert read(fs, f"{mine}/file") == data
            assert [entry.name for entry in fs.list(mine)] == ["file"]

    before = descriptors(root)
    in_threads(8, work)
    assert descriptors(root) == before


def test_closing_under_a_thread_never_shows_another_directory(root: Path, tmp_path: Path) -> None:
    """The number of a closed descriptor is free for the next directory that anyone opens."""
    outside = tmp_path / "outside"
    for place, text in ((root, b"inside"), (outside, b"the secret")):
        (place / "a/b").mkdir(parents=True)
        (place / "a/b/file").write_bytes(text)
    for _ in range(100):
        fs = LocalFS(root)
        at_work = threading.Barrier(3)

        def work(number: int, fs: LocalFS = fs, at_work: threading.Barrier = at_work) -> None:
            at_work.wait()
            if number == 2:
                fs.close()
                for opened in [os.open(outside, os.O_RDONLY) for _ in range(20)]:
                    os.close(opened)
                return
            with contextlib.suppress(OSError):
                while True:
                    assert read(fs, "/a/b/file") == b"inside"

        in_threads(3, work)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_child_uses_and_closes_its_own(fs: LocalFS) -> None:
    write(fs, "/file", b"text")
    child = os.fork()
    if child == 0:
        right = read(fs, "/file") == b"text"
        fs.close()
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert read(fs, "/file") == b"text"
