"""Open ends: what `/dev/stdin` and `/dev/fd/n` are, as a test of files tells it."""

from __future__ import annotations

import os
import stat as kinds

from keysh.interp.streams.descriptors import NOTHING, has_place
from keysh.vfs.api import Stat
from keysh.vfs.dev import DeviceStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.streams.descriptors import Descriptor

OWN = 0o600  # of a pipe, for who has it open


def stat_of_end(end: Descriptor) -> Stat:
    """What a descriptor is connected to: a file, a device, or what commands write to each other."""
    for side in (end.reader, end.writer):
        if side is not None and side.fd >= 0:
            from keysh.vfs.local.filesystem import stat_of  # noqa: PLC0415 - in memory there is none

            return stat_of(os.fstat(side.fd))
    stream = end.stream
    if end.reader is NOTHING or isinstance(stream, DeviceStream):
        return Stat(kinds.S_IFCHR | OWN)
    if stream is None or not has_place(stream):
        return Stat(kinds.S_IFIFO | OWN)
    place = stream.tell()
    size = stream.seek(0, os.SEEK_END)
    stream.seek(place)
    return Stat(kinds.S_IFREG | OWN, size)
