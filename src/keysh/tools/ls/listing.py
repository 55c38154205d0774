"""One run of ls: list the operands and print them."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.file_facts import bytes_on_disk, file_row, is_device, major_minor
from keysh.gnu.owners import Owners
from keysh.text.chunks import bytes_of_text
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import message_name
from keysh.text.ls_colors import BadColors
from keysh.tools.ls.colors import FileColors
from keysh.tools.ls.entry import entry_time
from keysh.tools.ls.layout import column_lines, comma_lines
from keysh.tools.ls.lookup import EntryLookup
from keysh.tools.ls.names import directory_header, hyperlink, name_width, type_indicator
from keysh.vfs.paths import join
from keysh.vfs.real_paths import resolve_existing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.tools.ls.entry import LsEntry
    from keysh.tools.ls.settings import LsOptions
    from keysh.vfs.api import Stat


# --dired: the byte positions of names in the output, for the Emacs mode of that name.

DIRED_INDENT = "  "  # of all nonempty lines


class DiredPositions:
    """The positions of files, and of directories in headers; colors are not counted."""

    __slots__ = ("_at", "_directories", "_files")

    def __init__(self) -> None:
        self._at = 0
        self._files: list[int] = []
        self._directories: list[int] = []

    def advance(self, text: str) -> None:
        """Count output without a name."""
        self._at += len(bytes_of_text(text))

    def add_file(self, name: str) -> None:
        """Count the name of a file."""
        self._note(self._files, name)

    def add_directory(self, name: str) -> None:
        """Count the name of a directory in a header."""
        self._note(self._directories, name)

    def _note(self, places: list[int], name: str) -> None:
        start = self._at
        self.advance(name)
        places += [start, self._at]

    def summary_lines(self, style: str) -> Iterator[str]:
        """Return the lines at the end of the listing."""
        for word, places in (("DIRED", self._files), ("SUBDIRED", self._directories)):
            if places:
                yield f"//{word}// {' '.join(map(str, places))}\n"
        yield f"//DIRED-OPTIONS// --quoting-style={style}\n"


LS_COLORS_ERROR = "unparsable value for LS_COLORS environment variable"
LINK_ARROW = " -> "
MIN_LONG_CELLS = 3  # of a long line after the mode: links, size, time
UNKNOWN_CELL = "?"
NO_CONTEXT = "?"  # security contexts need SELinux
HALF_YEAR_NANOSECONDS = 31_556_952 * 10**9 // 2


class LsListing:
    """One run of ls."""

    __slots__ = (
        "_colors", "_dired", "_lookup", "_now", "_options", "_owners", "_pads", "_sh", "_zone",
    )  # fmt: skip

    def __init__(self, sh: Call, options: LsOptions) -> None:
        self._sh, self._options = sh, options
        self._colors = environment_colors(sh) if options.colors and is_color_terminal(sh) else None
        self._dired = DiredPositions() if options.is_dired else None
        self._lookup, self._owners = EntryLookup(sh, options), Owners(sh)
        self._zone = find_zone(sh.env.get("TZ"))
        self._now = sh.now()
        self._pads = False  # whether unquoted names have a blank in place of the quote

    def run(self, operands: Sequence[str]) -> Iterator[str | dict[str, object]]:
        """List the operands."""
        for chunk in self._list_operands(operands):
            if self._colors is not None and isinstance(chunk, str):
                chunk = self._colors.with_initial_reset(chunk)
            yield chunk
        if self._dired is not None:
            yield from self._dired.summary_lines(self._options.style)
        if self._colors is not None:
            yield self._colors.final_sequence

    def _list_operands(self, operands: Sequence[str]) -> Iterator[str | dict[str, object]]:
        """List the files among the operands, then each directory."""
        options, lookup = self._options, self._lookup
        entries = [entry for path in operands if (entry := lookup.operand_entry(path)) is not None]
        files = [e for e in entries if options.has("directory") or not kinds.S_ISDIR(e.mode)]
        directories = [e for e in entries if e not in files]
        is_first, is_gap_due = not files, bool(files and directories) and not options.has("json")
        if files:
            # GNU ls sizes columns as if the directories were among the files.
            yield from self._print_entries(lookup.sort(files), None, directories)
        has_headers = options.has("recursive") or len(operands) > 1
        parents: frozenset[tuple[int, int]] = frozenset()
        pending = [(entry.name, True, parents) for entry in lookup.sort(directories)[::-1]]
        while pending:
            path, is_operand, parents = pending.pop()
            if options.has("recursive"):
                current = lookup.directory_identity(path)
                if current in parents:
                    self._sh.warn(f"{message_name(path)}: not listing already-listed directory", 2)
                    continue
                parents |= {current}
            children = lookup.directory_entries(path, is_operand)
            if children is None:
                continue
            if has_headers and not options.has("json"):
                yield self._header(path, "" if is_first else "\n")
            is_first = is_gap_due = False
            yield from self._print_entries(children, path)
            if options.has("recursive"):
                pending += [
                    (subdirectory, False, parents)
                    for subdirectory in self._subdirectories(path, children)
                ][::-1]
        if is_gap_due:  # no directory could be read
            yield "\n"

    def _header(self, path: str, gap: str) -> str:
        """Return the header of a directory, after `gap`."""
        text = directory_header(path, self._options.style, self._options.hides_controls)
        if self._dired is not None:
            gap += DIRED_INDENT
            self._dired.advance(gap)
            self._dired.add_directory(text)
            self._dired.advance(":\n")
        return f"{gap}{self._hyperlink(text, path)}:\n"

    def _subdirectories(self, path: str, children: Iterable[LsEntry]) -> Iterator[str]:
        """Yield the subdirectories of a directory."""
        for entry in children:
            if kinds.S_ISDIR(entry.mode) and entry.name not in (".", ".."):
                yield join(path, entry.name)

    # ------------------------------------------------------------ what is printed

    def _print_entries(
        self, entries: list[LsEntry], directory: str | None, column_entries: Sequence[LsEntry] = ()
    ) -> Iterator[str | dict[str, object]]:
        """Print entries; those in `column_entries` only count for the widths of columns."""
        options = self._options
        if options.has("json"):
            for entry in entries:
                yield self._row(entry)
            return
        if directory is not None and (options.format == "long" or options.has("size")):
            total = sum(bytes_on_disk(entry.stat) for entry in entries)
            line = f"total {options.unit.format_size(total)}{options.line_end}"
            if self._dired is not None:
                line = DIRED_INDENT + line
                self._dired.advance(line)
            yield line
        if not entries:
            return
        self._pads = options.aligns_quotes and any(
            options.is_quoted(entry.name) for entry in (*entries, *column_entries)
        )
        if options.format == "long":
            yield from self._long_lines(entries, column_entries)
            return
        cells = self._cells(entries, column_entries)
        if options.format == "commas":
            yield comma_lines(cells, options.width, options.line_end)
        elif options.format == "one":
            yield "".join(text + options.line_end for text, _ in cells)
        else:
            across = options.format == "across"
            # After a color, terminals may misplace tabs.
            tab = 0 if self._colors else options.tab_columns
            yield from column_lines(cells, options.width, tab, options.line_end, across=across)

    def _cells(
        self, entries: list[LsEntry], column_entries: Sequence[LsEntry]
    ) -> list[tuple[str, int]]:
        """Return each name with its prefix and indicator, and their width."""
        fronts = self._prefixes([*entries, *column_entries])
        normal = self._colors.normal_sequence if self._colors else ""
        cells = []
        for entry, front in zip(entries, fronts, strict=False):
            text, size = self._name_cell(entry, self._colors)
            sign = type_indicator(entry.mode, self._options.indicator)
            cells.append((f"{normal}{front}{text}{sign}", len(front) + size + len(sign)))
        return cells

    def _prefixes(self, entries: list[LsEntry]) -> list[str]:
        """Return the inode, size and context before each name, aligned."""
        options = self._options
        columns: list[list[str]] = []
        if options.has("inode"):
            columns.append(entry_texts(entries, lambda entry: str(entry.stat.inode)))
        if options.has("size"):
            blocks = options.unit.format_size
            columns.append(entry_texts(entries, lambda entry: blocks(bytes_on_disk(entry.stat))))
        if options.has("context") and options.format != "long":
            columns.append([NO_CONTEXT for _ in entries])
        if options.format != "commas":
            columns = [align_column(column, str.rjust) for column in columns]
        return ["".join(f"{text} " for text in row) for row in zip(*columns, strict=True)] or [
            "" for _ in entries
        ]

    def _name_cell(
        self, entry: LsEntry, colors: FileColors | None, offset: int = 0
    ) -> tuple[str, int]:
        """Return a name that starts at a byte of its line, and its width."""
        options = self._options
        text = options.quoted_name(entry.name)
        pad = " " if self._pads and not options.is_quoted(entry.name) else ""
        size = len(pad) + name_width(text)
        wraps = self._wraps(offset, pad + text)
        if self._pads and not pad and options.has_hyperlinks:  # the quotes are not part of the link
            text = text[0] + self._hyperlink(text[1:-1], entry.path) + text[-1]
        else:
            text = self._hyperlink(text, entry.path)
        return pad + (colors.color_name(text, entry, wraps=wraps) if colors else text), size

    def _wraps(self, offset: int, text: str) -> bool:
        """Whether text that starts at a byte of its line reaches the terminal's next line."""
        width, end = self._options.width, offset + len(bytes_of_text(text)) - 1
        return bool(width) and offset // width != end // width

    def _hyperlink(self, text: str, path: str) -> str:
        """Return text as a hyperlink to a file, with --hyperlink."""
        sh = self._sh
        if not self._options.has_hyperlinks:
            return text
        return hyperlink(text, sh.machine.host_name, resolve_existing(sh.fs, sh.path(path)))

    def _long_lines(self, files: list[LsEntry], column_entries: Sequence[LsEntry]) -> Iterator[str]:
        options, owners = self._options, self._owners
        entries = [*files, *column_entries]
        is_numeric = options.has("numeric_uid_gid")
        columns = [entry_texts(entries, lambda entry: str(entry.stat.links))]
        sides: list[Callable[[str, int], str]] = [str.rjust]

        def add_owners(name: Callable[[Stat], str | None], number: Callable[[Stat], int]) -> None:
            def owner(entry: LsEntry) -> str:
                status = entry.stat
                return (None if is_numeric else name(status)) or str(number(status))

            columns.append(entry_texts(entries, owner))
            sides.append(align_id if is_numeric else str.ljust)

        if not options.has("owner_only"):
            add_owners(owners.user, owners.user_number)
        if not (options.has("group_only") or options.has("no_group")):
            add_owners(owners.group, owners.group_number)
        if options.has("author"):
            add_owners(owners.user, owners.user_number)
        if options.has("context"):
            columns.append([NO_CONTEXT for _ in entries])
            sides.append(str.ljust)
        columns.append(self._sizes(entries))
        sides.append(str.rjust)
        columns = [align_column(column, side) for column, side in zip(columns, sides, strict=True)]
        times = entry_texts(
            entries, lambda entry: self._time_text(entry_time(entry.stat, options.time))
        )
        if any(entry.is_dangling for entry in entries):
            width = len(self._time_text(0))
            times = [text.rjust(width) for text in times]
        rows = zip(*columns, times, strict=True)
        for entry, front, row in zip(files, self._prefixes(entries), rows, strict=False):
            mode = kinds.filemode(entry.mode)
            mode = f"{mode[0]}?????????" if entry.is_dangling else mode
            whole = f"{front}{mode} {' '.join(row)} "
            # If owners are listed, GNU ls counts the bytes of a line only from here.
            counted = f"{row[-2]} {row[-1]} " if len(row) > MIN_LONG_CELLS else whole
            yield self._line(entry, whole, len(bytes_of_text(counted)))

    def _sizes(self, entries: list[LsEntry]) -> list[str]:
        """Return the sizes of files, and the numbers of devices."""
        size = self._options.size_unit.format_size
        stats = [entry.stat for entry in entries if not entry.is_dangling and is_device(entry.stat)]
        columns = zip(*(map(str, major_minor(stat.special)) for stat in stats), strict=True)
        pairs = zip(*(align_column([*column], str.rjust) for column in columns), strict=True)

        def text(entry: LsEntry) -> str:
            return ", ".join(next(pairs)) if is_device(entry.stat) else size(entry.stat.size)

        return entry_texts(entries, text)

    def _line(self, entry: LsEntry, front: str, offset: int) -> str:
        """Return the line of a file; the name starts at a byte of it."""
        colors, line_end, indent = self._colors, self._options.line_end, ""
        if self._dired is not None:
            indent = DIRED_INDENT
            name, suffix = self._long_name(entry, None, offset)
            quoted = name[1:] if self._pads and name[0] == " " else name
            self._dired.advance(indent + front + name[: len(name) - len(quoted)])
            self._dired.add_file(quoted)
            self._dired.advance(suffix + line_end)
        name, suffix = self._long_name(entry, colors, offset)
        return f"{colors.normal_sequence if colors else ''}{indent}{front}{name}{suffix}{line_end}"

    def _long_name(self, entry: LsEntry, colors: FileColors | None, offset: int) -> tuple[str, str]:
        """Return a name and what follows it: the indicator, or the target of a link."""
        options = self._options
        text, size = self._name_cell(entry, colors, offset)
        if not entry.target:
            return text, "" if entry.is_dangling else type_indicator(entry.mode, options.indicator)
        target = options.quoted_name(entry.target)
        tells_kind = options.indicator in ("file-type", "classify")
        sign = type_indicator(entry.target_mode or 0, options.indicator) if tells_kind else ""
        wraps = self._wraps(offset + size + len(LINK_ARROW), target)
        if colors and (tells_kind or colors.colors_link_targets):
            target = colors.color_name(target, entry, is_target=True, wraps=wraps)
        elif colors:
            target = colors.plain_name(target, wraps=wraps)
        target = self._hyperlink(target, entry.path)
        return text, f"{LINK_ARROW}{target}{sign}"

    def _time_text(self, nanoseconds: int) -> str:
        recent, old = self._options.time_formats
        is_recent = self._now - HALF_YEAR_NANOSECONDS < nanoseconds < self._now
        return format_moment(recent if is_recent else old, Moment(nanoseconds, self._zone))

    def _row(self, entry: LsEntry) -> dict[str, object]:
        """Return an entry as a record."""
        row = file_row(self._owners, entry.name, entry.stat)
        if entry.target:
            row["target"] = entry.target
        if self._options.has("recursive"):
            row["path"] = entry.path
        return row


