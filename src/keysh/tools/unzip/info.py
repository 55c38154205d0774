"""Print members as zipinfo does (-Z)."""

from __future__ import annotations

import stat as kinds

from keysh.archive.zip import BZIP2, DEFLATED, ENCRYPTED, HAS_DESCRIPTOR, HOST_UNIX, STORED
from keysh.text.dates.strftime import format_moment
from keysh.tools.unzip.listing import DEFLATE_SPEEDS
from keysh.tools.unzip.members import modified_moment, printable_entry_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from keysh.archive.zip import ZipEntry
    from keysh.text.dates.time_zone import TimeZone

METHOD_LETTERS = {
    STORED: "stor", 1: "shrk", 2: "re:1", 3: "re:2", 4: "re:3", 5: "re:4", BZIP2: "bzp2",
    14: "lzma", 98: "ppmd",
}  # fmt: skip
HOST_NAMES = (
    "fat", "ami", "vms", "unx", "cms", "atr", "hpf", "mac", "zzz", "cpm", "t20", "ntf", "qds",
    "aco", "vft", "mvs", "be ", "nsk", "ths", "osx",
)  # fmt: skip
UNIX_LIKE_HOSTS = frozenset((HOST_UNIX, 16))  # hosts with Unix modes
PROGRAM_SUFFIXES = (b".exe", b".com", b".btm", b".cmd", b".bat")


class InfoFormat:
    """Which form of lines to print, and whether to print a heading, totals and the comment."""

    __slots__ = ("has_heading", "has_note", "has_sums", "is_decimal", "kind")

    def __init__(self, options: Mapping[str, Any], *, is_partial: bool) -> None:
        # Here `-l` asks for the long form, and `-t` for totals.
        forms = ("only_names", "names_too", "list", "medium", "short")
        kind = next((form for form in forms if options.get(form)), "")
        asks_heading, asks_sums = bool(options.get("heading")), bool(options.get("test"))
        if not kind and (is_partial or not (asks_heading or asks_sums)):
            kind = "short"
        is_whole = not is_partial and kind not in ("only_names", "names_too", "")
        self.kind = kind
        self.has_heading = (asks_heading or is_whole) and kind != "only_names"
        self.has_sums = (asks_sums or is_whole) and kind != "only_names"
        self.has_note = bool(options.get("comment")) and kind != "only_names"
        self.is_decimal = bool(options.get("decimal_time"))


def info_heading(format: InfoFormat, name: str, note: str, size: int, count: int) -> Iterator[str]:
    """Yield the lines before the members."""
    if format.has_heading:
        yield f"Archive:  {name}\n"
    if format.has_note and note:
        yield f"{note}\n"
    if format.has_heading:
        yield f"Zip file size: {size} bytes, number of entries: {count}\n"


def info_members(format: InfoFormat, entries: Sequence[ZipEntry], zone: TimeZone) -> Iterator[str]:
    """Yield a line for each member, and the totals."""
    for entry in entries:
        if format.kind in ("only_names", "names_too"):
            yield f"{printable_entry_name(entry)}\n"
        elif format.kind:
            yield f"{info_line(format, entry, zone)}\n"
    if format.has_sums:
        size, packed = (
            sum(entry.size for entry in entries),
            sum(entry.packed_size for entry in entries),
        )
        files = f"{len(entries)} file{'s' * (len(entries) != 1)}"
        tenths = saved_thousandths(size, packed)
        less = f"{'-' * (tenths < 0)}{abs(tenths) // 10}.{abs(tenths) % 10}%"
        sums = f"{size} bytes uncompressed, {packed} bytes compressed:  {less}"
        yield f"{files}, {sums}\n"


def info_line(format: InfoFormat, entry: ZipEntry, zone: TimeZone) -> str:
    """Return a member's line."""
    host, version = entry.made_by >> 8, entry.made_by & 0xFF
    system = HOST_NAMES[host] if host < len(HOST_NAMES) else "???"
    less = saved_thousandths(entry.size, entry.packed_size)
    middle = {"list": f" {entry.packed_size:8}", "medium": f"{int((less + 5) / 10):3}%"}
    pattern = "%Y%m%d.%H%M%S" if format.is_decimal else "%y-%b-%d %H:%M"
    return (
        f"{zipinfo_mode(entry):<10}  {version // 10}.{version % 10} {system} {entry.size:8} "
        f"{trait_letters(entry)}{middle.get(format.kind, '')} {method_letters(entry)} "
        f"{format_moment(pattern, modified_moment(entry, zone))} {printable_entry_name(entry)}"
    )


def zipinfo_mode(entry: ZipEntry) -> str:
    """Return the permissions as the system that made the archive has them."""
    if entry.made_by >> 8 in UNIX_LIKE_HOSTS:
        mode = entry.external_attributes >> 16
        return kinds.filemode(mode) if kinds.S_IFMT(mode) else f"?{kinds.filemode(mode)[1:]}"
    bits = entry.external_attributes
    is_folder = bool(bits & 16)
    runs = is_folder or entry.name.lower().endswith(PROGRAM_SUFFIXES)
    letters = ((is_folder, "d"), (True, "r"), (not bits & 1, "w"), (runs, "x"), (bits & 32, "a"),
               (bits & 2, "h"), (bits & 4, "s"))  # fmt: skip
    return "".join(letter if is_set else "-" for is_set, letter in letters)


def trait_letters(entry: ZipEntry) -> str:
    """Return two letters: text or binary, encrypted or not, and which fields follow the header."""
    kind = "t" if entry.is_text else "b"
    more = "-lxX"[bool(entry.flags & HAS_DESCRIPTOR) + 2 * entry.has_extra]
    return (kind.upper() if entry.flags & ENCRYPTED else kind) + more


def method_letters(entry: ZipEntry) -> str:
    """Return a member's compression method in four letters."""
    if entry.method == DEFLATED:
        return f"def{DEFLATE_SPEEDS[entry.flags >> 1 & 3]}"
    return METHOD_LETTERS.get(entry.method, f"u{entry.method:03}")


def saved_thousandths(size: int, packed: int) -> int:
    """Return by how many thousandths compressed data is smaller, rounded."""
    saved = size - packed
    tenths = (10000 * abs(saved) // size + 5) // 10 if size else 0
    return -tenths if saved < 0 else tenths
