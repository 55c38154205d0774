"""The lines that sed reads, of one file after the other, and whether more follow."""

from __future__ import annotations

from keysh.runtime.call import Failure, why
from keysh.runtime.streams import reader_of
from keysh.text.lines import whole_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.runtime.streams import Reader

PANIC = 4  # the status where there is no going on


class Inputs:
    """The files in turn. Where they are `separate`, each has a last line, and lines of its own
    number; `advance` goes to the next one."""

    __slots__ = (
        "_at", "_batch", "_batches", "_end", "_is_whole", "_names", "_reader", "_sh",
        "is_separate", "name", "number",
    )  # fmt: skip

    def __init__(self, sh: Call, names: tuple[str, ...], end: str, is_separate: bool) -> None:
        self._sh, self._end, self.is_separate = sh, end, is_separate
        self._names = list(reversed(names or ("-",)))
        self._batches: Iterator[str] = iter(())
        self._batch: list[str] = []  # lines without their ends, of which `_at` is the next
        self._at = 0
        self._is_whole = True  # whether the last of them has its end
        self._reader: Reader | None = None
        self.name, self.number = "-", 0

    def advance(self) -> bool:
        """Open the next file that can be opened; whether there is one."""
        self.close()
        while self._names:
            name = self._names.pop()
            reader = self._sh.stdin if name == "-" else self.opened(name)
            if reader is not None:
                self._batches = self.guarded(name, reader)
                self._reader = None if name == "-" else reader
                self.name = name
                self.number = 0 if self.is_separate else self.number
                return True
        return False

    def opened(self, name: str) -> Reader | None:
        try:
            return reader_of(self._sh.open(name))
        except IsADirectoryError as error:
            raise self.ended(name, error) from None
        except OSError as error:
            self._sh.warn(f"can't read {name}: {why(error)}", 2)
        return None

    def guarded(self, name: str, reader: Reader) -> Iterator[str]:
        try:
            yield from whole_lines(reader.chunks(), self._end)
        except OSError as error:
            raise self.ended(name, error) from None

    def ended(self, name: str, error: OSError) -> Failure:
        """The exception for a file that can be opened but not read: that ends all."""
        return self._sh.fail(f"read error on {name}: {why(error)}", PANIC)

    def chunks(self) -> Iterator[str]:
        """All that is left of the files that can be read, in chunks of whole lines."""
        while self.advance():
            reader = self._reader or self._sh.stdin
            try:
                for chunk in whole_lines(reader.chunks()):
                    self._sh.tick()
                    yield chunk
            except OSError as error:
                raise self.ended(self.name, error) from None

    def rest(self) -> Iterator[str]:
        """The lines that follow, in chunks; of this file only, where each is separate."""
        if self._at < len(self._batch):
            text = self._end.join(self._batch[self._at :])
            self._at = len(self._batch)
            yield text + self._end * self._is_whole
        while True:
            yield from self._batches
            if self.is_separate or not self.advance():
                return

    def next(self) -> tuple[str, str] | None:
        """The next line and its end, which the last one may lack; None where there is none."""
        if self._at == len(self._batch) and not self.look():
            return None
        line = self._batch[self._at]
        self._at += 1
        self.number += 1
        return line, self._end if self._is_whole or self._at < len(self._batch) else ""

    def is_last(self) -> bool:
        """Whether no line follows."""
        return self._at == len(self._batch) and not self.look()

    def look(self) -> bool:
        """Read the next lines; whether there are any."""
        while True:
            text = next(self._batches, "")
            if text:
                self._is_whole = text.endswith(self._end)
                self._batch = text.split(self._end)
                if self._is_whole:
                    self._batch.pop()
                self._at = 0
                return True
            if self.is_separate or not self.advance():
                return False

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
