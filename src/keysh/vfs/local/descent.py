"""Descent into a directory of this machine, step by step and never out of it.

Every step is opened relative to the previous step's descriptor, and no step is `..` or leads
through a link. Whatever other processes rename or swap meanwhile, the descriptor held was reached
from the root downwards:

    root --openat("a")--> fd --openat("b")--> fd --(verb, "c", relative to fd)
"""

from __future__ import annotations

import errno
import os

from keysh.diagnostics.uncopied import Uncopied
from keysh.vfs.api import LinkInPath, failure
from keysh.vfs.local.root import PASS_FLAGS
from keysh.vfs.memory.inodes import fault_of_path
from keysh.vfs.paths import normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from keysh.vfs.local.root import RootDirectory

# Opening never waits for a fifo's other end or a modem, and acquires no controlling terminal.
OPEN_FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY

# With O_NOFOLLOW a link is ELOOP, or ENOTDIR if a directory is requested.
POSSIBLE_LINK_ERRNOS = (errno.ELOOP, errno.ENOTDIR)

SAFE_PATH_LENGTH = 1000  # characters: a shorter path never has too many bytes

# What `os` raises, also for names and numbers that cannot be passed to the kernel.
REPORTABLE_ERRORS = (OSError, ValueError, OverflowError)


class OpenParent(Uncopied):
    """A path's last name and its parent directory, which is open inside the `with`.

    An error that leaves the `with` has the virtual path, never a path of the machine.
    """

    __slots__ = ("_names", "_root", "directory", "name", "path")

    def __init__(self, root: RootDirectory, path: str, names: tuple[str, ...] = ()) -> None:
        self._root, self.path = root, path
        self._names = names or (path,)  # for `failure`
        self.directory = root.descriptor
        self.name = ""

    def __enter__(self) -> OpenParent:
        path = self.path
        if not path.startswith("/") or normal_path(path) != path or len(path) > SAFE_PATH_LENGTH:
            fault = fault_of_path(path)
            if fault:
                raise failure(fault, *self._names)
        steps = path[1:].split("/")
        self.name = steps.pop() or "."  # the root's only name
        root = current = self.directory
        done = 0
        try:
            for step in steps:
                below = os.open(step, PASS_FLAGS, dir_fd=current)
                if current != root:
                    os.close(current)
                self.directory = current = below
                done += 1
        except REPORTABLE_ERRORS as error:
            try:
                self._refuse_link(error, steps[done], "/" + "/".join(steps[: done + 1]))
            finally:
                self._close_directory()
            raise self._error_for_path(error) from None
        except BaseException:  # an interrupt before the `with` has begun
            self._close_directory()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close_directory()
        if error is None or (isinstance(error, OSError) and error.filename == self._names[-1]):
            return  # it has the virtual path already
        if isinstance(error, REPORTABLE_ERRORS):
            raise self._error_for_path(error) from None

    def open(self, flags: int, permissions: int = 0o777) -> int:
        """Open the name; raise LinkInPath for a link."""
        try:
            return os.open(self.name, flags | OPEN_FLAGS, permissions, dir_fd=self.directory)
        except OSError as error:
            self._refuse_link(error, self.name, self.path)
            raise

    def stat(self) -> os.stat_result:
        """Return the name's attributes; a link is not followed."""
        return os.stat(self.name, dir_fd=self.directory, follow_symlinks=False)

    def link(self) -> LinkInPath:
        """Return the exception for a name that is a link."""
        return LinkInPath(self.path, os.readlink(self.name, dir_fd=self.directory), "")

    def _refuse_link(self, error: Exception, step: str, path: str) -> None:
        if isinstance(error, OSError) and error.errno in POSSIBLE_LINK_ERRNOS:
            try:
                target = os.readlink(step, dir_fd=self.directory)
            except OSError:
                return  # not a link, or no longer: the error stands
            raise LinkInPath(path, target, self.path[len(path) :]) from None

    def _close_directory(self) -> None:
        if self.directory != self._root.descriptor:
            os.close(self.directory)
            self.directory = self._root.descriptor

    def _error_for_path(self, error: Exception) -> OSError:
        if isinstance(error, OSError):
            return failure(error.errno or errno.EIO, *self._names)
        # A surrogate that stands for no byte; a NUL, or a number that is too large.
        unencodable = isinstance(error, UnicodeEncodeError)
        return failure(errno.EILSEQ if unencodable else errno.EINVAL, *self._names)
