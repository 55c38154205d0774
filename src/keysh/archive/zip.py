"""The zip format: members, followed by the central directory.

Reads archives of any writer, with zip64 and with leading bytes; members may be stored, deflated
or compressed by bzip2. Writes stored, deflated and bzip2 members.
"""

from __future__ import annotations

import zlib
from struct import Struct

from keysh.archive.byte_source import READ_CHUNK_BYTES, ByteSource, DamagedData, chunks_of
from keysh.archive.bzip2_xz import decompress_bzip2
from keysh.archive.gzip import inflate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    class Seekable(Protocol):
        """An open file."""

        def read(self, size: int = -1, /) -> bytes: ...
        def seek(self, offset: int, whence: int = 0, /) -> int: ...


STORED, DEFLATED, BZIP2 = 0, 8, 12
ENCRYPTED, HAS_DESCRIPTOR, UTF8_NAME = 1, 8, 0x800  # flags
HOST_UNIX = 3
LOCAL_HEADER = Struct("<4s5H3I2H")
CENTRAL_HEADER = Struct("<4s6H3I5H2I")
END_RECORD = Struct("<4s4H2IH")
END_64_RECORD = Struct("<4sQ2H2I4Q")
LOCATOR_RECORD = Struct("<4sIQI")
LOCAL_MAGIC, CENTRAL_MAGIC, END_MAGIC = b"PK\3\4", b"PK\1\2", b"PK\5\6"
END_64_MAGIC, LOCATOR_MAGIC, DESCRIPTOR_MAGIC = b"PK\6\6", b"PK\6\7", b"PK\7\x08"
MAX_UINT32, MAX_UINT16 = 0xFFFFFFFF, 0xFFFF  # in a field: the value is in the extra field
ZIP64_FIELD, TIMES_FIELD = 1, 0x5455  # extra fields
MAX_COMMENT_BYTES = 0xFFFF
MADE_BY = HOST_UNIX << 8 | 30


class ZipEntry:
    """A member as the central directory describes it. `date` and `time` are in DOS format.

    `modified` is in seconds, None if only the local time is known; `mode` is 0 unless a Unix wrote
    the entry; `other_fields` are extra fields that are only preserved.
    """

    __slots__ = (
        "comment", "crc", "date", "external_attributes", "flags", "has_extra", "is_text", "made_by",
        "method", "modified", "name", "offset", "other_fields", "packed_size", "size", "time",
    )  # fmt: skip

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.method, self.flags, self.made_by = STORED, 0, MADE_BY
        self.crc = self.packed_size = self.size = self.offset = self.external_attributes = 0
        self.date = self.time = 0
        self.has_extra = self.is_text = False
        self.comment = self.other_fields = b""
        self.modified: int | None = None

    @property
    def mode(self) -> int:
        return self.external_attributes >> 16 if self.made_by >> 8 == HOST_UNIX else 0

    @property
    def is_directory(self) -> bool:
        return self.name.endswith(b"/")

    @property
    def is_link(self) -> bool:
        return self.mode & 0o170000 == 0o120000

    @property
    def dos_time(self) -> tuple[int, int, int, int, int, int]:
        """The DOS time: year, month, day, hour, minute, second."""
        date, time = self.date, self.time
        return (
            1980 + (date >> 9), date >> 5 & 15, date & 31, time >> 11, time >> 5 & 63,
            2 * (time & 31),
        )  # fmt: skip


# ---------------------------------------------------------------- reading


def read_directory(file: Seekable, tick: Callable[[], object]) -> list[ZipEntry]:
    """Return the members of an archive in directory order. Raises DamagedData.

    The fault is "magic" without an end record, "data" for a directory that makes no sense, and
    "overlap" if members share bytes, as in a zip bomb. `tick` is called regularly, because there
    may be millions of members.
    """
    end, fields, _ = find_end(file)
    _, _, _, _, count, length, offset, _ = fields
    count, length, offset, position = zip64_end(file, end, (count, length, offset))
    leading_bytes = position - length - offset  # not part of the archive
    if leading_bytes < 0:
        raise DamagedData("data")
    file.seek(leading_bytes + offset)
    source = ByteSource(chunks_of(file.read), tick)
    entries = []
    while source.count < length:
        entries.append(read_entry(source, leading_bytes))
    if len(entries) != count:
        raise DamagedData("data")
    refuse_overlap(entries, leading_bytes + offset)
    return entries


def find_end(file: Seekable) -> tuple[int, tuple[Any, ...], bytes]:
    """Return the offset of the end record, its fields, and the archive's comment."""
    size = file.seek(0, 2)
    start = max(0, size - END_RECORD.size - MAX_COMMENT_BYTES)
    file.seek(start)
    tail = ByteSource(chunks_of(file.read)).read(size - start)
    record = tail.rfind(END_MAGIC)
    if record < 0 or len(tail) - record < END_RECORD.size:
        raise DamagedData("magic")
    fields = END_RECORD.unpack_from(tail, record)
    return start + record, fields, tail[record + END_RECORD.size :][: fields[-1]]


