"""The door to real programs: what the runtime asks of it. keysh/programs is behind it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.run.limits import Budget
    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader
    from keysh.process.result import ProcessResult

    class ExternalStage(Protocol):
        """A program that runs as a stage, and what the next stage reads."""

        reader: Reader

        def end(self) -> int: ...
        def abandon(self) -> None: ...

    class LeadingProgram(Protocol):
        """The program that a job is."""

        pid: int

        def signal(self, number: int, *, is_group: bool) -> None:
            """Send it a signal, or to all of the group that it leads."""

    class SuspendedPrograms(Protocol):
        """The programs of a job that was stopped at a terminal."""

        def resume_in_foreground(self, budget: Budget) -> int:
            """Go on in the foreground; the status."""

        def resume_in_background(self) -> None:
            """Go on in the background."""

    class ExternalApi(Protocol):
        """The door to real programs."""

        @property
        def is_restricted(self) -> bool:
            """Whether a policy says which programs may run."""

        def signal(self, budget: Budget, number: int) -> None:
            """Send a signal to all programs of a run, but for those of its jobs."""

        def find(self, state: AnyState, name: str) -> str | None:
            """The path of the program that a name means."""

        def recall(self, state: AnyState, name: str) -> str | None:
            """The path of a program that has been found before, if nothing has changed since."""

        def forget(self, name: str | None = None) -> None:
            """Look a name up anew when it is asked for again; or all of them."""

        def run(self, state: AnyState, call: Call, words: list[str], path: str) -> int:
            """Run it to its end; its status."""

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
            """Run a program to its end with what it is given; NotStarted where it cannot begin."""

        def start(self, state: AnyState, call: Call, words: list[str], path: str) -> ExternalStage:
            """Start it as a stage of which the next one reads."""

        def close(self) -> None:
            """The shell has ended its jobs: wait for their programs."""
