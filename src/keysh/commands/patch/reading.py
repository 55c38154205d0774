"""Reading a patch: the files it is about, and their hunks, of unified and normal diffs."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

UNIFIED = re.compile(r"@@ -(\d{1,15})(?:,(\d{1,15}))? \+(\d{1,15})(?:,(\d{1,15}))? @@")
NORMAL = re.compile(r"(\d{1,15})(?:,(\d{1,15}))?([acd])(\d{1,15})(?:,(\d{1,15}))?\n?")
NO_NEWLINE = "\\"
TITLES = {"--- ": "old", "+++ ": "new", "Index: ": "index"}
QUOTED = re.compile(r"\\([0-7]{3}|.)")
ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}


class MalformedPatch(Exception):
    """A hunk is cut off or has a line that is none; the message tells where."""


class Hunk:
    """One hunk: where it begins in both files, and its lines, each a mark and a text."""

    __slots__ = ("lines", "new_start", "old_start")

    def __init__(self, old_start: int, new_start: int, lines: list[tuple[str, str]]) -> None:
        self.old_start, self.new_start, self.lines = old_start, new_start, lines

    @property
    def old(self) -> list[str]:
        """The lines that the hunk looks for."""
        return [text for mark, text in self.lines if mark != "+"]

    @property
    def new(self) -> list[str]:
        """The lines that it puts there."""
        return [text for mark, text in self.lines if mark != "-"]

    def around(self) -> tuple[int, int]:
        """How many lines before and behind the changes are the same in both files."""
        marks = "".join(mark for mark, _ in self.lines)
        return len(marks) - len(marks.lstrip(" ")), len(marks) - len(marks.rstrip(" "))

    def reversed(self) -> Hunk:
        """The hunk that takes this one back; what is deleted stands first in it, too."""
        turned: list[tuple[str, str]] = []
        added: list[tuple[str, str]] = []
        for mark, text in self.lines:
            if mark == "-":
                added.append(("+", text))
                continue
            if mark == " ":
                turned += added
                added = []
            turned.append(("-" if mark == "+" else " ", text))
        return Hunk(self.new_start, self.old_start, turned + added)


class FilePatch:
    """What a patch does to one file: the names and titles it gives, and the hunks."""

    __slots__ = ("hunks", "names", "titles")

    def __init__(self, names: dict[str, str], titles: dict[str, str], hunks: list[Hunk]) -> None:
        self.names, self.titles, self.hunks = names, titles, hunks

    def reversed(self) -> FilePatch:
        """The patch that takes this one back."""
        sides = {"old": "new", "new": "old", "index": "index"}
        return FilePatch(
            {sides[side]: name for side, name in self.names.items()},
            {sides[side]: title for side, title in self.titles.items()},
            [hunk.reversed() for hunk in self.hunks],
        )


def patches(lines: Sequence[str]) -> Iterator[FilePatch]:
    """All that a patch is about, file by file; what is no diff is passed over."""
    at = 0
    names: dict[str, str] = {}
    titles: dict[str, str] = {}
    while at < len(lines):
        line = lines[at]
        title = next((title for title in TITLES if line.startswith(title)), "")
        if UNIFIED.match(line) or NORMAL.fullmatch(line):
            hunks, at = hunks_from(lines, at)
            yield FilePatch(names, titles, hunks)
            names, titles = {}, {}
            continue
        if title:
            text = line[len(title) :].rstrip("\r\n")
            names[TITLES[title]], titles[TITLES[title]] = name_in(text), text
        at += 1


def name_in(text: str) -> str:
    """The name of a file in a title: what stands before the tab, or in quotes."""
    if not text.startswith('"'):
        return text.partition("\t")[0].rstrip()
    quoted = re.match(r'"((?:[^"\\]|\\.)*)"', text)
    if quoted is None:
        return text

    def byte(match: re.Match[str]) -> str:
        if match[1].isdecimal():
            return chr(int(match[1], 8) & 255)
        return chr(ESCAPES.get(match[1], ord(match[1]) & 255))

    plain = QUOTED.sub(byte, quoted[1])
    return plain.encode("latin-1", "replace").decode("utf-8", "surrogateescape")


def hunks_from(lines: Sequence[str], at: int) -> tuple[list[Hunk], int]:
    """The hunks that begin here, and where what follows begins."""
    hunks: list[Hunk] = []
    while at < len(lines):
        unified, normal = UNIFIED.match(lines[at]), NORMAL.fullmatch(lines[at])
        if unified:
            hunk, at = unified_hunk(unified, lines, at + 1)
        elif normal:
            hunk, at = normal_hunk(normal, lines, at + 1)
        else:
            break
        hunks.append(hunk)
    return hunks, at


def unified_hunk(match: re.Match[str], lines: Sequence[str], at: int) -> tuple[Hunk, int]:
    """A hunk of a unified diff, behind its `@@`."""
    old, new = int(match[2] or 1), int(match[4] or 1)
    found: list[tuple[str, str]] = []
    while (old or new) and at < len(lines):
        line = lines[at]
        mark = line[:1]
        if mark in ("\n", "\t"):  # a blank that a mailer has taken away
            mark, line = " ", f" {line}"
        if mark not in (" ", "-", "+") or (mark != "+" and not old) or (mark != "-" and not new):
            if mark == NO_NEWLINE and found:
                at = torn(lines, at, found)
                continue
            raise MalformedPatch(f"malformed patch at line {at + 1}: {line}")
        old -= mark != "+"
        new -= mark != "-"
        found.append((mark, line[1:]))
        at += 1
    if old or new:
        raise MalformedPatch("unexpected end of file in patch")
    at = torn(lines, at, found)
    # Of no lines, the number is that of the line before.
    old_start = int(match[1]) + (match[2] == "0")
    return Hunk(old_start, int(match[3]) + (match[4] == "0"), found), at


def normal_hunk(match: re.Match[str], lines: Sequence[str], at: int) -> tuple[Hunk, int]:
    """A hunk of a normal diff, behind its `2,3c2`."""
    letter = match[3]
    found: list[tuple[str, str]] = []
    counts = [
        int(last or first) - int(first) + 1
        for first, last in (match.group(1, 2), match.group(4, 5))
    ]
    for mark, skipped, count in (("<", "a", counts[0]), (">", "d", counts[1])):
        if letter == skipped:
            continue
        if mark == ">" and letter == "c" and lines[at : at + 1] and lines[at].startswith("---"):
            at += 1
        for _ in range(count):
            if at >= len(lines) or not lines[at].startswith(f"{mark} "):
                raise MalformedPatch(f"'{mark}' expected at line {at + 1} of patch")
            found.append(("-" if mark == "<" else "+", lines[at][2:]))
            at += 1
        at = torn(lines, at, found)
    starts = int(match[1]) + (letter == "a"), int(match[4]) + (letter == "d")
    return Hunk(*starts, found), at


def torn(lines: Sequence[str], at: int, found: list[tuple[str, str]]) -> int:
    """Take the newline off the last line, where the patch says that it has none."""
    if at < len(lines) and lines[at].startswith(NO_NEWLINE) and found:
        mark, text = found[-1]
        found[-1] = mark, text.removesuffix("\n")
        return at + 1
    return at
