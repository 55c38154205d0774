"""The directory that a program runs in.

a directory of the machine   itself, by its open descriptor
any other                    a real copy of it if the policy says so, else an empty directory
"""

from __future__ import annotations

import errno
import os

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

    def end(self, call: Call, status: int) -> int:
        """The program has ended or did not start; return the status."""
        self._close()
        return status

    def _close(self) -> None:
        if isinstance(self.directory, int) and self.directory >= 0:
            os.close(self.directory)
            self.directory = -1


class PrivateDirectory(WorkingDirectory):
    """An empty directory, for a program whose directory does not exist on the machine."""

    __slots__ = ("_unseen_path", "_name")

    def __init__(self, state: State, request: ProgramRequest) -> None:
        from tempfile import mkdtemp  # noqa: PLC0415 - only where there is no directory

        super().__init__(mkdtemp(prefix="keysh-"))
        self._name = request.words[0]
        self._unseen_path = next(
            (word for word in request.words[1:] if is_virtual(state, join(state.cwd, word))), ""
        )

    def end(self, call: Call, status: int) -> int:
        folder = str(self.directory)
        try:  # a message may be what the output limit refuses
            self._report_what_is_lost(call, folder, status)
        finally:
            remove_private_directory(folder)
        return status

    def _report_what_is_lost(self, call: Call, folder: str, status: int) -> None:
        if os.listdir(folder):
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


def is_same_file(one: str, other: str) -> bool:
    """Whether two paths of the machine lead to the same file."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
