"""Seeking: the end of a large file found from behind, so that the rest need not be read."""

from __future__ import annotations

from keysh.runtime.streams import reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.runtime.streams import Reader
    from keysh.vfs.api import Stream

BLOCK = 1 << 16  # bytes that are looked at together


def end_of(sh: Call, name: str, count: int, end: bytes) -> tuple[Reader, int] | None:
    """What reads the last lines of a file, or its last bytes for no end, and where they begin.

    None says that it is of a kind that has to be read from its start.
    """
    path = sh.path(name)
    if path.startswith("/dev/"):
        return None
    try:
        if not sh.fs.stat(path, follow=True).is_file:
            return None
        stream = sh.open(name)
    except OSError:  # it has just been taken away
        return None
    try:
        size = stream.seek(0, 2)
        place = last_lines(sh, stream, size, count, end) if end else max(0, size - count)
        stream.seek(place)
    except OSError:  # that is told of where the file is read through
        stream.close()
        return None
    return reader_of(stream), place


def last_lines(sh: Call, stream: Stream, size: int, count: int, end: bytes) -> int:
    """Where the last lines begin."""
    at, place = size, size
    while at > 0 and count > 0:
        begin = max(0, at - BLOCK)
        stream.seek(begin)
        data = stream.read(at - begin)
        sh.tick()
        stop = len(data)
        if at == size:  # an end that comes last ends a line
            stop -= data.endswith(end)
        found = data.count(end, 0, stop)
        for _ in range(min(found, count)):
            stop = data.rindex(end, 0, stop)
        place = begin + stop + len(end) if found >= count else begin
        count -= found
        at = begin
    return place
