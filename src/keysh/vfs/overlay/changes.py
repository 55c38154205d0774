"""Changes: the differences between an overlay and its lower file system."""

from __future__ import annotations

import stat as kinds

from keysh.vfs.paths import base_name, join, parent
from keysh.vfs.transfer import has_same_content, walk_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from keysh.vfs.api import FileSystem, Stat

    Action = Literal["added", "changed", "removed"]
    What = Literal["file", "directory", "link", "other"]

KIND_WORDS: dict[int, What] = {
    kinds.S_IFREG: "file", kinds.S_IFDIR: "directory", kinds.S_IFLNK: "link",
}  # fmt: skip


class Change:
    """A path that an overlay has changed.

    action  "added", "changed" or "removed"
    path    the path
    what    the kind of the file that it is, or was: "file", "directory", "link" or another
    """

    __module__ = "keysh"
    __slots__ = ("action", "path", "what")

    def __init__(self, action: Action, path: str, what: What) -> None:
        self.action, self.path, self.what = action, path, what

    def __repr__(self) -> str:
        return f"<Change {self.action} {self.what} {self.path!r}>"


def tree_changes(upper: FileSystem, lower: FileSystem, hidden: Iterable[str]) -> list[Change]:
    """Return all changes, sorted by path; a path that changes its kind is removed, then added.

    A directory is changed if its mode is; its times follow from its entries.
    """
    by_parent: dict[str, list[str]] = {}
    for path in hidden:
        by_parent.setdefault(parent(path), []).append(path)
    changes: list[Change] = []
    if upper.stat("/").mode != lower.stat("/").mode:
        changes.append(Change("changed", "/", "directory"))
    pending = [("/", False)]  # directories of both; whether the lower one is hidden
    while pending:
        directory, is_hidden = pending.pop()
        names = {entry.name for entry in upper.list(directory)}
        names.update(base_name(path) for path in by_parent.get(directory, ()))
        if is_hidden:
            names.update(entry.name for entry in lower.list(directory))
        for each in names:
            path = join(directory, each)
            hides = is_hidden or path in hidden
            above, below = stat_or_none(upper, path), stat_or_none(lower, path)
            if above and below and above.is_directory and below.is_directory:
                pending.append((path, hides))
                if above.mode != below.mode:
                    changes.append(Change("changed", path, "directory"))
            else:
                changes += path_changes(
                    upper, lower, path, above, below if above or hides else None
                )
    changes.sort(key=lambda change: change.path)
    return changes


def path_changes(
    upper: FileSystem, lower: FileSystem, path: str, above: Stat | None, below: Stat | None
) -> Iterator[Change]:
    """Yield the changes at and below a path that is not a directory on both sides."""
    if above and below and kinds.S_IFMT(above.mode) == kinds.S_IFMT(below.mode):
        if above.is_link:
            is_changed = upper.read_link(path) != lower.read_link(path)
        else:
            is_changed = (
                (above.mode, above.size, above.modified) != (below.mode, below.size, below.modified)
                or (above.is_file and not has_same_content(upper, path, lower, path))
            )  # fmt: skip
        if is_changed:
            yield Change("changed", path, kind_word(above))
        return
    if below:
        yield from (Change("removed", at, kind_word(found)) for at, found in walk_tree(lower, path))
    if above:
        yield from (Change("added", at, kind_word(found)) for at, found in walk_tree(upper, path))


def stat_or_none(fs: FileSystem, path: str) -> Stat | None:
    try:
        return fs.stat(path)
    except FileNotFoundError:
        return None


def kind_word(found: Stat) -> What:
    return KIND_WORDS.get(kinds.S_IFMT(found.mode), "other")
