"""Capture: the head and the tail of a stream of any length, in constant memory."""

from __future__ import annotations


class HeadTailCapture:
    """Keeps `most` bytes, half of them from the beginning."""

    __slots__ = ("_max_head", "_head", "_max_tail", "_tail", "total")

    def __init__(self, most: int) -> None:
        self._max_head = most // 2
        self._max_tail = most - self._max_head
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
        # Twice what is kept, so that most pieces are only appended.
        if len(tail) > 2 * self._max_tail:
            del tail[: len(tail) - self._max_tail]

    @property
    def dropped_bytes(self) -> int:
        """How many bytes stood between the head and the tail."""
        return max(0, self.total - self._max_head - self._max_tail)

    def content(self) -> bytes:
        """What is kept, with a line that says how much is not."""
        if not self.total:
            return b""
        dropped = self.dropped_bytes
        if not dropped:
            return bytes(self._head + self._tail)
        mark = b"\n[... %d bytes dropped ...]\n" % dropped
        return bytes(self._head) + mark + bytes(self._tail[len(self._tail) - self._max_tail :])

    def take(self) -> bytes:
        """What is kept, which is then forgotten: the next call tells of what came after this."""
        content = self.content()
        self._head.clear()
        self._tail.clear()
        self.total = 0
        return content
