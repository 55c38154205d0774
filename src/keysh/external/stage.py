"""Stage: a program of a pipeline that is not the last."""

from __future__ import annotations

from keysh.external.pipes import ProgramPipe, ProgramReader
from keysh.interp.streams.streams import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.external.run import ProgramRun
    from keysh.interp.run.limits import Budget
    from keysh.process.process import Process


class StartedStage:
    """A stage that is a real program, and the reader of what it puts out."""

    __slots__ = ("_pipe", "_run", "reader")

    def __init__(self, run: ProgramRun, process: Process, fd: int, budget: Budget) -> None:
        self._run = run
        self._pipe = ProgramPipe(fd, process, budget)
        self.reader: Reader = ProgramReader(self._pipe, process.loop)

    def end(self) -> int:
        """The stages behind have ended: wait for the program; its status."""
        self._pipe.close()
        return self._run.end()

    def abandon(self) -> None:
        """The run ends: so does the program, at once."""
        self._pipe.close()
        self._run.abandon()


class RefusedStage:
    """A stage that is a program which did not start."""

    __slots__ = ("_status", "reader")

    def __init__(self, status: int) -> None:
        self._status = status
        self.reader = Reader(())

    def end(self) -> int:
        """The status of the refusal."""
        return self._status

    def abandon(self) -> None:
        """There is nothing to end."""
