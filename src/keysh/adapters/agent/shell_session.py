"""ShellSession: run the commands of an agent in a shell that belongs to the host."""

from __future__ import annotations

from contextlib import suppress

from keysh import KeyshError, Shell
from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.adapters.agent.task import UnsupportedRequest
from keysh.diagnostics.exceptions import refuse
from keysh.interp.run.turn import in_turn
from keysh.process.keeper import Keeper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

    from keysh.adapters.agent.task import Task
    from keysh.interp.run.turn import Turn
    from keysh.shell.run_result import Result


class ShellSession(KeyshSession):
    """A session in a shell of the host, who sees what commands do, and may run some in between.

    The language, the environment and all else are the shell's, also its secrets. It stays open when
    the session is closed. A background shell starts with a copy of its state and shares its files.
    """

    def __init__(self, shell: Shell) -> None:
        refuse_other(shell)
        self._shell = shell
        self.dialect = shell._scripts.dialect_name
        self._options = {
            **shell._options.for_fork(), "limits": shell._limits, "check": shell._scripts.checks,
            "dialect": self.dialect,
        }  # fmt: skip
        self._prepare = None
        self._turn: Turn = {}
        self._keeper = Keeper()
        self._tasks: list[Task] = []
        self._note_state()

    @property
    def cwd(self) -> str:
        """The directory of the next command."""
        return self._shell.cwd

    @property
    def has_journal(self) -> bool:
        """Whether commands can be taken back."""
        return (self._shell._runner or self._shell._begin()).journal is not None

    def start(
        self,
        command: str,
        *,
        pty: bool = False,
        env: Mapping[str, str] | None = None,
        directory: str | None = None,
    ) -> Task:
        """Run a command in the background."""
        with suppress(KeyshError):  # while a command runs, the state before it counts
            self._shell._at_rest(lambda *_: self._note_state())
        return super().start(command, pty=pty, env=env, directory=directory)

    def reset(self) -> None:
        """Reset the state; files stay."""

        def begin_anew() -> None:
            self._shell.reset()
            self._note_state()

        in_turn(self._turn, None, begin_anew)

    def restore(self, image: bytes) -> NoReturn:
        """Raise UnsupportedRequest: what the host's shell is, only the host decides."""
        raise UnsupportedRequest("the shell belongs to the host, who alone can replace it")

    def _tag_command(self) -> str:
        """Leave the environment as the host has made it."""
        return ""

    def _take_output(self, result: Result) -> tuple[bytes, bytes, int]:
        err = result.stderr.encode("utf-8", "surrogateescape")
        return result.stdout_bytes, err, 0

    def _end(self) -> None:
        """Leave the shell to its host."""


def refuse_other(shell: object) -> None:
    """Raise TypeError for what is no Shell; an isolated one has no state in this process."""
    if not isinstance(shell, Shell):
        refuse("session", "a session, or a Shell that is not isolated", shell)
