"""Pairs: two files that are compared, and what is printed of them."""

from __future__ import annotations

from keysh.diagnostics.display import display_width
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import reader_of
from keysh.text.chunks import batch_lines, bytes_of_text
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import message_name
from keysh.tools.diff.context import context_diff
from keysh.tools.diff.edit.script import edit_script, same_ends
from keysh.tools.diff.group_format import Group
from keysh.tools.diff.hunk import LineComparison
from keysh.tools.diff.line import marked_lines as shown_line
from keysh.tools.diff.normal import normal_diff
from keysh.tools.diff.script import ed_script, forward_ed_script, rcs_diff
from keysh.tools.diff.side import DiffSide
from keysh.tools.diff.side_by_side import side_by_side_diff
from keysh.vfs.api import identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.diff.rules import DiffOptions
    from keysh.vfs.api import Stat


# The merged form: both sides as one text, each group of lines as a format says (`-D NAME`).


def ifdef_diff(comparison: LineComparison) -> Iterator[str]:
    """All lines of both sides."""
    formats = comparison.rules.formats
    assert formats is not None
    old, new, rules = comparison.old.lines, comparison.new.lines, comparison.rules
    if rules.expand_tabs:
        old, new = ([line.expandtabs(rules.tab_size) for line in side] for side in (old, new))
    group = Group(old, new, formats.lines)
    for change in comparison.significant_changes():
        if group.move(change.old, change.new):
            yield from group.shown(formats.groups["unchanged"])
        kind = ("changed" if change.inserted_count else "old") if change.deleted_count else "new"
        group.move(change.old + change.deleted_count, change.new + change.inserted_count)
        yield from group.shown(formats.groups[kind])
    if group.move(len(old), len(new)):
        yield from group.shown(formats.groups["unchanged"])


# Pages: what diff prints, with a title over each page and room at its foot, as pr has it.

LENGTH, BODY, WIDTH = 66, 56, 72  # of a page and of what is in it, in lines; of its first line


def pages(text: str, title: str, date: str, tick: Callable[[], object]) -> Iterator[str]:
    """A text on pages, each as a text."""
    for number, lines in enumerate(bodies(text), 1):
        tick()
        head = f"\n\n{headline(date, title, f'Page {number}')}\n\n\n"
        blank = "\n" * (LENGTH - head.count("\n") - len(lines))
        yield head + "".join(f"{line}\n" for line in lines) + blank


def bodies(text: str) -> Iterator[list[str]]:
    """The lines of each page. A form feed ends one, and takes a newline behind it along."""
    parts = text.split("\f")
    for number, part in enumerate(parts, 1):
        lines = (part.removeprefix("\n") if number > 1 else part).split("\n")
        if not lines[-1]:
            lines.pop()
        if not lines and number < len(parts):
            yield lines
        for at in range(0, len(lines), BODY):
            yield lines[at : at + BODY]


def headline(date: str, title: str, page: str) -> str:
    """The title in the middle between the date and the number."""
    room = max(0, WIDTH - sum(map(display_width, (date, title, page))))
    left = room // 2
    return f"{date}{' ' * max(left, 1)}{title}{' ' * max(room - left, 1)}{page}"


# The unified form: lines of both sides in one list, behind a blank, `-` or `+`.


def unified_diff(comparison: LineComparison) -> Iterator[str]:
    """All hunks, without the names of the files."""
    lines, rules = comparison.old.lines, comparison.rules
    seen, function = 0, ""
    blank = "" if rules.initial_tab else " "
    for hunk in comparison.hunks():
        old, old_end, new, new_end = comparison.bounds(hunk)
        function = comparison.function_line_before(old, seen) or function
        seen = old
        yield f"@@ -{hunk_range(old, old_end)} +{hunk_range(new, new_end)} @@{function}\n"
        at = old
        for change in hunk:
            yield from shown_line(blank, lines[at : change.old], rules)
            yield from shown_line("-", comparison.deleted_lines(change), rules)
            yield from shown_line("+", comparison.inserted_lines(change), rules)
            at = change.old + change.deleted_count
        yield from shown_line(blank, lines[at:old_end], rules)


def hunk_range(start: int, end: int) -> str:
    """The number of the first line and how many there are, which is left out for one."""
    count = end - start
    return f"{start},0" if not count else f"{start + 1},{count}" if count > 1 else str(end)


STYLE_FUNCTIONS = {
    "normal": normal_diff, "unified": unified_diff, "context": context_diff, "side by side": side_by_side_diff,
    "ed": ed_script, "forward ed": forward_ed_script, "rcs": rcs_diff, "merged": ifdef_diff,
}  # fmt: skip
TITLE_MARKS = {"unified": ("---", "+++"), "context": ("***", "---")}
FILE_TYPE_NAMES = {0o100000: "regular file", 0o120000: "symbolic link", 0o040000: "directory",
         0o010000: "fifo", 0o020000: "character special file", 0o060000: "block special file",
         0o140000: "socket"}  # fmt: skip
