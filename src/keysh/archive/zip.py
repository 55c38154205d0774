"""The format of zip: members one behind another, and behind them the directory that counts.

Read are archives of any writer, with zip64 and with bytes in front; members are stored, deflated or
packed by bzip2. What is written are stored and deflated members.
"""

from __future__ import annotations

import zlib
from struct import Struct

from keysh.archive.byte_source import PIECE, Damaged, Source, chunks_of
from keysh.archive.bzip2_xz import bzip2_expanded
from keysh.archive.gzip import inflated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    class Seekable(Protocol):
        """An open file."""

        def read(self, size: int = -1, /) -> bytes: ...
        def seek(self, offset: int, whence: int = 0, /) -> int: ...


STORED, DEFLATED, BZIP2 = 0, 8, 12
ENCRYPTED, DESCRIBED, UTF8 = 1, 8, 0x800  # flags
UNIX = 3
LOCAL = Struct("<4s5H3I2H")
CENTRAL = Struct("<4s6H3I5H2I")
END = Struct("<4s4H2IH")
END_64 = Struct("<4sQ2H2I4Q")
LOCATOR = Struct("<4sIQI")
LOCAL_MAGIC, CENTRAL_MAGIC, END_MAGIC = b"PK\3\4", b"PK\1\2", b"PK\5\6"
END_64_MAGIC, LOCATOR_MAGIC, DESCRIPTOR_MAGIC = b"PK\6\6", b"PK\6\7", b"PK\7\x08"
FULL, FULL_SHORT = 0xFFFFFFFF, 0xFFFF  # the value is in the extra field
ZIP64, TIMES = 1, 0x5455  # extra fields
LONGEST_COMMENT = 0xFFFF
MADE_BY = UNIX << 8 | 30


class Entry:
    """What the directory says of a member. `date` and `time` are DOS's; `modified` is in seconds.

    `modified` is None where only the local time is known, `mode` is 0 where no Unix has written it,
    `others` are the extra fields that nothing here reads.
    """

    __slots__ = (
        "comment", "crc", "date", "external", "flags", "has_extra", "is_text", "made_by", "method",
        "modified", "name", "offset", "others", "packed", "size", "time",
    )  # fmt: skip

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.method, self.flags, self.made_by = STORED, 0, MADE_BY
        self.crc = self.packed = self.size = self.offset = self.external = 0
        self.date = self.time = 0
        self.has_extra = self.is_text = False
        self.comment = self.others = b""
        self.modified: int | None = None

    @property
    def mode(self) -> int:
        return self.external >> 16 if self.made_by >> 8 == UNIX else 0

    @property
    def is_directory(self) -> bool:
        return self.name.endswith(b"/")

    @property
    def is_link(self) -> bool:
        return self.mode & 0o170000 == 0o120000

    @property
    def dos(self) -> tuple[int, int, int, int, int, int]:
        """Year, month, day, hour, minute, second."""
        date, time = self.date, self.time
        return (
            1980 + (date >> 9), date >> 5 & 15, date & 31, time >> 11, time >> 5 & 63,
            2 * (time & 31),
        )  # fmt: skip


# ---------------------------------------------------------------- reading


def directory(file: Seekable, tick: Callable[[], object]) -> list[Entry]:
    """The members of an archive, in the directory's order; raises Damaged.

    `tick` is called now and then, for there may be millions.

    "magic" where there is no end of a directory, "data" where it makes no sense, "overlap" where
    members share bytes, as in an archive made to unpack to more than any disk holds.
    """
    end, fields, _ = end_in(file)
    _, _, _, _, count, length, offset, _ = fields
    count, length, offset, at = wide_end(file, end, (count, length, offset))
    before = at - length - offset  # bytes in front of the archive
    if before < 0:
        raise Damaged("data")
    file.seek(before + offset)
    source = Source(chunks_of(file.read), tick)
    entries = []
    while source.count < length:
        entries.append(entry_in(source, before))
    if len(entries) != count:
        raise Damaged("data")
    refuse_overlap(entries, before + offset)
    return entries


