"""Turn files into members: headers, line ends and compression."""

from __future__ import annotations

import zlib

from keysh.archive.byte_source import chunks_of
from keysh.archive.gzip import deflate_compressor
from keysh.archive.zip import BZIP2, DEFLATED, STORED, UTF8_NAME, ZipEntry
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.text.dates.moment import Moment
from keysh.text.dates.time_zone import find_zone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.zip.file import SourceFile
    from keysh.vfs.api import Stat


# Line ends: the conversions of -l and -ll.

TEXT_BYTES = bytes({9, 10, 13, *range(32, 256)})
BINARY_BYTES = bytes({*range(7), *range(14, 26), *range(28, 32)})


def is_text_data(data: bytes) -> bool:
    """Whether bytes look like text."""
    return contains_any(data, TEXT_BYTES) and not contains_any(data, BINARY_BYTES)


def contains_any(data: bytes, characters: bytes) -> bool:
    """Whether data contains any of some bytes."""
    return len(data.translate(None, characters)) < len(data)


def with_returns(pieces: Iterator[bytes], warn_binary: Callable[[], object]) -> Iterator[bytes]:
    """Convert LF to CR LF. Binary data stays as it is, and `tell` is called."""
    changes = False
    for index, piece in enumerate(pieces):
        changes = is_text_data(piece) if index == 0 else changes
        if index == 0 and not changes:
            warn_binary()
        yield piece.replace(b"\n", b"\r\n") if changes else piece


def without_returns(pieces: Iterator[bytes], warn_binary: Callable[[], object]) -> Iterator[bytes]:
    """Convert CR LF to LF. Binary data stays as it is, and `tell` is called."""
    changes = False
    pending = b""  # a return at the end of a piece
    for index, piece in enumerate(pieces):
        changes = is_text_data(piece) if index == 0 else changes
        if index == 0 and not changes:
            warn_binary()
        if changes:
            data = pending + piece
            pending = b"\r" if data.endswith(b"\r") else b""
            piece = data.removesuffix(pending).replace(b"\r\n", b"\n")
        yield piece
    yield pending


SECOND = 1_000_000_000
METHOD_VERBS = {DEFLATED: "deflated", BZIP2: "bzipped"}
METHODS = {"store": STORED, "deflate": DEFLATED, "bzip2": BZIP2}


class UnreadableFile(Exception):
    """A file cannot be read; the message says why."""


class MemberMaker:
    """Makes members as the options say. `say` prints progress."""

    __slots__ = ("_level", "_options", "_say", "_sh", "_method", "has_extra", "zone")

    def __init__(
        self, sh: Call, options: Mapping[str, Any], level: int, say: Callable[[str], object]
    ) -> None:
        self._sh, self._options, self._level, self._say = sh, options, level, say
        self._method = METHODS[options.get("compression_method") or "deflate"]
        self.has_extra = not options.get("no_extra")
        self.zone = find_zone(sh.env.get("TZ"))

    def entry(self, file: SourceFile) -> ZipEntry:
        """Return the entry for a file, without its sizes."""
        entry = ZipEntry(bytes_of_text(file.name))
        try:
            if not file.name.isascii():
                file.name.encode("utf-8")
                entry.flags |= UTF8_NAME
        except UnicodeEncodeError:
            pass  # not valid UTF-8
        stat: Stat | None = file.stat
        time = self._sh.now() if stat is None else stat.modified
        if self.has_extra:
            entry.modified = time // SECOND
        # DOS times count in steps of two seconds, from 1980.
        local = Moment(time + time // SECOND % 2 * SECOND, self.zone)
        year = min(max(local.year, 1980), 2107)
        entry.date = (year - 1980) << 9 | local.month << 5 | local.day
        entry.time = local.hour << 11 | local.minute << 5 | local.second // 2
        if local.year < 1980:
            entry.date, entry.time = 1 << 5 | 1, 0
        mode = stat.mode if stat is not None else 0o10600
        entry.external_attributes = mode << 16 | (0x10 if entry.is_directory else 0)
        return entry

    def contents(self, file: SourceFile) -> Iterator[bytes]:
        """Yield the contents of a file's member, with line ends converted."""
        ends = self._options.get("line_ends", 0)
        data = self._read_file(file)
        if not ends:
            return data

        def warn_binary() -> None:
            self._say(f"\n\tzip warning: has binary so -{'l' * ends} ignored\n")

        return with_returns(data, warn_binary) if ends == 1 else without_returns(data, warn_binary)

    def _read_file(self, file: SourceFile) -> Iterator[bytes]:
        """Yield the contents of a file, or the target of a link."""
        stat = file.stat
        try:
            if stat is None:
                yield from (bytes_of_text(chunk) for chunk in self._sh.stdin.chunks())
            elif stat.is_link:
                yield bytes_of_text(self._sh.fs.read_link(self._sh.path(file.path)))
            elif stat.is_file:
                with self._sh.open(file.path) as stream:
                    for piece in chunks_of(stream.read):
                        self._sh.tick()
                        yield piece
        except OSError as error:
            raise UnreadableFile(os_error_text(error)) from None

    def pack(self, entry: ZipEntry, contents: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the compressed contents; set the entry's sizes and checksum."""
        compressor = compressor_for(entry.method, self._level)
        is_binary = False
        for piece in contents:
            is_binary = is_binary or contains_any(piece, BINARY_BYTES)
            entry.is_text = not is_binary and (entry.is_text or contains_any(piece, TEXT_BYTES))
            entry.crc = zlib.crc32(piece, entry.crc)
            entry.size += len(piece)
            data = piece if compressor is None else compressor.compress(piece)
            entry.packed_size += len(data)
            if data:
                yield data
        if compressor is not None:
            data = compressor.flush()
            entry.packed_size += len(data)
            yield data

    def method(self, file: SourceFile) -> int:
        """Return the compression method to try for a file."""
        stat = file.stat
        is_empty = stat is not None and not stat.size
        is_stored = (
            not self._level or is_empty or file.name.endswith(("/", *self._stored_suffixes()))
        )
        return STORED if is_stored else self._method

    def _stored_suffixes(self) -> list[str]:
        """Return the suffixes of -n."""
        suffixes = str(self._options.get("suffixes") or "")
        return [end for end in suffixes.replace(";", ":").replace(",", ":").split(":") if end]


def result_text(entry: ZipEntry) -> str:
    """Return how a member was compressed, and by how many percent."""
    if entry.method == STORED:
        return "stored 0%"
    return f"{METHOD_VERBS[entry.method]} {packed_percent(entry.size, entry.packed_size)}%"


def packed_percent(size: int, packed: int) -> int:
    """Return by how many percent the compressed size is smaller."""
    saved = size - packed
    part = (200 * abs(saved) // max(size, 1) + 1) // 2
    return part if saved >= 0 else -part


def compressor_for(method: int, level: int) -> Any:
    """Return a compressor; None for stored members."""
    if method == BZIP2:
        from bz2 import BZ2Compressor  # noqa: PLC0415 - rarely needed

        return BZ2Compressor(level)
    return deflate_compressor(level) if method == DEFLATED else None