def environment_colors(sh: Call) -> FileColors | None:
    """Return the colors of LS_COLORS; if it is invalid, note that and return None."""
    try:
        return FileColors(sh.env.get("LS_COLORS", ""))
    except BadColors as fault:
        for message in filter(None, (str(fault), LS_COLORS_ERROR)):
            sh.note(message)
        return None


def is_color_terminal(sh: Call) -> bool:
    """Whether GNU ls would color its output in this environment."""
    terminal = sh.env.get("TERM", "dumb")
    is_known = bool(sh.env.get("COLORTERM")) or terminal not in ("", "dumb")
    return bool(sh.env.get("LS_COLORS")) or is_known


def entry_texts(entries: list[LsEntry], text: Callable[[LsEntry], str]) -> list[str]:
    """Return a string for each entry, or a question mark for dangling links."""
    return [UNKNOWN_CELL if entry.is_dangling else text(entry) for entry in entries]


def align_id(text: str, width: int) -> str:
    """Align a number of an owner to the right, or a question mark to the left."""
    return text.ljust(width) if text == UNKNOWN_CELL else text.rjust(width)


def align_column(column: list[str], side: Callable[[str, int], str]) -> list[str]:
    """Pad strings to the width of the widest."""
    width = max(map(len, column))
    return [side(text, width) for text in column]
