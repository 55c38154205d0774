"""Listing: the members of an archive in lines, as -l and -v show them, and in rows."""

from __future__ import annotations

from keysh.archive.zip import BZIP2, DEFLATED, STORED
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.tools.unzip.members import entry_name, modified_moment, printable_entry_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.archive.zip import ZipEntry
    from keysh.text.dates.time_zone import TimeZone

METHOD_NAMES = {
    STORED: "Stored", 1: "Shrunk", 6: "Implode", 9: "Def64", BZIP2: "BZip2", 14: "LZMA", 98: "PPMd",
}  # fmt: skip
DEFLATE_SPEEDS = "NXFS"  # of DEFLATE: normal, maximum, fast, super fast
SHORT_HEADING = """\
  Length      Date    Time    Name
---------  ---------- -----   ----
"""
LONG_HEADING = """\
 Length   Method    Size  Cmpr    Date    Time   CRC-32   Name
--------  ------  ------- ---- ---------- ----- --------  ----
"""


def method_name(entry: ZipEntry) -> str:
    """How a member is packed."""
    if entry.method == DEFLATED:
        return f"Defl:{DEFLATE_SPEEDS[entry.flags >> 1 & 3]}"
    return METHOD_NAMES.get(entry.method, f"Unk:{entry.method:03}")


def saved_percent(size: int, packed: int) -> int:
    """How much smaller a member has become, in percent, rounded by way of thousandths."""
    if not size:
        return 0
    less = size - packed
    share = ((1000 * abs(less) + size // 2) // size + 5) // 10
    return share if less >= 0 or share == 100 else -share  # a hundred has no sign


def table_lines(
    entries: Sequence[ZipEntry], zone: TimeZone, *, is_long: bool, is_bare: bool
) -> Iterator[str]:
    """The lines of all members, with a heading and sums unless they are to be bare."""
    if not is_bare:
        yield LONG_HEADING if is_long else SHORT_HEADING
    for entry in entries:
        time = format_moment("%Y-%m-%d %H:%M", modified_moment(entry, zone))
        size, packed, name = entry.size, entry.packed_size, printable_entry_name(entry)
        if is_long:
            share = f"{saved_percent(size, packed)}%"
            method = method_name(entry)
            yield f"{size:8}  {method:<6} {packed:8} {share:>4} {time} {entry.crc:08x}  {name}\n"
        else:
            yield f"{size:9}  {time}   {name}\n"
    if is_bare:
        return
    size, packed = sum(entry.size for entry in entries), sum(entry.packed_size for entry in entries)
    files = f"{len(entries)} file{'s' * (len(entries) != 1)}"
    if is_long:
        yield "--------          -------  ---                            -------\n"
        yield f"{size:8}         {packed:8} {f'{saved_percent(size, packed)}%':>4}{' ' * 28}{files}\n"
    else:
        yield f"---------                     -------\n{size:9}{' ' * 21}{files}\n"


def table_rows(entries: Sequence[ZipEntry]) -> Iterator[dict[str, object]]:
    """The members as records."""
    for entry in entries:
        kind = "directory" if entry.is_directory else "link" if entry.is_link else "file"
        yield {
            "name": entry_name(entry), "type": kind, "size": entry.size, "packed": entry.packed_size,
            "method": method_name(entry), "crc": f"{entry.crc:08x}",
            "modified": format_moment("%Y-%m-%dT%H:%M:%SZ", modified_moment(entry, UTC_ZONE)),
        }  # fmt: skip
