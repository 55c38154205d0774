"""Read tar archives: blocks of 512 bytes, a header for each member, then its data.

Understands the headers of POSIX 1988 (ustar), POSIX 2001 (pax), GNU and Unix v7. Sparse members
are flagged, but not decoded.
"""

from __future__ import annotations

import re

from keysh.archive.byte_source import READ_CHUNK_BYTES, DamagedData

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.archive.byte_source import ByteSource

BLOCK_BYTES = 512
RECORD_BYTES = 20 * BLOCK_BYTES  # an archive's length is a multiple of this
ZERO_BLOCK = bytes(BLOCK_BYTES)
FILE, LINK, SYMLINK, CHARACTER, DEVICE, DIRECTORY, FIFO = b"0", b"1", b"2", b"3", b"4", b"5", b"6"
OLD_FILE, SPARSE = b"\0", b"S"
LONG_NAME, LONG_LINK, PAX, PAX_GLOBAL = b"L", b"K", b"x", b"g"
WITHOUT_DATA = (LINK, SYMLINK, CHARACTER, DEVICE, DIRECTORY, FIFO)
GNU_MAGIC, USTAR_MAGIC = b"ustar  \0", b"ustar\0"
MAX_PAX_BYTES = 1 << 20
MAX_NAME_BYTES = 1 << 15  # no system has names of more than 4096
SECOND = 1_000_000_000
CHECKSUM_FIELD = slice(148, 156)
# An octal number: blanks, digits, and a blank, NUL or the end. Only blanks and NUL are 0. Some old
# writers let the field before run over into a NUL at the beginning.
OCTAL_FIELD = re.compile(rb"\0?\s*(?:([0-7]+)(?=[\s\0]|\Z)|(?=\0))")
# The fields of a header that are numbers: where, of what attribute, and their type in messages.
SIZE_FIELD = slice(124, 136)
NUMBER_FIELDS = (
    (slice(100, 108), "mode", "mode_t"), (slice(108, 116), "owner_number", "uid_t"),
    (slice(116, 124), "group_number", "gid_t"), (slice(136, 148), "modified", "time_t"),
)  # fmt: skip
DEVICE_FIELDS = ((slice(329, 337), "major", "major_t"), (slice(337, 345), "minor", "minor_t"))
NOT_A_TAR_ARCHIVE = "This does not look like a tar archive"


class TarMember:
    """One member. Names are bytes, `modified` is in nanoseconds, `mode` holds permissions only.

    `owner` and `group` are names, empty if only the numbers are known.
    """

    __slots__ = (
        "group", "group_number", "is_sparse", "kind", "link", "major", "minor", "mode", "modified",
        "name", "owner", "owner_number", "size",
    )  # fmt: skip

    def __init__(self, name: bytes, kind: bytes = FILE) -> None:
        self.name, self.kind = name, kind
        self.link = self.owner = self.group = b""
        self.mode = self.size = self.modified = 0
        self.owner_number = self.group_number = self.major = self.minor = 0
        self.is_sparse = False

    @property
    def is_file(self) -> bool:
        """Whether it is a file with data of its own."""
        return self.kind not in WITHOUT_DATA and not self.is_directory

    @property
    def is_directory(self) -> bool:
        """Whether it is a directory. Very old archives only mark it by a slash."""
        return self.kind == DIRECTORY or (self.kind == OLD_FILE and self.name.endswith(b"/"))


def end_of_archive(size: int, record: int = RECORD_BYTES) -> bytes:
    """Return the end of an archive of `size` bytes: two zero blocks and padding to a record."""
    return bytes(2 * BLOCK_BYTES + -(size + 2 * BLOCK_BYTES) % record)


def has_valid_checksum(block: bytes) -> bool:
    """Whether the header's checksum is right. Some old writers added signed bytes."""
    try:
        stored = field_number(block[CHECKSUM_FIELD])
    except ValueError:
        return False
    summed = block[: CHECKSUM_FIELD.start] + b" " * 8 + block[CHECKSUM_FIELD.stop :]
    unsigned = sum(summed)
    return stored in (unsigned, unsigned - 256 * sum(byte > 127 for byte in summed))


