"""Hunks of context diffs: first in their old form, then in their new form.

    ***************
    *** 1,3 ****
      one
    ! two
      three
    --- 1,3 ----

A half without changes may be missing; its lines are then the context lines of the other half.
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
    """Whether a hunk of a context diff starts here."""
    return (
        lines[at].startswith(HUNK_SEPARATOR)
        and at + 1 < len(lines)
        and bool(OLD_RANGE.match(lines[at + 1]))
    )


def read_context_hunk(lines: Sequence[str], at: int) -> tuple[PatchHunk, int]:
    """Return the hunk that starts here, and the position after it."""
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
    ]  # an empty range has the number of the line before it
    note = lines[at_rule][len(HUNK_SEPARATOR) :].rstrip("\r\n")
    return PatchHunk(starts[0], starts[1], found, note), end


def read_half(lines: Sequence[str], at: int, place: re.Match[str], marks: str) -> tuple[Half, int]:
    """Return the marked lines of one half, and the position after them."""
    count = range_size(place)
    found: Half = []
    while len(found) < count and at < len(lines):
        line = lines[at]
        if line == "\n":  # mailers strip trailing blanks
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
    """Return the number of lines in a half."""
    first, last = int(place[1]), int(place[2] or place[1])
    return last - first + 1 if last else 0


def malformed_error(lines: Sequence[str], at: int) -> MalformedPatch:
    """Return the exception for a truncated or malformed hunk."""
    if at >= len(lines):
        return MalformedPatch("unexpected end of file in patch")
    return MalformedPatch(f"malformed patch at line {at + 1}: {lines[at]}")


def merge_halves(old: Half, new: Half) -> Half | None:
    """Merge both halves into the order of a unified diff; return None if they contradict."""
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
    """Return a hunk as a context diff, with its line numbers moved by `ahead`.

    For hunks of normal diffs, GNU patch uses other marks and range lines.
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
    """Return the lines of one side with their marks."""
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
