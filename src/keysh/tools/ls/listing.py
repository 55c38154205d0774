"""Listing: one run of ls, from the operands to what is printed of them."""

from __future__ import annotations

import stat as kinds

from keysh.gnu.file_facts import bytes_on_disk, file_row, halves, is_device
from keysh.gnu.owners import Owners
from keysh.interp.builtins.real_paths import as_far_as_there
from keysh.interp.run.machine import host_name
from keysh.text.chunks import encoded
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import formatted
from keysh.text.dates.time_zone import zone_named
from keysh.text.gnu_quoting import shown
from keysh.text.ls_colors import BadColors
from keysh.tools.ls.colors import Colors
from keysh.tools.ls.entry import time_of
from keysh.tools.ls.layout import in_columns, with_commas
from keysh.tools.ls.lookup import Lookup
from keysh.tools.ls.names import linked, shown_header, sign_of, width_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.tools.ls.entry import Entry
    from keysh.tools.ls.settings import Settings
    from keysh.vfs.api import Stat


# Dired: where in a listing the names stand, counted in bytes, for the mode of Emacs of that name.

INDENT = "  "  # of all lines but those that are empty


class Dired:
    """The places of files and of directories in headers, and how far the listing has come."""

    __slots__ = ("_at", "_files", "_folders")

    def __init__(self) -> None:
        self._at = 0
        self._files: list[int] = []
        self._folders: list[int] = []

    def passed(self, text: str) -> None:
        """Take a text without a name."""
        self._at += len(encoded(text))

    def file(self, name: str) -> None:
        """Take a file's name."""
        self._note(self._files, name)

    def folder(self, name: str) -> None:
        """Take the name in a header."""
        self._note(self._folders, name)

    def _note(self, places: list[int], name: str) -> None:
        start = self._at
        self.passed(name)
        places += [start, self._at]

    def told(self, style: str) -> Iterator[str]:
        """The lines that stand at the end, with the style in which names are quoted."""
        for word, places in (("DIRED", self._files), ("SUBDIRED", self._folders)):
            if places:
                yield f"//{word}// {' '.join(map(str, places))}\n"
        yield f"//DIRED-OPTIONS// --quoting-style={style}\n"


UNREADABLE = "unparsable value for LS_COLORS environment variable"
ARROW = " -> "
LEAST_CELLS = 3  # of a long line, behind its mode: links, size, time
UNKNOWN = "?"
NO_CONTEXT = "?"  # of security, which only SELinux knows
HALF_A_YEAR = 31_556_952 * 10**9 // 2


