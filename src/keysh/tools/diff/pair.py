"""Compare pairs of files and print the result."""

from __future__ import annotations

from itertools import chain

from keysh.interp.state.call import os_error_text
from keysh.text.chunks import batch_lines, bytes_of_text
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import message_name
from keysh.tools.diff.color import paint_header, paint_lines
from keysh.tools.diff.context import context_diff
from keysh.tools.diff.edit.script import edit_script, same_ends
from keysh.tools.diff.hunk import LineComparison
from keysh.tools.diff.line import marked_lines
from keysh.tools.diff.normal import normal_diff
from keysh.tools.diff.script import ed_script, forward_ed_script, rcs_diff
from keysh.tools.diff.side import DiffSide
from keysh.tools.diff.side_by_side import side_by_side_diff
from keysh.vfs.api import identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.diff.rules import DiffOptions
    from keysh.vfs.api import Stat


def ifdef_diff(comparison: LineComparison) -> Iterator[str]:
    """Return both files merged, with #ifdef around their differences (-D NAME)."""
    rules, name = comparison.rules, comparison.rules.macro

    def complete_lines(lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            line = line.expandtabs(rules.tab_size) if rules.expand_tabs else line
            yield line if line.endswith("\n") else f"{line}\n"

    position = 0
    for change in comparison.significant_changes():
        old, new = comparison.deleted_lines(change), comparison.inserted_lines(change)
        yield from complete_lines(comparison.old.lines[position : change.old])
        position = change.old + change.deleted_count
        if old:
            yield f"#ifndef {name}\n"
            yield from complete_lines(old)
        if new:
            yield f"#else /* {name} */\n" if old else f"#ifdef {name}\n"
            yield from complete_lines(new)
        yield f"#endif /* {name} */\n" if new else f"#endif /* ! {name} */\n"
    yield from complete_lines(comparison.old.lines[position:])


def unified_diff(comparison: LineComparison) -> Iterator[str]:
    """Return all hunks, without the titles of the files."""
    lines, rules = comparison.old.lines, comparison.rules
    seen, function = 0, ""
    blank = "" if rules.initial_tab else " "
    for hunk in comparison.hunks():
        old, old_end, new, new_end = comparison.bounds(hunk)
        function = comparison.function_line_before(old, seen) or function
        seen = old
        yield f"@@ -{hunk_range(old, old_end)} +{hunk_range(new, new_end)} @@{function}\n"
        position = old
        for change in hunk:
            yield from marked_lines(blank, lines[position : change.old], rules)
            yield from marked_lines("-", comparison.deleted_lines(change), rules)
            yield from marked_lines("+", comparison.inserted_lines(change), rules)
            position = change.old + change.deleted_count
        yield from marked_lines(blank, lines[position:old_end], rules)


def hunk_range(start: int, stop: int) -> str:
    """Return the start and length of a hunk; a length of 1 is omitted."""
    count = stop - start
    return f"{start},0" if not count else f"{start + 1},{count}" if count > 1 else str(stop)


STYLE_FUNCTIONS = {
    "normal": normal_diff, "unified": unified_diff, "context": context_diff,
    "side by side": side_by_side_diff, "ed": ed_script, "forward ed": forward_ed_script,
    "rcs": rcs_diff, "ifdef": ifdef_diff,
}  # fmt: skip
TITLE_MARKS = {"unified": ("---", "+++"), "context": ("***", "---")}
FILE_TYPE_NAMES = {
    0o100000: "regular file", 0o120000: "symbolic link", 0o040000: "directory", 0o010000: "fifo",
    0o020000: "character special file", 0o060000: "block special file", 0o140000: "socket",
}  # fmt: skip
NAME_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
    '"': '\\"', "\\": "\\\\",
}  # fmt: skip
EXIT_SAME, EXIT_DIFFERENT, EXIT_TROUBLE = range(3)  # exit statuses


