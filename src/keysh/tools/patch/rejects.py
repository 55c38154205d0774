"""Reject files: the hunks that could not be applied."""

from __future__ import annotations

from keysh.tools.patch.context_hunk import context_hunk_text
from keysh.tools.patch.git_header import NULL_FILE
from keysh.tools.patch.hunk import NO_NEWLINE_TEXT
from keysh.tools.patch.names import strip_directories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.tools.patch.hunk import PatchHunk
    from keysh.tools.patch.patch_reader import FilePatch


def rejects_text(
    patch: FilePatch, rejected: Sequence[tuple[PatchHunk, int]], form: str, strip: int
) -> str:
    """Return rejected hunks in a format; each comes with its line shift."""
    is_unified = (form or patch.format) == "unified"
    marks = ("---", "+++") if is_unified else ("***", "---")
    text = [
        f"{mark} {reject_header(patch, side, strip)}\n"
        for mark, side in zip(marks, ("old", "new"), strict=True)
    ]
    for hunk, line_shift in rejected:
        if is_unified:
            text.append(unified_hunk_text(hunk, line_shift))
        else:
            text.append(context_hunk_text(hunk, line_shift, is_plain=patch.format == "normal"))
    return "".join(text)


def reject_header(patch: FilePatch, side: str, strip: int) -> str:
    """Return the stripped name and the time of one side."""
    name = patch.names.get(side, NULL_FILE)
    _, tab, time = patch.titles.get(side, "").partition("\t")
    return (name if name == NULL_FILE else strip_directories(name, strip) or NULL_FILE) + tab + time


def unified_hunk_text(hunk: PatchHunk, line_shift: int) -> str:
    """Return a hunk as a unified diff."""
    old = unified_range(hunk.old_start + line_shift, len(hunk.old_lines))
    new = unified_range(hunk.new_start + line_shift, len(hunk.new_lines))
    text = [f"@@ -{old} +{new} @@{hunk.heading}\n"]
    for mark, line in hunk.lines:
        text.append(mark + line)
        if not line.endswith("\n"):
            text.append(NO_NEWLINE_TEXT)
    return "".join(text)


def unified_range(start: int, count: int) -> str:
    """Return the start and length of a range of lines."""
    return str(start) if count == 1 else f"{start - (not count)},{count}"