def zip64_end(
    file: Seekable, position: int, short: tuple[int, int, int]
) -> tuple[int, int, int, int]:
    """Return the number of entries, the directory's length and offset, and where its end record is.

    These are 64-bit values if a zip64 locator precedes the end record at `at`. Its offset does not
    count leading bytes, so the zip64 record is first looked for right before the locator.
    """
    if position < LOCATOR_RECORD.size:
        return *short, position
    magic, _, located, _ = LOCATOR_RECORD.unpack(
        read_exactly(file, position - LOCATOR_RECORD.size, LOCATOR_RECORD.size)
    )
    if magic != LOCATOR_MAGIC:
        return *short, position
    for start in (position - LOCATOR_RECORD.size - END_64_RECORD.size, located):
        if 0 <= start <= position:
            fields = END_64_RECORD.unpack(read_exactly(file, start, END_64_RECORD.size))
            if fields[0] == END_64_MAGIC:
                return fields[7], fields[8], fields[9], start
    raise DamagedData("data")


def read_exactly(file: Seekable, position: int, size: int) -> bytes:
    """Return `size` bytes from an offset. Raises DamagedData if there are fewer."""
    file.seek(position)
    return ByteSource(chunks_of(file.read)).read_exactly(size)


def read_entry(source: ByteSource, leading_bytes: int) -> ZipEntry:
    """Read the next entry of the directory."""
    fields = CENTRAL_HEADER.unpack(source.read_exactly(CENTRAL_HEADER.size))
    (magic, made_by, _, flags, method, time, date, crc, packed, size, name_length, extra_length,
     comment_length, _, internal, external, offset) = fields  # fmt: skip
    if magic != CENTRAL_MAGIC:
        raise DamagedData("data")
    entry = ZipEntry(source.read_exactly(name_length))
    entry.made_by, entry.flags, entry.method = made_by, flags, method
    entry.time, entry.date, entry.crc, entry.external_attributes = time, date, crc, external
    entry.has_extra, entry.is_text = extra_length > 0, bool(internal & 1)
    values = {"size": size, "packed": packed, "offset": offset}
    read_extra(entry, source.read_exactly(extra_length), values)
    entry.size, entry.packed_size = values["size"], values["packed"]
    entry.offset = leading_bytes + values["offset"]
    entry.comment = source.read_exactly(comment_length)
    return entry


def read_extra(entry: ZipEntry, extra: bytes, values: dict[str, int]) -> None:
    """Apply the extra fields: 64-bit sizes, the time, and fields that are only preserved."""
    position = 0
    while position + 4 <= len(extra):
        kind = int.from_bytes(extra[position : position + 2], "little")
        end = position + 4 + int.from_bytes(extra[position + 2 : position + 4], "little")
        field = extra[position + 4 : end]
        if kind == ZIP64_FIELD:
            for key, value in values.items():  # only values that overflow have one, in this order
                if value == MAX_UINT32:
                    if len(field) < 8:
                        raise DamagedData("data")
                    values[key], field = int.from_bytes(field[:8], "little"), field[8:]
        elif kind == TIMES_FIELD and len(field) >= 5 and field[0] & 1:
            entry.modified = int.from_bytes(field[1:5], "little", signed=True)
        elif end <= len(extra):
            entry.other_fields += extra[position:end]
        position = end


def refuse_overlap(entries: list[ZipEntry], end: int) -> None:
    """Raise DamagedData if members overlap each other or the directory."""
    for entry in sorted(entries, key=lambda entry: -entry.offset):
        if entry.offset + LOCAL_HEADER.size + len(entry.name) + entry.packed_size > end:
            raise DamagedData("overlap")
        end = entry.offset


def raw_data(file: Seekable, entry: ZipEntry) -> ByteSource:
    """Return a source positioned at a member's compressed data, not limited to it."""
    file.seek(entry.offset)
    source = ByteSource(chunks_of(file.read))
    fields = LOCAL_HEADER.unpack(source.read_exactly(LOCAL_HEADER.size))
    if fields[0] != LOCAL_MAGIC:
        raise DamagedData("local")
    source.read_exactly(fields[9])
    source.read_exactly(fields[10])
    return source


def limited_chunks(source: ByteSource, size: int) -> Iterator[bytes]:
    """Yield `size` bytes of a source, or fewer at its end."""
    while size and (piece := source.read_chunk(min(size, READ_CHUNK_BYTES))):
        size -= len(piece)
        yield piece


