"""DevFS, compared with the machine's own /dev where possible."""

from __future__ import annotations

import errno
import os
import stat as kinds
import sys
from collections.abc import Callable

import pytest

from keysh.testing.conformance.kit import call, fails, get, names
from keysh.vfs.api import FileSystem
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.synthetic.dev import MAX_READ_BYTES, DevFS

pytestmark = pytest.mark.quick

DEVICES = ["full", "null", "random", "urandom", "zero"]
ACCESSES = ["r", "w", "a", "x", "rw"]

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="what is expected is Linux's way")


@pytest.fixture
def files() -> MemoryFS:
    """The targets of the descriptors."""
    return MemoryFS({"/in": "standard input", "/out": "", "/seven": "0123456789"})


@pytest.fixture
def dev(files: MemoryFS) -> DevFS:
    return DevFS({0: files.open("/in"), 1: files.open("/out", "a"), 7: files.open("/seven", "rw")})


def test_lists_open_descriptors(dev: DevFS) -> None:
    assert names(dev) == sorted([*DEVICES, "fd", "stdin", "stdout"])
    assert names(dev, "/fd") == ["0", "1", "7"]
    assert names(DevFS()) == sorted([*DEVICES, "fd"])
    assert names(DevFS(), "/fd") == []


def test_streams_may_come_from_a_function(files: MemoryFS) -> None:
    streams = {0: files.open("/in")}
    dev = DevFS(streams.get)
    assert names(dev, "/fd") == ["0"]
    assert get(dev, "/fd/0") == b"standard input"
    streams[12] = files.open("/seven")
    assert names(dev, "/fd") == ["0", "12"]
    assert get(dev, "/fd/12") == b"0123456789"
    del streams[0]
    assert names(dev, "/fd") == ["12"]
    with fails(errno.ENOENT, "/stdin"):
        dev.open("/stdin")


def test_stream_closed_between_lookup_and_open(files: MemoryFS) -> None:
    answers = iter([files.open("/in"), None])
    with fails(errno.ENOENT, "/fd/0"):
        DevFS(lambda number: next(answers)).open("/fd/0")


def test_are_character_devices(dev: DevFS) -> None:
    paths = ["/" + name for name in (*DEVICES, "stdin", "stdout")] + ["/fd/7"]
    stats = [dev.stat(path) for path in paths]
    assert {kinds.S_IFMT(stat.mode) for stat in stats} == {kinds.S_IFCHR}
    assert {stat.size for stat in stats} == {0}
    assert not any(stat.is_file or stat.is_directory or stat.is_link for stat in stats)
    assert len({stat.inode for stat in stats}) == len(paths)
    assert dev.stat("/stdin").inode == dev.stat("/fd/0").inode
    assert {entry.kind for entry in dev.list("/") if entry.name != "fd"} == {kinds.S_IFCHR}
    assert dev.stat("/").is_directory
    assert dev.stat("/fd").is_directory
    assert dev.stat("/").inode != dev.stat("/fd").inode


def test_null_is_empty_and_accepts_everything() -> None:
    with DevFS().open("/null", "rw") as stream:
        assert stream.write(b"gone") == 4
        assert stream.read() == stream.read(5) == b""
        stream.flush()


@pytest.mark.parametrize("path", ["/zero", "/full"])
def test_zero_and_full_yield_zeros(path: str) -> None:
    with DevFS().open(path) as stream:
        assert stream.read(0) == b""
        assert stream.read(5) == bytes(5)
        assert stream.read(70_000) == bytes(70_000)


def test_full_is_full() -> None:
    for access in ("w", "a", "rw"):
        with DevFS().open("/full", access) as stream, fails(errno.ENOSPC, "/full"):  # type: ignore[arg-type]
            stream.write(b"x")


def test_zero_and_random_accept_everything() -> None:
    for path in ("/zero", "/random", "/urandom"):
        with DevFS().open(path, "w") as stream:
            assert stream.write(b"gone") == 4


@pytest.mark.parametrize("path", ["/random", "/urandom"])
def test_random_comes_from_its_source(path: str) -> None:
    requests = []

    def source(count: int) -> bytes:
        requests.append(count)
        return b"4" * count

    with DevFS(random=source).open(path) as stream:
        assert stream.read(3) == b"444"
        assert stream.read(1) == b"4"
    assert requests == [3, 1]


def test_random_without_a_source() -> None:
    with DevFS().open("/urandom") as stream:
        first, second = stream.read(32), stream.read(32)
    assert len(first) == len(second) == 32
    assert first != second


@pytest.mark.parametrize("path", ["/zero", "/full", "/random", "/urandom"])
def test_endless_device_is_not_read_to_the_end(path: str) -> None:
    with DevFS().open(path) as stream:
        with fails(errno.ENOMEM, path):
            stream.read()
        assert len(stream.read(1 << 50)) == MAX_READ_BYTES


@pytest.mark.parametrize("name", DEVICES)
def test_devices_have_no_position(name: str) -> None:
    with DevFS().open(f"/{name}", "rw") as stream:
        assert stream.seek(10) == stream.seek(-5, 2) == stream.tell() == 0
        with fails(errno.EINVAL, f"/{name}"):
            stream.truncate(0)


