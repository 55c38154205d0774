"""JudgedFS: a mounted file system whose files are read and changed only if somebody allows it.

The router sends the verbs that read or change here while there is a judge; nobody else sees this
object. A verb follows no link, so the path that is judged is the file's own: a verb that meets a
link raises LinkInPath, and the router comes again with another path.
"""

from __future__ import annotations

import errno
import stat as kinds

from keysh.vfs.api import FileSystem, LinkInPath, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Literal, TypeAlias

    from keysh.vfs.api import Access, Entry, Stat
    from keysh.vfs.other_names import OtherNames
    from keysh.vfs.stream import Stream

    FileAction: TypeAlias = Literal["read", "write", "remove"]
    # Receives what is done with which path of the router, and other paths of the same file, if it
    # has any; returns why not, or nothing.
    FileJudge: TypeAlias = Callable[..., str]

ACTIONS_OF_ACCESS: dict[str, tuple[FileAction, ...]] = {
    "r": ("read",), "w": ("write",), "a": ("write",), "x": ("write",), "rw": ("read", "write"),
}  # fmt: skip


class JudgedFS(FileSystem):
    """A file system at a mount point, and what judges its files.

    `denial` makes the exception for a path and a reason. `names` tells the other paths of a file,
    if what is mounted here is mounted elsewhere too.
    """

    def __init__(
        self,
        fs: FileSystem,
        point: str,
        judge: FileJudge,
        denial: Callable[[str, str], BaseException],
        names: OtherNames | None = None,
    ) -> None:
        self._fs, self._judge, self._denial, self._names = fs, judge, denial, names
        self._point = "" if point == "/" else point

    # ------------------------------------------------------------ the judge

    def _require(self, action: FileAction, path: str) -> None:
        """Raise the denial, unless the judge allows what is done."""
        if reason := self.refusal(action, path):
            raise self._denial(self._shown(path), reason)

    def _shown(self, path: str) -> str:
        """Return the path in the router."""
        return self._point + path if path != "/" else self._point or "/"

    def refusal(self, action: FileAction, path: str) -> str:
        """Return why the judge refuses something; "" if it does not."""
        others = () if self._names is None else self._names.of(path)
        shown = self._shown(path)
        return self._judge(action, shown, others) if others else self._judge(action, shown)

    def _refuse_link(self, path: str, *, follow: bool) -> Stat | None:
        """Raise LinkInPath if the path is not the file's own; return what is there.

        The file system is asked again after the judge. If there is a link by then, it raises
        LinkInPath itself, since no verb follows one.
        """
        try:
            there = self._fs.stat(path)
        except OSError:
            return None
        if follow and there.is_link:
            raise LinkInPath(path, self._fs.read_link(path), "")
        return there

    def _require_entry(self, action: FileAction, path: str) -> None:
        self._refuse_link(path, follow=False)
        self._require(action, path)

    def _require_tree(self, old: str, new: str) -> set[str]:
        """Judge the move of a file, or of a directory and of all that is in it.

        Return the new paths, if it is a directory.
        """
        pending, judged = [(old, new)], set()
        while pending:
            source, target = pending.pop()
            there = self._refuse_link(source, follow=False)
            if there is not None and not there.is_link:
                self._require("read", source)  # under its new name it can be read
            self._require("remove", source)
            self._require("write", target)
            if there is not None and there.is_directory:
                judged.add(target)
                for entry in self._fs.list(source):
                    inner = f"{source.rstrip('/')}/{entry.name}"
                    pending.append((inner, f"{target.rstrip('/')}/{entry.name}"))
                    judged.add(pending[-1][1])
        return judged

    def _late_refusal(self, old: str, new: str, judged: set[str]) -> str:
        """Return why something that a job has made meanwhile may not have been moved."""
        pending = [new]
        while pending:
            directory = pending.pop()
            for entry in self._fs.list(directory):
                path = f"{directory.rstrip('/')}/{entry.name}"
                if path not in judged:
                    was = old + path[len(new) :]
                    reason = (
                        (not kinds.S_ISLNK(entry.kind) and self.refusal("read", was))
                        or self.refusal("remove", was)
                        or self.refusal("write", path)
                    )
                    if reason:
                        return reason
                if kinds.S_ISDIR(entry.kind):
                    pending.append(path)
        return ""

    # ------------------------------------------------------------ reading

    def stat(self, path: str) -> Stat:
        return self._fs.stat(path)

    def read_link(self, path: str) -> str:
        return self._fs.read_link(path)

    def list(self, path: str) -> Iterator[Entry]:
        self._refuse_link(path, follow=True)
        # Whoever lists directories goes on after one that is not readable.
        if self.refusal("read", path):
            raise failure(errno.EACCES, path)
        return self._fs.list(path)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        self._refuse_link(path, follow=access != "x")
        for action in ACTIONS_OF_ACCESS[access]:
            self._require(action, path)
        return self._fs.open(path, access, permissions)

    # ------------------------------------------------------------ changing

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        self._require_entry("write", path)
        self._fs.make_directory(path, permissions)

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        self._require_entry("write", path)
        self._fs.make_fifo(path, permissions)

    def make_link(self, target: str, path: str) -> None:
        self._require_entry("write", path)
        self._fs.make_link(target, path)

    def link(self, existing: str, path: str) -> None:
        # Under its other name the file can be read and written.
        self._require_entry("read", existing)
        self._require("write", existing)
        self._require_entry("write", path)
        self._fs.link(existing, path)

    def remove(self, path: str) -> None:
        self._require_entry("remove", path)
        self._fs.remove(path)

    def remove_directory(self, path: str) -> None:
        self._require_entry("remove", path)
        self._fs.remove_directory(path)

    def rename(self, old: str, new: str) -> None:
        replaced = self._refuse_link(new, follow=False)
        judged = self._require_tree(old, new)
        if replaced is not None and not replaced.is_file:
            self._require("remove", new)  # to replace a file is to write it
        self._fs.rename(old, new)
        if judged and (reason := self._late_refusal(old, new, judged)):
            self._fs.rename(new, old)
            raise self._denial(self._shown(new), reason)

    def set_mode(self, path: str, mode: int) -> None:
        self._refuse_link(path, follow=True)
        self._require("write", path)
        self._fs.set_mode(path, mode)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        self._require_entry("write", path)
        self._fs.set_times(path, accessed, modified)

    def set_owner(self, path: str, owner: int, group: int) -> None:
        self._require_entry("write", path)
        self._fs.set_owner(path, owner, group)
