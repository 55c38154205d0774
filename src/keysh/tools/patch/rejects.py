"""Rejects: the hunks that fit nowhere, as a file of their own."""

from __future__ import annotations

from keysh.tools.patch.context_hunk import shown_hunk
from keysh.tools.patch.git_header import NOWHERE
from keysh.tools.patch.hunk import TORN
from keysh.tools.patch.names import stripped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.tools.patch.hunk import Hunk
    from keysh.tools.patch.reading import FilePatch


def text_of(patch: FilePatch, failed: Sequence[tuple[Hunk, int]], form: str, strip: int) -> str:
    """The hunks in a form, each with how far the file is ahead of the patch."""
    is_unified = (form or patch.form) == "unified"
    marks = ("---", "+++") if is_unified else ("***", "---")
    text = [
        f"{mark} {title_of(patch, side, strip)}\n"
        for mark, side in zip(marks, ("old", "new"), strict=True)
    ]
    for hunk, ahead in failed:
        if is_unified:
            text.append(unified(hunk, ahead))
        else:
            text.append(shown_hunk(hunk, ahead, is_plain=patch.form == "normal"))
    return "".join(text)


def title_of(patch: FilePatch, side: str, strip: int) -> str:
    """The name of one side, as far as it is not left out, and its time."""
    name = patch.names.get(side, NOWHERE)
    _, tab, time = patch.titles.get(side, "").partition("\t")
    return (name if name == NOWHERE else stripped(name, strip) or NOWHERE) + tab + time


def unified(hunk: Hunk, ahead: int) -> str:
    """A hunk as a unified diff has it."""
    old = span(hunk.old_start + ahead, len(hunk.old))
    new = span(hunk.new_start + ahead, len(hunk.new))
    text = [f"@@ -{old} +{new} @@{hunk.note}\n"]
    for mark, line in hunk.lines:
        text.append(mark + line)
        if not line.endswith("\n"):
            text.append(TORN)
    return "".join(text)


def span(start: int, count: int) -> str:
    """The number of the first line of a hunk and how many there are."""
    return str(start) if count == 1 else f"{start - (not count)},{count}"
