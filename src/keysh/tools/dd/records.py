"""Records: lines made into records of one length, and records into lines (POSIX, dd: cbs=)."""

from __future__ import annotations

from keysh.tools.dd.alphabets import TO_EBCDIC, TO_IBM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


class Records:
    """What is done to all that is read, piece by piece. `truncated` counts lines cut off."""

    __slots__ = ("_column", "_newline", "_size", "_space", "truncated")

    def __init__(self, size: int, conversions: Collection[str]) -> None:
        table = TO_EBCDIC if "ebcdic" in conversions else TO_IBM if "ibm" in conversions else None
        self._newline, self._space = b"\n", b" "
        if table is not None:
            self._newline, self._space = b"\n".translate(table), b" ".translate(table)
        self._size = size
        self._column = self.truncated = 0

    def turned(self, data: bytes) -> bytes:
        raise NotImplementedError

    def end(self) -> bytes:
        """What is missing behind the last piece."""
        raise NotImplementedError


class Blocking(Records):
    """Each line becomes a record: filled up with spaces, or cut off."""

    __slots__ = ()

    def turned(self, data: bytes) -> bytes:
        made = bytearray()
        for at, line in enumerate(data.split(self._newline)):
            if at:
                made += self._filling()
            room = max(self._size - self._column, 0)
            made += line[:room]
            if len(line) > room and self._column <= self._size:
                self.truncated += 1
            self._column += len(line)
        return bytes(made)

    def end(self) -> bytes:
        return self._filling() if self._column else b""

    def _filling(self) -> bytes:
        missing, self._column = self._size - self._column, 0
        return self._space * missing


class Unblocking(Records):
    """Each record becomes a line, without the spaces at its end."""

    __slots__ = ("_spaces",)

    def __init__(self, size: int, conversions: Collection[str]) -> None:
        super().__init__(size, conversions)
        self._spaces = b""  # which are written only where more of the record follows

    def turned(self, data: bytes) -> bytes:
        made = bytearray()
        at = 0
        while at < len(data):
            if self._column == self._size:
                made += self.end()
            piece = data[at : at + self._size - self._column]
            self._column += len(piece)
            at += len(piece)
            held = self._spaces + piece
            text = held.rstrip(self._space)
            made += text
            self._spaces = held[len(text) :]
        return bytes(made)

    def end(self) -> bytes:
        is_begun, self._column, self._spaces = self._column > 0, 0, b""
        return self._newline if is_begun else b""
