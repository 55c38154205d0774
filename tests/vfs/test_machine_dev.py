"""MachineDev: the machine's devices and the shell's own descriptors."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import uuid
from collections.abc import Callable, Iterator

import pytest

from keysh.vfs.api import FileSystem
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.synthetic.machine_dev import SHELL_DEVICE_NAMES, MachineDev

pytestmark = [pytest.mark.quick, pytest.mark.skipif(sys.platform != "linux", reason="/dev/shm")]


@pytest.fixture
def dev() -> Iterator[MachineDev]:
    made = MachineDev()
    made.connect({0: io.BytesIO(b"typed"), 1: io.BytesIO(), 63: io.BytesIO(b"sub")})
    yield made
    made.close()


def names(fs: FileSystem, path: str) -> set[str]:
    return {entry.name for entry in fs.list(path)}


def test_devices_of_the_machine_are_listed(dev: MachineDev) -> None:
    assert names(dev, "/") - {*SHELL_DEVICE_NAMES} == {*os.listdir("/dev")} - {*SHELL_DEVICE_NAMES}
    assert names(dev, "/") & {*SHELL_DEVICE_NAMES} == {"stdin", "stdout", "fd"}  # 2 is closed


def test_descriptors_are_those_of_the_shell(dev: MachineDev) -> None:
    assert names(dev, "/fd") == {"0", "1", "63"}
    assert dev.open("/stdin").read() == b"typed"
    assert dev.open("/fd/63").read() == b"sub"
    assert stat.S_ISCHR(dev.stat("/stdin").mode)
    with pytest.raises(FileNotFoundError):
        dev.open("/stderr")
    assert dev.real_path("/stdin") is None


def test_devices(dev: MachineDev) -> None:
    assert dev.open("/zero").read(3) == b"\0\0\0"
    assert dev.open("/null", "w").write(b"gone") == 4
    assert dev.stat("/null").inode == os.stat("/dev/null").st_ino
    assert dev.real_path("/null") == "/dev/null"


def test_terminal(dev: MachineDev) -> None:
    mine, expected = os.openpty()
    try:
        name = os.ttyname(expected).removeprefix("/dev")
        with dev.open(name, "rw") as stream:
            stream.write(b"shown\n")
            displayed = b""
            while not displayed.endswith(b"\n"):  # a terminal may hand over a line in pieces
                displayed += os.read(mine, 100)
            assert displayed == b"shown\r\n"
            os.write(mine, b"typed\n")
            assert stream.read(100) == b"typed\n"
    finally:
        os.close(mine)
        os.close(expected)


def test_shared_memory(dev: MachineDev) -> None:
    path = f"/shm/keysh-{uuid.uuid4().hex}"
    with dev.open(path, "x") as stream:
        stream.write(b"kept")
    with open(f"/dev{path}", "rb") as file:
        assert file.read() == b"kept"
    dev.remove(path)
    assert not os.path.exists(f"/dev{path}")


@pytest.mark.parametrize("name", ["/stdin", "/stdout", "/stderr", "/fd"])
def test_descriptor_names_of_the_shell_cannot_be_changed(dev: MachineDev, name: str) -> None:
    before = os.lstat(f"/dev{name}")
    changes: list[Callable[[], object]] = [
        lambda: dev.remove(name),
        lambda: dev.rename(name, "/shm/x"),
        lambda: dev.rename("/nosuch", name),
        lambda: dev.set_mode(name, 0o600),
        lambda: dev.make_directory(f"{name}/x"),
        lambda: dev.make_link("x", name),
    ]
    for change in changes:
        with pytest.raises(OSError, match=os.strerror(errno.EROFS)):
            change()
    assert os.lstat(f"/dev{name}") == before


@pytest.mark.parametrize("folder", ["fd", "fdinfo", "task/{pid}/fd"])
def test_listing_descriptors_does_not_show_its_own(folder: str) -> None:
    with LocalFS("/") as root:
        path = f"/proc/{os.getpid()}/{folder.format(pid=os.getpid())}"
        for name in names(root, path):
            os.fstat(int(name))


def test_listing_another_process_is_complete() -> None:
    with LocalFS("/") as root:
        parent = os.getppid()
        assert names(root, f"/proc/{parent}/fd") == {*os.listdir(f"/proc/{parent}/fd")}
