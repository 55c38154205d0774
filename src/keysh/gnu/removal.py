"""Remove files and trees, with the questions and messages of GNU's rm 9.1."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.diagnostics.exceptions import failure
from keysh.gnu.questions import ask_yes_no
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.paths import join, last_step, with_one_slash, without_slash
from keysh.vfs.real_paths import is_access_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

KIND_NAMES = {
    kinds.S_IFREG: "regular file", kinds.S_IFDIR: "directory", kinds.S_IFLNK: "symbolic link",
    kinds.S_IFIFO: "fifo", kinds.S_IFSOCK: "socket", kinds.S_IFCHR: "character special file",
    kinds.S_IFBLK: "block special file",
}  # fmt: skip


class Remover:
    """The options for removing, and the removal. `asks` is "never", "once" or "always"."""

    __slots__ = (
        "_sh", "_unreadable", "asks", "guards_root", "ignores_missing", "recursive", "stays",
        "takes_empty", "verbose",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._unreadable: set[str] = set()  # directories
        self.asks = "never"
        self.recursive = self.takes_empty = self.ignores_missing = False
        self.stays = self.verbose = False
        self.guards_root = True

    def remove(self, path: str) -> bool:
        """Remove what a path names. Return whether nothing failed."""
        fs, sh = self._sh.fs, self._sh
        path = with_one_slash(path)
        try:
            stat = fs.stat(sh.path(path))
        except OSError as error:
            asks = self.asks == "always"  # then the path is followed
            names_link = path.endswith("/") and not asks and self._sh.is_link(without_slash(path))
            reported_error = failure(errno.ENOTDIR, path) if names_link else error
            is_missing = reported_error.errno in (errno.ENOENT, errno.ENOTDIR)
            return (self.ignores_missing and is_missing) or self._report_failure(
                path, reported_error
            )
        if not stat.is_directory:
            return self._remove_one(path, stat)
        if not (self.recursive or self.takes_empty):
            return self._report_failure(path, failure(errno.EISDIR, path))
        if self.recursive and last_step(path) in (".", ".."):
            sh.warn(f"refusing to remove '.' or '..' directory: skipping {quoted_name(path)}")
            return False
        if self.recursive and self.guards_root and fs.resolve(sh.path(path)) == "/":
            same = "" if path == "/" else f"{quoted_name(path)} (same as '/')"
            sh.warn(f"it is dangerous to operate recursively on {same or quoted_name(path)}")
            sh.warn("use --no-preserve-root to override this failsafe")
            return False
        return self._remove_tree(path, stat)

    def _remove_tree(self, path: str, top: Stat) -> bool:
        """Remove a directory and its contents, walked with a stack."""
        fs, sh = self._sh.fs, self._sh
        names = self._names_in(path, top)
        if names is None:
            return False
        # A directory's path, status, names still to remove, and whether nothing failed so far.
        stack = [(path, top, names, [True])]
        while True:
            sh.tick()
            current, stat, names, is_complete = stack[-1]
            if names:
                inner = join(current, names.pop())
                try:
                    inner_stat = fs.stat(sh.path(inner))
                except FileNotFoundError:
                    continue
                except OSError as error:
                    is_complete[0] = self._report_failure(inner, error)
                    continue
                if not inner_stat.is_directory:
                    is_complete[0] &= self._remove_one(inner, inner_stat)
                    continue
                if self.stays and inner_stat.device != top.device:
                    sh.warn(f"skipping {quoted_name(inner)}, since it's on a different device")
                    is_complete[0] = False
                    continue
                inner_names = self._names_in(inner, inner_stat)
                if inner_names is None:
                    is_complete[0] = False
                else:
                    stack.append((inner, inner_stat, inner_names, [True]))
                continue
            stack.pop()
            is_removed = is_complete[0] and self._remove_one(current, stat)
            if not stack:
                return is_removed
            stack[-1][3][0] &= is_removed

    def _names_in(self, path: str, stat: Stat) -> list[str] | None:
        """Return the names in a directory in reverse order; None if it is not to be removed."""
        sh = self._sh
        names: list[str] = []
        try:
            names = sorted((entry.name for entry in sh.fs.list(sh.path(path))), reverse=True)
            if names and not self.recursive:
                raise failure(errno.ENOTEMPTY, path)
        except PermissionError:
            if not self.recursive:
                self._report_failure(path, failure(errno.ENOTEMPTY, path))
                return None
            self._unreadable.add(path)  # it may be empty
        except OSError as error:
            self._report_failure(path, error)
            return None
        guard = "" if is_access_allowed(sh.fs, sh.path(path), stat, 2) else "write-protected "
        asks = (names or path in self._unreadable) and self.asks == "always"
        if asks and not ask_yes_no(sh, f"descend into {guard}directory {quoted_name(path)}?"):
            return None
        return names

    def _remove_one(self, path: str, stat: Stat) -> bool:
        """Remove a file or an empty directory. Return whether nothing failed."""
        fs, sh = self._sh.fs, self._sh
        is_tree = stat.is_directory and (self.recursive or self.takes_empty)
        asks = self.asks == "always" and (is_tree or not stat.is_directory)
        if asks and not ask_yes_no(
            sh, f"remove {self._description(path, stat)} {quoted_name(path)}?"
        ):
            return True
        try:
            if is_tree:
                fs.remove_directory(sh.path(path))
            else:
                fs.remove(sh.path(path))
        except OSError as error:
            is_absent = error.errno in (errno.ENOENT, errno.ENOTDIR)
            is_missing = is_absent and self.ignores_missing
            if error.errno == errno.ENOTEMPTY and self.recursive and path in self._unreadable:
                error = failure(errno.EACCES, path)
            return is_missing or self._report_failure(path, error)
        if self.verbose:
            sh.tell(f"removed {'directory ' if is_tree else ''}{quoted_name(path)}\n")
        return True

    def _description(self, path: str, stat: Stat) -> str:
        sh = self._sh
        kind = KIND_NAMES.get(kinds.S_IFMT(stat.mode), "weird file")
        if stat.is_file and not stat.size:
            kind = "regular empty file"
        is_writable = stat.is_link or is_access_allowed(sh.fs, sh.path(path), stat, 2)
        return kind if is_writable else f"write-protected {kind}"

    def _report_failure(self, path: str, error: OSError) -> bool:
        self._sh.warn(f"cannot remove {quoted_name(path)}: {os_error_text(error)}")
        return False