class Listing:
    """A run, with what it needs for each file."""

    __slots__ = (
        "_colors", "_dired", "_lookup", "_now", "_owners", "_pads", "_settings", "_sh", "_zone",
    )  # fmt: skip

    def __init__(self, sh: Call, settings: Settings) -> None:
        self._sh, self._settings = sh, settings
        self._colors = colors_of(sh) if settings.colors and has_colors(sh) else None
        self._dired = Dired() if settings.tells_places else None
        self._lookup, self._owners = Lookup(sh, settings), Owners(sh)
        self._zone = zone_named(sh.env.get("TZ"))
        self._now = sh.now()
        self._pads = False  # whether a blank stands where other names have a quote

    def run(self, operands: Sequence[str]) -> Iterator[str | dict[str, object]]:
        """List what the operands name."""
        for chunk in self._listed(operands):
            if self._colors is not None and isinstance(chunk, str):
                chunk = self._colors.begun(chunk)
            yield chunk
        if self._dired is not None:
            yield from self._dired.told(self._settings.style)
        if self._colors is not None:
            yield self._colors.ended

    def _listed(self, operands: Sequence[str]) -> Iterator[str | dict[str, object]]:
        """Files first, then each directory."""
        settings, lookup = self._settings, self._lookup
        found = [entry for path in operands if (entry := lookup.operand(path)) is not None]
        files = [e for e in found if settings.has("directory") or not kinds.S_ISDIR(e.mode)]
        folders = [e for e in found if e not in files]
        is_first, is_gap_due = not files, bool(files and folders) and not settings.has("json")
        if files:
            # The columns are as wide as if directories stood among the files.
            yield from self._printed(lookup.in_order(files), None, folders)
        has_headers = settings.has("recursive") or len(operands) > 1
        above: frozenset[tuple[int, int]] = frozenset()
        pending = [(entry.name, True, above) for entry in lookup.in_order(folders)[::-1]]
        while pending:
            path, is_operand, above = pending.pop()
            if settings.has("recursive"):
                here = lookup.identity(path)
                if here in above:
                    self._sh.warn(f"{shown(path)}: not listing already-listed directory", 2)
                    continue
                above |= {here}
            inside = lookup.inside(path, is_operand)
            if inside is None:
                continue
            if has_headers and not settings.has("json"):
                yield self._header(path, "" if is_first else "\n")
            is_first = is_gap_due = False
            yield from self._printed(inside, path)
            if settings.has("recursive"):
                pending += [(below, False, above) for below in self._below(path, inside)][::-1]
        if is_gap_due:  # none of the directories could be read
            yield "\n"

    def _header(self, path: str, gap: str) -> str:
        """The line before what is in a directory, behind a gap."""
        text = shown_header(path, self._settings.style, self._settings.hides_controls)
        if self._dired is not None:
            gap += INDENT
            self._dired.passed(gap)
            self._dired.folder(text)
            self._dired.passed(":\n")
        return f"{gap}{self._linked(text, path)}:\n"

    def _below(self, path: str, inside: Iterable[Entry]) -> Iterator[str]:
        """The directories in a directory, to be listed next."""
        for entry in inside:
            if kinds.S_ISDIR(entry.mode) and entry.name not in (".", ".."):
                yield join(path, entry.name)

    # ------------------------------------------------------------ what is printed

    def _printed(
        self, entries: list[Entry], folder: str | None, beside: Sequence[Entry] = ()
    ) -> Iterator[str | dict[str, object]]:
        """The entries of a directory; `beside` have a part in the widths of the columns only."""
        settings = self._settings
        if settings.has("json"):
            for entry in entries:
                yield self._row(entry)
            return
        if folder is not None and (settings.format == "long" or settings.has("size")):
            total = sum(bytes_on_disk(entry.stat) for entry in entries)
            line = f"total {settings.unit.shown(total)}{settings.end}"
            if self._dired is not None:
                line = INDENT + line
                self._dired.passed(line)
            yield line
        if not entries:
            return
        self._pads = settings.aligns_quotes and any(
            settings.quotes(entry.name) for entry in (*entries, *beside)
        )
        if settings.format == "long":
            yield from self._long(entries, beside)
            return
        cells = self._cells(entries, beside)
        if settings.format == "commas":
            yield with_commas(cells, settings.width, settings.end)
        elif settings.format == "one":
            yield "".join(text + settings.end for text, _ in cells)
        else:
            across = settings.format == "across"
            # Behind a color, terminals do not always know how wide a tab is.
            tab = 0 if self._colors else settings.tab
            yield from in_columns(cells, settings.width, tab, settings.end, across=across)

    def _cells(self, entries: list[Entry], beside: Sequence[Entry]) -> list[tuple[str, int]]:
        """Each name with what stands before and behind it, and how wide that is."""
        fronts = self._fronts([*entries, *beside])
        normal = self._colors.normal if self._colors else ""
        cells = []
        for entry, front in zip(entries, fronts, strict=False):
            text, size = self._name(entry, self._colors)
            sign = sign_of(entry.mode, self._settings.indicator)
            cells.append((f"{normal}{front}{text}{sign}", len(front) + size + len(sign)))
        return cells

    def _fronts(self, entries: list[Entry]) -> list[str]:
        """The numbers before the names, one under the other."""
        settings = self._settings
        columns: list[list[str]] = []
        if settings.has("inode"):
            columns.append(known(entries, lambda entry: str(entry.stat.inode)))
        if settings.has("size"):
            blocks = settings.unit.shown
            columns.append(known(entries, lambda entry: blocks(bytes_on_disk(entry.stat))))
        if settings.has("context") and settings.format != "long":
            columns.append([NO_CONTEXT for _ in entries])
        if settings.format != "commas":
            columns = [aligned(column, str.rjust) for column in columns]
        return ["".join(f"{text} " for text in row) for row in zip(*columns, strict=True)] or [
            "" for _ in entries
        ]

    def _name(self, entry: Entry, colors: Colors | None, at: int = 0) -> tuple[str, int]:
        """A name as it is written at a byte of its line, and the columns it takes."""
        settings = self._settings
        text = settings.written(entry.name)
        pad = " " if self._pads and not settings.quotes(entry.name) else ""
        size = len(pad) + width_of(text)
        wraps = self._wraps(at, pad + text)
        if self._pads and not pad and settings.links_names:  # the quotes do not lead there
            text = text[0] + self._linked(text[1:-1], entry.path) + text[-1]
        else:
            text = self._linked(text, entry.path)
        return pad + (colors.colored(text, entry, wraps=wraps) if colors else text), size

    def _wraps(self, at: int, text: str) -> bool:
        """Whether what begins at a byte of its line reaches into the terminal's next one."""
        width, end = self._settings.width, at + len(encoded(text)) - 1
        return bool(width) and at // width != end // width

    def _linked(self, text: str, path: str) -> str:
        """A text that leads to a file, where that is asked for."""
        sh = self._sh
        if not self._settings.links_names:
            return text
        return linked(text, host_name(sh), as_far_as_there(sh.fs, sh.path(path)))

    def _long(self, files: list[Entry], beside: Sequence[Entry]) -> Iterator[str]:
        settings, owners = self._settings, self._owners
        entries = [*files, *beside]
        is_numeric = settings.has("numeric_uid_gid")
        columns = [known(entries, lambda entry: str(entry.stat.links))]
        sides: list[Callable[[str, int], str]] = [str.rjust]

        def add_owners(name: Callable[[Stat], str | None], number: Callable[[Stat], int]) -> None:
            def owner(entry: Entry) -> str:
                found = entry.stat
                return (None if is_numeric else name(found)) or str(number(found))

            columns.append(known(entries, owner))
            sides.append(number_side if is_numeric else str.ljust)

        if not settings.has("owner_only"):
            add_owners(owners.user, owners.user_number)
        if not (settings.has("group_only") or settings.has("no_group")):
            add_owners(owners.group, owners.group_number)
        if settings.has("author"):
            add_owners(owners.user, owners.user_number)
        if settings.has("context"):
            columns.append([NO_CONTEXT for _ in entries])
            sides.append(str.ljust)
        columns.append(self._sizes(entries))
        sides.append(str.rjust)
        columns = [aligned(column, side) for column, side in zip(columns, sides, strict=True)]
        times = known(entries, lambda entry: self._time(time_of(entry.stat, settings.time)))
        if any(entry.is_lost for entry in entries):
            width = len(self._time(0))
            times = [text.rjust(width) for text in times]
        rows = zip(*columns, times, strict=True)
        for entry, front, row in zip(files, self._fronts(entries), rows, strict=False):
            mode = kinds.filemode(entry.mode)
            mode = f"{mode[0]}?????????" if entry.is_lost else mode
            whole = f"{front}{mode} {' '.join(row)} "
            # Where owners are told, GNU's ls counts a line's bytes only from there.
            counted = f"{row[-2]} {row[-1]} " if len(row) > LEAST_CELLS else whole
            yield self._line(entry, whole, len(encoded(counted)))

    def _sizes(self, entries: list[Entry]) -> list[str]:
        """The sizes of files, and of those that stand for devices which they are."""
        size = self._settings.size_unit.shown
        found = [entry.stat for entry in entries if not entry.is_lost and is_device(entry.stat)]
        columns = zip(*(map(str, halves(stat.special)) for stat in found), strict=True)
        pairs = zip(*(aligned([*column], str.rjust) for column in columns), strict=True)

        def text(entry: Entry) -> str:
            return ", ".join(next(pairs)) if is_device(entry.stat) else size(entry.stat.size)

        return known(entries, text)

    def _line(self, entry: Entry, front: str, at: int) -> str:
        """A file's line, of which all is there but the name, which begins at a byte."""
        colors, end, indent = self._colors, self._settings.end, ""
        if self._dired is not None:
            indent = INDENT
            name, behind = self._long_name(entry, None, at)
            quoted = name[1:] if self._pads and name[0] == " " else name
            self._dired.passed(indent + front + name[: len(name) - len(quoted)])
            self._dired.file(quoted)
            self._dired.passed(behind + end)
        name, behind = self._long_name(entry, colors, at)
        return f"{colors.normal if colors else ''}{indent}{front}{name}{behind}{end}"

    def _long_name(self, entry: Entry, colors: Colors | None, at: int) -> tuple[str, str]:
        """The name, and what stands behind it; of a link, that is also where it leads."""
        settings = self._settings
        text, size = self._name(entry, colors, at)
        if not entry.target:
            return text, "" if entry.is_lost else sign_of(entry.mode, settings.indicator)
        target = settings.written(entry.target)
        tells_kind = settings.indicator in ("file-type", "classify")
        sign = sign_of(entry.target_mode or 0, settings.indicator) if tells_kind else ""
        wraps = self._wraps(at + size + len(ARROW), target)
        if colors and (tells_kind or colors.look_behind_links):
            target = colors.colored(target, entry, is_target=True, wraps=wraps)
        elif colors:
            target = colors.uncolored(target, wraps=wraps)
        target = self._linked(target, entry.path)
        return text, f"{ARROW}{target}{sign}"

    def _time(self, nanoseconds: int) -> str:
        recent, old = self._settings.time_forms
        is_recent = self._now - HALF_A_YEAR < nanoseconds < self._now
        return formatted(recent if is_recent else old, Moment(nanoseconds, self._zone))

    def _row(self, entry: Entry) -> dict[str, object]:
        """An entry as a record."""
        row = file_row(self._owners, entry.name, entry.stat)
        if entry.target:
            row["target"] = entry.target
        if self._settings.has("recursive"):
            row["path"] = entry.path
        return row


def colors_of(sh: Call) -> Colors | None:
    """The colors that the environment tells; where it cannot be read, none, which is no failure."""
    try:
        return Colors(sh.env.get("LS_COLORS", ""))
    except BadColors as fault:
        for says in filter(None, (str(fault), UNREADABLE)):
            sh.note(says)
        return None


def has_colors(sh: Call) -> bool:
    """Whether the environment knows of colors, as GNU asks it."""
    terminal = sh.env.get("TERM", "dumb")
    is_known = bool(sh.env.get("COLORTERM")) or terminal not in ("", "dumb")
    return bool(sh.env.get("LS_COLORS")) or is_known


def known(entries: list[Entry], text: Callable[[Entry], str]) -> list[str]:
    """A text for each entry; a question mark for those of which nothing is known."""
    return [UNKNOWN if entry.is_lost else text(entry) for entry in entries]


def number_side(text: str, width: int) -> str:
    """A number of an owner stands at the right; one that is not known at the left, like a name."""
    return text.ljust(width) if text == UNKNOWN else text.rjust(width)


def aligned(column: list[str], side: Callable[[str, int], str]) -> list[str]:
    """Texts filled to the width of the widest."""
    width = max(map(len, column))
    return [side(text, width) for text in column]
