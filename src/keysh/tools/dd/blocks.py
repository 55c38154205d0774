"""Blocks: a copy by records, as dd makes it: input blocks are counted, changed, and cut anew."""

from __future__ import annotations

from codecs import getincrementaldecoder

from keysh.text.chunks import encoded, text_of_bytes
from keysh.text.gnu_quoting import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.streams.streams import Reader, Writer
    from keysh.tools.dd.records import Records
    from keysh.vfs.api import Stream


class BlockFailure(Exception):
    """Reading or writing a block has failed; `doing` says which, and the file."""

    def __init__(self, doing: str, error: OSError) -> None:
        super().__init__(doing)
        self.doing, self.error = doing, error


class Source:
    """Where blocks come from: an open file, or text that is still to come."""

    __slots__ = ("_chunks", "_reader", "_rest", "_stream", "name")

    def __init__(self, stream: Stream | None, reader: Reader) -> None:
        self._stream, self._reader, self._rest = stream, reader, b""
        self._chunks = reader.chunks()
        self.name = ""

    def read(self, size: int) -> bytes:
        """So many bytes, fewer only at the end."""
        if self._stream is not None:
            return self._stream.read(size)
        pieces = [self._rest]
        found = len(self._rest)
        while found < size and (chunk := next(self._chunks, None)) is not None:
            pieces.append(encoded(chunk))
            found += len(pieces[-1])
        data = b"".join(pieces)
        self._rest = data[size:]
        return data[:size]

    def skip(self, count: int) -> bool:
        """Leave so many bytes out; whether there were as many."""
        if self._stream is not None:
            size = self._stream.seek(0, 2)
            self._stream.seek(min(count, size))
            return count <= size
        while count and (data := self.read(min(count, 65536))):
            count -= len(data)
        return not count

    def close(self) -> None:
        """Leave the rest of the text for the next reader."""
        if self._stream is not None:
            self._stream.close()
        self._reader.unread(text_of_bytes(self._rest))


class Sink:
    """Where blocks go: an open file, or a writer of text."""

    __slots__ = ("_decoder", "_stream", "_writer", "name")

    def __init__(self, stream: Stream | None, writer: Writer) -> None:
        self._stream, self._writer = stream, writer
        self._decoder = getincrementaldecoder("utf-8")("surrogateescape")
        self.name = ""

    def write(self, data: bytes) -> None:
        if self._stream is not None:
            self._stream.write(data)
        else:
            self._writer.write(self._decoder.decode(data))

    def close(self) -> None:
        """Write what waited for the rest of its character."""
        if self._stream is not None:
            self._stream.close()
        else:
            self._writer.write(self._decoder.decode(b"", True))


class Copying:
    """One copy: its numbers, and what is done to each block.

    `most` is how many bytes or, with `counts_blocks`, input blocks are read; None is all.
    """

    __slots__ = (
        "_kept", "_odd", "copied", "counts_blocks", "full_in", "full_out", "input_size", "most",
        "output_size", "part_in", "part_out", "records", "recuts", "swaps", "syncs", "table",
    )  # fmt: skip

    def __init__(self) -> None:
        self.input_size = self.output_size = 512
        self.most: int | None = None
        self.counts_blocks = True
        self.recuts = self.swaps = self.syncs = False
        self.table: bytes | None = None
        self.records: Records | None = None
        self.full_in = self.part_in = self.full_out = self.part_out = self.copied = 0
        self._kept = bytearray()  # read and not yet written
        self._odd = b""  # of a pair that is to be swapped

    def run(self, source: Source, sink: Sink, tick: Callable[[], None]) -> None:
        """Copy block by block; what the sink and the source raise comes out."""
        left = self.most
        while left is None or left > 0:
            tick()
            size = self.input_size
            if left is not None and not self.counts_blocks:
                size = min(size, left)
            try:
                data = source.read(size)
            except OSError as error:
                raise BlockFailure(f"error reading {quoted(source.name)}", error) from None
            if not data:
                break
            if left is not None:
                left -= 1 if self.counts_blocks else len(data)
            if len(data) == self.input_size:
                self.full_in += 1
            else:
                self.part_in += 1
                if self.syncs:
                    filling = b"\0" if self.records is None else b" "
                    data = data.ljust(self.input_size, filling)
            if self.recuts:
                self.recut(data, sink)
            else:
                self.put(data, sink)

    def recut(self, data: bytes, sink: Sink) -> None:
        """Change a block's bytes, and write as many whole output blocks as there are."""
        if self.table is not None:
            data = data.translate(self.table)
        if self.swaps:
            data, self._odd = swapped(self._odd + data)
        self._kept += data if self.records is None else self.records.turned(data)
        whole = len(self._kept) - len(self._kept) % self.output_size
        for at in range(0, whole, self.output_size):
            self.put(bytes(self._kept[at : at + self.output_size]), sink, "writing to")
        del self._kept[:whole]

    def finish(self, sink: Sink) -> None:
        """Write what was kept."""
        if self.records is None:
            self._kept += self._odd
        else:
            self._kept += self.records.turned(self._odd) + self.records.end()
        for at in range(0, len(self._kept), self.output_size):
            self.put(bytes(self._kept[at : at + self.output_size]), sink)

    def put(self, data: bytes, sink: Sink, doing: str = "error writing") -> None:
        try:
            sink.write(data)
        except OSError as error:
            raise BlockFailure(f"{doing} {quoted(sink.name)}", error) from None
        self.copied += len(data)
        if len(data) == self.output_size:
            self.full_out += 1
        else:
            self.part_out += 1

    def counts(self) -> str:
        """How many blocks there were, whole and in part, and how many lines were cut off."""
        cut = self.records.truncated if self.records is not None else 0
        return (
            f"{self.full_in}+{self.part_in} records in\n"
            f"{self.full_out}+{self.part_out} records out\n"
            + (f"{cut} truncated record{'s' if cut > 1 else ''}\n" if cut else "")
        )

    def transfer(self, seconds: float) -> str:
        """How many bytes, and how fast."""
        count = self.copied
        shown = f"{count} byte{'' if count == 1 else 's'}"
        decimal = scaled(count, 1000)
        if count >= 1000:
            shown += f" ({decimal}, {scaled(count, 1024)})" if count >= 1024 else f" ({decimal})"
        speed = "Infinity B" if seconds <= 0 else scaled(count / seconds, 1000)
        return f"{shown} copied, {seconds:g} s, {'0.0 kB' if not count else speed}/s\n"


def swapped(data: bytes) -> tuple[bytes, bytes]:
    """The bytes of each pair in the other order, and the one that has no pair."""
    even = len(data) - len(data) % 2
    pairs = bytearray(data[:even])
    pairs[::2], pairs[1::2] = data[1:even:2], data[:even:2]
    return bytes(pairs), data[even:]


def scaled(count: float, base: int) -> str:
    """A number of bytes with the unit that suits it: 605 kB, 2.9 MiB."""
    units = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
    if base == 1024:
        units = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
    at = 0
    while at + 1 < len(units) and (round(count, 1) if at and count < 10 else round(count)) >= base:
        count /= base
        at += 1
    return f"{count:.1f} {units[at]}" if at and round(count, 1) < 10 else f"{count:.0f} {units[at]}"
