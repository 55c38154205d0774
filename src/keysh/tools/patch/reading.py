"""Read patches: the files they change, and the hunks of unified, context and normal diffs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import overload

from keysh.text.chunks import text_of_bytes
from keysh.tools.patch.context_hunk import is_context_hunk_start, read_context_hunk
from keysh.tools.patch.ed_script import TEXT_END, is_ed_command, script_at
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
        at = column = 0
        while column < self.indent and line[at] in INDENT_CHARACTERS:
            column = column + TAB_COLUMNS - column % TAB_COLUMNS if line[at] == "\t" else column + 1
            at += 1
        if self.has_returns and line.endswith("\r\n"):
            return f"{line[at:-2]}\n"
        return line[at:]

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
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self._margin.strip_line(line) for line in self._lines[at]]
        return self._margin.strip_line(self._lines[at])


def indent_width(line: str) -> int:
    """Return the number of columns before a line."""
    return len(
        line[: len(line) - len(line.lstrip(INDENT_CHARACTERS))]
        .replace("X", " ")
        .expandtabs(TAB_COLUMNS)
    )


UNIFIED_RANGE = re.compile(r"@@ -(\d{1,15})(?:,(\d{1,15}))? \+(\d{1,15})(?:,(\d{1,15}))? @@")
NORMAL_COMMAND = re.compile(r"(\d{1,15})(?:,(\d{1,15}))?([acd])(\d{1,15})(?:,(\d{1,15}))?\r?\n?")
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
        "format", "git", "hunks", "leading_lines", "line_number", "margin", "names", "script",
        "titles",
    )  # fmt: skip

    def __init__(
        self,
        names: dict[str, str],
        titles: dict[str, str],
        hunks: list[PatchHunk],
        form: str,
        git: GitHeader | None,
    ) -> None:
        self.names, self.titles, self.hunks, self.format, self.git = names, titles, hunks, form, git
        self.leading_lines: Sequence[str] = ()
        self.script: Sequence[str] = ()
        self.margin = Margin()
        self.line_number = 0

    def inverse(self) -> FilePatch:
        """Return the reversed patch."""
        sides = {"old": "new", "new": "old", "index": "index"}
        turned = FilePatch(
            {sides[side]: name for side, name in self.names.items()},
            {sides[side]: title for side, title in self.titles.items()},
            [hunk.inverse() for hunk in self.hunks],
            self.format,
            None if self.git is None else self.git.inverse(),
        )
        turned.leading_lines, turned.line_number = self.leading_lines, self.line_number
        turned.margin = self.margin
        turned.script = self.script  # which nothing takes back
        return turned


class PatchReader:
    """Reads a patch line by line, and collects headers until the next hunks."""

    __slots__ = (
        "_format", "_git", "_has_returns", "_is_binary", "_lines", "_names", "_start", "_titles",
    )  # fmt: skip

    def __init__(self, lines: Sequence[str], form: str, *, is_binary: bool = False) -> None:
        """`form` is the only format to accept, or ""; `is_binary` keeps carriage returns."""
        self._lines, self._format, self._is_binary = lines, form, is_binary
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
        at = 0
        command = -1  # the line that may start an ed script
        while at <= len(self._lines):
            is_end = at == len(self._lines)
            line = "" if is_end else self._lines[at]
            if command >= 0 and (is_end or (line == TEXT_END and self._format in ("", "ed"))):
                script, at = script_at(self._lines, command)
                made = self._take_patch([], "ed")
                made.script, made.leading_lines = script, self._lines[self._start : command]
                made.line_number, command, self._start = command + 1, -1, at
                yield made
                continue
            if is_end:
                break
            if command < 0 and is_ed_command(line):
                command = at
            margin = self._margin_at(at)
            inner = margin.strip_lines(self._lines)
            form = hunk_format(inner, at)
            if form and self._format in ("", form):
                command = -1
                leading, number = self._lines[self._start : at], at + 1
                hunks, at = read_hunks(inner, at)
                made = self._take_patch(hunks, form)
                made.leading_lines, made.line_number, made.margin = leading, number, margin
                self._start = at
                yield made
                continue
            line = line.lstrip(INDENT_CHARACTERS)
            if line.startswith(GIT_HEADER_START):
                yield from self._hunkless_patch(at)
                self._git = GitHeader(*git_names(line[len(GIT_HEADER_START) :].rstrip("\r\n")))
            elif line.startswith("*** ") and self._lines[at + 1 : at + 2]:
                at += self._read_context_headers(
                    line, self._lines[at + 1].lstrip(INDENT_CHARACTERS)
                )
            elif not self._read_header(line) and self._git is not None:
                self._git.read_line(line)
                if self._git.is_binary:
                    yield from self._hunkless_patch(at)
            at += 1
        yield from self._hunkless_patch(at)

    def _margin_at(self, at: int) -> Margin:
        """Return the margin of the lines from here on, if hunks start here."""
        line = self._lines[at]
        has_returns = self._has_returns or (not self._names and line.endswith("\r\n"))
        return Margin(indent_width(line), has_returns and not self._is_binary)

    def _take_patch(self, hunks: list[PatchHunk], form: str) -> FilePatch:
        made = FilePatch(self._names, self._titles, hunks, form, self._git)
        self._names, self._titles, self._git = {}, {}, None
        self._has_returns = False
        return made

    def _hunkless_patch(self, at: int) -> Iterator[FilePatch]:
        """Yield the patch of a file that git renames, copies, creates or removes without hunks."""
        git = self._git
        if git is not None and (git.is_extended or git.is_binary):
            self._names = {
                "old": NULL_FILE if git.is_new else git.old,
                "new": NULL_FILE if git.is_deleted else git.new,
            }
            made = self._take_patch([], "unified")
            made.leading_lines, self._start = self._lines[self._start : at], at
            made.line_number = at + 1
            yield made

    def _read_context_headers(self, line: str, behind: str) -> int:
        """Read the two header lines of a context diff; return how many lines followed the first."""
        if not behind.startswith("--- "):
            return 0
        self._has_returns = behind.endswith("\r\n")
        for side, title in (("old", line), ("new", behind)):
            text = title[4:].rstrip("\r\n")
            self._names[side], self._titles[side] = header_name(text), text
        return 1

    def _read_header(self, line: str) -> bool:
        """Read a header line; return whether the line is one."""
        title = next((title for title in HEADER_SIDES if line.startswith(title)), "")
        if title:
            text = line[len(title) :].rstrip("\r\n")
            self._names[HEADER_SIDES[title]], self._titles[HEADER_SIDES[title]] = (
                header_name(text),
                text,
            )
            self._has_returns = line.endswith("\r\n")
        return bool(title)


def hunk_format(lines: Sequence[str], at: int) -> str:
    """Return the format of the hunk that starts here, or ""."""
    if UNIFIED_RANGE.match(lines[at]):
        return "unified"
    if NORMAL_COMMAND.fullmatch(lines[at]):
        return "normal"
    return "context" if is_context_hunk_start(lines, at) else ""


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
    quoted = QUOTED_NAME.match(text)
    if quoted is None:
        return text

    def byte(match: re.Match[str]) -> str:
        if match[1].isdecimal():
            return chr(int(match[1], 8) & 255)
        return chr(ESCAPE_BYTES.get(match[1], ord(match[1]) & 255))

    plain = NAME_ESCAPE.sub(byte, quoted[1])
    return text_of_bytes(plain.encode("latin-1", "replace"))


def read_hunks(lines: Sequence[str], at: int) -> tuple[list[PatchHunk], int]:
    """Return the hunks that start here, and the position after them."""
    hunks: list[PatchHunk] = []
    while at < len(lines):
        unified, normal = UNIFIED_RANGE.match(lines[at]), NORMAL_COMMAND.fullmatch(lines[at])
        if unified:
            hunk, at = read_unified_hunk(unified, lines, at + 1)
        elif normal:
            hunk, at = read_normal_hunk(normal, lines, at + 1)
        elif is_context_hunk_start(lines, at):
            hunk, at = read_context_hunk(lines, at)
        else:
            break
        hunks.append(hunk)
        hunk.is_truncated = at == len(lines) and not lines[-1].endswith("\n")
    return hunks, at


def read_unified_hunk(match: re.Match[str], lines: Sequence[str], at: int) -> tuple[PatchHunk, int]:
    """Read a hunk of a unified diff, after its `@@` line."""
    old, new = int(match[2] or 1), int(match[4] or 1)
    note = match.string[match.end() :].rstrip("\r\n")
    found: list[tuple[str, str]] = []
    while old or new:
        if at == len(lines) and new > MAX_LOST_BLANK_LINES:
            raise MalformedPatch("unexpected end of file in patch")
        line = lines[at] if at < len(lines) else "\n"
        mark = line[:1]
        if mark in ("\n", "\t"):  # mailers strip trailing blanks
            mark, line = " ", f" {line}"
        if mark not in (" ", "-", "+") or (mark != "+" and not old) or (mark != "-" and not new):
            if mark == NO_NEWLINE_MARK and found:
                at = drop_missing_newline(lines, at, found)
                continue
            raise MalformedPatch(f"malformed patch at line {min(at + 1, len(lines))}: {line}")
        old -= mark != "+"
        new -= mark != "-"
        found.append((mark, line[1:]))
        at += at < len(lines)
    at = drop_missing_newline(lines, at, found)
    # An empty range has the number of the line before it.
    old_start = int(match[1]) + (match[2] == "0")
    return PatchHunk(old_start, int(match[3]) + (match[4] == "0"), found, note), at


def read_normal_hunk(match: re.Match[str], lines: Sequence[str], at: int) -> tuple[PatchHunk, int]:
    """Read a hunk of a normal diff, after its `2,3c2` line."""
    letter = match[3]
    found: list[tuple[str, str]] = []
    counts = [
        int(last or first) - int(first) + 1
        for first, last in (match.group(1, 2), match.group(4, 5))
    ]
    for mark, skipped, count in (("<", "a", counts[0]), (">", "d", counts[1])):
        if letter == skipped:
            continue
        if mark == ">" and letter == "c" and at < len(lines) and lines[at].startswith("---"):
            at += 1
        for _ in range(count):
            if at >= len(lines) or not lines[at].startswith(f"{mark} "):
                raise MalformedPatch(f"'{mark}' expected at line {at + 1} of patch")
            found.append(("-" if mark == "<" else "+", lines[at][2:]))
            at += 1
        at = drop_missing_newline(lines, at, found)
    starts = int(match[1]) + (letter == "a"), int(match[4]) + (letter == "d")
    return PatchHunk(*starts, found), at