def field_number(field: bytes) -> int:
    """Decode a number: octal digits, or two's complement if the first bit is set."""
    if field[0] & 0x80:
        bits = 8 * len(field) - 1
        value = int.from_bytes(field, "big") & ((1 << bits) - 1)
        return value - (1 << bits) if field[0] & 0x40 else value
    match = OCTAL_FIELD.match(field)
    if match is None:
        raise ValueError
    return int(match[1] or b"0", 8)


def field_text(field: bytes) -> bytes:
    """Return a field's string, which ends with NUL or with the field."""
    return field.split(b"\0", 1)[0]


def parse_header(block: bytes) -> tuple[TarMember, list[str]] | None:
    """Return the member that a header block describes, and messages about its damaged numbers.

    A damaged number is 0. Without a size nothing is known of what follows, so the answer is None.
    """
    name, kind = field_text(block[:100]), block[156:157]
    member, faults = TarMember(name, kind), list[str]()
    try:
        member.size = 0 if kind == LINK else field_number(block[SIZE_FIELD])
    except ValueError:
        return None
    if member.size < 0:
        return None
    names_owner = block[257:262] == b"ustar" and block[265] and block[297]
    fields = NUMBER_FIELDS + DEVICE_FIELDS if kind in (CHARACTER, DEVICE) else NUMBER_FIELDS
    for place, attribute, type_name in fields:
        try:
            setattr(member, attribute, field_number(block[place]))
        except ValueError:
            if names_owner and type_name in ("uid_t", "gid_t"):
                continue
            shown = block[place].rstrip(b"\0").decode("ascii", "backslashreplace")
            faults.append(f"Archive contains '{shown}' where numeric {type_name} value expected")
    member.mode &= 0o7777
    member.modified *= SECOND
    member.link = field_text(block[157:257])
    if block[257:262] == b"ustar":
        member.owner, member.group = field_text(block[265:297]), field_text(block[297:329])
        prefix = field_text(block[345:500]) if block[257:263] == USTAR_MAGIC else b""
        member.name = prefix + b"/" + name if prefix else name
    member.is_sparse = kind == SPARSE
    return member, faults


