"""Maker: the members that files make, and how their bytes are packed."""

from __future__ import annotations

import zlib

from keysh.archive.byte_source import chunks_of
from keysh.archive.gzip import deflater
from keysh.archive.zip import BZIP2, DEFLATED, STORED, UTF8, Entry
from keysh.interp.state.call import why
from keysh.text.chunks import encoded
from keysh.text.dates.moment import Moment
from keysh.text.dates.time_zone import zone_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.zip.file import File
    from keysh.vfs.api import Stat


# Line ends: what -l and -ll make of texts on their way into an archive.

TEXT = bytes({9, 10, 13, *range(32, 256)})
NOT_TEXT = bytes({*range(7), *range(14, 26), *range(28, 32)})


def is_text(data: bytes) -> bool:
    """Whether bytes look as a text does."""
    return has_any(data, TEXT) and not has_any(data, NOT_TEXT)


def has_any(data: bytes, some: bytes) -> bool:
    """Whether there is one of some bytes among others."""
    return len(data.translate(None, some)) < len(data)


def with_returns(pieces: Iterator[bytes], tell: Callable[[], object]) -> Iterator[bytes]:
    """A text with returns before the ends of lines; what is none stays, and `tell` is called."""
    changes = False
    for at, piece in enumerate(pieces):
        changes = is_text(piece) if at == 0 else changes
        if at == 0 and not changes:
            tell()
        yield piece.replace(b"\n", b"\r\n") if changes else piece


def without_returns(pieces: Iterator[bytes], tell: Callable[[], object]) -> Iterator[bytes]:
    """A text without the returns before the ends of lines; else as `with_returns`."""
    changes = False
    held = b""  # a return whose next byte is in the next piece
    for at, piece in enumerate(pieces):
        changes = is_text(piece) if at == 0 else changes
        if at == 0 and not changes:
            tell()
        if changes:
            data = held + piece
            held = b"\r" if data.endswith(b"\r") else b""
            piece = data.removesuffix(held).replace(b"\r\n", b"\n")
        yield piece
    yield held


SECOND = 1_000_000_000
PACKED = {DEFLATED: "deflated", BZIP2: "bzipped"}
WAYS = {"store": STORED, "deflate": DEFLATED, "bzip2": BZIP2}


class Unreadable(Exception):
    """A file that was to be put in cannot be read; the message says why."""


class Maker:
    """Makes members as the options say. `say` prints what is done."""

    __slots__ = ("_level", "_options", "_say", "_sh", "_way", "has_extra", "zone")

    def __init__(
        self, sh: Call, options: Mapping[str, Any], level: int, say: Callable[[str], object]
    ) -> None:
        self._sh, self._options, self._level, self._say = sh, options, level, say
        self._way = WAYS[options.get("compression_method") or "deflate"]
        self.has_extra = not options.get("no_extra")
        self.zone = zone_named(sh.env.get("TZ"))

    def entry(self, file: File) -> Entry:
        """The member that a file makes, without its sizes."""
        entry = Entry(encoded(file.name))
        try:
            if not file.name.isascii():
                file.name.encode("utf-8")
                entry.flags |= UTF8
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
        entry.external = mode << 16 | (0x10 if entry.is_directory else 0)
        return entry

    def contents(self, file: File) -> Iterator[bytes]:
        """The bytes that become a member's."""
        ends = self._options.get("line_ends", 0)
        made = self._read(file)
        if not ends:
            return made

        def tell() -> None:
            self._say(f"\n\tzip warning: has binary so -{'l' * ends} ignored\n")

        return with_returns(made, tell) if ends == 1 else without_returns(made, tell)

    def _read(self, file: File) -> Iterator[bytes]:
        """The bytes that a file holds, or the text of a link."""
        found = file.found
        try:
            if found is None:
                yield from (encoded(chunk) for chunk in self._sh.stdin.chunks())
            elif found.is_link:
                yield encoded(self._sh.fs.read_link(self._sh.path(file.path)))
            elif found.is_file:
                with self._sh.open(file.path) as stream:
                    for piece in chunks_of(stream.read):
                        self._sh.tick()
                        yield piece
        except OSError as error:
            raise Unreadable(why(error)) from None

    def packed(self, entry: Entry, contents: Iterator[bytes]) -> Iterator[bytes]:
        """The bytes as they are stored; the entry learns its sizes."""
        packer = packer_of(entry.method, self._level)
        is_binary = False
        for piece in contents:
            is_binary = is_binary or has_any(piece, NOT_TEXT)
            entry.is_text = not is_binary and (entry.is_text or has_any(piece, TEXT))
            entry.crc = zlib.crc32(piece, entry.crc)
            entry.size += len(piece)
            data = piece if packer is None else packer.compress(piece)
            entry.packed += len(data)
            if data:
                yield data
        if packer is not None:
            data = packer.flush()
            entry.packed += len(data)
            yield data

    def method(self, file: File) -> int:
        """How a file is tried to be packed."""
        found = file.found
        is_empty = found is not None and not found.size
        is_left = not self._level or is_empty or file.name.endswith(("/", *self._suffixes()))
        return STORED if is_left else self._way

    def _suffixes(self) -> list[str]:
        """The ends of names that -n names, which are stored."""
        listed = str(self._options.get("suffixes") or "")
        return [end for end in listed.replace(";", ":").replace(",", ":").split(":") if end]


def result_of(entry: Entry) -> str:
    """How a member was packed, and how much smaller it has become."""
    if entry.method == STORED:
        return "stored 0%"
    return f"{PACKED[entry.method]} {share(entry.size, entry.packed)}%"


def share(size: int, packed: int) -> int:
    """How much smaller so many bytes became, in percent."""
    less = size - packed
    part = (200 * abs(less) // max(size, 1) + 1) // 2
    return part if less >= 0 else -part


def packer_of(method: int, level: int) -> Any:
    """What packs bytes; None where they are stored."""
    if method == BZIP2:
        from bz2 import BZ2Compressor  # noqa: PLC0415 - only where it is asked for

        return BZ2Compressor(level)
    return deflater(level) if method == DEFLATED else None
