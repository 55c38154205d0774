"""Read patches: the files they change, and the hunks of unified, context and normal diffs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import overload

from keysh.text.chunks import text_of_bytes
from keysh.tools.patch.context_hunk import is_context_hunk_start, read_context_hunk
from keysh.tools.patch.git_header import GIT_HEADER_START, NULL_FILE, GitHeader
from keysh.tools.patch.hunk import NO_NEWLINE_MARK, MalformedPatch, PatchHunk, drop_missing_newline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


# Margins: what copying or mail has added to the lines of a patch, blanks before and CR after.

INDENT_CHARACTERS = " \tX"  # characters that may precede a line; some mailers add an X
TAB_COLUMNS = 8


class Margin:
    """The columns before each line, and whether lines end in CR LF."""

    __slots__ = ("has_returns", "indent")

    def __init__(self, indent: int = 0, has_returns: bool = False) -> None:
        self.indent, self.has_returns = indent, has_returns

    def strip_line(self, line: str) -> str:
        """Return a line without its margin."""
        position = column = 0
        while column < self.indent and line[position] in INDENT_CHARACTERS:
            column = (
                column + TAB_COLUMNS - column % TAB_COLUMNS
                if line[position] == "\t"
                else column + 1
            )
            position += 1
        if self.has_returns and line.endswith("\r\n"):
            return f"{line[position:-2]}\n"
        return line[position:]

    def strip_lines(self, lines: Sequence[str]) -> Sequence[str]:
        """Return the lines without their margin."""
        return UnindentedLines(lines, self) if self.indent or self.has_returns else lines


class UnindentedLines(Sequence[str]):
    """Lines without their margin, which is stripped as they are read."""

    __slots__ = ("_lines", "_margin")

    def __init__(self, lines: Sequence[str], margin: Margin) -> None:
        self._lines, self._margin = lines, margin

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, position: int) -> str: ...
    @overload
    def __getitem__(self, position: slice) -> list[str]: ...
    def __getitem__(self, position: int | slice) -> str | list[str]:
        if isinstance(position, slice):
            return [self._margin.strip_line(line) for line in self._lines[position]]
        return self._margin.strip_line(self._lines[position])


def indent_width(line: str) -> int:
    """Return the number of columns before a line."""
    indent = line[: len(line) - len(line.lstrip(INDENT_CHARACTERS))]
    return len(indent.replace("X", " ").expandtabs(TAB_COLUMNS))


UNIFIED_RANGE = re.compile(r"@@ -(\d{1,15})(?:,(\d{1,15}))? \+(\d{1,15})(?:,(\d{1,15}))? @@")
NORMAL_COMMAND = re.compile(r"(\d{1,15})(?:,(\d{1,15}))?([acd])(\d{1,15})(?:,(\d{1,15}))?\r?\n?")
# A command of an ed script; `a` and `i` take no range.
ED_COMMAND = re.compile(r"(?:\d{1,15}(?:,\d{1,15})?)?[cd][ \t]*\n|(?:\d{1,15})?[ai][ \t]*\n")
MAX_LOST_BLANK_LINES = 3  # at the end of a patch, taken to be lost in transport
HEADER_SIDES = {"--- ": "old", "+++ ": "new", "Index: ": "index"}
QUOTED_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')
NAME_ESCAPE = re.compile(r"\\([0-7]{3}|.)")
ESCAPE_BYTES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}


class FilePatch:
    """The patch of one file: its names, header texts and hunks.

    `format` is "unified", "context" or "normal", `git` the extended header if there is one,
    `leading_lines` the text before the first hunk, and `line_number` the line of that hunk.
    """

    __slots__ = (
        "format", "git", "hunks", "leading_lines", "line_number", "margin", "names", "titles",
    )  # fmt: skip

    def __init__(
        self,
        names: dict[str, str],
        titles: dict[str, str],
        hunks: list[PatchHunk],
        diff_format: str,
        git: GitHeader | None,
    ) -> None:
        self.names, self.titles, self.hunks, self.git = names, titles, hunks, git
        self.format = diff_format
        self.leading_lines: Sequence[str] = ()
        self.margin = Margin()
        self.line_number = 0

    def inverse(self) -> FilePatch:
        """Return the reversed patch."""
        sides = {"old": "new", "new": "old", "index": "index"}
        inverse_patch = FilePatch(
            {sides[side]: name for side, name in self.names.items()},
            {sides[side]: prefix for side, prefix in self.titles.items()},
            [hunk.inverse() for hunk in self.hunks],
            self.format,
            None if self.git is None else self.git.inverse(),
        )
        inverse_patch.leading_lines, inverse_patch.line_number = (
            self.leading_lines,
            self.line_number,
        )
        inverse_patch.margin = self.margin
        return inverse_patch


class PatchReader:
    """Reads a patch line by line, and collects headers until the next hunks."""

    __slots__ = (
        "_format", "_git", "_has_returns", "_is_binary", "_lines", "_names", "_start", "_titles",
    )  # fmt: skip

    def __init__(
        self, lines: Sequence[str], accepted_format: str, *, is_binary: bool = False
    ) -> None:
        """Accept only one format, unless it is ""; `is_binary` keeps carriage returns."""
        self._lines, self._format, self._is_binary = lines, accepted_format, is_binary
        self._has_returns = False  # whether the last header ended in CR LF
        self._names: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._git: GitHeader | None = None
        self._start = 0  # after the last patch

    @property
    def has_trailing_text(self) -> bool:
        """Whether text follows the last patch."""
        return self._start < len(self._lines)

    @property
    def truncation_count(self) -> int:
        """How often GNU patch reports that the patch ends in the middle of a line.

        Right after a hunk it reads the line twice.
        """
        if not self.has_trailing_text or self._lines[-1].endswith("\n"):
            return 0
        return 2 if 0 < self._start == len(self._lines) - 1 else 1

    def patches(self) -> Iterator[FilePatch]:
        """Yield the patch of each file; other text is skipped."""
        position = 0
        may_be_script = False  # whether there was an ed command since the last hunks
        while position <= len(self._lines):
            is_end = position == len(self._lines)
            line = "" if is_end else self._lines[position]
            if may_be_script and (is_end or (line == ".\n" and not self._format)):
                raise MalformedPatch("ed scripts are not supported")
            if is_end:
                break
            may_be_script = may_be_script or ED_COMMAND.fullmatch(line) is not None
            margin = self._margin_at(position)
            inner = margin.strip_lines(self._lines)
            diff_format = hunk_format(inner, position)
            if diff_format and self._format in ("", diff_format):
                may_be_script = False
                leading, number = self._lines[self._start : position], position + 1
                hunks, position = read_hunks(inner, position)
                patch = self._take_patch(hunks, diff_format)
                patch.leading_lines, patch.line_number, patch.margin = leading, number, margin
                self._start = position
                yield patch
                continue
            line = line.lstrip(INDENT_CHARACTERS)
            if line.startswith(GIT_HEADER_START):
                yield from self._hunkless_patch(position)
                self._git = GitHeader(*git_names(line[len(GIT_HEADER_START) :].rstrip("\r\n")))
            elif line.startswith("*** ") and self._lines[position + 1 : position + 2]:
                next_line = self._lines[position + 1].lstrip(INDENT_CHARACTERS)
                position += self._read_context_headers(line, next_line)
            elif not self._read_header(line) and self._git is not None:
                self._git.read_line(line)
                if self._git.is_binary:
                    yield from self._hunkless_patch(position)
            position += 1
        yield from self._hunkless_patch(position)

    def _margin_at(self, position: int) -> Margin:
        """Return the margin of the lines from here on, if hunks start here."""
        line = self._lines[position]
        has_returns = self._has_returns or (not self._names and line.endswith("\r\n"))
        return Margin(indent_width(line), has_returns and not self._is_binary)

    def _take_patch(self, hunks: list[PatchHunk], diff_format: str) -> FilePatch:
        patch = FilePatch(self._names, self._titles, hunks, diff_format, self._git)
        self._names, self._titles, self._git = {}, {}, None
        self._has_returns = False
        return patch

    def _hunkless_patch(self, position: int) -> Iterator[FilePatch]:
        """Yield the patch of a file that git renames, copies, creates or removes without hunks."""
        git = self._git
        if git is not None and (git.is_extended or git.is_binary):
            self._names = {
                "old": NULL_FILE if git.is_new else git.old,
                "new": NULL_FILE if git.is_deleted else git.new,
            }
            patch = self._take_patch([], "unified")
            patch.leading_lines, self._start = self._lines[self._start : position], position
            patch.line_number = position + 1
            yield patch

    def _read_context_headers(self, line: str, following: str) -> int:
        """Read the two header lines of a context diff; return how many lines followed the first."""
        if not following.startswith("--- "):
            return 0
        self._has_returns = following.endswith("\r\n")
        for side, prefix in (("old", line), ("new", following)):
            text = prefix[4:].rstrip("\r\n")
            self._names[side], self._titles[side] = header_name(text), text
        return 1

    def _read_header(self, line: str) -> bool:
        """Read a header line; return whether the line is one."""
        prefix = next((prefix for prefix in HEADER_SIDES if line.startswith(prefix)), "")
        if prefix:
            text = line[len(prefix) :].rstrip("\r\n")
            side = HEADER_SIDES[prefix]
            self._names[side], self._titles[side] = header_name(text), text
            self._has_returns = line.endswith("\r\n")
        return bool(prefix)


def hunk_format(lines: Sequence[str], position: int) -> str:
    """Return the format of the hunk that starts here, or ""."""
    if UNIFIED_RANGE.match(lines[position]):
        return "unified"
    if NORMAL_COMMAND.fullmatch(lines[position]):
        return "normal"
    return "context" if is_context_hunk_start(lines, position) else ""


def git_names(text: str) -> tuple[str, str]:
    """Return the two names after `diff --git`; if they are equal, they may contain blanks."""
    if text.startswith('"'):
        end = QUOTED_NAME.match(text)
        if end is not None:
            return header_name(text), header_name(text[end.end() :].lstrip())
    middle = len(text) // 2
    first, second = text[:middle], text[middle + 1 :]
    if text[middle : middle + 1] == " " and first.partition("/")[2] == second.partition("/")[2]:
        return first, second
    first, _, second = text.partition(" ")
    return header_name(first), header_name(second)


def header_name(text: str) -> str:
    """Return the file name of a header: quoted, or up to a tab or blank."""
    if not text.startswith('"'):
        name, tab, _ = text.partition("\t")
        return name.rstrip() if tab else name.partition(" ")[0]
    quotation = QUOTED_NAME.match(text)
    if quotation is None:
        return text

    def byte(match: re.Match[str]) -> str:
        if match[1].isdecimal():
            return chr(int(match[1], 8) & 255)
        return chr(ESCAPE_BYTES.get(match[1], ord(match[1]) & 255))

    plain = NAME_ESCAPE.sub(byte, quotation[1])
    return text_of_bytes(plain.encode("latin-1", "replace"))


def read_hunks(lines: Sequence[str], position: int) -> tuple[list[PatchHunk], int]:
    """Return the hunks that start here, and the position after them."""
    hunks: list[PatchHunk] = []
    while position < len(lines):
        unified, normal = (
            UNIFIED_RANGE.match(lines[position]),
            NORMAL_COMMAND.fullmatch(lines[position]),
        )
        if unified:
            hunk, position = read_unified_hunk(unified, lines, position + 1)
        elif normal:
            hunk, position = read_normal_hunk(normal, lines, position + 1)
        elif is_context_hunk_start(lines, position):
            hunk, position = read_context_hunk(lines, position)
        else:
            break
        hunks.append(hunk)
        hunk.is_truncated = position == len(lines) and not lines[-1].endswith("\n")
    return hunks, position


def read_unified_hunk(
    match: re.Match[str], lines: Sequence[str], position: int
) -> tuple[PatchHunk, int]:
    """Read a hunk of a unified diff, after its `@@` line."""
    old, new = int(match[2] or 1), int(match[4] or 1)
    heading = match.string[match.end() :].rstrip("\r\n")
    marked_lines: list[tuple[str, str]] = []
    while old or new:
        if position == len(lines) and new > MAX_LOST_BLANK_LINES:
            raise MalformedPatch("unexpected end of file in patch")
        line = lines[position] if position < len(lines) else "\n"
        mark = line[:1]
        if mark in ("\n", "\t"):  # mailers strip trailing blanks
            mark, line = " ", f" {line}"
        if mark not in (" ", "-", "+") or (mark != "+" and not old) or (mark != "-" and not new):
            if mark == NO_NEWLINE_MARK and marked_lines:
                position = drop_missing_newline(lines, position, marked_lines)
                continue
            raise MalformedPatch(f"malformed patch at line {min(position + 1, len(lines))}: {line}")
        old -= mark != "+"
        new -= mark != "-"
        marked_lines.append((mark, line[1:]))
        position += position < len(lines)
    position = drop_missing_newline(lines, position, marked_lines)
    # An empty range has the number of the line before it.
    old_start = int(match[1]) + (match[2] == "0")
    return PatchHunk(old_start, int(match[3]) + (match[4] == "0"), marked_lines, heading), position


def read_normal_hunk(
    match: re.Match[str], lines: Sequence[str], position: int
) -> tuple[PatchHunk, int]:
    """Read a hunk of a normal diff, after its `2,3c2` line."""
    letter = match[3]
    marked_lines: list[tuple[str, str]] = []
    counts = [
        int(last or first) - int(first) + 1
        for first, last in (match.group(1, 2), match.group(4, 5))
    ]
    for mark, skipped_letter, count in (("<", "a", counts[0]), (">", "d", counts[1])):
        if letter == skipped_letter:
            continue
        if mark == ">" and letter == "c":
            if position >= len(lines):
                raise MalformedPatch("unexpected end of file in patch")
            if not lines[position].startswith("-"):
                raise MalformedPatch(f"'---' expected at line {position + 1} of patch")
            position += 1
        for _ in range(count):
            if position >= len(lines) or not lines[position].startswith(f"{mark} "):
                raise MalformedPatch(f"'{mark}' expected at line {position + 1} of patch")
            marked_lines.append(("-" if mark == "<" else "+", lines[position][2:]))
            position += 1
        position = drop_missing_newline(lines, position, marked_lines)
    starts = int(match[1]) + (letter == "a"), int(match[4]) + (letter == "d")
    return PatchHunk(*starts, marked_lines), position
