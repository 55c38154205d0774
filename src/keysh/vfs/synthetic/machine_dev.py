"""MachineDev: the machine's /dev, for a shell that sees the whole machine."""

from __future__ import annotations

import errno

from keysh.vfs.api import failure
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.synthetic.dev import DEVICE_MINORS, STANDARD_STREAMS, DevFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import Access, Entry, Stat
    from keysh.vfs.local.descent import OpenParent
    from keysh.vfs.stream import Stream
    from keysh.vfs.synthetic.dev import Streams

SHELL_DEVICE_NAMES = (*STANDARD_STREAMS, "fd")


class MachineDev(LocalFS):
    """/dev with its terminals, disks and shared memory. /stdin, /stdout, /stderr and /fd are the
    shell's own and cannot be changed.

    Devices without state are DevFS's too, so that writing to /null needs no system call.
    """

    is_recorded = False

    def __init__(self) -> None:
        super().__init__("/dev", allow_devices=True)
        self._shell_dev = DevFS()

    def connect(self, streams: Streams) -> None:
        """Set the shell's descriptors, as for DevFS."""
        self._shell_dev = DevFS(streams)

    def stat(self, path: str) -> Stat:
        return self._shell_dev.stat(path) if is_shell_device(path) else super().stat(path)

    def list(self, path: str) -> Iterator[Entry]:
        if is_shell_device(path):
            return self._shell_dev.list(path)
        entries = super().list(path)
        if path != "/":
            return entries
        mine = [entry for entry in self._shell_dev.list(path) if entry.name in SHELL_DEVICE_NAMES]
        return iter([*mine, *(entry for entry in entries if entry.name not in SHELL_DEVICE_NAMES)])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if is_shell_device(path) or path[1:] in DEVICE_MINORS:
            return self._shell_dev.open(path, access, permissions)
        return super().open(path, access, permissions)

    def read_link(self, path: str) -> str:
        return self._shell_dev.read_link(path) if is_shell_device(path) else super().read_link(path)

    def _open_parent(self, path: str, *names: str) -> OpenParent:
        if is_shell_device(path):  # the machine's file of that name is not touched
            raise failure(errno.EROFS, *(names or (path,)))
        return super()._open_parent(path, *names)


def is_shell_device(path: str) -> bool:
    """Whether a path is a descriptor's or their directory's."""
    return path[1:].partition("/")[0] in SHELL_DEVICE_NAMES
