"""Write tar headers in GNU's format, byte for byte as GNU tar 1.34, and in four others.

What does not fit a header, GNU puts into extra members in front of it, and pax into records.
ustar splits a long name in two. If that does not help, and always in v7, HeaderOverflow is raised.
"""

from __future__ import annotations

from keysh.archive.tar_reader import (
    BLOCK_BYTES,
    CHECKSUM_FIELD,
    FILE,
    GNU_MAGIC,
    LONG_LINK,
    LONG_NAME,
    OLD_FILE,
    PAX,
    SECOND,
    USTAR_MAGIC,
    TarMember,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME_BYTES, PREFIX_BYTES = 100, 155  # of a name, and of its directory in ustar
OWNER_BYTES = 31
NUMBER_BYTES, LONG_NUMBER_BYTES = 8, 12  # field widths


class HeaderOverflow(Exception):
    """A member does not fit the format. The message is GNU tar's."""


def encode_header(member: TarMember, format_name: str = "gnu") -> bytes:
    """Return a member's header with its extension headers. Raises HeaderOverflow."""
    return HEADER_FORMATS[format_name](member)


def gnu_header(member: TarMember) -> bytes:
    """Return a header in GNU's format."""
    extensions = b""
    if len(member.link) > NAME_BYTES:
        extensions += long_name_member(LONG_LINK, member.link)
    if len(member.name) > NAME_BYTES:
        extensions += long_name_member(LONG_NAME, member.name)
    return extensions + header_block(member, GNU_MAGIC)


def old_gnu_header(member: TarMember) -> bytes:
    """Return a header as GNU tar before 1.12 wrote it: a long name is cut one byte shorter."""
    extensions = gnu_header(member)[:-BLOCK_BYTES]
    return extensions + header_block(
        member, GNU_MAGIC, member.name[: NAME_BYTES - 1] if extensions else None
    )


def v7_header(member: TarMember) -> bytes:
    """Return a header in the format of Unix v7, which has no owner names."""
    check_room(member, NAME_BYTES - 1)
    if len(member.name) >= NAME_BYTES:
        raise HeaderOverflow(f"file name is too long (max {NAME_BYTES - 1}); not dumped")
    plain = TarMember(member.name, OLD_FILE if member.kind == FILE else member.kind)
    for field in ("link", "mode", "size", "modified", "owner_number", "group_number"):
        setattr(plain, field, getattr(member, field))
    return header_block(plain, b"")


def ustar_header(member: TarMember) -> bytes:
    """Return a header in the format of POSIX 1988."""
    check_room(member, NAME_BYTES)
    name, prefix = member.name, b""
    if len(name) > NAME_BYTES:
        if len(name) > PREFIX_BYTES + 1 + NAME_BYTES:
            raise HeaderOverflow(
                f"file name is too long (max {PREFIX_BYTES + 1 + NAME_BYTES}); not dumped"
            )
        split = split_name(name)
        if split is None:
            raise HeaderOverflow("file name is too long (cannot be split); not dumped")
        prefix, name = split
    return header_block(member, USTAR_MAGIC + b"00", name, prefix)


def pax_header(member: TarMember) -> bytes:
    """Return a header in the format of POSIX 2001: ustar, with records where needed."""
    owners = {b"uname": member.owner, b"gname": member.group}
    records = {key: value for key, value in owners.items()
           if not value.isascii() or len(value) > OWNER_BYTES}  # fmt: skip
    name, prefix = member.name, b""
    if not name.isascii() or len(name) > NAME_BYTES:
        split = split_name(name) if name.isascii() else None
        if split is None:
            records[b"path"] = name
        else:
            prefix, name = split
    if not member.link.isascii() or len(member.link) > NAME_BYTES:
        records[b"linkpath"] = member.link
    small = TarMember(name, member.kind)
    for field in ("link", "mode", "owner", "group", "major", "minor"):
        setattr(small, field, getattr(member, field))
    for key, field, width in ((b"uid", "owner_number", NUMBER_BYTES),
                              (b"gid", "group_number", NUMBER_BYTES),
                              (b"size", "size", LONG_NUMBER_BYTES)):  # fmt: skip
        number = getattr(member, field)
        if number < 8 ** (width - 1):
            setattr(small, field, number)
        else:
            records[key] = b"%d" % number
    seconds, fraction = divmod(member.modified, SECOND)
    if fraction or not 0 <= seconds < 8 ** (LONG_NUMBER_BYTES - 1):
        records[b"mtime"] = pax_time(member.modified)
    small.modified = max(seconds, 0) * SECOND if seconds < 8 ** (LONG_NUMBER_BYTES - 1) else 0
    extensions = b""
    if records:
        data = b"".join(pax_record(key, value) for key, value in records.items())
        folder, _, last = member.name.rstrip(b"/").rpartition(b"/")
        extended = TarMember((folder or b".") + b"/PaxHeaders/" + last, PAX)
        extended.mode, extended.size, extended.modified = 0o644, len(data), small.modified
        extensions = (
            header_block(extended, USTAR_MAGIC + b"00") + data + bytes(-len(data) % BLOCK_BYTES)
        )
    return extensions + header_block(small, USTAR_MAGIC + b"00", name, prefix)


HEADER_FORMATS: dict[str, Callable[[TarMember], bytes]] = {
    "gnu": gnu_header, "oldgnu": old_gnu_header, "v7": v7_header, "ustar": ustar_header,
    "pax": pax_header, "posix": pax_header,
}  # fmt: skip


def check_room(member: TarMember, longest: int) -> None:
    """Raise HeaderOverflow if the member's link or numbers need extension headers."""
    if len(member.link) > longest:
        raise HeaderOverflow("link name is too long; not dumped")
    for field_type, value, width in (("uid_t", member.owner_number, NUMBER_BYTES),
                               ("gid_t", member.group_number, NUMBER_BYTES),
                               ("off_t", member.size, LONG_NUMBER_BYTES),
                               ("time_t", member.modified // SECOND, LONG_NUMBER_BYTES),
                               ):  # fmt: skip
        most = 8 ** (width - 1) - 1
        if not 0 <= value <= most:
            raise HeaderOverflow(f"value {value} out of {field_type} range 0..{most}")


def split_name(name: bytes) -> tuple[bytes, bytes] | None:
    """Split a long name into directory and rest, as late as possible; None if it does not fit."""
    position = name.rfind(b"/", 1, min(len(name.rstrip(b"/")), PREFIX_BYTES + 1))
    if position < 1 or len(name) - position - 1 > NAME_BYTES:
        return None
    return name[:position], name[position + 1 :]


def pax_record(key: bytes, value: bytes) -> bytes:
    """Return a pax record, which begins with its own length."""
    rest = b" " + key + b"=" + value + b"\n"
    size = len(rest)
    while size != len(b"%d" % size) + len(rest):
        size = len(b"%d" % size) + len(rest)
    return b"%d" % size + rest


def pax_time(value: int) -> bytes:
    """Format nanoseconds as seconds with a fraction."""
    seconds, fraction = divmod(abs(value), SECOND)
    text = f"{seconds}.{fraction:09d}".rstrip("0").rstrip(".")
    return f"{'-' * (value < 0)}{text}".encode("ascii")


def long_name_member(kind: bytes, value: bytes) -> bytes:
    """Return the member that holds the long name of the next one."""
    member = TarMember(b"././@LongLink", kind)
    member.mode, member.size = 0o644, len(value) + 1
    member.owner = member.group = b"root"
    data = value + b"\0"
    return header_block(member, GNU_MAGIC) + data + bytes(-len(data) % BLOCK_BYTES)


def header_block(
    member: TarMember, magic: bytes, name: bytes | None = None, prefix: bytes = b""
) -> bytes:
    """Return one header block. Device numbers are left out in GNU's format."""
    major, minor = (encode_number(n, NUMBER_BYTES) for n in (member.major, member.minor))
    devices = b"" if magic == GNU_MAGIC else major + minor
    fields = (
        (member.name if name is None else name)[:NAME_BYTES].ljust(NAME_BYTES, b"\0"),
        encode_number(member.mode, NUMBER_BYTES), encode_number(member.owner_number, NUMBER_BYTES),
        encode_number(member.group_number, NUMBER_BYTES),
        encode_number(member.size, LONG_NUMBER_BYTES),
        encode_number(member.modified // SECOND, LONG_NUMBER_BYTES), b" " * 8, member.kind,
        member.link[:NAME_BYTES].ljust(NAME_BYTES, b"\0"), magic.ljust(8, b"\0"),
        member.owner[:OWNER_BYTES].ljust(32, b"\0"), member.group[:OWNER_BYTES].ljust(32, b"\0"),
        devices, prefix,
    )  # fmt: skip
    block = b"".join(fields).ljust(BLOCK_BYTES, b"\0")
    return block[: CHECKSUM_FIELD.start] + b"%06o\0 " % sum(block) + block[CHECKSUM_FIELD.stop :]


def encode_number(value: int, width: int) -> bytes:
    """Encode a number in octal digits, or in two's complement if they do not suffice."""
    if 0 <= value < 8 ** (width - 1):
        return b"%0*o\0" % (width - 1, value)
    data = (value & ((1 << 8 * width) - 1)).to_bytes(width, "big")
    return bytes((data[0] | 0x80,)) + data[1:]
