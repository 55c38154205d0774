"""The directory that a program runs in.

a directory of the machine   itself, by its open descriptor
any other                    a real copy of it if the policy says so, else an empty directory
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress

from keysh.external.lookup import VirtualPath, is_virtual
from keysh.process.launch import remove_private_directory
from keysh.process.result import NotStarted
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.external.request import ProgramRequest
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

NOT_REAL = "is not on a real filesystem"


class WorkingDirectory:
    """A directory of the machine. `writable`: directories whose files come from scripts.

    `is_own`: it was made for this program.
    """

    __slots__ = ("directory", "is_own", "variables", "writable")

    def __init__(self, directory: int | str) -> None:
        self.directory: int | str = directory
        self.is_own = isinstance(directory, str)
        self.variables: dict[str, str] = {}
        self.writable: list[str] = []

    def words(self, request: ProgramRequest) -> list[str]:
        """The words to run, with the first one as a path of the machine where that differs."""
        first, path = request.words[0], request.path
        if isinstance(path, VirtualPath):
            raise NotStarted("not_executable", errno.EXDEV, first, NOT_REAL)
        if first[:1] == "/" and path != first and not is_same_file(first, path):
            return [path, *request.words[1:]]
        return request.words

    def original_path(self, real: str) -> str:
        """The path of the file that a file of this directory is a copy of; "" if it is none."""
        return ""

    def begin(self) -> None:
        """The program has started."""
        self._close()

    def end(self, call: Call, status: int, *, has_left: bool) -> int:
        """The program has ended or did not start; return the status.

        `has_left`: something that it has started may be alive.
        """
        self._close()
        return status

    def _close(self) -> None:
        if isinstance(self.directory, int) and self.directory >= 0:
            os.close(self.directory)
            self.directory = -1


class EmptyDirectory:
    """A new directory of the machine, and how it was when it was made."""

    __slots__ = ("_status", "path")

    def __init__(self) -> None:
        from tempfile import mkdtemp  # noqa: PLC0415 - only where there is no directory

        self.path = mkdtemp(prefix="keysh-")
        self._status = self._current_status()

    @property
    def is_unchanged(self) -> bool:
        """Whether it is as it was made. Two changes in one tick of the clock may not be seen."""
        try:
            return self._current_status() == self._status and not os.listdir(self.path)
        except OSError:
            return False

    def _current_status(self) -> tuple[int, ...]:
        status = os.lstat(self.path)
        return status.st_ino, status.st_mode, status.st_mtime_ns, status.st_ctime_ns


class EmptyDirectories:
    """Directories that programs have left as they were, for the next ones. Any thread may use it.

    Making and removing one takes a tenth of the time of a short program. A process that was forked
    from the one that closes them keeps none.
    """

    __slots__ = ("_idle", "_is_closed", "_name", "_pid", "_temporary")

    def __init__(self) -> None:
        self._is_closed = False
        self._idle: list[EmptyDirectory] = []
        self._pid = os.getpid()
        # The directory for temporary files: its name, on which all threads agree, and its path.
        self._name, self._temporary = f"keysh-{os.urandom(8).hex()}", ""

    def temporary(self) -> str:
        """The directory for temporary files of confined programs, for as long as the shell."""
        from tempfile import gettempdir  # noqa: PLC0415 - as above

        if not self._temporary:
            self._temporary = os.path.join(os.path.realpath(gettempdir()), self._name)
        if not os.path.isdir(self._temporary):
            with suppress(FileExistsError):  # another thread has made it
                os.mkdir(self._temporary, 0o700)
        return self._temporary

    @property
    def _is_closer(self) -> bool:
        return self._pid == os.getpid()

    def take(self) -> EmptyDirectory:
        """An empty directory."""
        if self._is_closer:
            with suppress(IndexError):
                directory = self._idle.pop()
                if directory.is_unchanged:
                    return directory
        return EmptyDirectory()

    def give_back(self, directory: EmptyDirectory) -> None:
        """Keep one that nothing uses any more, if it is unchanged, else remove it."""
        is_kept = self._is_closer and not (self._idle or self._is_closed)
        if is_kept and directory.is_unchanged:
            self._idle.append(directory)
        else:
            remove_private_directory(directory.path)

    def close(self) -> None:
        """Remove them, and from now on each when it is given back."""
        self._is_closed = True
        if not self._is_closer:
            return
        while self._idle:
            remove_private_directory(self._idle.pop().path)
        if os.path.lexists(self._temporary):
            remove_private_directory(self._temporary)


class PrivateDirectory(WorkingDirectory):
    """An empty directory, for a program whose directory does not exist on the machine."""

    __slots__ = ("_directories", "_empty", "_name", "_unseen_path")

    def __init__(
        self, state: State, request: ProgramRequest, directories: EmptyDirectories
    ) -> None:
        self._directories, self._empty = directories, directories.take()
        super().__init__(self._empty.path)
        self._name = request.words[0]
        self._unseen_path = next(
            (word for word in request.words[1:] if is_virtual(state, join(state.cwd, word))), ""
        )

    def end(self, call: Call, status: int, *, has_left: bool) -> int:
        try:  # a message may be what the output limit refuses
            self._report_what_is_lost(call, self._empty.path, status)
        finally:
            if has_left:
                remove_private_directory(self._empty.path)
            else:
                self._directories.give_back(self._empty)
        return status

    def _report_what_is_lost(self, call: Call, folder: str, status: int) -> None:
        if has_entries(folder):
            call.complain(
                f"{self._name}: the files in its temporary directory are lost: the shell's "
                f"directory {NOT_REAL} (the host can allow Policy(materialize=True))",
                as_shell=True,
            )
        elif status and self._unseen_path:
            call.complain(
                f"{self._name}: it could not see {quoted_name(self._unseen_path)}, "
                f"which {NOT_REAL} (the host can allow Policy(materialize=True))",
                as_shell=True,
            )


def has_entries(folder: str) -> bool:
    """Whether a directory has any, as far as that can be told; a missing one has none."""
    try:
        return bool(os.listdir(folder))
    except FileNotFoundError:
        return False
    except OSError:  # it cannot be read, or is no directory now
        return True


def is_same_file(one: str, other: str) -> bool:
    """Whether two paths of the machine lead to the same file."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
