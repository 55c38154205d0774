"""Process one archive: list, show or extract its members."""

from __future__ import annotations

import keysh.tools.unzip.info as info
from keysh.archive.byte_source import DamagedData
from keysh.archive.zip import find_end, read_directory
from keysh.text.chunks import text_of_bytes
from keysh.text.dates.time_zone import find_zone
from keysh.tools.unzip.extract import Extraction
from keysh.tools.unzip.info import InfoFormat
from keysh.tools.unzip.listing import table_lines, table_rows
from keysh.tools.unzip.members import (
    MemberSelection,
    entry_name,
    modified_nanoseconds,
    visible_comment,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from typing import Any

    from keysh.archive.zip import ZipEntry
    from keysh.interp.state.call import Call
    from keysh.vfs.stream import Stream

WARNING_STATUS, NO_FOLDER_STATUS, DAMAGED_STATUS = 1, 2, 3
NO_ARCHIVE_STATUS, NOT_FOUND_STATUS, OVERLAP_STATUS = 9, 11, 12
NO_END_MESSAGE = """\
  End-of-central-directory signature not found.  Either this file is not
  a zipfile, or it constitutes one disk of a multi-part archive.  In the
  latter case the central directory and zipfile comment will be found on
  the last disk(s) of this archive.
"""


class UnzipRequest:
    """The members to process, and the options."""

    __slots__ = ("excluded", "names", "options")

    def __init__(self, names: list[str], excluded: list[str], options: dict[str, Any]) -> None:
        self.names, self.excluded, self.options = names, excluded, options

    @property
    def quietness(self) -> int:
        """How often -q was given."""
        return int(self.options.get("quiet", 0))

    def member_selection(self, tick: Callable[[], object]) -> MemberSelection:
        """Return the selection of members."""
        return MemberSelection(
            self.names, self.excluded, ignores_case=bool(self.options.get("ignore_case")),
            stops_at_slashes=bool(self.options.get("stops_at_slashes")),
            tick=tick,
        )  # fmt: skip


def process_archive(
    sh: Call, stream: Stream, name: str, request: UnzipRequest
) -> Generator[object, None, int]:
    """Process an archive as the options say and return the status."""
    options, quietness = request.options, request.quietness
    if options.get("zipinfo"):
        return (yield from zipinfo_lines(sh, stream, name, request))
    reads = any(options.get(key) for key in ("test", "to_stdout", "print_all"))
    is_listing = not reads and any(options.get(key) for key in ("list", "verbose"))
    is_bare = any(options.get(key) for key in ("to_stdout", "json", "decimal_time"))
    if not (is_bare or quietness):
        yield f"Archive:  {name}\n"
    is_named = is_bare or quietness > 0  # whether an error must name the archive
    entries = read_entries(sh, stream, name, to_out=bool(options.get("test")), is_named=is_named)
    if isinstance(entries, int):
        return entries
    if options.get("comment") or not (is_bare or quietness):
        if comment := archive_comment(stream):
            yield f"{comment}\n"
        if options.get("comment"):
            return 0
    if not entries:
        print_warning(sh, f"warning [{name}]:  zipfile is empty", to_out=bool(options.get("test")))
        return WARNING_STATUS
    zone = find_zone(sh.env.get("TZ"))
    if options.get("decimal_time"):
        newest = max(modified_nanoseconds(entry, zone) for entry in entries)
        sh.fs.set_times(sh.path(name), sh.now(), newest)
        if not quietness:
            yield f"Updated time stamp for {name}.\n"
        return 0
    selection = request.member_selection(sh.tick)
    entries_to_process = [entry for entry in entries if selection.takes(entry_name(entry))]
    if is_listing:
        if options.get("json"):
            yield from table_rows(entries_to_process)
        else:
            yield from table_lines(entries_to_process, zone, is_long=bool(options.get("verbose")),
                             is_bare=quietness > 1)  # fmt: skip
        return NOT_FOUND_STATUS if request.names and not entries_to_process else 0
    return (yield from extract_members(sh, stream, name, request, entries_to_process, selection))


def extract_members(
    sh: Call,
    stream: Stream,
    name: str,
    request: UnzipRequest,
    entries: Sequence[ZipEntry],
    selection: MemberSelection,
) -> Generator[str, None, int]:
    """Extract, print or test members and return the status."""
    run = Extraction(sh, stream, name, request.options, request.quietness)
    run.is_partial = bool(request.names or request.excluded)
    if not run.has_folder():
        return NO_FOLDER_STATUS
    status = yield from run.run(entries)
    for name_or_pattern in selection.unmatched_names():
        sh.complain(f"caution: filename not matched:  {name_or_pattern}")
        status = status or NOT_FOUND_STATUS
    for name_or_pattern in selection.unmatched_exclusions():
        sh.complain(f"caution: excluded filename not matched:  {name_or_pattern}")
    return status


def zipinfo_lines(
    sh: Call, stream: Stream, name: str, request: UnzipRequest
) -> Generator[str, None, int]:
    """Yield the output of -Z and return the status."""
    is_bare = any(request.options.get(key) for key in ("only_names", "names_too"))
    entries = read_entries(sh, stream, name, to_out=not is_bare, is_named=True, reader="zipinfo")
    if isinstance(entries, int):
        return entries
    format_options = InfoFormat(request.options, is_partial=bool(request.names or request.excluded))
    yield from info.info_heading(
        format_options, name, archive_comment(stream), stream.seek(0, 2), len(entries)
    )
    if not entries:
        yield "Empty zipfile.\n"
        return WARNING_STATUS
    selection = request.member_selection(sh.tick)
    selected = [entry for entry in entries if selection.takes(entry_name(entry))]
    yield from info.info_members(format_options, selected, find_zone(sh.env.get("TZ")))
    for unmatched in selection.unmatched_names():
        sh.complain(f"caution: filename not matched:  {unmatched}")
    for unmatched in selection.unmatched_exclusions():
        sh.complain(f"caution: excluded filename not matched:  {unmatched}")
    return NOT_FOUND_STATUS if request.names and not selected else 0


def archive_comment(stream: Stream) -> str:
    """Return the archive's comment, made safe for a terminal."""
    comment = text_of_bytes(find_end(stream)[2])
    return visible_comment(comment.replace("\r\n", "\n"))


def read_entries(
    sh: Call, stream: Stream, name: str, *, to_out: bool, is_named: bool, reader: str = "unzip"
) -> list[ZipEntry] | int:
    """Return the archive's entries, or the status if it cannot be read."""
    try:
        return read_directory(stream, sh.tick)
    except DamagedData as damaged:
        if damaged.fault == "magic":
            front, gap = f"[{name}]\n" if is_named else "", " " * len(f"{reader}: ")
            print_warning(
                sh,
                f"{front}{NO_END_MESSAGE}{reader}:  cannot find zipfile directory in one of "
                f"{name} or\n{gap} {name}.zip, and cannot find {name}.ZIP, period.",
                to_out=to_out,
            )
            return NO_ARCHIVE_STATUS
        if damaged.fault == "overlap":
            sh.complain("error: invalid zip file with overlapped components (possible zip bomb)")
            return OVERLAP_STATUS
        sh.complain(f"error:  the directory of {name} is damaged")
        return DAMAGED_STATUS


def print_warning(sh: Call, message: str, *, to_out: bool) -> None:
    """Print a warning where unzip prints it."""
    (sh.out if to_out else sh.err).write(f"{message}\n")