class TarReader:
    """Reads an archive from the front. `header_offset` is the offset of the last header.

    `warnings` are messages, each with whether it is a failure. Blocks that are no headers are
    skipped.
    """

    __slots__ = (
        "_global", "_has_skipped", "_ignores_zeros", "_is_lost", "_source", "_unread_bytes",
        "header_offset", "is_empty", "warnings",
    )  # fmt: skip

    def __init__(self, source: ByteSource, *, ignores_zeros: bool = False) -> None:
        self._source, self._ignores_zeros = source, ignores_zeros
        self._global: dict[bytes, bytes] = {}
        self._unread_bytes = 0  # of the current member, with the padding of its last block
        self.header_offset = 0
        self._has_skipped = False  # blocks, since the last header
        self._is_lost = False  # while skipping blocks that are no headers
        self.is_empty = True
        self.warnings: list[tuple[str, bool]] = []

    def members(self) -> Iterator[TarMember]:
        """Yield each member. Read its data with `data` before taking the next one.

        Raises DamagedData: "end" for missing bytes, "data" for a header that makes no sense.
        """
        extensions: dict[bytes, bytes] = {}
        pax_data = b""
        while (member := self._next_header()) is not None:
            if self._has_skipped:  # what the extensions describe is among the lost blocks
                extensions, pax_data, self._has_skipped = {}, b"", False
            if member.kind in (LONG_NAME, LONG_LINK, PAX, PAX_GLOBAL):
                if member.size > MAX_PAX_BYTES:
                    raise DamagedData("data")
                data = b"".join(self.data(member))
                if member.kind == PAX:
                    pax_data = data
                elif member.kind == PAX_GLOBAL:
                    self._global.update(self._pax_records(data))
                else:
                    extensions[b"path" if member.kind == LONG_NAME else b"linkpath"] = field_text(
                        data
                    )
                continue
            size = member.size
            if pax_data:
                extensions.update(self._pax_records(pax_data))
                pax_data = b""
            if extensions or self._global:
                apply_extensions(member, {**self._global, **extensions})
                extensions = {}
            if member.size != size:
                self._unread_bytes = member.size + -member.size % BLOCK_BYTES
            yield member

    def _pax_records(self, data: bytes) -> dict[bytes, bytes]:
        """Parse `LENGTH KEY=VALUE` and a newline, where LENGTH counts the whole record.

        What follows a damaged record cannot be told apart, and is left out with a warning.
        """
        records: dict[bytes, bytes] = {}
        start = 0
        while start < len(data):
            digits, blank, _ = data[start : start + 20].partition(b" ")
            end = start + int(digits) if blank and digits.isdigit() else len(data) + 1
            key, equals, value = data[start + len(digits) + 1 : end - 1].partition(b"=")
            if not equals or end > len(data) or data[end - 1 : end] != b"\n":
                self.warnings.append(("Malformed extended header", True))
                break
            records[key] = value
            start = end
        return records

    def data(self, member: TarMember) -> Iterator[bytes]:
        """Yield the data of the current member."""
        missing = member.size
        while missing:
            piece = self._source.read_chunk(min(missing, READ_CHUNK_BYTES))
            if not piece:
                raise DamagedData("end")
            missing -= len(piece)
            self._unread_bytes -= len(piece)
            yield piece

    def _skip(self) -> None:
        """Skip the rest of the current member."""
        while self._unread_bytes:
            piece = self._source.read_chunk(min(self._unread_bytes, READ_CHUNK_BYTES))
            if not piece:
                raise DamagedData("end")
            self._unread_bytes -= len(piece)

    def _next_header(self) -> TarMember | None:
        """Return the next header of any kind; None at the end."""
        self._skip()
        while True:
            self.header_offset = self._source.count
            block = self._source.read(BLOCK_BYTES)
            if len(block) < BLOCK_BYTES:
                if self.is_empty and not self._is_lost:
                    self.warnings.append((NOT_A_TAR_ARCHIVE, True))
                return None
            if block == ZERO_BLOCK:
                self.is_empty = False
                if self._ignores_zeros:
                    continue
                if self._source.peek(BLOCK_BYTES) != ZERO_BLOCK:
                    self.warnings.append(
                        (f"A lone zero block at {self.header_offset // BLOCK_BYTES + 1}", False)
                    )
                return None
            if has_valid_checksum(block) and (header := parse_header(block)):
                member, faults = header
                self.warnings += [(fault, True) for fault in faults]
                self.is_empty = self._is_lost = False
                self._unread_bytes = member.size + -member.size % BLOCK_BYTES
                return member
            self._has_skipped = True
            if not self._is_lost:
                self._is_lost = True
                if self.is_empty:
                    self.warnings.append((NOT_A_TAR_ARCHIVE, True))
                self.warnings.append(("Skipping to next header", True))


def apply_extensions(member: TarMember, extensions: dict[bytes, bytes]) -> None:
    """Apply the extension headers before a member: long names and pax values."""
    member.name, member.link = (
        field_text(extensions.get(b"path", member.name)),
        field_text(extensions.get(b"linkpath", member.link)),
    )
    if max(len(member.name), len(member.link)) > MAX_NAME_BYTES:
        raise DamagedData("data")
    member.owner, member.group = (
        extensions.get(b"uname", member.owner),
        extensions.get(b"gname", member.group),
    )
    try:
        if b"size" in extensions and member.kind != LINK:
            member.size = pax_integer(extensions[b"size"])
        member.owner_number = pax_integer(extensions.get(b"uid", b"%d" % member.owner_number))
        member.group_number = pax_integer(extensions.get(b"gid", b"%d" % member.group_number))
        if b"mtime" in extensions:
            member.modified = pax_nanoseconds(extensions[b"mtime"])
    except ValueError:
        raise DamagedData("data") from None
    if any(key.startswith(b"GNU.sparse.") for key in extensions):
        member.is_sparse = True


def pax_integer(digits: bytes) -> int:
    """Decode a number that is not negative."""
    if not digits.isdigit() or len(digits) > 20:
        raise ValueError
    return int(digits)


def pax_nanoseconds(value: bytes) -> int:
    """Decode a time as pax writes it, `-12.25`."""
    sign, digits = (-1, value[1:]) if value[:1] == b"-" else (1, value)
    seconds, _, fraction = digits.partition(b".")
    return sign * (pax_integer(seconds) * SECOND + pax_integer((fraction + b"0" * 9)[:9]))