def member_data(file: Seekable, entry: ZipEntry) -> Iterator[bytes]:
    """Decompress a member. Raises DamagedData if it does not match the directory."""
    source = ByteSource(limited_chunks(raw_data(file, entry), entry.packed_size))
    crc = size = 0
    for piece in DECOMPRESSORS[entry.method](source):
        crc = zlib.crc32(piece, crc)
        size += len(piece)
        yield piece
    if crc != entry.crc:
        raise DamagedData("crc", f"{crc:08x}")
    if size != entry.size:
        raise DamagedData("length")


DECOMPRESSORS: dict[int, Callable[[ByteSource], Iterator[bytes]]] = {
    STORED: lambda source: source.rest(), DEFLATED: inflate, BZIP2: decompress_bzip2,
}  # fmt: skip


# ---------------------------------------------------------------- writing


def local_header(entry: ZipEntry, *, has_extra: bool, is_wide: bool = False) -> bytes:
    """Return a member's local header; if `is_wide`, with room for 64-bit sizes.

    The sizes are zero if a data descriptor follows the member.
    """
    extra = times_field(entry) + entry.other_fields if has_extra else b""
    sizes = (
        (0, 0, 0) if entry.flags & HAS_DESCRIPTOR else (entry.crc, entry.packed_size, entry.size)
    )
    if not entry.flags & HAS_DESCRIPTOR and (
        is_wide or max(entry.packed_size, entry.size) >= MAX_UINT32
    ):
        sizes = (entry.crc, MAX_UINT32, MAX_UINT32)
        extra += extra_field(
            ZIP64_FIELD, entry.size.to_bytes(8, "little") + entry.packed_size.to_bytes(8, "little")
        )
    return LOCAL_HEADER.pack(
        LOCAL_MAGIC, version_needed(entry), entry.flags, entry.method, entry.time, entry.date,
        *sizes, len(entry.name), len(extra),
    ) + entry.name + extra  # fmt: skip


def data_descriptor(entry: ZipEntry) -> bytes:
    """Return the checksum and sizes that follow a member."""
    width = 8 if max(entry.packed_size, entry.size) >= MAX_UINT32 else 4
    sizes = entry.packed_size.to_bytes(width, "little") + entry.size.to_bytes(width, "little")
    return DESCRIPTOR_MAGIC + entry.crc.to_bytes(4, "little") + sizes


def central_header(entry: ZipEntry, *, has_extra: bool) -> bytes:
    """Return a member's directory entry."""
    extra = times_field(entry) + entry.other_fields if has_extra else b""
    large = b""
    values = []
    for value in (entry.size, entry.packed_size, entry.offset):
        values.append(min(value, MAX_UINT32))
        if value >= MAX_UINT32:
            large += value.to_bytes(8, "little")
    if large:
        extra += extra_field(ZIP64_FIELD, large)
    size, packed, offset = values
    return CENTRAL_HEADER.pack(
        CENTRAL_MAGIC, entry.made_by, version_needed(entry), entry.flags, entry.method, entry.time,
        entry.date, entry.crc, packed, size, len(entry.name), len(extra), len(entry.comment), 0,
        int(entry.is_text), entry.external_attributes, offset,
    ) + entry.name + extra + entry.comment  # fmt: skip


def end_records(count: int, length: int, offset: int, comment: bytes = b"") -> bytes:
    """Return the end records of a directory of `count` entries in `length` bytes at `offset`."""
    wide = b""
    if count >= MAX_UINT16 or max(length, offset) >= MAX_UINT32:
        wide = END_64_RECORD.pack(
            END_64_MAGIC, END_64_RECORD.size - 12, MADE_BY, 45, 0, 0, count, count, length, offset
        ) + LOCATOR_RECORD.pack(LOCATOR_MAGIC, 0, offset + length, 1)
    count, length, offset = min(count, MAX_UINT16), min(length, MAX_UINT32), min(offset, MAX_UINT32)
    return (
        wide
        + END_RECORD.pack(END_MAGIC, 0, 0, count, count, length, offset, len(comment))
        + comment
    )


def version_needed(entry: ZipEntry) -> int:
    """Return the format version, times ten, needed to extract the member."""
    if max(entry.packed_size, entry.size) >= MAX_UINT32:
        return 45
    return 20 if entry.method == DEFLATED or entry.is_directory else 10


def times_field(entry: ZipEntry) -> bytes:
    """Return the extra field with the modification time; empty if there is none."""
    if entry.modified is None or not -(1 << 31) <= entry.modified < 1 << 31:
        return b""
    return extra_field(TIMES_FIELD, b"\1" + entry.modified.to_bytes(4, "little", signed=True))


def extra_field(kind: int, value: bytes) -> bytes:
    """Return an encoded extra field."""
    return kind.to_bytes(2, "little") + len(value).to_bytes(2, "little") + value
