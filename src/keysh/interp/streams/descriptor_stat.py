"""stat of an open descriptor, for file tests on `/dev/stdin` and `/dev/fd/N`."""

from __future__ import annotations

import os
import stat as kinds

from keysh.interp.streams.descriptors import DIRECTORY_READER, NO_INPUT, is_seekable
from keysh.vfs.api import Stat
from keysh.vfs.synthetic.dev import DeviceStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.streams.descriptors import Descriptor

OWNER_READ_WRITE = 0o600


def descriptor_stat(descriptor: Descriptor) -> Stat:
    """Return the stat of a descriptor: a file, a device or a pipe."""
    for side in (descriptor.reader, descriptor.writer):
        if side is not None and side.fd >= 0:
            from keysh.vfs.local.filesystem import stat_from_os  # noqa: PLC0415 - only for files of the host

            return stat_from_os(os.fstat(side.fd))
    if descriptor.reader is DIRECTORY_READER:
        return Stat(kinds.S_IFDIR | OWNER_READ_WRITE)
    stream = descriptor.stream
    if descriptor.reader is NO_INPUT or isinstance(stream, DeviceStream):
        return Stat(kinds.S_IFCHR | OWNER_READ_WRITE)
    if stream is None or not is_seekable(stream):
        return Stat(kinds.S_IFIFO | OWNER_READ_WRITE)
    offset = stream.tell()
    size = stream.seek(0, os.SEEK_END)
    stream.seek(offset)
    return Stat(kinds.S_IFREG | OWNER_READ_WRITE, size)
