"""The job table: background jobs, their process numbers, output and status."""

from __future__ import annotations

import os
from _thread import allocate_lock
from time import monotonic

from keysh.interp.run.bell import Bell
from keysh.interp.run.control_flow import STATUS_OVER_LIMIT, LimitReached
from keysh.interp.run.peer_wait import PeerWait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.interp.jobs.external_api import LeadingProgram, SuspendedPrograms
    from keysh.interp.jobs.job_process import JobProcess
    from keysh.interp.run.budget import Budget
    from keysh.interp.run.control_flow import Refused
    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.streams.streams import Writer

    class JobOwner(Protocol):
        """The part of a state that the job table uses."""

        budget: Budget
        level: int
        pid: int

        @property
        def parent(self) -> JobOwner | None: ...


JOB_POLL_SECONDS = 0.02  # how often a wait checks for cancellation
PROGRAM_START_SECONDS = 3.0  # how long `$!` waits for a job's program to start
MAX_KEPT_STATUSES = 1000  # of jobs that are no longer in the table
# The shell's process number, `$$`; its jobs have the next ones. All are above every process number
# of Linux (PID_MAX_LIMIT): a script that passes one to a real program hits no foreign process.
SHELL_PID = 1 << 22


class ShellJob:
    """A background job: its output so far, and its status once it has ended.

    `pid` is the number the shell assigns. A job that is a real program also has a `leader` once the
    program runs, and is known by both numbers; until then `waiting` is the state that will start
    it. `has_more`: the program is the last stage of a pipeline.

    A job runs on a thread or in a process of its own; of a `process` the shell learns what has
    become of it when it looks. In that process `channel` is the way to the shell.
    """

    __slots__ = (
        "_began", "_bell", "_led", "_status", "budget", "channel", "errors", "fork", "has_more",
        "is_disowned", "is_reported", "is_stopped", "is_worker", "leader", "number", "output",
        "parent", "pid",
        "process", "refusal", "run", "suspended", "target", "text", "waiting",
    )  # fmt: skip

    def __init__(self, number: int, pid: int, text: str, budget: Budget, run: int) -> None:
        self.number, self.pid, self.text, self.budget = number, pid, text, budget
        self.run = run  # number of the run that started it
        self.parent = 0  # process number of the shell or job that may wait for it
        self.fork: AnyState | None = None  # the state it runs in, until it ends
        self.target: Writer | None = None  # where its output goes
        self.output: list[str] = []
        self.errors: list[str] = []
        self._status: int | None = None
        self.process: JobProcess | None = None
        self.channel = -1
        self.refusal: Refused | None = None  # that has ended it
        self.is_reported = self.is_disowned = self.is_stopped = False
        self.is_worker = False  # of a scatter
        self.suspended: SuspendedPrograms | None = None  # set if Ctrl-Z stopped it
        self.leader: LeadingProgram | None = None
        self.waiting: JobOwner | None = None
        self.has_more = False
        self._bell, self._led = Bell(), Bell()
        self._began = monotonic()

    @property
    def status(self) -> int | None:
        """The status; None while the job runs."""
        if self._status is None and self.process is not None:
            self._look_at_process(self.process)
        return self._status

    def _look_at_process(self, process: JobProcess) -> None:
        """Learn what the job's process has become."""
        process.look()
        if process.program is not None and self.leader is None:
            self.set_leader(process.program)
        if process.status is not None:
            output, errors = process.output_texts()
            self.output, self.errors, self.process = [output], [errors], None
            process.close_records()
            self.end(process.status)

    def age(self) -> float:
        """Return the seconds since the start."""
        return monotonic() - self._began

    def end(self, status: int) -> None:
        """Record the status and wake waiting threads."""
        self._status = status
        self.waiting = self.fork = None
        self._led.ring()
        self._bell.ring()

    def set_leader(self, leader: LeadingProgram) -> None:
        """Record that the job's program runs and wake threads waiting for it."""
        self.leader, self.waiting = leader, None
        if self.channel >= 0:
            os.write(self.channel, b"%d\n" % leader.pid)
        self._led.ring()

    def pass_refusal_on(self) -> None:
        """End whoever has waited for the job if a refusal has ended it."""
        if self.refusal is not None:
            raise self.refusal

    def has_pid(self, pid: int) -> bool:
        """Whether `pid` is one of the job's two numbers."""
        if self.process is not None:
            self._look_at_process(self.process)
        return pid == self.pid or (self.leader is not None and pid == self.leader.pid)

    def pause(self) -> None:
        """Wait a moment, or until the job ends."""
        if self.process is not None:
            self.process.wait(JOB_POLL_SECONDS)
        else:
            self._bell.wait(JOB_POLL_SECONDS)

    def pause_for_program(self) -> None:
        """Wait a moment, or until the job's program runs."""
        if self.process is not None:
            self.process.wait(JOB_POLL_SECONDS)
            self._look_at_process(self.process)
        else:
            self._led.wait(JOB_POLL_SECONDS)

    def wait(self, budget: Budget) -> int:
        """Wait for the job to end and return its status; `budget` may end the wait."""
        with PeerWait(budget, self.has_ended):
            while (status := self.status) is None:
                budget.check()
                self.pause()
        return status

    def has_ended(self) -> bool:
        """Whether there is a status."""
        return self.status is not None

    def files(self) -> dict[str, str]:
        """Return the job's files in /v/jobs by name."""
        status = "running" if self.status is None else str(self.status)
        process = self.process
        output, errors = (
            ("".join(self.output), "".join(self.errors))
            if process is None
            else process.output_texts()
        )
        return {
            "command": f"{self.text}\n",
            "status": f"{status}\n",
            "stdout": output,
            "stderr": errors,
        }

    @property
    def state(self) -> str:
        """The state shown by `jobs`."""
        if self.status is None:
            return "Stopped" if self.is_stopped else "Running"
        return "Done" if self.status == 0 else f"Exit {self.status}"