class FileComparer:
    """Compares files pair by pair; `status` is the highest exit status so far."""

    __slots__ = ("_rules", "_sh", "_stdin", "status")

    def __init__(self, sh: Call, rules: DiffOptions) -> None:
        self._sh, self._rules = sh, rules
        self._stdin: str | None = None
        self.status = EXIT_SAME

    def report_error(self, name: str, error: OSError) -> None:
        """Report a file that cannot be read."""
        self._sh.warn(f"{message_name(name)}: {os_error_text(error)}", EXIT_TROUBLE)
        self.status = EXIT_TROUBLE

    def report(self, status: int, message: str, row: dict[str, Any]) -> Iterator[Any]:
        """Print a message about two files, or a row with --json."""
        self.status = max(self.status, status)
        yield row if self._rules.is_json else message

    def compare(
        self, names: tuple[str, str], heading: str = "", missing: int = -1
    ) -> Iterator[Any]:
        """Compare two files; the file at the index `missing` counts as empty.

        `heading` is printed before any other output.
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
            message = f"Files {first} and {second} differ\n"
            yield from self.report(EXIT_DIFFERENT, message, pair_row("differ", names))
        elif is_binary:
            message = f"Binary files {first} and {second} differ\n"
            yield from self.report(EXIT_DIFFERENT, message, pair_row("binary", names))
        else:
            yield from self._report_changes(old, new, heading)
        for side, title in zip((old, new), (first, second), strict=True):
            if side.lacked_newline:
                self._sh.warn(f"{title}: No newline at end of file\n", EXIT_TROUBLE)
                self.status = EXIT_TROUBLE

    def compare_links(self, names: tuple[str, str]) -> Iterator[Any]:
        """Compare the targets of two symbolic links."""
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
        message = f"Symbolic links {first} and {second} differ\n"
        yield from self.report(EXIT_DIFFERENT, message, pair_row("links", names))

    def report_types(self, names: tuple[str, str], stats: Sequence[Stat]) -> Iterator[Any]:
        """Report that two files have different types."""
        (first, second), (kind, other) = self.display_names(names), map(file_type_name, stats)
        message = f"File {first} is a {kind} while file {second} is a {other}\n"
        yield from self.report(EXIT_DIFFERENT, message, pair_row("kinds", names))

    def display_names(self, names: tuple[str, str]) -> list[str]:
        """Return the names of two files, or their labels."""
        labels = self._rules.labels[:2]
        return [*labels, *names[len(labels) :]]

    def _read_side(self, name: str) -> DiffSide | None:
        """Read a file; on failure, report it and return None."""
        sh = self._sh
        try:
            file_identity = (0, 0)
            if name == "-":
                if self._stdin is None:
                    self._stdin = sh.stdin.read()
                text, modified = self._stdin, sh.now()
            else:
                stat = sh.fs.stat(sh.path(name))
                modified, file_identity = stat.modified, identity(stat)
                reader = sh.open_reader(name)
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
        return DiffSide(name, text, modified, file_identity)

    def _report_changes(self, old: DiffSide, new: DiffSide, heading: str) -> Iterator[Any]:
        """Print the differences between two texts."""
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
            message = f"Files {first} and {second} differ\n"
            yield from self.report(EXIT_DIFFERENT, message, pair_row("differ", names))
        elif rules.is_json:
            yield from change_rows(comparison)
        else:
            titles = self._title_lines(old, new)
            lines: Iterable[str] = STYLE_FUNCTIONS[rules.style](comparison)
            if rules.is_colored:
                titles, lines = map(paint_header, titles), paint_lines(rules.style, lines)
            yield from with_heading(heading, titles, lines)

    def _report_unchanged(
        self, old: DiffSide, new: DiffSide, heading: str, comparison: LineComparison | None = None
    ) -> Iterator[Any]:
        """Print files that have no significant differences, as some output styles do."""
        rules = self._rules
        if rules.prints_common_lines and not (rules.brief or rules.is_json):
            if comparison is None:
                old.split_lines()
                new.split_lines()
                comparison = LineComparison(old, new, [], rules)
            yield from with_heading(heading, (), STYLE_FUNCTIONS[rules.style](comparison))
        if not (old.lacked_newline or new.lacked_newline):
            yield from self._report_identical((old.name, new.name))

    def heading(self, names: tuple[str, str]) -> str:
        """Return the line that names two files of directories, with the options."""
        first, second = map(quoted_title, self.display_names(names))
        return f"diff{self._rules.option_text} {first} {second}\n"

    def _report_identical(self, names: tuple[str, str]) -> Iterator[Any]:
        """Report that two files are the same, with --report-identical-files."""
        if self._rules.reports_identical:
            first, second = self.display_names(names)
            message = f"Files {first} and {second} are identical\n"
            yield from self.report(EXIT_SAME, message, pair_row("identical", names))

    def _title_lines(self, old: DiffSide, new: DiffSide) -> Iterable[str]:
        """Return the title lines of a unified or context diff."""
        marks = TITLE_MARKS.get(self._rules.style, ())
        for i, (mark, side) in enumerate(zip(marks, (old, new), strict=False)):
            if i < len(self._rules.labels):
                yield f"{mark} {self._rules.labels[i]}\n"
                continue
            moment = Moment(side.modified, find_zone(self._sh.env.get("TZ")))
            time = format_moment("%Y-%m-%d %H:%M:%S.%N %z", moment)
            yield f"{mark} {quoted_title(side.name)}\t{time}\n"


def with_heading(heading: str, titles: Iterable[str], lines: Iterable[str]) -> Iterator[str]:
    """Return titles and lines in chunks, the first one after the heading."""
    for chunk in chain(titles, batch_lines(lines)):
        yield heading + chunk
        heading = ""


def file_type_name(stat: Stat) -> str:
    """Return GNU's name for the type of a file."""
    if stat.is_file and not stat.size:
        return "regular empty file"
    return FILE_TYPE_NAMES.get(stat.mode & 0o170000, "weird file")


def pair_row(what: str, names: tuple[str, str]) -> dict[str, Any]:
    """Return a row about two files as a whole."""
    return {"old": names[0], "new": names[1], "what": what}


def change_rows(comparison: LineComparison) -> Iterator[dict[str, Any]]:
    """Yield a row for each change; line numbers start at 1, and lines have no newlines."""
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
    """Return a file name for a title, quoted if patch could not read it otherwise."""
    pieces = [
        NAME_ESCAPES[char] if char in NAME_ESCAPES
        else char if " " <= char <= "~"
        else "".join(f"\\{byte:03o}" for byte in bytes_of_text(char))
        for char in name
    ]  # fmt: skip
    text = "".join(pieces)
    return text if text == name and " " not in name else f'"{text}"'
