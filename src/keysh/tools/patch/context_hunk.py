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


def is_context_hunk_start(lines: Sequence[str], position: int) -> bool:
    """Whether a hunk of a context diff starts here."""
    return (
        lines[position].startswith(HUNK_SEPARATOR)
        and position + 1 < len(lines)
        and bool(OLD_RANGE.match(lines[position + 1]))
    )


def read_context_hunk(lines: Sequence[str], position: int) -> tuple[PatchHunk, int]:
    """Return the hunk that starts here, and the position after it."""
    first = OLD_RANGE.match(lines[position + 1])
    assert first is not None
    at_rule = position
    old, position = read_half(lines, position + 2, first, "-!")
    second = NEW_RANGE.match(lines[position]) if position < len(lines) else None
    if second is None:
        raise malformed_error(lines, position)
    new, end = read_half(lines, position + 1, second, "+!")
    if not old:
        old = [line for line in new if line[0] == " "]
    elif not new:
        new = [line for line in old if line[0] == " "]
    merged = merge_halves(old, new)
    if merged is None or len(old) != range_size(first) or len(new) != range_size(second):
        raise malformed_error(lines, end)
    # An empty range has the number of the line before it.
    starts = [int(match[1]) + (not side) for match, side in ((first, old), (second, new))]
    note = lines[at_rule][len(HUNK_SEPARATOR) :].rstrip("\r\n")
    return PatchHunk(starts[0], starts[1], merged, note), end


def read_half(
    lines: Sequence[str], position: int, line_range: re.Match[str], marks: str
) -> tuple[Half, int]:
    """Return the marked lines of one half, and the position after them."""
    count = range_size(line_range)
    merged: Half = []
    while len(merged) < count and position < len(lines):
        line = lines[position]
        if line == "\n":  # mailers strip trailing blanks
            line = "  \n"
        if line[:1] not in (" ", *marks) or line[1:2] not in (" ", "\t"):
            break
        merged.append((line[0], line[2:]))
        position += 1
    position = drop_missing_newline(lines, position, merged)
    if merged and len(merged) < count:
        raise malformed_error(lines, position)
    return merged, position


def range_size(line_range: re.Match[str]) -> int:
    """Return the number of lines in a half."""
    first, last = int(line_range[1]), int(line_range[2] or line_range[1])
    return last - first + 1 if last else 0


def malformed_error(lines: Sequence[str], position: int) -> MalformedPatch:
    """Return the exception for a truncated or malformed hunk."""
    if position >= len(lines):
        return MalformedPatch("unexpected end of file in patch")
    return MalformedPatch(f"malformed patch at line {position + 1}: {lines[position]}")


def merge_halves(old: Half, new: Half) -> Half | None:
    """Merge both halves into the order of a unified diff; return None if they contradict."""
    merged: Half = []
    position = new_position = 0
    while position < len(old) or new_position < len(new):
        while position < len(old) and old[position][0] != " ":
            merged.append(("-", old[position][1]))
            position += 1
        while new_position < len(new) and new[new_position][0] != " ":
            merged.append(("+", new[new_position][1]))
            new_position += 1
        if (
            position < len(old)
            and new_position < len(new)
            and old[position][1] == new[new_position][1]
        ):
            merged.append(old[position])
            position, new_position = position + 1, new_position + 1
        elif position < len(old) or new_position < len(new):
            return None
    return merged


def context_hunk_text(hunk: PatchHunk, line_shift: int, *, is_plain: bool) -> str:
    """Return a hunk as a context diff, with its line numbers moved by `line_shift`.

    For hunks of normal diffs, GNU patch uses other marks and range lines.
    """
    text = [f"{HUNK_SEPARATOR}{hunk.heading}\n"]
    stars, dashes = ("", " -----") if is_plain else (" ****", " ----")
    sides = ((hunk.old_start, hunk.old_lines, "-", "***", stars),
             (hunk.new_start, hunk.new_lines, "+", "---", dashes))  # fmt: skip
    for start, lines, mark, title, end in sides:
        first = start + line_shift
        last = first + len(lines) - 1
        line_range = f"{first},{last}" if len(lines) > 1 else str(first if lines else 0)
        text.append(f"{title} {line_range}{end}\n")
        for sign, line in side_lines(hunk.lines, mark, is_plain=is_plain):
            text.append(f"{sign} {line}")
            if not line.endswith("\n"):
                text.append(NO_NEWLINE_TEXT)
    return "".join(text)


def side_lines(lines: Half, mark: str, *, is_plain: bool) -> Half:
    """Return the lines of one side with their marks."""
    merged: Half = []
    position = 0
    while position < len(lines):
        end = position
        while end < len(lines) and lines[end][0] != " ":
            end += 1
        block = lines[position:end]
        is_change = not is_plain and len({sign for sign, _ in block}) > 1
        merged += [("!" if is_change else mark, line) for sign, line in block if sign == mark]
        if end < len(lines):
            merged.append(lines[end])
        position = end + 1
    return merged
