"""A program as a stage of a pipeline, except the last one."""

from __future__ import annotations

from keysh.external.program_pipes import ProgramPipe, ProgramReader
from keysh.interp.streams.streams import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.external.program_run import ProgramRun
    from keysh.interp.run.budget import Budget
    from keysh.process.process import Process


class StartedStage:
    """A stage that is a real program, and the reader of its output."""

    __slots__ = ("_pipe", "_run", "reader")

    def __init__(self, run: ProgramRun, process: Process, fd: int, budget: Budget) -> None:
        self._run = run
        self._pipe = ProgramPipe(fd, process, budget)
        self.reader: Reader = ProgramReader(self._pipe, process.loop)

    def end(self) -> int:
        """Wait for the program after the later stages have ended; return its status."""
        self._pipe.close()
        return self._run.end()

    def abandon(self) -> None:
        """End the program at once."""
        try:
            self._run.abandon()
        finally:
            self._pipe.close()  # not before: a program that writes would go on without a reader


class RefusedStage:
    """A stage whose program did not start."""

    __slots__ = ("_status", "reader")

    def __init__(self, status: int) -> None:
        self._status = status
        self.reader = Reader(())

    def end(self) -> int:
        """The status of the failure."""
        return self._status

    def abandon(self) -> None:
        """Do nothing: there is no program."""
