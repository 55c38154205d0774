"""Capture: the head and the tail of a stream of any length, in constant memory."""

from __future__ import annotations


class HeadTailCapture:
    """Keeps `max_bytes`, half of them from the start."""

    __slots__ = ("_max_head", "_head", "_max_tail", "_tail", "total")

    def __init__(self, max_bytes: int) -> None:
        self._max_head = max_bytes // 2
        self._max_tail = max_bytes - self._max_head
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take the next piece."""
        self.total += len(data)
        room = self._max_head - len(self._head)
        if room > 0:
            self._head += data[:room]
            if len(data) <= room:
                return
            data = data[room:]
        tail = self._tail
        tail += data
        # Cut at twice the size only, so that most pieces are just appended.
        if len(tail) > 2 * self._max_tail:
            del tail[: len(tail) - self._max_tail]

    @property
    def dropped_bytes(self) -> int:
        """The number of bytes between the head and the tail."""
        return max(0, self.total - self._max_head - self._max_tail)

    def content(self) -> bytes:
        """The head and the tail, with a line between them that counts the dropped bytes."""
        if not self.total:
            return b""
        dropped = self.dropped_bytes
        if not dropped:
            return bytes(self._head + self._tail)
        mark = b"\n[... %d bytes dropped ...]\n" % dropped
        return bytes(self._head) + mark + bytes(self._tail[len(self._tail) - self._max_tail :])

    def take(self) -> bytes:
        """Return the content and start over with what comes after it."""
        content = self.content()
        self._head.clear()
        self._tail.clear()
        self.total = 0
        return content


def take_both(out: HeadTailCapture, err: HeadTailCapture) -> tuple[bytes, bytes, int]:
    """Take the content of both, and return how many bytes of them were dropped."""
    lost_bytes = out.dropped_bytes + err.dropped_bytes
    return out.take(), err.take(), lost_bytes
