"""Jobs: the table of the commands that run beside the shell, and what is known of each."""

from __future__ import annotations

import os
from _thread import allocate_lock

from keysh.runtime.limits import OTHER, Bell
from keysh.runtime.signals import Stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.limits import Budget
    from keysh.runtime.session import Suspended
    from keysh.runtime.streams import Writer

TURN = 0.02  # seconds between two looks at whether a wait is cancelled
MOST_STATUSES = 1000  # that are kept of forgotten jobs


class Job:
    """One job: its output so far, and its status when it has ended."""

    __slots__ = (
        "_bell", "budget", "errors", "is_disowned", "is_stopped", "is_told", "number", "output",
        "parent", "pid", "run", "status", "suspended", "target", "text",
    )  # fmt: skip

    def __init__(self, number: int, pid: int, text: str, budget: Budget, run: int) -> None:
        self.number, self.pid, self.text, self.budget = number, pid, text, budget
        self.run = run  # the run of the shell that has started it
        self.parent = 0  # the process number of the job that has started it, if one has
        self.target: Writer | None = None  # where its output goes
        self.output: list[str] = []
        self.errors: list[str] = []
        self.status: int | None = None  # None while it runs
        self.is_told = self.is_disowned = self.is_stopped = False
        self.suspended: Suspended | None = None  # what goes on with it, if Ctrl-Z has stopped it
        self._bell = Bell()

    def ended(self, status: int) -> None:
        """Tell those who wait."""
        self.status = status
        self._bell.ring()

    def pause(self) -> None:
        """Wait a moment, or until it has ended."""
        self._bell.wait(TURN)

    def wait(self, budget: Budget) -> int:
        """Wait for its end, unless the run of the one who waits ends before."""
        while self.status is None:
            budget.look()
            self.pause()
        return self.status

    def shown(self) -> dict[str, str]:
        """Its files in /v/jobs."""
        status = "running" if self.status is None else str(self.status)
        return {
            "command": f"{self.text}\n",
            "status": f"{status}\n",
            "stdout": "".join(self.output),
            "stderr": "".join(self.errors),
        }

    @property
    def state(self) -> str:
        """As `jobs` shows it."""
        if self.status is None:
            return "Stopped" if self.is_stopped else "Running"
        return "Done" if self.status == 0 else f"Exit {self.status}"


class Jobs:
    """The jobs of one shell."""

    __slots__ = ("_changing", "_next_pid", "jobs", "shell_pid", "statuses")

    def __init__(self) -> None:
        self.shell_pid = os.getpid()
        self._next_pid = self.shell_pid
        self.jobs: dict[int, Job] = {}
        self.statuses: dict[int, int] = {}  # of those forgotten, by their process numbers
        self._changing = allocate_lock()

    def add(self, text: str, budget: Budget, run: int, most: int | None) -> Job:
        """A new job, with the next number."""
        with self._changing:
            if most is not None and len(self.running()) >= most:
                raise Stopped("jobs", most + 1, most, OTHER)
            number = max(self.jobs, default=0) + 1
            job = self.jobs[number] = Job(number, self.next_pid(), text, budget, run)
            return job

    def running(self) -> list[Job]:
        """Those that have not ended."""
        return [job for job in list(self.jobs.values()) if job.status is None]

    def next_pid(self) -> int:
        """The number of the next subshell that is asked for one."""
        self._next_pid += 1
        return self._next_pid

    def finish(self, target: Writer, budget: Budget) -> None:
        """Wait for those that write to what is about to end, as who reads a pipe does."""
        for job in self.running():
            if job.target is target:
                job.wait(budget)

    def forget(self, job: Job) -> None:
        """Take a job out of the table; its status can still be asked for."""
        self.jobs.pop(job.number, None)
        if job.status is not None:
            self.statuses[job.pid] = job.status
            if len(self.statuses) > MOST_STATUSES:
                self.statuses.pop(next(iter(self.statuses)))

    def stop(self, run: int | None = None) -> None:
        """The shell ends, or one run was stopped: so are its jobs, but for those disowned."""
        for job in self.running():
            if not job.is_disowned and run in (None, job.run):
                job.budget.cancel(15)
