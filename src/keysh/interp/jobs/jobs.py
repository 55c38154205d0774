"""Jobs: the table of the commands that run beside the shell, and what is known of each."""

from __future__ import annotations

import os
from _thread import allocate_lock
from time import monotonic

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.limits import Bell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.interp.jobs.external_api import LeadingProgram, SuspendedPrograms
    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.run.limits import Budget
    from keysh.interp.streams.streams import Writer

    class JobOwner(Protocol):
        """A state, as far as jobs know one."""

        budget: Budget
        level: int
        pid: int

        @property
        def parent(self) -> JobOwner | None: ...


JOB_POLL_SECONDS = 0.02  # seconds between two looks at whether a wait is cancelled
PROGRAM_START_SECONDS = (
    3.0  # seconds that who asks for a job's number waits for its program to start
)
MAX_KEPT_STATUSES = 1000  # that are kept of forgotten jobs
# Linux numbers no process so high (PID_MAX_LIMIT): what a script takes for the number of a process
# and hands to a real program can hit no stranger.
FIRST_SHELL_PID = 1 << 22


class ShellJob:
    """One job: its output so far, and its status when it has ended.

    `pid` is the number that the shell gives it. A job that is a real program has a `leader` too, as
    soon as that runs, and is known by both numbers; `waiting` is the state it is to start from.
    `has_more` says that other stages of a pipeline go with it.
    """

    __slots__ = (
        "_began", "_bell", "_led", "budget", "errors", "fork", "has_more", "is_disowned",
        "is_stopped", "is_reported", "leader", "number", "output", "parent", "pid", "run", "status",
        "suspended", "target", "text", "waiting",
    )  # fmt: skip

    def __init__(self, number: int, pid: int, text: str, budget: Budget, run: int) -> None:
        self.number, self.pid, self.text, self.budget = number, pid, text, budget
        self.run = run  # the run of the shell that has started it
        self.parent = 0  # the number of the shell, subshell or job that may wait for it
        self.fork: AnyState | None = None  # what it runs in, while it does
        self.target: Writer | None = None  # where its output goes
        self.output: list[str] = []
        self.errors: list[str] = []
        self.status: int | None = None  # None while it runs
        self.is_reported = self.is_disowned = self.is_stopped = False
        self.suspended: SuspendedPrograms | None = (
            None  # what goes on with it, if Ctrl-Z has stopped it
        )
        self.leader: LeadingProgram | None = None
        self.waiting: JobOwner | None = None
        self.has_more = False
        self._bell, self._led = Bell(), Bell()
        self._began = monotonic()

    def age(self) -> float:
        """Seconds since it was started."""
        return monotonic() - self._began

    def end(self, status: int) -> None:
        """Tell those who wait."""
        self.status = status
        self.waiting = self.fork = None
        self._led.ring()
        self._bell.ring()

    def set_leader(self, leader: LeadingProgram) -> None:
        """Note that the job's program runs, and tell those who wait for that."""
        self.leader, self.waiting = leader, None
        self._led.ring()

    def has_pid(self, pid: int) -> bool:
        """Whether a number is one of its two."""
        return pid == self.pid or (self.leader is not None and pid == self.leader.pid)

    def pause(self) -> None:
        """Wait a moment, or until it has ended."""
        self._bell.wait(JOB_POLL_SECONDS)

    def pause_for_program(self) -> None:
        """Wait a moment, or until its program runs."""
        self._led.wait(JOB_POLL_SECONDS)

    def wait(self, budget: Budget) -> int:
        """Wait for its end, unless the run of the one who waits ends before."""
        while self.status is None:
            budget.check()
            self.pause()
        return self.status

    def files(self) -> dict[str, str]:
        """The job's files in /v/jobs, by their names."""
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


class JobTable:
    """The jobs of one shell."""

    __slots__ = ("_changing", "_next_pid", "jobs", "shell_pid", "statuses")

    def __init__(self) -> None:
        self.shell_pid = os.getpid()
        self._next_pid = FIRST_SHELL_PID
        self.jobs: dict[int, ShellJob] = {}
        self.statuses: dict[int, int] = {}  # of those forgotten, by their process numbers
        self._changing = allocate_lock()

    def add(self, text: str, budget: Budget, run: int, most: int | None) -> ShellJob:
        """A new job, with the next number."""
        with self._changing:
            if most is not None and len(self.running()) >= most:
                raise LimitReached("jobs", most + 1, most)
            number = max(self.jobs, default=0) + 1
            job = ShellJob(number, self.next_pid(), text, budget, run)
            job.parent = self.shell_pid  # whose it is unless a subshell or a job starts it
            self.jobs[number] = job
            return job

    def running(self) -> list[ShellJob]:
        """Those that have not ended."""
        return [job for job in list(self.jobs.values()) if job.status is None]

    def next_pid(self) -> int:
        """The number of the next subshell that is asked for one."""
        self._next_pid += 1
        return self._next_pid

    def visible_pid(self, job: ShellJob, asking: JobOwner) -> int:
        """The number of a job that a script sees: that of its program, which may have to start
        first.

        What it is started from is not kept waiting; nor is anyone for ever, for the program may
        wait for the one who asks.
        """
        end = monotonic() + PROGRAM_START_SECONDS
        while job.waiting is not None and not self.is_before_program(asking):
            asking.budget.check()
            job.pause_for_program()
            if monotonic() > end:
                job.waiting = None  # the number that is told now stays
        return job.pid if job.leader is None else job.leader.pid

    def shell_pid_of(self, state: JobOwner) -> int:
        """The number of a shell or subshell, which it has from when it is first asked for."""
        if not state.pid:
            state.pid = self.next_pid() if state.level else self.shell_pid
        return state.pid

    def job_starting_from(self, state: object) -> ShellJob | None:
        """The job whose program is to start from a state."""
        return next((job for job in list(self.jobs.values()) if job.waiting is state), None)

    def is_before_program(self, state: JobOwner) -> bool:
        """Whether a state belongs to a job whose program has not started."""
        above: JobOwner | None = state
        while above is not None:
            if self.job_starting_from(above) is not None:
                return True
            above = above.parent
        return False

    def wait_for_writers(self, target: Writer, budget: Budget) -> None:
        """Wait for those that write to what is about to end, as who reads a pipe does."""
        for job in self.running():
            if job.target is target:
                job.wait(budget)

    def forget(self, job: ShellJob) -> None:
        """Take a job out of the table; its status can still be asked for."""
        self.jobs.pop(job.number, None)
        if job.status is not None:
            self.statuses[job.pid] = job.status
            if job.leader is not None:
                self.statuses[job.leader.pid] = job.status
            while len(self.statuses) > MAX_KEPT_STATUSES:
                self.statuses.pop(next(iter(self.statuses)))

    def stop(self, run: int | None = None) -> None:
        """The shell ends, or one run was stopped: so are its jobs, but for those disowned."""
        for job in self.running():
            if not job.is_disowned and run in (None, job.run):
                job.budget.cancel(15)
