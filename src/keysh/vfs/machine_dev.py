"""MachineDev: the machine's /dev, for a shell that sees the whole machine."""

from __future__ import annotations

import errno

from keysh.vfs.api import failure
from keysh.vfs.dev import DEVICES, STANDARD, DevFS
from keysh.vfs.local.filesystem import LocalFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import Access, Entry, Stat, Stream
    from keysh.vfs.dev import Streams
    from keysh.vfs.local.descent import Place

OWN = (*STANDARD, "fd")


class MachineDev(LocalFS):
    """/dev with its terminals, disks and shared memory; /stdin, /stdout, /stderr and /fd are the
    shell's own, and cannot be changed.

    The devices that have no state are DevFS's too: to write to /null is no call of the system.
    """

    def __init__(self) -> None:
        super().__init__("/dev", allow_devices=True)
        self._own = DevFS()

    def connect(self, streams: Streams) -> None:
        """What the descriptors of the shell are, as DevFS has it."""
        self._own = DevFS(streams)

    def stat(self, path: str) -> Stat:
        return self._own.stat(path) if is_own(path) else super().stat(path)

    def list(self, path: str) -> Iterator[Entry]:
        if is_own(path):
            return self._own.list(path)
        found = super().list(path)
        if path != "/":
            return found
        mine = [entry for entry in self._own.list(path) if entry.name in OWN]
        return iter([*mine, *(entry for entry in found if entry.name not in OWN)])

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if is_own(path) or path[1:] in DEVICES:
            return self._own.open(path, access, permissions)
        return super().open(path, access, permissions)

    def read_link(self, path: str) -> str:
        return self._own.read_link(path) if is_own(path) else super().read_link(path)

    def _at(self, path: str, *names: str) -> Place:
        if is_own(path):  # whatever the machine has by this name is not touched
            raise failure(errno.EROFS, *(names or (path,)))
        return super()._at(path, *names)


def is_own(path: str) -> bool:
    """Whether a path is that of a descriptor, or of their directory."""
    return path[1:].partition("/")[0] in OWN
