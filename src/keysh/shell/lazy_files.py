"""The file system of a shell, made when it is first needed."""

from __future__ import annotations

from _thread import RLock, get_ident
from errno import ENOTDIR
from os import urandom

from keysh.diagnostics.exceptions import failure, refuse
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.streams.descriptors import DescriptorStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.shell.host.host_files import Clock, Contents, Files, Names
    from keysh.vfs.router import Router
    from keysh.vfs.stream import Stream


class FileUser:
    """Answers what /dev and the quota of the memory file system ask about the shell.

    It holds the shell's state by a weak reference only. So a shell without references is freed at
    once with all its files, and the garbage collector has nothing to do.
    """

    __slots__ = ("has_seed", "state")

    def __init__(self) -> None:
        self.has_seed = False  # whether the host has fixed the shell's random numbers
        self.state: Callable[[], State | None] = no_state

    def stream(self, number: int) -> Stream | None:
        """Return the stream behind /dev/stdin, /dev/fd/N and the like."""
        state = self.state()
        if state is None:
            return None
        found = state.descriptors.get(number) or state.session.substitutions.get(number)
        return None if found is None else DescriptorStream(found)

    def random_bytes(self, size: int) -> bytes:
        """Return what /dev/random and /dev/urandom hold."""
        state = self.state() if self.has_seed else None
        return urandom(size) if state is None else state.session.random_source().randbytes(size)

    def full(self, kind: str, used: int, allowed: int) -> LimitReached | None:
        """Return the exception that ends a script over its quota; None for a host: a full disk."""
        state = self.state()
        is_script = state is not None and get_ident() in state.session.threads
        return LimitReached(kind, used, allowed) if is_script else None


def no_state() -> None:
    """Return None: the shell has not run anything yet."""


class LazyFiles:
    """Makes the file system once, for the first caller, of the host's file systems and files."""

    __slots__ = (
        "_limits", "_program_names", "_router", "_turn", "clock", "contents", "source", "user",
    )  # fmt: skip

    def __init__(
        self,
        source: Files | Callable[[], Files],
        files: Mapping[str, Contents] | None,
        limits: Limits,
        program_names: Names | None,
        clock: Clock | None,
    ) -> None:
        """`clock` gives files in memory their times, by default that of the machine."""
        self.source, self.contents, self._limits = source, files, limits
        self._program_names, self.clock = program_names, clock
        self._router: Router | None = None
        # Jobs may call at the same time. None once there is a router.
        self._turn: RLock | None = RLock()
        self.user = FileUser()

    @property
    def has_factory(self) -> bool:
        """Whether a function of the host makes the file system when it is needed."""
        return callable(self.source)

    @property
    def are_given(self) -> bool:
        """Whether the host passed a file system or files."""
        return self.source is not None or bool(self.contents)

    @property
    def are_made(self) -> bool:
        """Whether there is a file system, or one that the host has passed."""
        return self._router is not None or self.are_given

    @property
    def are_used(self) -> bool:
        """Whether anybody has asked for the file system."""
        return self._router is not None

    def router(self) -> Router:
        """Return the file system."""
        turn = self._turn
        if turn is not None:
            from keysh.shell.host.host_files import file_system  # noqa: PLC0415 - some scripts need no file

            with turn:
                if self._router is None:
                    self._router = file_system(
                        self.source,
                        self.contents,
                        self._limits,
                        self.user,
                        self._program_names,
                        self.clock,
                    )
                    self._turn = None
        assert self._router is not None
        return self._router


def refuse_files(files: object) -> None:
    """Raise TypeError for files that cannot be made."""
    if not hasattr(files, "items"):
        refuse("files", "a mapping", files, "files={'/path': 'text'}")
    for path, content in files.items():
        if not isinstance(path, str):
            refuse("a path in files", "a str", path)
        if not isinstance(content, str | bytes | bytearray | memoryview) and not callable(content):
            refuse(f"{path!r:.60} in files", "a str, bytes or a function", content)


def existing_directory(fs: Router, base: str, path: str) -> str:
    """Return the path of a directory to run in; raises FileNotFoundError if there is none."""
    if path == "/":
        return path
    from keysh.vfs.paths import join  # noqa: PLC0415 - few hosts ask for another

    place = join(base, path)
    if not fs.stat(place, follow=True).is_directory:
        raise failure(ENOTDIR, path)
    return place
