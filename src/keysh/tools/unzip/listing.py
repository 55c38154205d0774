"""List members in a table (-l and -v) and in rows."""

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
DEFLATE_SPEEDS = "NXFS"  # normal, maximum, fast, super fast
SHORT_HEADING = """\
  Length      Date    Time    Name
---------  ---------- -----   ----
"""
LONG_HEADING = """\
 Length   Method    Size  Cmpr    Date    Time   CRC-32   Name
--------  ------  ------- ---- ---------- ----- --------  ----
"""


def method_name(entry: ZipEntry) -> str:
    """Return the name of a member's compression method."""
    if entry.method == DEFLATED:
        return f"Defl:{DEFLATE_SPEEDS[entry.flags >> 1 & 3]}"
    return METHOD_NAMES.get(entry.method, f"Unk:{entry.method:03}")


def saved_percent(size: int, packed: int) -> int:
    """Return by how many percent a member is smaller, rounded in two steps as unzip does."""
    if not size:
        return 0
    saved = size - packed
    share = ((1000 * abs(saved) + size // 2) // size + 5) // 10
    return share if saved >= 0 or share == 100 else -share  # unzip prints 100 without a sign


def table_lines(
    entries: Sequence[ZipEntry], zone: TimeZone, *, is_long: bool, is_bare: bool
) -> Iterator[str]:
    """Yield the table of all members; with `is_bare`, without heading and totals."""
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
    total_saved = f"{saved_percent(size, packed)}%"
    if is_long:
        yield "--------          -------  ---                            -------\n"
        yield f"{size:8}         {packed:8} {total_saved:>4}{' ' * 28}{files}\n"
    else:
        yield f"---------                     -------\n{size:9}{' ' * 21}{files}\n"


def table_rows(entries: Sequence[ZipEntry]) -> Iterator[dict[str, object]]:
    """Yield the members as records."""
    for entry in entries:
        kind = "directory" if entry.is_directory else "link" if entry.is_link else "file"
        yield {
            "name": entry_name(entry), "type": kind, "size": entry.size,
            "packed": entry.packed_size, "method": method_name(entry), "crc": f"{entry.crc:08x}",
            "modified": format_moment("%Y-%m-%dT%H:%M:%SZ", modified_moment(entry, UTC_ZONE)),
        }  # fmt: skip
