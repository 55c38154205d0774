"""ShellManager: a session with its background shells and its long outputs."""

from __future__ import annotations

import weakref
from enum import StrEnum
from errno import ENOTDIR
from threading import Lock
from time import time
from uuid import uuid4

from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.adapters.agent.outputs import MAX_SHOWN_CHARACTERS, Outputs, check_max_shown
from keysh.adapters.agent.task import MAX_KEPT_BYTES, UnsupportedRequest
from keysh.diagnostics.exceptions import failure
from keysh.process.streams.capture import HeadTailCapture, take_both
from keysh.text.chunks import Decoder
from keysh.vfs.paths import join, normal_path
from keysh.vfs.real_paths import resolve_existing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh import JournalEntry
    from keysh.adapters.agent.bash_session import BashSession
    from keysh.adapters.agent.task import Task

MAX_RUNNING_SHELLS = 100
MAX_KEPT_SHELLS = 300  # with those that have ended, each with its unread output


class ShellStatus(StrEnum):
    """The status of a background shell."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    KILLED = "killed"


class BackgroundShell:
    """A command that runs in the background."""

    __slots__ = (
        "_all_output", "_decoders", "_is_killed", "_lost_bytes", "_task", "_unread", "command",
        "created_at", "id", "lost_bytes",
    )  # fmt: skip

    def __init__(self, command: str, task: Task) -> None:
        self.id = f"shell_{uuid4().hex[:8]}"
        self.command, self._task = command, task
        self.created_at = time()
        self._is_killed, self.lost_bytes = False, 0
        self._decoders = Decoder("replace"), Decoder("replace")
        # What the task has dropped it has marked, so that there is room for that, too.
        self._unread = HeadTailCapture(2 * MAX_KEPT_BYTES), HeadTailCapture(2 * MAX_KEPT_BYTES)
        self._all_output, self._lost_bytes = HeadTailCapture(MAX_KEPT_BYTES), 0

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
        """The exit status once it has ended."""
        return self._task.exit_code

    def get_new_output(self) -> tuple[str, str]:
        """Return stdout and stderr since the last call.

        The middle of output that nobody has read for long is missing: `lost_bytes` of this call.
        """
        is_over = not self._task.is_running  # checked before the output, which is then complete
        self._collect()
        out, err, dropped = take_both(*self._unread)
        self.lost_bytes, self._lost_bytes = self._lost_bytes + dropped, 0
        decode_out, decode_err = self._decoders
        return decode_out.decode(out, is_over), decode_err.decode(err, is_over)

    def all_output(self) -> str:
        """Return its output so far, without the middle if it is long; it stays unread."""
        self._collect()
        return self._all_output.content().decode("utf-8", "replace")

    def _collect(self) -> None:
        """Take the new output of the task."""
        out, err, lost_bytes = self._task.read()
        for capture, data in zip(self._unread, (out, err), strict=True):
            capture.add(data)
        self._all_output.add(out + err)
        self._lost_bytes += lost_bytes

    def record(self, status: ShellStatus | None = None) -> dict[str, Any]:
        """Return its facts for the result of a tool; the status may have been asked before."""
        status = status or self.status
        return {
            "bash_id": self.id, "command": self.command, "status": str(status),
            "is_running": status is ShellStatus.RUNNING, "exit_code": self.exit_code,
        }  # fmt: skip

    def send(self, text: str) -> bool:
        """Write to its input; return False if it reads none. Raise BlockingIOError if full."""
        return self._task.send(text.encode("utf-8", "surrogateescape"))

    def finish_input(self) -> None:
        """Close its input."""
        self._task.finish_input()

    def kill(self) -> bool:
        """Kill it with all its processes, and wait; return False if it had already ended."""
        was_running = self._task.is_running
        self._is_killed = self._is_killed or was_running
        self.discard()
        return was_running

    def discard(self) -> None:
        """Kill what is left of it, even processes that outlived it."""
        self._task.kill()

    def wait(self, seconds: float) -> bool:
        """Wait up to a number of seconds; return whether it has ended."""
        return self._task.wait(seconds)

    def __repr__(self) -> str:
        return f"<BackgroundShell {self.id} {self.status}>"


class ShellManager:
    """A session and its background shells. `close` ends them; so does the end of the program.

    `session` is a KeyshSession, which takes the options of `Shell`, or a BashSession. By default it
    is a KeyshSession, in the bash dialect, that has no access to the machine. Of the output of a
    command a model gets `max_shown` characters; files have the rest.
    """

    def __init__(
        self,
        session: KeyshSession | BashSession | None = None,
        *,
        max_shown: int = MAX_SHOWN_CHARACTERS,
    ) -> None:
        check_max_shown(max_shown)
        self.session = session or KeyshSession()
        self.outputs = Outputs(self.session.fs, max_shown)
        self._shells: dict[str, BackgroundShell] = {}
        self._lock = Lock()
        # A method would keep this object alive.
        self._finalizer = weakref.finalize(self, end_all, self._shells, self.session)

    def resolve_path(self, path: str) -> str:
        """Return the real path of a path of the session, as far as it exists."""
        absolute = join(self.session.cwd, path)
        try:
            return resolve_existing(self.session.fs, absolute)
        except OSError:  # a cycle of links
            return normal_path(absolute)

    def create_shell(
        self,
        command: str,
        *,
        pty: bool = False,
        env: Mapping[str, str] | None = None,
        working_dir: str | None = None,
    ) -> BackgroundShell:
        """Run a command in the background, optionally at a terminal of its own.

        `env` is added to its environment. It runs in `working_dir`, or where the session is;
        NotADirectoryError or FileNotFoundError if that is no directory.
        """
        running = sum(shell.status is ShellStatus.RUNNING for shell in self.list_shells())
        if running >= MAX_RUNNING_SHELLS:
            raise UnsupportedRequest(f"{running} shells are running, which is the limit")
        session = self.session
        directory = session.cwd if working_dir is None else join(session.cwd, working_dir)
        if working_dir is not None and not session.fs.stat(directory, follow=True).is_directory:
            raise failure(ENOTDIR, directory)
        task = session.start(command, pty=pty, env=env or {}, directory=directory)
        return self.adopt(command, task)

    def adopt(self, command: str, task: Task) -> BackgroundShell:
        """Make a running task a background shell."""
        shell = BackgroundShell(command, task)
        with self._lock:
            self._shells[shell.id] = shell
        self._forget_oldest()
        return shell

    def _forget_oldest(self) -> None:
        """Forget the oldest shells that have ended, if there are too many."""
        surplus = len(self._shells) - MAX_KEPT_SHELLS
        if surplus <= 0:
            return
        ended = [one for one in self.list_shells() if one.status is not ShellStatus.RUNNING]
        for shell in ended[:surplus]:
            with self._lock:
                self._shells.pop(shell.id, None)
            shell.discard()

    def get_shell(self, shell_id: str) -> BackgroundShell | None:
        """Return the shell with an id, or None."""
        return self._shells.get(shell_id)

    def list_shells(self) -> list[BackgroundShell]:
        """Return all shells, including those that have ended."""
        with self._lock:
            return list(self._shells.values())

    def cleanup_completed(self, max_age: float = 0) -> int:
        """Remove the shells that have ended and began `max_age` seconds ago; return how many."""
        latest = time() - max_age
        ended = [
            one
            for one in self.list_shells()
            if one.status is not ShellStatus.RUNNING and one.created_at <= latest
        ]
        with self._lock:
            removed = [shell for shell in ended if self._shells.pop(shell.id, None) is not None]
        for shell in removed:
            shell.discard()
        return len(removed)

    def kill_shells(self) -> None:
        """Kill the background shells."""
        kill_all(self._shells)

    def reset(self) -> None:
        """Kill the background shells, and reset the session; files stay."""
        self.kill_shells()
        self.session.reset()

    def restore(self, image: bytes) -> None:
        """Make the session what an image holds; raise UnsupportedRequest while a shell runs.

        A background shell would go on with files that the session no longer sees.
        """
        self._quiet_session().restore(image)
        self.outputs = Outputs(self.session.fs, self.outputs.max_shown)

    def undo(self, count: int = 1, *, partial: bool = False) -> list[JournalEntry]:
        """Take back the last commands; raise UnsupportedRequest while a shell runs.

        A background shell might change the same files meanwhile.
        """
        return self._quiet_session().undo(count, partial=partial)

    def redo(self, count: int = 1) -> list[JournalEntry]:
        """Repeat what was taken back, as `undo` takes it back."""
        return self._quiet_session().redo(count)

    def _quiet_session(self) -> KeyshSession:
        """Return the session, in which nothing runs in the background."""
        for shell in self.list_shells():
            if shell.status is ShellStatus.RUNNING:
                raise UnsupportedRequest(f"{shell.id} is running; KillShell ends it")
        if not isinstance(self.session, KeyshSession):
            raise UnsupportedRequest("a session of the real bash cannot go back")
        return self.session

    def close(self) -> None:
        """End everything, and wait for that. A second call does nothing."""
        self._finalizer()

    def __enter__(self) -> ShellManager:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def end_all(shells: dict[str, BackgroundShell], session: KeyshSession | BashSession) -> None:
    """End the background shells and the session."""
    kill_all(shells)
    session.close()


def kill_all(shells: dict[str, BackgroundShell]) -> None:
    """Kill and remove shells."""
    while shells:
        try:
            _, shell = shells.popitem()
        except KeyError:  # another thread removed the last one
            return
        shell.discard()
