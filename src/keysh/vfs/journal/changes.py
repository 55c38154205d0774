"""FileChanges: what a run did to files, as versions before and after it."""

from __future__ import annotations

import stat as kinds

from keysh.diagnostics.exceptions import UndoConflict
from keysh.vfs.journal.moves import moves_of
from keysh.vfs.paths import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Literal, Protocol, TypeAlias

    from keysh.vfs.journal.version import FileVersion

    ChangeKind: TypeAlias = Literal["created", "changed", "removed", "moved", "mode", "times"]
    Versions: TypeAlias = Mapping[str, FileVersion | None]

    class UnreadVersions(Protocol):
        """What can make versions."""

        def add_to(
            self, before: dict[str, FileVersion | None], after: dict[str, FileVersion | None]
        ) -> None: ...


KIND_NAMES = {
    kinds.S_IFREG: "file", kinds.S_IFDIR: "directory", kinds.S_IFLNK: "link",
    kinds.S_IFIFO: "fifo",
}  # fmt: skip


class Change:
    """What became of a path.

    `kind` is "created", "changed" (contents, the target of a link, or another kind of file),
    "removed", "moved", "mode" (or the owner) or "times". `before` and `after` are its versions,
    None if there was nothing. A file or directory that was moved is one change: `moved_from` is its
    path before, and `before` what was there.
    """

    __slots__ = ("after", "before", "kind", "moved_from", "path")

    __module__ = "keysh"

    def __init__(
        self,
        kind: ChangeKind,
        path: str,
        before: FileVersion | None,
        after: FileVersion | None,
        moved_from: str | None = None,
    ) -> None:
        self.kind, self.path, self.moved_from = kind, path, moved_from
        self.before, self.after = before, after

    def __repr__(self) -> str:
        origin = f" from {self.moved_from!r}" if self.moved_from is not None else ""
        return f"<Change {self.kind} {self.path!r}{origin}>"

    def diff(self, context: int = 3) -> str:
        """Return the change as unified text; of files that are no text, one line."""
        from keysh.vfs.journal.text_diff import version_diff  # noqa: PLC0415 - few changes are shown

        before = self.moved_from if self.moved_from is not None else self.path
        return version_diff(before, self.before, self.path, self.after, context)

    def record(self) -> dict[str, Any]:
        """Return the change as JSON values; sizes are in bytes, and digests are SHA-256."""
        record: dict[str, Any] = {"path": self.path, "kind": self.kind}
        if self.moved_from is not None:
            record["moved_from"] = self.moved_from
        for word, version in (("before", self.before), ("after", self.after)):
            record[word] = None if version is None else version_summary(version)
        return record


