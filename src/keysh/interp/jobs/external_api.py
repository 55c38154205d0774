"""The protocol of real programs: what the interpreter requires of keysh.external."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from keysh.interp.run.budget import Budget
    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader
    from keysh.process.result import ProcessResult

    class ExternalStage(Protocol):
        """A program running as a pipeline stage, with a reader for the next stage."""

        reader: Reader

        def end(self) -> int: ...
        def abandon(self) -> None: ...

    class LeadingProgram(Protocol):
        """The program that a job consists of."""

        pid: int

        def signal(self, number: int, *, is_group: bool) -> None:
            """Send a signal to the program, or to its process group."""

    class SuspendedPrograms(Protocol):
        """The programs of a job that was stopped with Ctrl-Z."""

        def resume_in_foreground(self, budget: Budget) -> int:
            """Continue in the foreground; return the status."""

        def resume_in_background(self) -> None:
            """Continue in the background."""

    class ExternalApi(Protocol):
        """Starts real programs and finds them."""

        @property
        def is_restricted(self) -> bool:
            """Whether a policy restricts which programs may run."""

        @property
        def has_running(self) -> bool:
            """Whether programs run that this process has started."""

        def note_fork(self) -> None:
            """A job of the shell is a process from now on, which may start programs too."""

        def signal(self, budget: Budget, number: int) -> None:
            """Send a signal to all programs of a run, but not to those of its jobs."""

        def unheld_parts(self, state: AnyState) -> tuple[str, ...]:
            """What the kernel would not hold of the confinement of programs."""

        def find(self, state: AnyState, name: str) -> str | None:
            """Return the path of a program."""

        def recall(self, state: AnyState, name: str) -> str | None:
            """Return the cached path of a program, if it is still valid."""

        def forget(self, name: str | None = None) -> None:
            """Drop the cached path of a name, or all of them."""

        def run(self, state: AnyState, call: Call, words: list[str], path: str) -> int:
            """Run a program to completion; return its status."""

        def spawn(
            self,
            state: AnyState,
            call: Call,
            words: list[str],
            path: str,
            env: Mapping[str, str] | None,
            cwd: str | None,
            timeout: float | None,
        ) -> ProcessResult:
            """Run a program with its own environment and timeout; raise NotStarted on failure."""

        def start(self, state: AnyState, call: Call, words: list[str], path: str) -> ExternalStage:
            """Start a program as a pipeline stage."""

        def close(self, *, keeps_left: bool = False) -> None:
            """End the programs that run and, unless `keeps_left`, what others have left."""
