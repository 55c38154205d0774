"""The format of tar: blocks of 512 bytes, a header for each member and then its bytes.

Read are the headers of POSIX 1988 (ustar), 2001 (pax) and GNU, and those of the seventh edition.
Sparse members are told of, not understood.
"""

from __future__ import annotations

from keysh.archive.byte_source import PIECE, Damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.archive.byte_source import Source

BLOCK = 512
RECORD = 20 * BLOCK  # what an archive's length is a multiple of
ZEROS = bytes(BLOCK)
FILE, LINK, SYMLINK, CHARACTER, DEVICE, DIRECTORY, FIFO = b"0", b"1", b"2", b"3", b"4", b"5", b"6"
OLD_FILE, SPARSE = b"\0", b"S"
LONG_NAME, LONG_LINK, PAX, PAX_GLOBAL = b"L", b"K", b"x", b"g"
WITHOUT_DATA = (LINK, SYMLINK, CHARACTER, DEVICE, DIRECTORY, FIFO)
GNU_MAGIC, USTAR_MAGIC = b"ustar  \0", b"ustar\0"
LONGEST = 1 << 20  # bytes of pax records
LONGEST_NAME = 1 << 15  # bytes; no system has names of more than 4096
SECOND = 1_000_000_000
SUM = slice(148, 156)
NO_ARCHIVE = "This does not look like a tar archive"


class Member:
    """One member. Names are bytes, `modified` is in nanoseconds, `mode` has the permissions only.

    `owner` and `group` are the names, empty where only the numbers are known.
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
        """Whether it is a file with bytes of its own."""
        return self.kind not in WITHOUT_DATA and not self.is_directory

    @property
    def is_directory(self) -> bool:
        """Whether it is a directory; very old archives only have a slash for it."""
        return self.kind == DIRECTORY or (self.kind == OLD_FILE and self.name.endswith(b"/"))


def ending(size: int, record: int = RECORD) -> bytes:
    """The end of an archive that has so many bytes: two empty blocks, and what fills the record."""
    return bytes(2 * BLOCK + -(size + 2 * BLOCK) % record)


def is_header(block: bytes) -> bool:
    """Whether a block's sum is right; some old writers added signed bytes."""
    try:
        said = number(block[SUM])
    except ValueError:
        return False
    counted = block[: SUM.start] + b" " * 8 + block[SUM.stop :]
    unsigned = sum(counted)
    return said in (unsigned, unsigned - 256 * sum(byte > 127 for byte in counted))


def number(field: bytes) -> int:
    """A number: octal digits, or where the first bit is set two's complement."""
    if field[0] & 0x80:
        bits = 8 * len(field) - 1
        value = int.from_bytes(field, "big") & ((1 << bits) - 1)
        return value - (1 << bits) if field[0] & 0x40 else value
    digits = field.lstrip(b" ").split(b"\0", 1)[0].rstrip(b" ")
    return int(digits, 8) if digits else 0


def text(field: bytes) -> bytes:
    """A text that ends with NUL, or with its field."""
    return field.split(b"\0", 1)[0]


def member_of(block: bytes) -> Member:
    """The member that a header describes."""
    name, kind = text(block[:100]), block[156:157]
    member = Member(name, kind)
    try:
        member.mode = number(block[100:108]) & 0o7777
        member.owner_number, member.group_number = number(block[108:116]), number(block[116:124])
        member.size, member.modified = number(block[124:136]), number(block[136:148]) * SECOND
        member.link = text(block[157:257])
        if block[257:262] == b"ustar":
            member.owner, member.group = text(block[265:297]), text(block[297:329])
            member.major, member.minor = number(block[329:337]), number(block[337:345])
            prefix = text(block[345:500]) if block[257:263] == USTAR_MAGIC else b""
            member.name = prefix + b"/" + name if prefix else name
    except ValueError:
        raise Damaged("data") from None
    if member.size < 0:
        raise Damaged("data")
    if kind == LINK:  # whatever it says: the bytes are with the other name
        member.size = 0
    member.is_sparse = kind == SPARSE
    return member