def end_in(file: Seekable) -> tuple[int, tuple[Any, ...], bytes]:
    """Where the end of the directory begins, its fields, and the comment behind it; Damaged."""
    size = file.seek(0, 2)
    start = max(0, size - END.size - LONGEST_COMMENT)
    file.seek(start)
    tail = Source(chunks_of(file.read)).take(size - start)
    found = tail.rfind(END_MAGIC)
    if found < 0 or len(tail) - found < END.size:
        raise Damaged("magic")
    fields = END.unpack_from(tail, found)
    return start + found, fields, tail[found + END.size :][: fields[-1]]


def wide_end(file: Seekable, at: int, short: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """How many entries a directory has, their bytes, where they and its end begin.

    That is told in 64 bits where a locator stands before the end that is at a place. A locator does
    not count bytes in front of the archive, so what it leads to is looked for beside it first.
    """
    if at < LOCATOR.size:
        return *short, at
    magic, _, told, _ = LOCATOR.unpack(exactly(file, at - LOCATOR.size, LOCATOR.size))
    if magic != LOCATOR_MAGIC:
        return *short, at
    for where in (at - LOCATOR.size - END_64.size, told):
        if 0 <= where <= at:
            fields = END_64.unpack(exactly(file, where, END_64.size))
            if fields[0] == END_64_MAGIC:
                return fields[7], fields[8], fields[9], where
    raise Damaged("data")


def exactly(file: Seekable, at: int, size: int) -> bytes:
    """So many bytes from a place on; Damaged where they are not there."""
    file.seek(at)
    return Source(chunks_of(file.read)).exactly(size)


def entry_in(source: Source, before: int) -> Entry:
    """The next entry of a directory."""
    fields = CENTRAL.unpack(source.exactly(CENTRAL.size))
    (magic, made_by, _, flags, method, time, date, crc, packed, size, name_length, extra_length,
     comment_length, _, internal, external, offset) = fields  # fmt: skip
    if magic != CENTRAL_MAGIC:
        raise Damaged("data")
    entry = Entry(source.exactly(name_length))
    entry.made_by, entry.flags, entry.method = made_by, flags, method
    entry.time, entry.date, entry.crc, entry.external = time, date, crc, external
    entry.has_extra, entry.is_text = extra_length > 0, bool(internal & 1)
    values = {"size": size, "packed": packed, "offset": offset}
    read_extra(entry, source.exactly(extra_length), values)
    entry.size, entry.packed = values["size"], values["packed"]
    entry.offset = before + values["offset"]
    entry.comment = source.exactly(comment_length)
    return entry


def read_extra(entry: Entry, extra: bytes, values: dict[str, int]) -> None:
    """Take what the extra fields say: sizes that need 64 bits, the time, and what is only kept."""
    at = 0
    while at + 4 <= len(extra):
        kind = int.from_bytes(extra[at : at + 2], "little")
        end = at + 4 + int.from_bytes(extra[at + 2 : at + 4], "little")
        field = extra[at + 4 : end]
        if kind == ZIP64:
            for key, value in values.items():  # those that are full, in this order
                if value == FULL:
                    if len(field) < 8:
                        raise Damaged("data")
                    values[key], field = int.from_bytes(field[:8], "little"), field[8:]
        elif kind == TIMES and len(field) >= 5 and field[0] & 1:
            entry.modified = int.from_bytes(field[1:5], "little", signed=True)
        elif end <= len(extra):
            entry.others += extra[at:end]
        at = end


def refuse_overlap(entries: list[Entry], end: int) -> None:
    """See that no byte belongs to two members, or to one and the directory."""
    for entry in sorted(entries, key=lambda entry: -entry.offset):
        if entry.offset + LOCAL.size + len(entry.name) + entry.packed > end:
            raise Damaged("overlap")
        end = entry.offset


def raw(file: Seekable, entry: Entry) -> Source:
    """The bytes of a member as they are in the archive, and behind them more."""
    file.seek(entry.offset)
    source = Source(chunks_of(file.read))
    fields = LOCAL.unpack(source.exactly(LOCAL.size))
    if fields[0] != LOCAL_MAGIC:
        raise Damaged("local")
    source.exactly(fields[9])
    source.exactly(fields[10])
    return source


def limited(source: Source, size: int) -> Iterator[bytes]:
    """So many bytes of a source; fewer at its end."""
    while size and (piece := source.chunk(min(size, PIECE))):
        size -= len(piece)
        yield piece


def data(file: Seekable, entry: Entry) -> Iterator[bytes]:
    """What a member holds; Damaged where that is not what the directory tells."""
    source = Source(limited(raw(file, entry), entry.packed))
    crc = size = 0
    for piece in EXPANDERS[entry.method](source):
        crc = zlib.crc32(piece, crc)
        size += len(piece)
        yield piece
    if crc != entry.crc:
        raise Damaged("crc", f"{crc:08x}")
    if size != entry.size:
        raise Damaged("length")


EXPANDERS: dict[int, Callable[[Source], Iterator[bytes]]] = {
    STORED: lambda source: source.rest(), DEFLATED: inflated, BZIP2: bzip2_expanded,
}  # fmt: skip


# ---------------------------------------------------------------- writing


def local(entry: Entry, *, has_extra: bool, is_wide: bool = False) -> bytes:
    """What stands before a member, where it is wide with room for sizes that need 64 bits.

    Sizes that are told behind the member are zeros here.
    """
    extra = times(entry) + entry.others if has_extra else b""
    sizes = (0, 0, 0) if entry.flags & DESCRIBED else (entry.crc, entry.packed, entry.size)
    if not entry.flags & DESCRIBED and (is_wide or max(entry.packed, entry.size) >= FULL):
        sizes = (entry.crc, FULL, FULL)
        extra += field(ZIP64, entry.size.to_bytes(8, "little") + entry.packed.to_bytes(8, "little"))
    return LOCAL.pack(
        LOCAL_MAGIC, needed(entry), entry.flags, entry.method, entry.time, entry.date, *sizes,
        len(entry.name), len(extra),
    ) + entry.name + extra  # fmt: skip


def descriptor(entry: Entry) -> bytes:
    """The sizes of a member, behind it."""
    width = 8 if max(entry.packed, entry.size) >= FULL else 4
    sizes = entry.packed.to_bytes(width, "little") + entry.size.to_bytes(width, "little")
    return DESCRIPTOR_MAGIC + entry.crc.to_bytes(4, "little") + sizes


def central(entry: Entry, *, has_extra: bool) -> bytes:
    """A member's line in the directory."""
    extra = times(entry) + entry.others if has_extra else b""
    large = b""
    values = []
    for value in (entry.size, entry.packed, entry.offset):
        values.append(min(value, FULL))
        if value >= FULL:
            large += value.to_bytes(8, "little")
    if large:
        extra += field(ZIP64, large)
    size, packed, offset = values
    return CENTRAL.pack(
        CENTRAL_MAGIC, entry.made_by, needed(entry), entry.flags, entry.method, entry.time,
        entry.date, entry.crc, packed, size, len(entry.name), len(extra), len(entry.comment), 0,
        int(entry.is_text), entry.external, offset,
    ) + entry.name + extra + entry.comment  # fmt: skip


def end(count: int, length: int, offset: int, comment: bytes = b"") -> bytes:
    """The end of a directory that has so many entries in so many bytes and begins there."""
    wide = b""
    if count >= FULL_SHORT or max(length, offset) >= FULL:
        wide = END_64.pack(
            END_64_MAGIC, END_64.size - 12, MADE_BY, 45, 0, 0, count, count, length, offset
        ) + LOCATOR.pack(LOCATOR_MAGIC, 0, offset + length, 1)
    count, length, offset = min(count, FULL_SHORT), min(length, FULL), min(offset, FULL)
    return wide + END.pack(END_MAGIC, 0, 0, count, count, length, offset, len(comment)) + comment


def needed(entry: Entry) -> int:
    """The version of the format that reading a member takes, times ten."""
    if max(entry.packed, entry.size) >= FULL:
        return 45
    return 20 if entry.method == DEFLATED or entry.is_directory else 10


def times(entry: Entry) -> bytes:
    """The extra field with the time."""
    if entry.modified is None or not -(1 << 31) <= entry.modified < 1 << 31:
        return b""
    return field(TIMES, b"\1" + entry.modified.to_bytes(4, "little", signed=True))


def field(kind: int, value: bytes) -> bytes:
    """An extra field."""
    return kind.to_bytes(2, "little") + len(value).to_bytes(2, "little") + value
