"""Create copies for cp, mv and install, after all checks: files, links, modes and times.

Errors are raised as CopyRefused with the messages of GNU's cp 9.1.
"""

from __future__ import annotations

import errno
import os
import stat as kinds
from contextlib import suppress

from keysh.diagnostics.exceptions import failure
from keysh.gnu.progress import Progress
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.vfs.api import identity
from keysh.vfs.paths import parent, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.copy.rules import CopyRules
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat
    from keysh.vfs.stream import Stream

COPY_CHUNK_BYTES = 1 << 18
SPECIAL_MODE_BITS = kinds.S_ISUID | kinds.S_ISGID | kinds.S_ISVTX


class CopyRefused(Exception):
    """This file is not copied. The message says why; it is empty if nothing is to be reported."""


class CopyMaker:
    """Creates the copies of one run."""

    __slots__ = ("_progress", "_rules", "_sh")

    def __init__(self, sh: Call, rules: CopyRules) -> None:
        self._sh, self._rules = sh, rules
        self._progress = Progress(sh)

    def link(self, existing: str, source: str, target: str) -> None:
        """Create a hard link to the path `existing`, which messages call `source`."""
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
        """Create a symbolic link to the source."""
        fs, path = self._sh.fs, self._sh.path
        if not source.startswith("/"):
            with suppress(OSError):  # then creating the link fails
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
        """Create a symbolic link with the same target as the source."""
        fs, path = self._sh.fs, self._sh.path
        try:
            fs.make_link(fs.read_link(path(source)), path(target))
        except OSError as error:
            raise copy_error("cannot create symbolic link {}", error, target) from None

    def make_fifo(self, target: str, stat: Stat) -> None:
        """Create a fifo with the mode of the source."""
        mode = stat.mode & 0o777 & ~self._sh.umask
        try:
            self._sh.fs.make_fifo(self._sh.path(target), mode)
        except OSError as error:
            raise copy_error("cannot create fifo {}", error, target) from None

    def write(self, source: str, target: str, stat: Stat, existing: Stat | None) -> None:
        """Copy the data of a file, into an existing one if there is one."""
        try:
            reader = self._sh.open(source)
        except OSError as error:
            raise copy_error("cannot open {} for reading", error, source) from None
        progress = self._progress
        with (
            reader,
            self._open_target(target, stat, existing) as writer,
            progress.of(source, stat.size),
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

    def _open_target(self, target: str, stat: Stat, existing: Stat | None) -> Stream:
        """Open the target, empty."""
        mode = 0o666 if self._rules.plain_mode else stat.mode & 0o777
        if self._rules.mode is not None:
            mode = 0o600  # until it is complete
        is_kept = self._rules.only_attributes
        try:
            if existing is not None:
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
        """Remove what a copy replaces."""
        try:
            self._sh.fs.remove(self._sh.path(target))
        except OSError as error:
            raise copy_error("cannot remove {}", error, target) from None
        if self._rules.verbose:
            self._sh.tell(f"removed {quoted_name(target)}\n")

    def preserve_attributes(self, stat: Stat, target: str, *, is_link: bool = False) -> None:
        """Give the copy the source's times and mode, as far as the rules say."""
        fs, path = self._sh.fs, self._sh.path(target)
        if self._rules.keeps_times:
            try:
                fs.set_times(path, stat.accessed, stat.modified, follow=not is_link)
            except OSError as error:
                self._sh.warn(str(copy_error("preserving times for {}", error, target)))
        mode = self._rules.mode
        if (self._rules.keeps_mode or mode is not None) and not is_link:
            try:
                if mode is None:
                    mode = kinds.S_IMODE(stat.mode)
                if not mode & SPECIAL_MODE_BITS and self._rules.mode is None:
                    # GNU sets an ACL, which keeps the special bits.
                    mode |= fs.stat(path).mode & SPECIAL_MODE_BITS
                fs.set_mode(path, mode)
            except OSError as error:
                self._sh.warn(str(copy_error("preserving permissions for {}", error, target)))


def copy_error(template: str, error: OSError, *names: str) -> CopyRefused:
    """Return the refusal for a system error."""
    why = os.strerror(error.errno) if error.errno else str(error)
    return CopyRefused(f"{template.format(*map(quoted_name, names))}: {why}")
