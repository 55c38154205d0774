"""Opening: the files of a shell, made when the first of them is needed."""

from __future__ import annotations

from _thread import RLock, get_ident

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.streams.descriptors import DescriptorStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.shell.files import Contents, Files
    from keysh.vfs.api import Stream
    from keysh.vfs.router import Router


class User:
    """Who uses the files: what /dev and the limits of memory ask of a shell.

    The files know the shell's state by a weak reference, so that a shell that nobody holds is gone
    at once, with all its files, and leaves nothing to the garbage collector.
    """

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state: Callable[[], State | None] = nobody

    def stream(self, number: int) -> Stream | None:
        """What /dev/stdin and its kin lead to."""
        state = self.state()
        if state is None:
            return None
        found = state.descriptors.get(number) or state.session.substitutions.get(number)
        return None if found is None else DescriptorStream(found)

    def full(self, kind: str, used: int, allowed: int) -> LimitReached | None:
        """What ends a script that fills the shell's own memory; a host sees a full disk."""
        state = self.state()
        is_script = state is not None and get_ident() in state.session.threads
        return LimitReached(kind, used, allowed) if is_script else None


def nobody() -> None:
    """The state of a shell that has run nothing yet."""


class Opening:
    """Makes the files once, whoever asks first."""

    __slots__ = ("_files", "_given", "_limits", "_made", "_turn", "user")

    def __init__(
        self,
        given: Files | Callable[[], Files],
        files: Mapping[str, Contents] | None,
        limits: Limits,
    ) -> None:
        self._given, self._files, self._limits = given, files, limits
        self._made: Router | None = None
        self._turn = RLock()  # jobs may ask at the same time
        self.user = User()

    @property
    def is_asked_late(self) -> bool:
        """Whether a host's function says what the files are, when they are needed."""
        return callable(self._given)

    def opened(self) -> Router:
        """The files."""
        from keysh.shell.files import file_system  # noqa: PLC0415 - some scripts need no file

        with self._turn:
            if self._made is None:
                self._made = file_system(
                    self._given, self._files, self._limits, self.user.stream, self.user.full
                )
            return self._made