class Reader:
    """An archive that is read from the front. `at` is where the last header began.

    `warnings` are what is to be said, each with whether it is a failure: blocks that are no header
    are passed over on the way to the next one.
    """

    __slots__ = (
        "_global", "_ignores_zeros", "_is_lost", "_left", "_source", "at", "is_empty", "warnings",
    )  # fmt: skip

    def __init__(self, source: Source, *, ignores_zeros: bool = False) -> None:
        self._source, self._ignores_zeros = source, ignores_zeros
        self._global: dict[bytes, bytes] = {}
        self._left = 0  # bytes of the member that were not read yet, with what fills its block
        self.at = 0
        self._is_lost = False  # between what is no header and the next one
        self.is_empty = True
        self.warnings: list[tuple[str, bool]] = []

    def members(self) -> Iterator[Member]:
        """Each member; before the next one is asked for, `data` reads its bytes.

        Raises Damaged: "end" where bytes are missing, "data" where a header makes no sense.
        """
        own: dict[bytes, bytes] = {}
        while (member := self._next()) is not None:
            if member.kind in (LONG_NAME, LONG_LINK, PAX, PAX_GLOBAL):
                if member.size > LONGEST:
                    raise Damaged("data")
                data = b"".join(self.data(member))
                if member.kind == PAX:
                    own.update(records(data))
                elif member.kind == PAX_GLOBAL:
                    self._global.update(records(data))
                else:
                    own[b"path" if member.kind == LONG_NAME else b"linkpath"] = text(data)
                continue
            size = member.size
            apply(member, {**self._global, **own})
            if member.size != size:
                self._left = member.size + -member.size % BLOCK
            own = {}
            yield member

    def data(self, member: Member) -> Iterator[bytes]:
        """The bytes of the last member."""
        missing = member.size
        while missing:
            piece = self._source.chunk(min(missing, PIECE))
            if not piece:
                raise Damaged("end")
            missing -= len(piece)
            self._left -= len(piece)
            yield piece

    def _skip(self) -> None:
        """Pass over what is left of a member."""
        while self._left:
            piece = self._source.chunk(min(self._left, PIECE))
            if not piece:
                raise Damaged("end")
            self._left -= len(piece)

    def _next(self) -> Member | None:
        """The next header, of whatever kind; None at the end."""
        self._skip()
        while True:
            self.at = self._source.count
            block = self._source.take(BLOCK)
            if len(block) < BLOCK:
                if self.is_empty and not self._is_lost:
                    self.warnings.append((NO_ARCHIVE, True))
                return None
            if block == ZEROS:
                self.is_empty = False
                if self._ignores_zeros:
                    continue
                if self._source.peek(BLOCK) != ZEROS:
                    self.warnings.append((f"A lone zero block at {self.at // BLOCK + 1}", False))
                return None
            if is_header(block):
                member = member_of(block)
                self.is_empty = self._is_lost = False
                self._left = member.size + -member.size % BLOCK
                return member
            if not self._is_lost:
                self._is_lost = True
                if self.is_empty:
                    self.warnings.append((NO_ARCHIVE, True))
                self.warnings.append(("Skipping to next header", True))


def records(data: bytes) -> dict[bytes, bytes]:
    """Pax records: `LENGTH KEY=VALUE` and a newline, where the length is that of all of it."""
    found: dict[bytes, bytes] = {}
    at = 0
    while at < len(data):
        digits, blank, _ = data[at : at + 20].partition(b" ")
        if not (blank and digits.isdigit()):
            raise Damaged("data")
        end = at + int(digits)
        key, equals, value = data[at + len(digits) + 1 : end - 1].partition(b"=")
        if not equals or end > len(data) or data[end - 1 : end] != b"\n":
            raise Damaged("data")
        found[key] = value
        at = end
    return found


def apply(member: Member, own: dict[bytes, bytes]) -> None:
    """Give a member what stands before it: long names, and what pax says better."""
    member.name, member.link = own.get(b"path", member.name), own.get(b"linkpath", member.link)
    if max(len(member.name), len(member.link)) > LONGEST_NAME:
        raise Damaged("data")
    member.owner, member.group = own.get(b"uname", member.owner), own.get(b"gname", member.group)
    try:
        if b"size" in own and member.kind != LINK:
            member.size = whole(own[b"size"])
        member.owner_number = whole(own.get(b"uid", b"%d" % member.owner_number))
        member.group_number = whole(own.get(b"gid", b"%d" % member.group_number))
        if b"mtime" in own:
            member.modified = nanoseconds(own[b"mtime"])
    except ValueError:
        raise Damaged("data") from None
    if any(key.startswith(b"GNU.sparse.") for key in own):
        member.is_sparse = True


def whole(digits: bytes) -> int:
    """A number that is not negative."""
    if not digits.isdigit() or len(digits) > 20:
        raise ValueError
    return int(digits)


def nanoseconds(value: bytes) -> int:
    """A time as pax writes it: `-12.25`."""
    sign, digits = (-1, value[1:]) if value[:1] == b"-" else (1, value)
    seconds, _, fraction = digits.partition(b".")
    return sign * (whole(seconds) * SECOND + whole((fraction + b"0" * 9)[:9]))