@only_linux
@pytest.mark.parametrize("name", DEVICES)
def test_devices_are_as_on_linux(name: str) -> None:
    """The same operations on the machine's device; only the random bytes differ."""

    def answer(act: Callable[[], object]) -> object:
        try:
            result = act()
        except OSError as error:
            return errno.errorcode[error.errno or 0]
        return len(result) if isinstance(result, bytes) and "random" in name else result

    descriptor = os.open(f"/dev/{name}", os.O_RDWR)
    try:
        with DevFS().open(f"/{name}", "rw") as stream:
            for mine, expected in (
                (lambda: stream.read(5), lambda: os.read(descriptor, 5)),
                (lambda: stream.read(0), lambda: os.read(descriptor, 0)),
                (lambda: stream.write(b"abc"), lambda: os.write(descriptor, b"abc")),
                (lambda: stream.write(b""), lambda: os.write(descriptor, b"")),
                (lambda: stream.seek(9), lambda: os.lseek(descriptor, 9, 0)),
                (lambda: stream.tell(), lambda: os.lseek(descriptor, 0, 1)),
                (lambda: stream.truncate(1), lambda: os.ftruncate(descriptor, 1)),
                (lambda: stream.read(3), lambda: os.read(descriptor, 3)),
            ):
                assert answer(mine) == answer(expected)
    finally:
        os.close(descriptor)
    assert DevFS().stat(f"/{name}").mode == os.stat(f"/dev/{name}").st_mode


def test_descriptors_are_the_streams_of_the_owner(dev: DevFS, files: MemoryFS) -> None:
    with dev.open("/stdin") as stream:
        assert stream.read(9) == b"standard "
    with dev.open("/fd/0") as stream:
        assert stream.read() == b"input"
    with dev.open("/stdout", "w") as stream:
        assert stream.write(b"out") == 3
        stream.flush()
    assert get(files, "/out") == b"out"
    with dev.open("/fd/7", "rw") as stream:
        assert stream.seek(4) == 4
        stream.write(b"xy")
        assert stream.read(1) == b"6"
        assert stream.tell() == 7
        assert stream.truncate() == 7
    assert get(files, "/seven") == b"0123xy6"


def test_closing_does_not_close_the_stream_of_the_owner(files: MemoryFS) -> None:
    owner = files.open("/in")
    dev = DevFS({0: owner})
    stream = dev.open("/stdin")
    stream.close()
    stream.close()
    with pytest.raises(ValueError, match="the file is closed: /stdin"):
        stream.read()
    assert owner.read() == b"standard input"


def test_access_mode_is_enforced(dev: DevFS) -> None:
    for path in ("/null", "/stdin"):
        with dev.open(path) as stream, fails(errno.EBADF, path):
            stream.write(b"x")
    for path in ("/zero", "/stdout"):
        with dev.open(path, "a") as stream, fails(errno.EBADF, path):
            stream.read(1)
    stream = dev.open("/null")
    stream.close()
    with pytest.raises(ValueError, match="the file is closed: /null"):
        stream.read()


MISSING = [
    ("/missing", errno.ENOENT),
    ("/stderr", errno.ENOENT),
    ("/fd/3", errno.ENOENT),
    ("/fd/x", errno.ENOENT),
    ("/fd/00", errno.ENOENT),
    ("/fd/-1", errno.ENOENT),
    ("/fd/²", errno.ENOENT),
    ("/fd/" + "9" * 5000, errno.ENOENT),
    ("/missing/x", errno.ENOENT),
    ("/fd/3/x", errno.ENOENT),
    ("/null/x", errno.ENOTDIR),
    ("/stdin/x", errno.ENOTDIR),
    ("/fd/0/x", errno.ENOTDIR),
    ("", errno.ENOENT),
]


@pytest.mark.parametrize(("path", "number"), MISSING, ids=lambda value: str(value)[:12])
def test_refuses_missing_names(dev: DevFS, path: str, number: int) -> None:
    for verb in ("stat", "list", "open", "read_link"):
        with fails(number, path):
            call(dev, verb, path)


@pytest.mark.parametrize(
    ("act", "number"),
    [
        (("open", "/null", "x"), errno.EEXIST),
        (("open", "/fd/0", "x"), errno.EEXIST),
        (("open", "/fd", "x"), errno.EEXIST),
        (("open", "/"), errno.EISDIR),
        (("open", "/fd"), errno.EISDIR),
        (("open", "/fd", "w"), errno.EISDIR),
        (("open", "/null/x", "w"), errno.ENOTDIR),
        (("open", "/missing/x", "w"), errno.ENOENT),
        (("open", "/stderr", "w"), errno.ENOENT),
        (("open", "/fd/3", "w"), errno.ENOENT),
        *[(("open", "/new", access), errno.EROFS) for access in ACCESSES[1:]],
        (("list", "/null"), errno.ENOTDIR),
        (("list", "/fd/0"), errno.ENOTDIR),
        (("read_link", "/stdin"), errno.EINVAL),
        (("make_directory", "/new"), errno.EROFS),
        (("remove_directory", "/fd"), errno.EROFS),
        (("remove", "/null"), errno.EROFS),
        (("set_mode", "/null", 0), errno.EROFS),
        (("set_times", "/null", 1, 2), errno.EROFS),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_refuses(dev: DevFS, act: tuple[str, ...], number: int) -> None:
    before = names(dev), names(dev, "/fd")
    with fails(number, act[1]):
        call(dev, *act)
    assert (names(dev), names(dev, "/fd")) == before


def test_error_names_both_paths(dev: FileSystem) -> None:
    with fails(errno.EROFS, "/null", "/new"):
        dev.rename("/null", "/new")
    with fails(errno.EPERM, "/null", "/new"):
        dev.link("/null", "/new")
    with fails(errno.EPERM, "/new"):
        dev.make_link("/null", "/new")


@only_linux
@pytest.mark.parametrize("path", ["/missing", "/null/x", "/fd/77", "/fd/x", "/fd/00", "/fd/0/x"])
def test_refuses_as_linux_does(path: str, files: MemoryFS) -> None:
    with pytest.raises(OSError) as caught:  # noqa: PT011 the errno is what is asked for
        os.stat(f"/dev{path}")
    with fails(caught.value.errno or 0, path):
        DevFS({0: files.open("/in")}).stat(path)
