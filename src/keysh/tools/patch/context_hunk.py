"""Hunks of context diffs: first as the old file has it, then as the new one does.

    ***************
    *** 1,3 ****
      one
    ! two
      three
    --- 1,3 ----

A half without changes may be left out; then its lines are those of the other that stay.
"""

from __future__ import annotations

import re

from keysh.tools.patch.hunk import NO_NEWLINE_TEXT, MalformedPatch, PatchHunk, drop_missing_newline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Half = list[tuple[str, str]]

HUNK_SEPARATOR = "***************"
OLD_RANGE = re.compile(r"\*\*\* (\d{1,15})(?:,(\d{1,15}))? \*\*\*\*")
NEW_RANGE = re.compile(r"--- (\d{1,15})(?:,(\d{1,15}))? ----")


def is_context_hunk_start(lines: Sequence[str], at: int) -> bool:
    """Whether a hunk of a context diff begins here."""
    return (
        lines[at].startswith(HUNK_SEPARATOR)
        and at + 1 < len(lines)
        and bool(OLD_RANGE.match(lines[at + 1]))
    )


def read_context_hunk(lines: Sequence[str], at: int) -> tuple[PatchHunk, int]:
    """The hunk that begins here, and where what follows begins."""
    first = OLD_RANGE.match(lines[at + 1])
    assert first is not None
    at_rule = at
    old, at = read_half(lines, at + 2, first, "-!")
    second = NEW_RANGE.match(lines[at]) if at < len(lines) else None
    if second is None:
        raise malformed_error(lines, at)
    new, end = read_half(lines, at + 1, second, "+!")
    if not old:
        old = [line for line in new if line[0] == " "]
    elif not new:
        new = [line for line in old if line[0] == " "]
    found = merge_halves(old, new)
    if found is None or len(old) != range_size(first) or len(new) != range_size(second):
        raise malformed_error(lines, end)
    starts = [
        int(match[1]) + (not side) for match, side in ((first, old), (second, new))
    ]  # of no lines, the number is that of the line before
    note = lines[at_rule][len(HUNK_SEPARATOR) :].rstrip("\r\n")
    return PatchHunk(starts[0], starts[1], found, note), end


def read_half(lines: Sequence[str], at: int, place: re.Match[str], marks: str) -> tuple[Half, int]:
    """The lines of one side, each with its mark, and the place behind them."""
    count = range_size(place)
    found: Half = []
    while len(found) < count and at < len(lines):
        line = lines[at]
        if line == "\n":  # blanks that a mailer has taken away
            line = "  \n"
        if line[:1] not in (" ", *marks) or line[1:2] not in (" ", "\t"):
            break
        found.append((line[0], line[2:]))
        at += 1
    at = drop_missing_newline(lines, at, found)
    if found and len(found) < count:
        raise malformed_error(lines, at)
    return found, at


def range_size(place: re.Match[str]) -> int:
    """How many lines a half has; none where the number is 0."""
    first, last = int(place[1]), int(place[2] or place[1])
    return last - first + 1 if last else 0


def malformed_error(lines: Sequence[str], at: int) -> MalformedPatch:
    """The exception for a hunk that is cut off or goes wrong."""
    if at >= len(lines):
        return MalformedPatch("unexpected end of file in patch")
    return MalformedPatch(f"malformed patch at line {at + 1}: {lines[at]}")


def merge_halves(old: Half, new: Half) -> Half | None:
    """Both sides in one list, as a unified diff has it; None where they do not fit."""
    found: Half = []
    at = there = 0
    while at < len(old) or there < len(new):
        while at < len(old) and old[at][0] != " ":
            found.append(("-", old[at][1]))
            at += 1
        while there < len(new) and new[there][0] != " ":
            found.append(("+", new[there][1]))
            there += 1
        if at < len(old) and there < len(new) and old[at][1] == new[there][1]:
            found.append(old[at])
            at, there = at + 1, there + 1
        elif at < len(old) or there < len(new):
            return None
    return found


def context_hunk_text(hunk: PatchHunk, ahead: int, *, is_plain: bool) -> str:
    """A hunk as a context diff has it, for a file that is so many lines longer by now.

    Of a normal diff, GNU's patch writes the marks and the ranges a little otherwise.
    """
    text = [f"{HUNK_SEPARATOR}{hunk.heading}\n"]
    stars, dashes = ("", " -----") if is_plain else (" ****", " ----")
    sides = ((hunk.old_start, hunk.old_lines, "-", "***", stars),
             (hunk.new_start, hunk.new_lines, "+", "---", dashes))  # fmt: skip
    for start, lines, mark, title, end in sides:
        first = start + ahead
        last = first + len(lines) - 1
        place = f"{first},{last}" if len(lines) > 1 else str(first if lines else 0)
        text.append(f"{title} {place}{end}\n")
        for sign, line in side_lines(hunk.lines, mark, is_plain=is_plain):
            text.append(f"{sign} {line}")
            if not line.endswith("\n"):
                text.append(NO_NEWLINE_TEXT)
    return "".join(text)


def side_lines(lines: Half, mark: str, *, is_plain: bool) -> Half:
    """The lines of one side; what is changed has a mark of its own."""
    found: Half = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end][0] != " ":
            end += 1
        block = lines[at:end]
        is_change = not is_plain and len({sign for sign, _ in block}) > 1
        found += [("!" if is_change else mark, line) for sign, line in block if sign == mark]
        if end < len(lines):
            found.append(lines[end])
        at = end + 1
    return found
