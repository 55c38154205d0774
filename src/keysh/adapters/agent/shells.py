"""ShellManager: one session, the shells that run beside it, and the outputs that were too long."""

from __future__ import annotations

import weakref
from enum import StrEnum
from threading import Lock
from time import time
from uuid import uuid4

from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.adapters.agent.outputs import Outputs
from keysh.adapters.agent.task import Unsupported
from keysh.text.chunks import Decoder
from keysh.vfs.paths import join, normal_path
from keysh.vfs.real_paths import resolve_existing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.agent.bash_session import BashSession
    from keysh.adapters.agent.task import Task

MOST_RUNNING = 100


class ShellStatus(StrEnum):
    """What has become of a shell."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    KILLED = "killed"


class BackgroundShell:
    """A command that runs beside the session."""

    __slots__ = ("_decoders", "_is_killed", "_task", "command", "created_at", "id")

    def __init__(self, command: str, task: Task) -> None:
        self.id = f"shell_{uuid4().hex[:8]}"
        self.command, self._task = command, task
        self.created_at = time()
        self._is_killed = False
        self._decoders = Decoder("replace"), Decoder("replace")

    @property
    def status(self) -> ShellStatus:
        """Running, completed, failed or killed."""
        if self._task.is_running:
            return ShellStatus.RUNNING
        if self._is_killed:
            return ShellStatus.KILLED
        return ShellStatus.FAILED if self._task.exit_code else ShellStatus.COMPLETED

    @property
    def exit_code(self) -> int | None:
        """Its status when it has ended."""
        return self._task.exit_code

    def get_new_output(self) -> tuple[str, str]:
        """What it has put out, and said on stderr, since the last time; the middle may be cut."""
        is_over = not self._task.is_running  # asked first, so that nothing comes after it
        out, err = (
            decoder.decode(data, is_over)
            for decoder, data in zip(self._decoders, self._task.read(), strict=True)
        )
        return out, err

    def send(self, text: str) -> bool:
        """Give it input; False where it reads none. BlockingIOError where it does not keep up."""
        return self._task.send(text.encode("utf-8", "surrogateescape"))

    def finish_input(self) -> None:
        """There is no more input."""
        self._task.finish_input()

    def kill(self) -> bool:
        """End it and all it has started, and wait for that; False where it had ended."""
        if not self._task.is_running:
            return False
        self._is_killed = True
        self.discard()
        return True

    def discard(self) -> None:
        """End what is left of it: also what it has started, where it has ended itself."""
        self._task.kill()

    def wait(self, seconds: float) -> bool:
        """Wait for its end, so long at most; whether it has ended."""
        return self._task.wait(seconds)

    def __repr__(self) -> str:
        return f"<BackgroundShell {self.id} {self.status}>"


class ShellManager:
    """A host has one for each session. `close` ends all of it; so does the end of the program.

    session: a KeyshSession, which a host can give the options of `Shell`, or a BashSession. Without
    one it is a shell that sees nothing of the machine.
    """

    def __init__(self, session: KeyshSession | BashSession | None = None) -> None:
        self.session = session or KeyshSession()
        self.outputs = Outputs(self.session.fs)
        self._shells: dict[str, BackgroundShell] = {}
        self._lock = Lock()
        # Not a method: that would keep this object alive.
        self._finalizer = weakref.finalize(self, end, self._shells, self.session)

    def leads_to(self, path: str) -> str:
        """Where a path of the session leads, through links, as far as it is there."""
        whole = join(self.session.cwd, path)
        try:
            return resolve_existing(self.session.fs, whole)
        except OSError:  # links in a circle, which lead nowhere
            return normal_path(whole)

    def create_shell(self, command: str, *, pty: bool = False) -> BackgroundShell:
        """Run a command beside the session, at a terminal of its own if that is asked for."""
        running = sum(shell.status is ShellStatus.RUNNING for shell in self.list_shells())
        if running >= MOST_RUNNING:
            raise Unsupported(f"{running} shells run already, and no more may")
        return self.adopt(command, self.session.start(command, pty=pty))

    def adopt(self, command: str, task: Task) -> BackgroundShell:
        """Have a task that runs already as a shell."""
        shell = BackgroundShell(command, task)
        with self._lock:
            self._shells[shell.id] = shell
        return shell

    def get_shell(self, shell_id: str) -> BackgroundShell | None:
        """The shell of an id."""
        return self._shells.get(shell_id)

    def list_shells(self) -> list[BackgroundShell]:
        """All shells, those too that have ended."""
        with self._lock:
            return list(self._shells.values())

    def cleanup_completed(self) -> int:
        """Forget the shells that have ended; how many there were."""
        over = [one for one in self.list_shells() if one.status is not ShellStatus.RUNNING]
        with self._lock:
            gone = [shell for shell in over if self._shells.pop(shell.id, None) is not None]
        for shell in gone:
            shell.discard()
        return len(gone)

    def reset(self) -> None:
        """End what runs beside the session, and begin the session anew; files stay."""
        kill_all(self._shells)
        self.session.reset()

    def close(self) -> None:
        """End everything, and wait until it is dead. A second time does nothing."""
        self._finalizer()

    def __enter__(self) -> ShellManager:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def end(shells: dict[str, BackgroundShell], session: KeyshSession | BashSession) -> None:
    """End a manager's shells and its session."""
    kill_all(shells)
    session.close()


def kill_all(shells: dict[str, BackgroundShell]) -> None:
    """End and forget shells."""
    while shells:
        try:
            _, shell = shells.popitem()
        except KeyError:  # another thread has forgotten the last one
            return
        shell.discard()