class JobTable:
    """The jobs of one shell, by job number."""

    __slots__ = (
        "_changing", "_next_pid", "_stopped_runs", "jobs", "own_job", "process", "shell_pid",
        "statuses",
    )  # fmt: skip

    def __init__(self, own_pid: int) -> None:
        self.process = os.getpid()
        self.shell_pid = own_pid or SHELL_PID
        self._next_pid = SHELL_PID
        self.jobs: dict[int, ShellJob] = {}
        self.statuses: dict[int, int] = {}  # of jobs no longer in the table, by process number
        self._changing = allocate_lock()
        self._stopped_runs: set[int] = set()  # their jobs start no others
        self.own_job: ShellJob | None = None  # the job that this whole process is

    def begin_process(self) -> None:
        """Begin anew in a forked process: the jobs are not children of it."""
        for job in self.jobs.values():  # `$!` may still name one
            job.process = job.waiting = None
        self.jobs, self.statuses, self._changing = {}, {}, allocate_lock()
        self.process = os.getpid()

    def enter_process(self, job: ShellJob) -> None:
        """Begin anew in the process of a job."""
        if self.own_job is not None:
            os.close(self.own_job.channel)
        self.begin_process()
        self.own_job = job

    def add(self, text: str, budget: Budget, run: int, max_running: int | None) -> ShellJob:
        """Add a job with the next number; raise LimitReached if there may be no more."""
        with self._changing:
            if max_running is not None and len(self.running()) >= max_running:
                raise LimitReached("jobs", max_running + 1, max_running)
            number = max(self.jobs, default=0) + 1
            job = ShellJob(number, self.next_pid(), text, budget, run)
            job.parent = self.shell_pid  # unless a subshell or a job starts it
            self.jobs[number] = job
        # Only now: `stop` sets this first, and then looks which jobs there are.
        if run in self._stopped_runs:
            self.remove(job)
            raise LimitReached("jobs", "the run has ended", None)
        return job

    def remove(self, job: ShellJob) -> None:
        """Remove a job that does not run after all."""
        job.end(STATUS_OVER_LIMIT)
        self.jobs.pop(job.number, None)

    def run_of(self, budget: Budget) -> int:
        """Return the run that a job with this budget belongs to; 0 if no job has it."""
        return next((job.run for job in self.running() if job.budget is budget), 0)

    def running(self) -> list[ShellJob]:
        """Return the jobs that have not ended."""
        return [job for job in list(self.jobs.values()) if job.status is None]

    def visible_jobs(self) -> list[ShellJob]:
        """Return the jobs that are not disowned, by number."""
        return [job for _, job in sorted(self.jobs.items()) if not job.is_disowned]

    def job_with_pid(self, pid: int) -> ShellJob | None:
        """Return the newest job with a process number: the system reuses those of programs."""
        return next((job for job in reversed(self.visible_jobs()) if job.has_pid(pid)), None)

    def next_pid(self) -> int:
        """Return a new process number."""
        self._next_pid += 1
        return self._next_pid

    def visible_pid(self, job: ShellJob, asking: JobOwner) -> int:
        """Return the process number that scripts see: the program's own, once it has started.

        This waits for the start, but never in the job itself, and never for long: the program may
        be waiting for the caller.
        """
        deadline = monotonic() + PROGRAM_START_SECONDS
        while job.waiting is not None and not self.is_before_program(asking):
            asking.budget.check()
            job.pause_for_program()
            if monotonic() > deadline:
                job.waiting = None  # from now on the assigned number counts
        return job.pid if job.leader is None else job.leader.pid

    def shell_pid_of(self, state: JobOwner) -> int:
        """Return the process number of a shell or subshell, assigned when first needed."""
        if not state.pid:
            state.pid = self.next_pid() if state.level else self.shell_pid
        return state.pid

    def job_starting_from(self, state: object) -> ShellJob | None:
        """Return the job whose program `state` will start."""
        if self.own_job is not None and self.own_job.waiting is state:
            return self.own_job
        return next((job for job in list(self.jobs.values()) if job.waiting is state), None)

    def is_before_program(self, state: JobOwner) -> bool:
        """Whether a state belongs to a job whose program has not started yet."""
        above: JobOwner | None = state
        while above is not None:
            if self.job_starting_from(above) is not None:
                return True
            above = above.parent
        return False

    def wait_for_writers(self, target: Writer, budget: Budget) -> None:
        """Wait for the jobs that still write to `target`, as the reader of a pipe would."""
        for job in self.running():
            if job.target is target:
                job.wait(budget)

    def forget(self, job: ShellJob) -> None:
        """Remove a job from the table but keep its status."""
        self.jobs.pop(job.number, None)
        if job.status is not None:
            self.statuses[job.pid] = job.status
            if job.leader is not None:
                self.statuses[job.leader.pid] = job.status
            while len(self.statuses) > MAX_KEPT_STATUSES:
                self.statuses.pop(next(iter(self.statuses)))

    def stop(self, run: int | None = None, *, keeps_disowned: bool = False) -> None:
        """End the jobs of one run, or all jobs. A job of these that starts another one ends, too.

        `keeps_disowned`: the disowned ones go on.
        """
        if run is not None:
            self._stopped_runs.add(run)
        else:
            self._stopped_runs.update(job.run for job in self.running())
        for job in self.running():
            if run in (None, job.run) and not (keeps_disowned and job.is_disowned):
                job.budget.stop()