NAME_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
    '"': '\\"', "\\": "\\\\",
}  # fmt: skip
EXIT_SAME, EXIT_DIFFERENT, EXIT_TROUBLE = range(3)  # the statuses


class FileComparer:
    """What compares files, two at a time; its status is the worst that was found."""

    __slots__ = ("_rules", "_sh", "_stdin", "status")

    def __init__(self, sh: Call, rules: DiffOptions) -> None:
        self._sh, self._rules = sh, rules
        self._stdin: str | None = None
        self.status = EXIT_SAME

    def report_error(self, name: str, error: OSError) -> None:
        """Tell of a file that cannot be read."""
        self._sh.warn(f"{message_name(name)}: {os_error_text(error)}", EXIT_TROUBLE)
        self.status = EXIT_TROUBLE

    def report(self, status: int, message: str, row: dict[str, Any]) -> Iterator[Any]:
        """What is said of two files, as text or as a row."""
        self.status = max(self.status, status)
        yield row if self._rules.is_json else message

    def compare(
        self, names: tuple[str, str], heading: str = "", missing: int = -1
    ) -> Iterator[Any]:
        """Compare two files; one of them, by its index, may be taken for empty.

        The heading stands before what is printed, if anything is.
        """
        sides = [
            DiffSide(name, "", 0) if i == missing else self._read_side(name)
            for i, name in enumerate(names)
        ]
        old, new = sides
        if old is None or new is None:
            return
        first, second = self.display_names(names)
        rules = self._rules
        is_binary = not rules.text and (old.is_binary or new.is_binary)
        if rules.needs_newline and not is_binary and not old.is_same_file(new):
            old.add_final_newline()
            new.add_final_newline()
        if old.text == new.text and is_binary:
            yield from self._report_identical(names)
        elif old.text == new.text:
            yield from self._report_unchanged(old, new, heading)
        elif rules.brief and (
            is_binary or not (rules.normalizes_lines or rules.ignores_some_changes)
        ):
            says = f"Files {first} and {second} differ\n"
            yield from self.report(EXIT_DIFFERENT, says, pair_row("differ", names))
        elif is_binary:
            says = f"Binary files {first} and {second} differ\n"
            yield from self.report(EXIT_DIFFERENT, says, pair_row("binary", names))
        else:
            yield from self._report_changes(old, new, heading)
        for side, title in zip((old, new), (first, second), strict=True):
            if side.lacked_newline:
                self._sh.warn(f"{title}: No newline at end of file\n", EXIT_TROUBLE)
                self.status = EXIT_TROUBLE

    def compare_links(self, names: tuple[str, str]) -> Iterator[Any]:
        """Compare where two symbolic links lead to."""
        targets = []
        for name in names:
            try:
                targets.append(self._sh.fs.read_link(self._sh.path(name)))
            except OSError as error:
                self.report_error(name, error)
                return
        if targets[0] == targets[1]:
            yield from self._report_identical(names)
            return
        first, second = self.display_names(names)
        says = f"Symbolic links {first} and {second} differ\n"
        yield from self.report(EXIT_DIFFERENT, says, pair_row("links", names))

    def report_types(self, names: tuple[str, str], stats: Sequence[Stat]) -> Iterator[Any]:
        """Say that files are of two kinds."""
        (first, second), (kind, other) = self.display_names(names), map(file_type_name, stats)
        says = f"File {first} is a {kind} while file {second} is a {other}\n"
        yield from self.report(EXIT_DIFFERENT, says, pair_row("kinds", names))

    def display_names(self, names: tuple[str, str]) -> list[str]:
        """What the files are called: by their labels, where there are any."""
        labels = self._rules.labels[:2]
        return [*labels, *names[len(labels) :]]

    def _read_side(self, name: str) -> DiffSide | None:
        """Read a file; None where that fails, which is told of."""
        sh = self._sh
        try:
            place = (0, 0)
            if name == "-":
                if self._stdin is None:
                    self._stdin = sh.stdin.read()
                text, modified = self._stdin, sh.now()
            else:
                stat = sh.fs.stat(sh.path(name))
                modified, place = stat.modified, identity(stat)
                reader = reader_of(sh.open(name))
                pieces = []
                try:
                    for chunk in reader.chunks():
                        sh.tick()
                        pieces.append(chunk)
                finally:
                    reader.close()
                text = "".join(pieces)
        except OSError as error:
            self.report_error(name, error)
            return None
        if self._rules.strips_cr:
            text = text.replace("\r\n", "\n")
        return DiffSide(name, text, modified, place)

    def _report_changes(self, old: DiffSide, new: DiffSide, heading: str) -> Iterator[Any]:
        """How two texts differ."""
        rules, names = self._rules, (old.name, new.name)
        first, second = self.display_names(names)
        old.split_lines()
        new.split_lines()
        head, tail = same_ends(old.lines, new.lines, rules.context)
        script = edit_script(
            old.normalized_lines(rules),
            new.normalized_lines(rules),
            self._sh.tick,
            head=head,
            tail=tail,
            is_minimal=rules.minimal,
        )
        comparison = LineComparison(old, new, script, rules)
        if not comparison.is_different:
            yield from self._report_unchanged(old, new, heading, comparison)
            return
        self.status = max(self.status, EXIT_DIFFERENT)
        if rules.brief:
            says = f"Files {first} and {second} differ\n"
            yield from self.report(EXIT_DIFFERENT, says, pair_row("differ", names))
        elif rules.is_json:
            yield from change_rows(comparison)
        else:
            titles = self._title_lines(old, new)
            lines: Iterable[str] = STYLE_FUNCTIONS[rules.style](comparison)
            if rules.palette is not None:
                titles = map(rules.palette.paint_header, titles)
                lines = rules.palette.paint_lines(rules.style, lines)
            yield from self._with_heading(heading, self._output_chunks((old, new), titles, lines))

    def _with_heading(self, heading: str, texts: Iterable[str]) -> Iterator[str]:
        """What is printed of two files, below their heading; pages have one of their own."""
        for text in texts:
            yield text if self._rules.paginates else heading + text
            heading = ""

    def _report_unchanged(
        self, old: DiffSide, new: DiffSide, heading: str, comparison: LineComparison | None = None
    ) -> Iterator[Any]:
        """What is printed of files without a change that counts: all lines, in some forms."""
        rules = self._rules
        if rules.prints_common_lines and not (rules.brief or rules.is_json):
            if comparison is None:
                old.split_lines()
                new.split_lines()
                comparison = LineComparison(old, new, [], rules)
            printed = self._output_chunks((old, new), (), STYLE_FUNCTIONS[rules.style](comparison))
            yield from self._with_heading(heading, printed)
        if not (old.lacked_newline or new.lacked_newline):
            yield from self._report_identical((old.name, new.name))

    def _output_chunks(
        self, sides: tuple[DiffSide, DiffSide], titles: Iterable[str], lines: Iterable[str]
    ) -> Iterator[str]:
        """Titles and lines in chunks, or on pages."""
        if not self._rules.paginates:
            yield from titles
            yield from batch_lines(lines)
            return
        sh, (old, new) = self._sh, sides
        moment = Moment(sh.now(), find_zone(sh.env.get("TZ")))
        title = self.heading((old.name, new.name)).removesuffix("\n")
        text = "".join([*titles, *lines])
        yield from pages(text, title, format_moment("%Y-%m-%d %H:%M", moment), sh.tick)

    def heading(self, names: tuple[str, str]) -> str:
        """The line that tells which files are compared, and how."""
        return f"diff{self._rules.option_text} {' '.join(map(quoted_title, self.display_names(names)))}\n"

    def _report_identical(self, names: tuple[str, str]) -> Iterator[Any]:
        """Say that files are the same, where that is asked for."""
        if self._rules.reports_identical:
            first, second = self.display_names(names)
            says = f"Files {first} and {second} are identical\n"
            yield from self.report(EXIT_SAME, says, pair_row("identical", names))

    def _title_lines(self, old: DiffSide, new: DiffSide) -> Iterable[str]:
        """The lines that name the files."""
        marks = TITLE_MARKS.get(self._rules.style, ())
        for i, (mark, side) in enumerate(zip(marks, (old, new), strict=False)):
            if i < len(self._rules.labels):
                yield f"{mark} {self._rules.labels[i]}\n"
                continue
            moment = Moment(side.modified, find_zone(self._sh.env.get("TZ")))
            yield f"{mark} {quoted_title(side.name)}\t{format_moment('%Y-%m-%d %H:%M:%S.%N %z', moment)}\n"


