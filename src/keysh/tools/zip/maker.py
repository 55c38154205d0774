"""Maker: the members that files make, and how their bytes are packed."""

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


# Line ends: what -l and -ll make of texts on their way into an archive.

TEXT_BYTES = bytes({9, 10, 13, *range(32, 256)})
BINARY_BYTES = bytes({*range(7), *range(14, 26), *range(28, 32)})


def is_text_data(data: bytes) -> bool:
    """Whether bytes look as a text does."""
    return contains_any(data, TEXT_BYTES) and not contains_any(data, BINARY_BYTES)


def contains_any(data: bytes, some: bytes) -> bool:
    """Whether there is one of some bytes among others."""
    return len(data.translate(None, some)) < len(data)


def with_returns(pieces: Iterator[bytes], tell: Callable[[], object]) -> Iterator[bytes]:
    """A text with returns before the ends of lines; what is none stays, and `tell` is called."""
    changes = False
    for at, piece in enumerate(pieces):
        changes = is_text_data(piece) if at == 0 else changes
        if at == 0 and not changes:
            tell()
        yield piece.replace(b"\n", b"\r\n") if changes else piece


def without_returns(pieces: Iterator[bytes], tell: Callable[[], object]) -> Iterator[bytes]:
    """A text without the returns before the ends of lines; else as `with_returns`."""
    changes = False
    held = b""  # a return whose next byte is in the next piece
    for at, piece in enumerate(pieces):
        changes = is_text_data(piece) if at == 0 else changes
        if at == 0 and not changes:
            tell()
        if changes:
            data = held + piece
            held = b"\r" if data.endswith(b"\r") else b""
            piece = data.removesuffix(held).replace(b"\r\n", b"\n")
        yield piece
    yield held


SECOND = 1_000_000_000
METHOD_VERBS = {DEFLATED: "deflated", BZIP2: "bzipped"}
METHODS = {"store": STORED, "deflate": DEFLATED, "bzip2": BZIP2}


class UnreadableFile(Exception):
    """A file that was to be put in cannot be read; the message says why."""


class MemberMaker:
    """Makes members as the options say. `say` prints what is done."""

    __slots__ = ("_level", "_options", "_say", "_sh", "_method", "has_extra", "zone")

    def __init__(
        self, sh: Call, options: Mapping[str, Any], level: int, say: Callable[[str], object]
    ) -> None:
        self._sh, self._options, self._level, self._say = sh, options, level, say
        self._method = METHODS[options.get("compression_method") or "deflate"]
        self.has_extra = not options.get("no_extra")
        self.zone = find_zone(sh.env.get("TZ"))

    def entry(self, file: SourceFile) -> ZipEntry:
        """The member that a file makes, without its sizes."""
        entry = ZipEntry(bytes_of_text(file.name))
        try:
            if not file.name.isascii():
                file.name.encode("utf-8")
                entry.flags |= UTF8_NAME
        except UnicodeEncodeError:
            pass  # bytes that are no text
        found: Stat | None = file.found
        time = self._sh.now() if found is None else found.modified
        if self.has_extra:
            entry.modified = time // SECOND
        # DOS counts seconds in twos, and from 1980 on.
        local = Moment(time + time // SECOND % 2 * SECOND, self.zone)
        year = min(max(local.year, 1980), 2107)
        entry.date = (year - 1980) << 9 | local.month << 5 | local.day
        entry.time = local.hour << 11 | local.minute << 5 | local.second // 2
        if local.year < 1980:
            entry.date, entry.time = 1 << 5 | 1, 0
        mode = found.mode if found is not None else 0o10600
        entry.external_attributes = mode << 16 | (0x10 if entry.is_directory else 0)
        return entry

    def contents(self, file: SourceFile) -> Iterator[bytes]:
        """The bytes that become a member's."""
        ends = self._options.get("line_ends", 0)
        made = self._read_file(file)
        if not ends:
            return made

        def tell() -> None:
            self._say(f"\n\tzip warning: has binary so -{'l' * ends} ignored\n")

        return with_returns(made, tell) if ends == 1 else without_returns(made, tell)

    def _read_file(self, file: SourceFile) -> Iterator[bytes]:
        """The bytes that a file holds, or the text of a link."""
        found = file.found
        try:
            if found is None:
                yield from (bytes_of_text(chunk) for chunk in self._sh.stdin.chunks())
            elif found.is_link:
                yield bytes_of_text(self._sh.fs.read_link(self._sh.path(file.path)))
            elif found.is_file:
                with self._sh.open(file.path) as stream:
                    for piece in chunks_of(stream.read):
                        self._sh.tick()
                        yield piece
        except OSError as error:
            raise UnreadableFile(os_error_text(error)) from None

    def pack(self, entry: ZipEntry, contents: Iterator[bytes]) -> Iterator[bytes]:
        """The bytes as they are stored; the entry learns its sizes."""
        packer = compressor_for(entry.method, self._level)
        is_binary = False
        for piece in contents:
            is_binary = is_binary or contains_any(piece, BINARY_BYTES)
            entry.is_text = not is_binary and (entry.is_text or contains_any(piece, TEXT_BYTES))
            entry.crc = zlib.crc32(piece, entry.crc)
            entry.size += len(piece)
            data = piece if packer is None else packer.compress(piece)
            entry.packed_size += len(data)
            if data:
                yield data
        if packer is not None:
            data = packer.flush()
            entry.packed_size += len(data)
            yield data

    def method(self, file: SourceFile) -> int:
        """How a file is tried to be packed."""
        found = file.found
        is_empty = found is not None and not found.size
        is_left = not self._level or is_empty or file.name.endswith(("/", *self._stored_suffixes()))
        return STORED if is_left else self._method

    def _stored_suffixes(self) -> list[str]:
        """The ends of names that -n names, which are stored."""
        listed = str(self._options.get("suffixes") or "")
        return [end for end in listed.replace(";", ":").replace(",", ":").split(":") if end]


def result_text(entry: ZipEntry) -> str:
    """How a member was packed, and how much smaller it has become."""
    if entry.method == STORED:
        return "stored 0%"
    return f"{METHOD_VERBS[entry.method]} {packed_percent(entry.size, entry.packed_size)}%"


def packed_percent(size: int, packed: int) -> int:
    """How much smaller so many bytes became, in percent."""
    less = size - packed
    part = (200 * abs(less) // max(size, 1) + 1) // 2
    return part if less >= 0 else -part


def compressor_for(method: int, level: int) -> Any:
    """What packs bytes; None where they are stored."""
    if method == BZIP2:
        from bz2 import BZ2Compressor  # noqa: PLC0415 - only where it is asked for

        return BZ2Compressor(level)
    return deflate_compressor(level) if method == DEFLATED else None
