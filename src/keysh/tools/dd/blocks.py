"""Copy input blocks to output blocks, counting and converting them."""

from __future__ import annotations

from keysh.text.chunks import Decoder, bytes_of_text, text_of_bytes
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.streams.streams import Reader, Writer
    from keysh.vfs.stream import Stream


PIECE_BYTES = 1 << 20  # of a block, read at once: a file may be shorter than a block


class BlockFailure(Exception):
    """Reading or writing a block failed; `action` names the operation and the file."""

    def __init__(self, action: str, error: OSError) -> None:
        super().__init__(action)
        self.action, self.error = action, error


class BlockSource:
    """Reads blocks from an open file or from the text of a reader."""

    __slots__ = ("_check_size", "_chunks", "_reader", "_rest", "_stream", "name")

    def __init__(
        self, stream: Stream | None, reader: Reader, check_size: Callable[[int], None]
    ) -> None:
        self._stream, self._reader, self._rest = stream, reader, b""
        self._check_size = check_size  # of a block, which is in memory as a whole
        self._chunks = reader.chunks()
        self.name = ""

    def read(self, size: int) -> bytes:
        """Read `size` bytes, fewer only at the end."""
        if self._stream is not None:
            return self._read_file(self._stream, size)
        pieces = [self._rest]
        length = len(self._rest)
        while length < size and (chunk := next(self._chunks, None)) is not None:
            pieces.append(bytes_of_text(chunk))
            length += len(pieces[-1])
            self._check_size(min(length, size))
        data = b"".join(pieces)
        self._rest = data[size:]
        return data[:size]

    def _read_file(self, stream: Stream, size: int) -> bytes:
        data = stream.read(min(size, PIECE_BYTES))
        if size <= PIECE_BYTES or len(data) < PIECE_BYTES:
            return data
        pieces, length = [data], len(data)
        while length < size and (data := stream.read(min(size - length, PIECE_BYTES))):
            pieces.append(data)
            length += len(data)
            self._check_size(length)
        return b"".join(pieces)

    def padded_block(self, data: bytes, size: int) -> bytes:
        """Return data with zeros up to the size of a block."""
        self._check_size(size)
        return data.ljust(size, b"\0")

    def skip(self, count: int) -> bool:
        """Skip `count` bytes; return whether the input had that many."""
        if self._stream is not None:
            size = self._stream.seek(0, 2)
            self._stream.seek(min(count, size))
            return count <= size
        while count and (data := self.read(min(count, 65536))):
            count -= len(data)
        return not count

    def close(self) -> None:
        """Close the file, or give unread text back to the reader."""
        if self._stream is not None:
            self._stream.close()
        self._reader.push_back(text_of_bytes(self._rest))


class BlockSink:
    """Writes blocks to an open file or to a writer of text."""

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
        """Close the file, or write a pending incomplete character."""
        if self._stream is not None:
            self._stream.close()
        else:
            self._writer.write(self._decoder.finish())


class BlockCopy:
    """One copy: its settings and its counters.

    `max_count` limits the input blocks, or without `counts_blocks` the input bytes; None is no
    limit.
    """

    __slots__ = (
        "_odd_byte", "_pending", "copied_bytes", "counts_blocks", "full_in", "full_out",
        "input_size", "max_count", "output_size", "part_in", "part_out", "reblocks", "swaps",
        "syncs", "table",
    )  # fmt: skip

    def __init__(self) -> None:
        self.input_size = self.output_size = 512
        self.max_count: int | None = None
        self.counts_blocks = True
        self.reblocks = self.swaps = self.syncs = False
        self.table: bytes | None = None
        self.full_in = self.part_in = self.full_out = self.part_out = self.copied_bytes = 0
        self._pending = bytearray()  # read but not yet written
        self._odd_byte = b""  # of a pair to be swapped

    def run(self, source: BlockSource, sink: BlockSink, tick: Callable[[], None]) -> None:
        """Copy block by block."""
        remaining = self.max_count
        while remaining is None or remaining > 0:
            tick()
            size = self.input_size
            if remaining is not None and not self.counts_blocks:
                size = min(size, remaining)
            try:
                data = source.read(size)
            except OSError as error:
                raise BlockFailure(f"error reading {quoted_name(source.name)}", error) from None
            if not data:
                break
            if remaining is not None:
                remaining -= 1 if self.counts_blocks else len(data)
            if len(data) == self.input_size:
                self.full_in += 1
            else:
                self.part_in += 1
                if self.syncs:
                    data = source.padded_block(data, self.input_size)
            if self.reblocks:
                self.reblock(data, sink)
            else:
                self.write_block(data, sink)

    def reblock(self, data: bytes, sink: BlockSink) -> None:
        """Convert a block and write all complete output blocks."""
        if self.table is not None:
            data = data.translate(self.table)
        if self.swaps:
            data, self._odd_byte = swap_pairs(self._odd_byte + data)
        self._pending += data
        whole = len(self._pending) - len(self._pending) % self.output_size
        for start in range(0, whole, self.output_size):
            self.write_block(
                bytes(self._pending[start : start + self.output_size]), sink, "writing to"
            )
        del self._pending[:whole]

    def finish(self, sink: BlockSink) -> None:
        """Write the last, incomplete output block."""
        self._pending += self._odd_byte
        for start in range(0, len(self._pending), self.output_size):
            self.write_block(bytes(self._pending[start : start + self.output_size]), sink)

    def write_block(self, data: bytes, sink: BlockSink, action: str = "error writing") -> None:
        try:
            sink.write(data)
        except OSError as error:
            raise BlockFailure(f"{action} {quoted_name(sink.name)}", error) from None
        self.copied_bytes += len(data)
        if len(data) == self.output_size:
            self.full_out += 1
        else:
            self.part_out += 1

    def record_counts(self) -> str:
        """Report complete and partial blocks, as in `3+1 records in`."""
        return (
            f"{self.full_in}+{self.part_in} records in\n"
            f"{self.full_out}+{self.part_out} records out\n"
        )

    def transfer_summary(self, seconds: float) -> str:
        """Report the bytes copied, the time and the speed."""
        count = self.copied_bytes
        summary = f"{count} byte{'' if count == 1 else 's'}"
        decimal = human_bytes(count, 1000)
        if count >= 1000:
            summary += (
                f" ({decimal}, {human_bytes(count, 1024)})" if count >= 1024 else f" ({decimal})"
            )
        speed = "Infinity B" if seconds <= 0 else human_bytes(count / seconds, 1000)
        return f"{summary} copied, {seconds:g} s, {'0.0 kB' if not count else speed}/s\n"


def swap_pairs(data: bytes) -> tuple[bytes, bytes]:
    """Swap the bytes of each pair; return them and the byte left over."""
    even = len(data) - len(data) % 2
    pairs = bytearray(data[:even])
    pairs[::2], pairs[1::2] = data[1:even:2], data[:even:2]
    return bytes(pairs), data[even:]


def human_bytes(count: float, base: int) -> str:
    """Format a number of bytes with a unit: 605 kB, 2.9 MiB."""
    units = ("B", "kB", "MB", "GB", "TB", "PB", "EB")
    if base == 1024:
        units = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
    power = 0
    while power + 1 < len(units):
        if (round(count, 1) if power and count < 10 else round(count)) < base:
            break
        count /= base
        power += 1
    has_decimal = power > 0 and round(count, 1) < 10
    return f"{count:.{int(has_decimal)}f} {units[power]}"