def file_type_name(stat: Stat) -> str:
    """What GNU calls the kind of a file."""
    if stat.is_file and not stat.size:
        return "regular empty file"
    return FILE_TYPE_NAMES.get(stat.mode & 0o170000, "weird file")


def pair_row(what: str, names: tuple[str, str]) -> dict[str, Any]:
    """A row about two files as a whole."""
    return {"old": names[0], "new": names[1], "what": what}


def change_rows(comparison: LineComparison) -> Iterator[dict[str, Any]]:
    """A row for each change; lines count from 1, and come without their newlines."""
    names = (comparison.old.name, comparison.new.name)
    for change in comparison.significant_changes():
        both = change.deleted_count and change.inserted_count
        what = "changed" if both else "deleted" if change.deleted_count else "inserted"
        yield {
            **pair_row(what, names),
            "old_line": change.old + 1,
            "old_text": [line.removesuffix("\n") for line in comparison.deleted_lines(change)],
            "new_line": change.new + 1,
            "new_text": [line.removesuffix("\n") for line in comparison.inserted_lines(change)],
        }


def quoted_title(name: str) -> str:
    """A name as the titles show it, so that patch can read it: in quotes where it is not plain."""
    pieces = [
        NAME_ESCAPES[char] if char in NAME_ESCAPES
        else char if " " <= char <= "~"
        else "".join(f"\\{byte:03o}" for byte in bytes_of_text(char))
        for char in name
    ]  # fmt: skip
    text = "".join(pieces)
    return text if text == name and " " not in name else f'"{text}"'
