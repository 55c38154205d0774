"""Blocks: a copy by records, as dd makes it: input blocks are counted, changed, and cut anew."""

from __future__ import annotations

from keysh.text.chunks import Decoder, bytes_of_text, text_of_bytes
from keysh.text.gnu_quoting import quoted_name

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
        self.action, self.error = doing, error


class BlockSource:
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
            pieces.append(bytes_of_text(chunk))
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
        self._reader.push_back(text_of_bytes(self._rest))


class BlockSink:
    """Where blocks go: an open file, or a writer of text."""

    __slots__ = ("_decoder", "_stream", "_writer", "name")

    def __init__(self, stream: Stream | None, writer: Writer) -> None:
        self._stream, self._writer = stream, writer
        self._decoder = Decoder()
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
            self._writer.write(self._decoder.finish())


class BlockCopy:
    """One copy: its numbers, and what is done to each block.

    `most` is how many bytes or, with `counts_blocks`, input blocks are read; None is all.
    """

    __slots__ = (
        "_pending", "_odd_byte", "copied_bytes", "counts_blocks", "full_in", "full_out", "input_size", "max_count",
        "output_size", "part_in", "part_out", "records", "reblocks", "swaps", "syncs", "table",
    )  # fmt: skip

    def __init__(self) -> None:
        self.input_size = self.output_size = 512
        self.max_count: int | None = None
        self.counts_blocks = True
        self.reblocks = self.swaps = self.syncs = False
        self.table: bytes | None = None
        self.records: Records | None = None
        self.full_in = self.part_in = self.full_out = self.part_out = self.copied_bytes = 0
        self._pending = bytearray()  # read and not yet written
        self._odd_byte = b""  # of a pair that is to be swapped

    def run(self, source: BlockSource, sink: BlockSink, tick: Callable[[], None]) -> None:
        """Copy block by block; what the sink and the source raise comes out."""
        left = self.max_count
        while left is None or left > 0:
            tick()
            size = self.input_size
            if left is not None and not self.counts_blocks:
                size = min(size, left)
            try:
                data = source.read(size)
            except OSError as error:
                raise BlockFailure(f"error reading {quoted_name(source.name)}", error) from None
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
            if self.reblocks:
                self.reblock(data, sink)
            else:
                self.write_block(data, sink)

    def reblock(self, data: bytes, sink: BlockSink) -> None:
        """Change a block's bytes, and write as many whole output blocks as there are."""
        if self.table is not None:
            data = data.translate(self.table)
        if self.swaps:
            data, self._odd_byte = swap_pairs(self._odd_byte + data)
        self._pending += data if self.records is None else self.records.turned(data)
        whole = len(self._pending) - len(self._pending) % self.output_size
        for at in range(0, whole, self.output_size):
            self.write_block(bytes(self._pending[at : at + self.output_size]), sink, "writing to")
        del self._pending[:whole]

    def finish(self, sink: BlockSink) -> None:
        """Write what was kept."""
        if self.records is None:
            self._pending += self._odd_byte
        else:
            self._pending += self.records.turned(self._odd_byte) + self.records.end()
        for at in range(0, len(self._pending), self.output_size):
            self.write_block(bytes(self._pending[at : at + self.output_size]), sink)

    def write_block(self, data: bytes, sink: BlockSink, doing: str = "error writing") -> None:
        try:
            sink.write(data)
        except OSError as error:
            raise BlockFailure(f"{doing} {quoted_name(sink.name)}", error) from None
        self.copied_bytes += len(data)
        if len(data) == self.output_size:
            self.full_out += 1
        else:
            self.part_out += 1

    def record_counts(self) -> str:
        """How many blocks there were, whole and in part, and how many lines were cut off."""
        cut = self.records.truncated if self.records is not None else 0
        return (
            f"{self.full_in}+{self.part_in} records in\n"
            f"{self.full_out}+{self.part_out} records out\n"
            + (f"{cut} truncated record{'s' if cut > 1 else ''}\n" if cut else "")
        )

    def transfer_summary(self, seconds: float) -> str:
        """How many bytes, and how fast."""
        count = self.copied_bytes
        shown = f"{count} byte{'' if count == 1 else 's'}"
        decimal = human_bytes(count, 1000)
        if count >= 1000:
            shown += (
                f" ({decimal}, {human_bytes(count, 1024)})" if count >= 1024 else f" ({decimal})"
            )
        speed = "Infinity B" if seconds <= 0 else human_bytes(count / seconds, 1000)
        return f"{shown} copied, {seconds:g} s, {'0.0 kB' if not count else speed}/s\n"


def swap_pairs(data: bytes) -> tuple[bytes, bytes]:
    """The bytes of each pair in the other order, and the one that has no pair."""
    even = len(data) - len(data) % 2
    pairs = bytearray(data[:even])
    pairs[::2], pairs[1::2] = data[1:even:2], data[:even:2]
    return bytes(pairs), data[even:]


def human_bytes(count: float, base: int) -> str:
    """A number of bytes with the unit that suits it: 605 kB, 2.9 MiB."""
    units = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
    if base == 1024:
        units = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
    at = 0
    while at + 1 < len(units) and (round(count, 1) if at and count < 10 else round(count)) >= base:
        count /= base
        at += 1
    return f"{count:.1f} {units[at]}" if at and round(count, 1) < 10 else f"{count:.0f} {units[at]}"