class FileChanges:
    """The versions of all paths that a run has touched, before and after it.

    `reasons` says why there may be more changes than these. `lost` has the paths whose version
    before cannot be restored, and why.
    """

    __module__ = "keysh"

    def __init__(
        self,
        before: Versions | None = None,
        after: Versions | None = None,
        reasons: Iterable[str] = (),
        unread: Iterable[UnreadVersions] = (),
        read: Callable[[FileChanges], None] | None = None,
        moves: Mapping[str, str] | None = None,
    ) -> None:
        """`read` calls `add_unread` when versions are first asked for.

        `moves` are known of a run that was stored.
        """
        self._before, self._after = dict(before or {}), dict(after or {})
        self.reasons = list(reasons)
        self._unread, self._read = [*unread], read
        self._moves = dict(moves or {})
        if read is None and moves is None:
            # At once, since versions change their inode when they are restored.
            self._moves = moves_of(self._before, self._after)

    def add_unread(self) -> None:
        """Make the versions that were not made yet."""
        self._read = None
        for versions in self._unread:
            versions.add_to(self._before, self._after)
        self._unread.clear()
        self._moves = moves_of(self._before, self._after)

    @property
    def before(self) -> dict[str, FileVersion | None]:
        """What was at each path before the run."""
        if self._read is not None:
            self._read(self)
        return self._before

    @property
    def after(self) -> dict[str, FileVersion | None]:
        """What was at each path after the run."""
        if self._read is not None:
            self._read(self)
        return self._after

    @property
    def moves(self) -> dict[str, str]:
        """The old path of each new path that is a file or directory with another name."""
        if self._read is not None:
            self._read(self)
        return self._moves

    @property
    def lost(self) -> dict[str, str]:
        """The paths whose content before was not kept, and the reasons."""
        return {
            path: version.content.lost
            for path, version in self.before.items()
            if version is not None and version.content is not None and version.content.lost
        }

    @property
    def is_complete(self) -> bool:
        """Whether these are all changes, and all of them can be taken back."""
        return not self.reasons and not self.lost

    def __bool__(self) -> bool:
        """Whether anything at all is different, if only a time."""
        return bool(self.before)

    def __len__(self) -> int:
        """The number of paths that are different in anything."""
        return len(self.before)

    def list(self, *, times: bool = False) -> list[Change]:
        """Return the changes sorted by path; those of nothing but times only if asked for."""
        moves = self.moves
        sources = set(moves.values())
        result = []
        for path in sorted(self.before):
            before, after = self.before[path], self.after[path]
            if path in moves:
                if not self._is_moved_along(path):
                    source = moves[path]
                    result.append(Change("moved", path, self.before[source], after, source))
                    continue
                before = self.before[moves[path]]
            elif path in sources:
                continue  # it is at its new path
            kind = kind_of_change(before, after)
            if kind is not None and (kind != "times" or times):
                result.append(Change(kind, path, before, after))
        return result

    def __iter__(self) -> Iterator[Change]:
        return iter(self.list())

    def _is_moved_along(self, path: str) -> bool:
        """Whether a moved path is where the move of a directory above has taken it."""
        moves = self.moves
        return any(
            is_below(path, above)
            and path != above
            and moves[path] == source + path[len(above) :]
            and self._is_directory(above)
            for above, source in moves.items()
        )

    def _is_directory(self, path: str) -> bool:
        version = self.after[path]
        return version is not None and version.is_directory


def joined_changes(runs: Iterable[FileChanges]) -> FileChanges:
    """Return the changes of runs that followed one another, as those of one run.

    UndoConflict with the paths that somebody else has changed between two of them.
    """
    before: dict[str, FileVersion | None] = {}
    after: dict[str, FileVersion | None] = {}
    reasons: dict[str, None] = {}
    conflicts = set()
    for run in runs:
        for path, version in run.before.items():
            if path not in after:
                before[path] = version
            elif not is_same_state(after[path], version):
                conflicts.add(path)
        after.update(run.after)
        reasons.update(dict.fromkeys(run.reasons))
    if conflicts:
        raise UndoConflict(sorted(conflicts))
    return FileChanges(before, after, reasons)


def is_same_state(one: FileVersion | None, other: FileVersion | None) -> bool:
    """Whether what one run left is what the next one found; the times of directories do not count.

    Nothing has changed a file if it is the same object.
    """
    if one is other:
        return True
    if one is None or other is None or not (one.is_directory and other.is_directory):
        return False
    return (one.mode, one.owner, one.group) == (other.mode, other.owner, other.group)


def kind_of_change(before: FileVersion | None, after: FileVersion | None) -> ChangeKind | None:
    """Return what became of a path; None if nothing that can be seen has changed."""
    if before is None or after is None:
        return None if before is after else "created" if before is None else "removed"
    if kinds.S_IFMT(before.mode) != kinds.S_IFMT(after.mode) or before.target != after.target:
        return "changed"
    if before.content is not None and after.content is not None:
        # If a content is lost, what is known is that the file was written.
        is_same = before.content.is_same(after.content)
        if not (before.modified == after.modified if is_same is None else is_same):
            return "changed"
    if (before.mode, before.owner, before.group) != (after.mode, after.owner, after.group):
        return "mode"
    is_timed = (before.modified, before.accessed) != (after.modified, after.accessed)
    return "times" if is_timed else None


def version_summary(version: FileVersion) -> dict[str, Any]:
    """Return what a person wants to know of a version, as JSON values."""
    summary: dict[str, Any] = {
        "type": KIND_NAMES.get(kinds.S_IFMT(version.mode), "other"),
        "mode": f"{version.permissions:04o}",
    }
    if version.content is not None:
        summary["size"] = version.size
        summary["sha256"] = version.digest()
    elif version.is_link:
        summary["target"] = version.target
    return summary
