"""Headers of tar as they are written: in GNU's form, byte by byte as GNU tar 1.34 does, and others.

What a header of a form cannot say, GNU's puts into members of their own before it, and pax into
records; ustar divides a long name in two; where that does not help, and in the seventh edition's
form, the member cannot be written.
"""

from __future__ import annotations

from keysh.archive.tar_reader import (
    BLOCK,
    FILE,
    GNU_MAGIC,
    LONG_LINK,
    LONG_NAME,
    OLD_FILE,
    PAX,
    SECOND,
    SUM,
    USTAR_MAGIC,
    Member,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH, PREFIX = 100, 155  # bytes of a name, and of its directory in ustar
OWNER_WIDTH = 31
NUMBER, LONG_NUMBER = 8, 12  # widths of fields


class TooMuch(Exception):
    """A form has no room for what a member is; the message is what GNU tar says."""


def header(member: Member, form: str = "gnu") -> bytes:
    """The header of a member, with what stands before it; TooMuch."""
    return FORMS[form](member)


def in_gnu(member: Member) -> bytes:
    """GNU's form."""
    before = b""
    if len(member.link) > WIDTH:
        before += long_text(LONG_LINK, member.link)
    if len(member.name) > WIDTH:
        before += long_text(LONG_NAME, member.name)
    return before + block_of(member, GNU_MAGIC)


def in_old_gnu(member: Member) -> bytes:
    """GNU's form before 1.12: of a name that is too long, a byte less stands in the header."""
    before = in_gnu(member)[:-BLOCK]
    return before + block_of(member, GNU_MAGIC, member.name[: WIDTH - 1] if before else None)


def in_v7(member: Member) -> bytes:
    """The form of Unix's seventh edition, which knows no names of owners."""
    see_room(member, WIDTH - 1)
    if len(member.name) >= WIDTH:
        raise TooMuch(f"file name is too long (max {WIDTH - 1}); not dumped")
    plain = Member(member.name, OLD_FILE if member.kind == FILE else member.kind)
    for field in ("link", "mode", "size", "modified", "owner_number", "group_number"):
        setattr(plain, field, getattr(member, field))
    return block_of(plain, b"")


def in_ustar(member: Member) -> bytes:
    """The form of POSIX 1988."""
    see_room(member, WIDTH)
    name, prefix = member.name, b""
    if len(name) > WIDTH:
        if len(name) > PREFIX + 1 + WIDTH:
            raise TooMuch(f"file name is too long (max {PREFIX + 1 + WIDTH}); not dumped")
        parted = divided(name)
        if parted is None:
            raise TooMuch("file name is too long (cannot be split); not dumped")
        prefix, name = parted
    return block_of(member, USTAR_MAGIC + b"00", name, prefix)


def in_pax(member: Member) -> bytes:
    """The form of POSIX 2001: ustar with records, where they are needed."""
    owners = {b"uname": member.owner, b"gname": member.group}
    own = {key: value for key, value in owners.items()
           if not value.isascii() or len(value) > OWNER_WIDTH}  # fmt: skip
    name, prefix = member.name, b""
    if not name.isascii() or len(name) > WIDTH:
        parted = divided(name) if name.isascii() else None
        if parted is None:
            own[b"path"] = name
        else:
            prefix, name = parted
    if not member.link.isascii() or len(member.link) > WIDTH:
        own[b"linkpath"] = member.link
    small = Member(name, member.kind)
    for field in ("link", "mode", "owner", "group", "major", "minor"):
        setattr(small, field, getattr(member, field))
    for key, field, width in ((b"uid", "owner_number", NUMBER), (b"gid", "group_number", NUMBER),
                              (b"size", "size", LONG_NUMBER)):  # fmt: skip
        number = getattr(member, field)
        if number < 8 ** (width - 1):
            setattr(small, field, number)
        else:
            own[key] = b"%d" % number
    seconds, fraction = divmod(member.modified, SECOND)
    if fraction or not 0 <= seconds < 8 ** (LONG_NUMBER - 1):
        own[b"mtime"] = time_text(member.modified)
    small.modified = max(seconds, 0) * SECOND if seconds < 8 ** (LONG_NUMBER - 1) else 0
    before = b""
    if own:
        data = b"".join(record(key, value) for key, value in own.items())
        folder, _, last = member.name.rstrip(b"/").rpartition(b"/")
        extended = Member((folder or b".") + b"/PaxHeaders/" + last, PAX)
        extended.mode, extended.size, extended.modified = 0o644, len(data), small.modified
        before = block_of(extended, USTAR_MAGIC + b"00") + data + bytes(-len(data) % BLOCK)
    return before + block_of(small, USTAR_MAGIC + b"00", name, prefix)


FORMS: dict[str, Callable[[Member], bytes]] = {
    "gnu": in_gnu, "oldgnu": in_old_gnu, "v7": in_v7, "ustar": in_ustar, "pax": in_pax,
    "posix": in_pax,
}  # fmt: skip


def see_room(member: Member, longest: int) -> None:
    """See that a header without anything before it can hold a member's link and numbers."""
    if len(member.link) > longest:
        raise TooMuch("link name is too long; not dumped")
    for what, value, width in (("uid_t", member.owner_number, NUMBER),
                               ("gid_t", member.group_number, NUMBER),
                               ("off_t", member.size, LONG_NUMBER),
                               ("time_t", member.modified // SECOND, LONG_NUMBER)):  # fmt: skip
        most = 8 ** (width - 1) - 1
        if not 0 <= value <= most:
            raise TooMuch(f"value {value} out of {what} range 0..{most}")


def divided(name: bytes) -> tuple[bytes, bytes] | None:
    """A long name as directory and rest, as late as the directory's field allows; None: neither."""
    at = name.rfind(b"/", 1, min(len(name.rstrip(b"/")), PREFIX + 1))
    if at < 1 or len(name) - at - 1 > WIDTH:
        return None
    return name[:at], name[at + 1 :]


def record(key: bytes, value: bytes) -> bytes:
    """A record of pax, which begins with its own length."""
    rest = b" " + key + b"=" + value + b"\n"
    size = len(rest)
    while size != len(b"%d" % size) + len(rest):
        size = len(b"%d" % size) + len(rest)
    return b"%d" % size + rest


def time_text(value: int) -> bytes:
    """Nanoseconds as seconds with a fraction."""
    seconds, fraction = divmod(abs(value), SECOND)
    text = f"{seconds}.{fraction:09d}".rstrip("0").rstrip(".")
    return f"{'-' * (value < 0)}{text}".encode("ascii")


def long_text(kind: bytes, value: bytes) -> bytes:
    """A member that holds the name of the next one."""
    member = Member(b"././@LongLink", kind)
    member.mode, member.size = 0o644, len(value) + 1
    member.owner = member.group = b"root"
    data = value + b"\0"
    return block_of(member, GNU_MAGIC) + data + bytes(-len(data) % BLOCK)


def block_of(member: Member, magic: bytes, name: bytes | None = None, prefix: bytes = b"") -> bytes:
    """One header; numbers of devices stand in those that have no GNU fields."""
    fields = (
        (member.name if name is None else name)[:WIDTH].ljust(WIDTH, b"\0"),
        octal(member.mode, NUMBER), octal(member.owner_number, NUMBER),
        octal(member.group_number, NUMBER), octal(member.size, LONG_NUMBER),
        octal(member.modified // SECOND, LONG_NUMBER), b" " * 8, member.kind,
        member.link[:WIDTH].ljust(WIDTH, b"\0"), magic.ljust(8, b"\0"),
        member.owner[:OWNER_WIDTH].ljust(32, b"\0"), member.group[:OWNER_WIDTH].ljust(32, b"\0"),
        b"" if magic == GNU_MAGIC else octal(member.major, NUMBER) + octal(member.minor, NUMBER),
        prefix,
    )  # fmt: skip
    block = b"".join(fields).ljust(BLOCK, b"\0")
    return block[: SUM.start] + b"%06o\0 " % sum(block) + block[SUM.stop :]


def octal(value: int, width: int) -> bytes:
    """A number in octal digits, or where they do not suffice in bytes of two's complement."""
    if 0 <= value < 8 ** (width - 1):
        return b"%0*o\0" % (width - 1, value)
    data = (value & ((1 << 8 * width) - 1)).to_bytes(width, "big")
    return bytes((data[0] | 0x80,)) + data[1:]
