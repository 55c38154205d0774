"""Making copies: what cp, mv and install put in a place where nothing speaks against it any more.

A file with its bytes, a link of either kind, and then the mode and the times of what was copied. An
error is raised as Refused, in the words of GNU's cp 9.1.
"""

from __future__ import annotations

import errno
import os
import stat as kinds
from contextlib import suppress

from keysh.diagnostics.errors import failure
from keysh.gnu.progress import Progress
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.vfs.api import identity
from keysh.vfs.paths import parent, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.copy.rules import CopyRules
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat, Stream

COPY_CHUNK_BYTES = 1 << 18  # bytes that are copied at once
SPECIAL_MODE_BITS = kinds.S_ISUID | kinds.S_ISGID | kinds.S_ISVTX


class CopyRefused(Exception):
    """This file is not copied, and the message says why; empty where that is as it should be."""


class CopyMaker:
    """What makes the copies of one run."""

    __slots__ = ("_progress", "_rules", "_sh")

    def __init__(self, sh: Call, rules: CopyRules) -> None:
        self._sh, self._rules = sh, rules
        self._progress = Progress(sh)

    def link(self, existing: str, source: str, target: str) -> None:
        """Give the file at the path `existing` one more name; `source` is what messages call it."""
        fs, path = self._sh.fs, self._sh.path
        try:
            try:
                fs.link(existing, path(target))
            except FileExistsError:
                if not self._rules.force:
                    raise
                fs.remove(path(target))
                fs.link(existing, path(target))
        except OSError as error:
            raise copy_error("cannot create hard link {} to {}", error, target, source) from None

    def link_symbolically(self, source: str, target: str) -> None:
        """Make a symbolic link that leads to the source."""
        fs, path = self._sh.fs, self._sh.path
        if not source.startswith("/"):
            with suppress(OSError):  # then making the link fails
                folder = fs.stat(parent(without_slash(path(target))), follow=True)
                if identity(folder) != identity(fs.stat(self._sh.cwd, follow=True)):
                    only = "can make relative symbolic links only in current directory"
                    raise CopyRefused(f"{message_name(target)}: {only}")
        try:
            try:
                fs.make_link(source, path(target))
            except FileExistsError:
                if not self._rules.force:
                    raise
                fs.remove(path(target))
                fs.make_link(source, path(target))
        except OSError as error:
            raise copy_error(
                "cannot create symbolic link {} to {}", error, target, source
            ) from None

    def copy_link(self, source: str, target: str) -> None:
        """Make a symbolic link that leads where the source does."""
        fs, path = self._sh.fs, self._sh.path
        try:
            fs.make_link(fs.read_link(path(source)), path(target))
        except OSError as error:
            raise copy_error("cannot create symbolic link {}", error, target) from None

    def write(self, source: str, target: str, found: Stat, there: Stat | None) -> None:
        """Copy the bytes of a file, into the one that is there if any is."""
        try:
            if kinds.S_ISFIFO(found.mode):  # it would be waited for in vain
                raise failure(errno.EACCES, source)
            reader = self._sh.open(source)
        except OSError as error:
            raise copy_error("cannot open {} for reading", error, source) from None
        progress = self._progress
        with (
            reader,
            self._open_target(target, found, there) as writer,
            progress.of(source, found.size),
        ):
            if self._rules.shares_blocks:
                reason = failure(errno.ENOTSUP, target)
                raise copy_error("failed to clone {} from {}", reason, target, source)
            while not self._rules.only_attributes:
                self._sh.tick()
                try:
                    data = reader.read(COPY_CHUNK_BYTES)
                except OSError as error:
                    raise copy_error("error reading {}", error, source) from None
                if not data:
                    break
                try:
                    writer.write(data)
                except OSError as error:
                    raise copy_error("error writing {}", error, target) from None
                progress.add(len(data))

    def _open_target(self, target: str, found: Stat, there: Stat | None) -> Stream:
        """The target, open and empty."""
        mode = 0o666 if self._rules.plain_mode else found.mode & 0o777
        if self._rules.mode is not None:
            mode = 0o600  # until it is whole
        is_kept = self._rules.only_attributes
        try:
            if there is not None:
                try:
                    return self._sh.open(target, "rw" if is_kept else "w")
                except OSError:
                    if not self._rules.force:
                        raise
                self.remove(target)
            return self._sh.open(target, "x", mode)
        except OSError as error:
            if error.errno == errno.EEXIST and self._sh.fs.stat(self._sh.path(target)).is_link:
                through = "not writing through dangling symlink"
                raise CopyRefused(f"{through} {quoted_name(target)}") from None
            if error.errno == errno.EISDIR and target.endswith("/"):
                error = failure(errno.ENOTDIR, target)
            raise copy_error("cannot create regular file {}", error, target) from None

    def remove(self, target: str) -> None:
        """Take away what is in the place of a copy."""
        try:
            self._sh.fs.remove(self._sh.path(target))
        except OSError as error:
            raise copy_error("cannot remove {}", error, target) from None
        if self._rules.verbose:
            self._sh.tell(f"removed {quoted_name(target)}\n")

    def preserve_attributes(self, found: Stat, target: str, *, is_link: bool = False) -> None:
        """Give the copy the times and the mode of what was copied, where that is asked for."""
        fs, path = self._sh.fs, self._sh.path(target)
        if self._rules.keeps_times:
            try:
                fs.set_times(path, found.accessed, found.modified, follow=not is_link)
            except OSError as error:
                self._sh.warn(str(copy_error("preserving times for {}", error, target)))
        mode = self._rules.mode
        if (self._rules.keeps_mode or mode is not None) and not is_link:
            try:
                if mode is None:
                    mode = kinds.S_IMODE(found.mode)
                if not mode & SPECIAL_MODE_BITS and self._rules.mode is None:
                    mode |= (
                        fs.stat(path).mode & SPECIAL_MODE_BITS
                    )  # as GNU sets an ACL, not the mode
                fs.set_mode(path, mode)
            except OSError as error:
                self._sh.warn(str(copy_error("preserving permissions for {}", error, target)))


def copy_error(says: str, error: OSError, *names: str) -> CopyRefused:
    """A refusal for the kernel's reason."""
    why = os.strerror(error.errno) if error.errno else str(error)
    return CopyRefused(f"{says.format(*map(quoted_name, names))}: {why}")
