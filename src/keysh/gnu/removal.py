"""Removing: one file or tree after another, with the questions and the messages of GNU's rm 9.1."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.diagnostics.errors import failure
from keysh.gnu.questions import ask_yes_no
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.access import is_access_allowed
from keysh.vfs.paths import join, last_step, with_one_slash, without_slash

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
    """How to remove, and the removing. `asks` is "never", "once" or "always"."""

    __slots__ = (
        "_sh", "_unreadable", "asks", "guards_root", "ignores_missing", "recursive", "stays",
        "takes_empty", "verbose",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._unreadable: set[str] = set()  # directories that cannot be read
        self.asks = "never"
        self.recursive = self.takes_empty = self.ignores_missing = False
        self.stays = self.verbose = False
        self.guards_root = True

    def remove(self, path: str) -> bool:
        """Remove what a path names; whether nothing has failed."""
        fs, sh = self._sh.fs, self._sh
        path = with_one_slash(path)
        try:
            found = fs.stat(sh.path(path))
        except OSError as error:
            asks = self.asks == "always"  # and looks where the path leads
            names_link = path.endswith("/") and not asks and self._sh.is_link(without_slash(path))
            told = failure(errno.ENOTDIR, path) if names_link else error
            is_missing = told.errno in (errno.ENOENT, errno.ENOTDIR)
            return (self.ignores_missing and is_missing) or self._report_failure(path, told)
        if not found.is_directory:
            return self._remove_one(path, found)
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
        return self._remove_tree(path, found)

    def _remove_tree(self, path: str, top: Stat) -> bool:
        """Remove a directory with all that is in it. What is open stands on a stack."""
        fs, sh = self._sh.fs, self._sh
        names = self._names_in(path, top)
        if names is None:
            return False
        # A directory's path, what is left of it to remove, and whether all went well so far.
        stack = [(path, top, names, [True])]
        while True:
            sh.tick()
            here, found, names, is_whole = stack[-1]
            if names:
                inner = join(here, names.pop())
                try:
                    there = fs.stat(sh.path(inner))
                except FileNotFoundError:
                    continue
                except OSError as error:
                    is_whole[0] = self._report_failure(inner, error)
                    continue
                if not there.is_directory:
                    is_whole[0] &= self._remove_one(inner, there)
                    continue
                if self.stays and there.device != top.device:
                    sh.warn(f"skipping {quoted_name(inner)}, since it's on a different device")
                    is_whole[0] = False
                    continue
                below = self._names_in(inner, there)
                if below is None:
                    is_whole[0] = False
                else:
                    stack.append((inner, there, below, [True]))
                continue
            stack.pop()
            is_gone = is_whole[0] and self._remove_one(here, found)
            if not stack:
                return is_gone
            stack[-1][3][0] &= is_gone

    def _names_in(self, path: str, found: Stat) -> list[str] | None:
        """The names in a directory, the last first; None where it is left alone."""
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
        guard = "" if is_access_allowed(sh.fs, sh.path(path), found, 2) else "write-protected "
        asks = (names or path in self._unreadable) and self.asks == "always"
        if asks and not ask_yes_no(sh, f"descend into {guard}directory {quoted_name(path)}?"):
            return None
        return names

    def _remove_one(self, path: str, found: Stat) -> bool:
        """Remove a file, or a directory that is empty by now; whether nothing has failed."""
        fs, sh = self._sh.fs, self._sh
        is_tree = found.is_directory and (self.recursive or self.takes_empty)
        asks = self.asks == "always" and (is_tree or not found.is_directory)
        if asks and not ask_yes_no(
            sh, f"remove {self._description(path, found)} {quoted_name(path)}?"
        ):
            return True
        try:
            if is_tree:
                fs.remove_directory(sh.path(path))
            else:
                fs.remove(sh.path(path))
        except OSError as error:
            is_nothing = error.errno in (errno.ENOENT, errno.ENOTDIR)
            is_missing = is_nothing and self.ignores_missing
            if error.errno == errno.ENOTEMPTY and self.recursive and path in self._unreadable:
                error = failure(errno.EACCES, path)
            return is_missing or self._report_failure(path, error)
        if self.verbose:
            sh.tell(f"removed {'directory ' if is_tree else ''}{quoted_name(path)}\n")
        return True

    def _description(self, path: str, found: Stat) -> str:
        sh = self._sh
        kind = KIND_NAMES.get(kinds.S_IFMT(found.mode), "weird file")
        if found.is_file and not found.size:
            kind = "regular empty file"
        is_open = found.is_link or is_access_allowed(sh.fs, sh.path(path), found, 2)
        return kind if is_open else f"write-protected {kind}"

    def _report_failure(self, path: str, error: OSError) -> bool:
        self._sh.warn(f"cannot remove {quoted_name(path)}: {os_error_text(error)}")
        return False
