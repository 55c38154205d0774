"""Unified diffs of two versions of a file."""

from __future__ import annotations

import re
import stat as kinds
from difflib import unified_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.journal.version import FileVersion

MAX_DIFF_BYTES = 1 << 20  # of a file: the comparison of more lines than this has takes seconds
NOTHING_THERE = "/dev/null"
LINE = re.compile("[^\n]*\n|[^\n]+")  # `splitlines` would end a line at other characters too
NO_NEWLINE = "\\ No newline at end of file\n"


def version_diff(
    path: str, before: FileVersion | None, new_path: str, after: FileVersion | None, context: int
) -> str:
    """Return what `diff -u` says of two versions, with a line for each change of the attributes."""
    lines = attribute_lines(path, before, new_path, after)
    old, new = text_of_version(before), text_of_version(after)
    names = (
        path if before is not None and old is not None else NOTHING_THERE,
        new_path if after is not None and new is not None else NOTHING_THERE,
    )
    if isinstance(old, str) or isinstance(new, str):
        reason = old if isinstance(old, str) else new
        if not is_unchanged(before, after):
            lines.append(f"{reason} {names[0]} and {names[1]} differ\n")
    elif old != new:
        lines += text_lines(old or [], new or [], names, context)
    return "".join(lines)


def attribute_lines(
    path: str, before: FileVersion | None, new_path: str, after: FileVersion | None
) -> list[str]:
    """Return the lines on a new name, kind or mode, as git writes them."""
    lines = []
    if path != new_path:
        lines += [f"rename from {path}\n", f"rename to {new_path}\n"]
    if before is None and after is not None and not after.is_file:
        lines.append(f"new file mode {after.mode:06o} {new_path}\n")
    elif after is None and before is not None and not before.is_file:
        lines.append(f"deleted file mode {before.mode:06o} {path}\n")
    elif before is not None and after is not None and before.mode != after.mode:
        lines += [f"old mode {before.mode:06o} {path}\n", f"new mode {after.mode:06o} {new_path}\n"]
    return lines


def text_of_version(version: FileVersion | None) -> list[str] | str | None:
    """Return the lines of a file or the target of a link; None if there is no text at all.

    A string is a message that replaces a content that cannot be shown.
    """
    if version is None or version.is_directory:
        return None
    if version.is_link:
        return [version.target]
    if version.content is None:
        return None
    if not version.content.is_at_hand:
        return "Files that were not kept:"
    if version.content.size() > MAX_DIFF_BYTES:
        return "Large files"
    data = version.content.data()
    if b"\0" in data:
        return "Binary files"
    return LINE.findall(data.decode("utf-8", "surrogateescape"))


def is_unchanged(before: FileVersion | None, after: FileVersion | None) -> bool:
    """Whether two versions are known to have the same content."""
    if before is None or after is None or before.content is None or after.content is None:
        return False
    return kinds.S_IFMT(before.mode) == kinds.S_IFMT(after.mode) and bool(
        before.content.is_same(after.content)
    )


def text_lines(old: list[str], new: list[str], names: tuple[str, str], context: int) -> list[str]:
    """Return the lines of a unified diff."""
    return [
        line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}"
        for line in unified_diff(old, new, *names, n=context)
    ]
