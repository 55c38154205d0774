"""MachineDev: the machine's /dev, for a shell that sees the whole machine."""

from __future__ import annotations

import errno

from keysh.vfs.api import failure
from keysh.vfs.dev import DEVICE_MINORS, STANDARD_STREAMS, DevFS
from keysh.vfs.local.filesystem import LocalFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import Access, Entry, Stat, Stream
    from keysh.vfs.dev import Streams
    from keysh.vfs.local.descent import OpenParent

SHELL_DEVICE_NAMES = (*STANDARD_STREAMS, "fd")


class MachineDev(LocalFS):
    """/dev with its terminals, disks and shared memory; /stdin, /stdout, /stderr and /fd are the
    shell's own, and cannot be changed.

    The devices that have no state are DevFS's too: to write to /null is no call of the system.
    """

    def __init__(self) -> None:
        super().__init__("/dev", allow_devices=True)
        self._shell_dev = DevFS()

    def connect(self, streams: Streams) -> None:
        """What the descriptors of the shell are, as DevFS has it."""
        self._shell_dev = DevFS(streams)

    def stat(self, path: str) -> Stat:
        return self._shell_dev.stat(path) if is_shell_device(path) else super().stat(path)

    def list(self, path: str) -> Iterator[Entry]:
        if is_shell_device(path):
            return self._shell_dev.list(path)
        found = super().list(path)
        if path != "/":
            return found
        mine = [entry for entry in self._shell_dev.list(path) if entry.name in SHELL_DEVICE_NAMES]
        return iter([*mine, *(entry for entry in found if entry.name not in SHELL_DEVICE_NAMES)])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if is_shell_device(path) or path[1:] in DEVICE_MINORS:
            return self._shell_dev.open(path, access, permissions)
        return super().open(path, access, permissions)

    def read_link(self, path: str) -> str:
        return self._shell_dev.read_link(path) if is_shell_device(path) else super().read_link(path)

    def _open_parent(self, path: str, *names: str) -> OpenParent:
        if is_shell_device(path):  # whatever the machine has by this name is not touched
            raise failure(errno.EROFS, *(names or (path,)))
        return super()._open_parent(path, *names)


def is_shell_device(path: str) -> bool:
    """Whether a path is that of a descriptor, or of their directory."""
    return path[1:].partition("/")[0] in SHELL_DEVICE_NAMES
