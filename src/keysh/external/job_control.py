"""Job control: the programs that have a prompt's terminal, and those that were stopped there.

The stages of a pipeline are one process group. The terminal belongs to the group while any of them
runs, so keys such as Ctrl-C and Ctrl-Z reach the group; the shell takes the terminal back when all
have ended or are stopped.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from contextlib import suppress
from os import P_PGID, P_PID
from signal import (
    ITIMER_REAL,
    SIG_BLOCK,
    SIG_SETMASK,
    SIGCONT,
    SIGTERM,
    SIGTTOU,
    pthread_sigmask,
    setitimer,
)
from time import monotonic

from keysh.interp.run.budget import Budget
from keysh.process.tree.process_signals import signal_group, signal_one
from keysh.process.tree.process_table import ProcessRow, process_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.run.cancel import Cancel
    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.process.process import Process

    class StartedProgram(Protocol):
        """A program that has been started."""

        def finish(self) -> int:
            """Wait until it has ended completely; return the status."""


STOP_CHECK_DELAY_SECONDS = 0.25  # from SIGCHLD to checking whether anyone waits for the program
STOP_POLL_SECONDS = 0.05  # between two checks whether a program is stopped
STATUS_STOPPED = 148  # 128 and SIGTSTP


class Foreground:
    """What a session has as `terminal`. `cancel` belongs to the run that the prompt waits for."""

    __slots__ = (
        "_fd",
        "_group",
        "_members",
        "_unattended",
        "_shell_group",
        "_awaited_pids",
        "cancel",
    )

    def __init__(self, fd: int) -> None:
        self._fd, self._shell_group = fd, os.getpgrp()
        self._group = 0  # the group that has the terminal; 0 for the shell's own
        self._members = 0  # programs in that group
        # Those that the shell waits for, and so sees when they stop.
        self._awaited_pids: set[int] = set()
        self._unattended: list[SuspendedJob] = []  # not waited for by a thread yet
        self.cancel: Cancel | None = None

    def is_run_of(self, budget: Budget) -> bool:
        """Whether a budget belongs to the run that the prompt waits for, not to a job."""
        return self.cancel is not None and self.cancel.is_of(budget)

    @property
    def group(self) -> int:
        """The group for one more program; 0 for a new one."""
        if self._group:
            try:
                os.killpg(self._group, 0)
            except OSError:
                return 0  # it has no members left
        return self._group

    def begin(self, process: Process, *, is_read: bool) -> None:
        """A program has started; it leads a new group if there is none.

        `is_read`: the shell reads its output, and waits for it only after that.
        """
        if not is_read:
            self._awaited_pids.add(process.pid)
        if self.group:
            self._members += 1
        else:
            self.resume(process.pid)

    def resume(self, group: int) -> None:
        """Give the terminal to a group, for one program of it."""
        self._members += 1
        self._group = group
        self._give(group)
        # It may have read the terminal before it owned it, and so have been stopped.
        signal_whole_group(group, SIGCONT)

    def end(self, pid: int) -> None:
        """A program has ended or is stopped."""
        self._awaited_pids.discard(pid)
        self._members -= 1
        if not self._members:
            self._group = 0
            self._give(self._shell_group)

    def sees_stopped(self, process: Process) -> bool:
        """Wait until a program has ended or is stopped; return whether it is stopped."""
        self._awaited_pids.add(process.pid)
        while process.wait_until(monotonic() + STOP_POLL_SECONDS) is None:
            if is_stopped(P_PID, process.pid):
                return True
        return False

    def sees_job_stopped(self, job: ShellJob, group: int, budget: Budget) -> bool:
        """The same for a job, which a thread waits for already."""
        self._awaited_pids.add(group)
        while job.status is None:
            budget.check()
            job.pause()
            if job.status is None and is_stopped(P_PGID, group):
                return True
        return False

    def on_change(self, number: int, frame: object) -> None:
        """Handle SIGCHLD: check soon, since the shell may be about to wait."""
        if self._group:
            setitimer(ITIMER_REAL, STOP_CHECK_DELAY_SECONDS)

    def on_time(self, number: int, frame: object) -> None:
        """Handle SIGALRM: continue a program that is stopped while its output is read.

        The shell cannot do anything else before that program has ended.
        """
        is_alone = not self._awaited_pids and all(
            job.group != self._group for job in self._unattended
        )
        if self._group and is_alone and is_stopped(P_PGID, self._group):
            signal_whole_group(self._group, SIGCONT)

    def suspend(self, state: State, run: StartedProgram, process: Process) -> int:
        """Turn a stopped program into a job, with the rest of its group; return the status."""
        group = self._group
        suspended = next((other for other in self._unattended if other.group == group), None)
        session, text = state.session, " ".join(process.spec.argv)
        if suspended is None:
            job = session.jobs.add(
                text, StoppedJobBudget(session.limits, group), session.runs, None
            )
            job.is_stopped = True
            suspended = job.suspended = SuspendedJob(self, job, group, state.budget)
            self._unattended.append(suspended)
        else:  # the stages stop from the last one to the first
            suspended.job.text = f"{text} | {suspended.job.text}"
        suspended.runs.append(run)
        self.end(process.pid)
        return STATUS_STOPPED

    def add(self, stopped: SuspendedJob) -> None:
        """A job has been stopped once more."""
        self._unattended.append(stopped)

    def settle(self) -> list[ShellJob]:
        """After a run, wait for the jobs that were stopped in it on threads; return them."""
        stopped_jobs, self._unattended = self._unattended, []
        for stopped in stopped_jobs:
            stopped.attend()
        return [stopped.job for stopped in stopped_jobs]

    def _give(self, group: int) -> None:
        """Give a group the terminal. SIGTTOU is blocked: it would stop a background caller."""
        before = pthread_sigmask(SIG_BLOCK, [SIGTTOU])
        try:
            with suppress(OSError):  # the terminal is gone
                os.tcsetpgrp(self._fd, group)
        finally:
            pthread_sigmask(SIG_SETMASK, before)


class SuspendedJob:
    """The programs of a stopped job, on which `fg` and `bg` act."""

    __slots__ = ("_budget", "_foreground", "_is_attended", "group", "job", "runs")

    def __init__(self, foreground: Foreground, job: ShellJob, group: int, budget: Budget) -> None:
        self._foreground, self.job, self.group = foreground, job, group
        self._budget = budget  # of the run that started them, whose flag they watch
        self.runs: list[StartedProgram] = []
        self._is_attended = False

    def attend(self) -> None:
        """Wait for the programs on a thread. The last stage, stopped first, gives the status."""
        if self._is_attended:
            return
        self._is_attended = True

        def work() -> None:
            statuses = [run.finish() for run in self.runs]
            self.job.end(statuses[0])

        start_new_thread(work, ())

    def resume_in_foreground(self, budget: Budget) -> int:
        """Continue in the foreground; return the status."""
        job, foreground = self.job, self._foreground
        self.attend()
        job.is_stopped = False
        foreground.resume(self.group)
        try:
            if foreground.sees_job_stopped(job, self.group, budget):
                job.is_stopped = True
                foreground.add(self)
                return STATUS_STOPPED
        finally:
            foreground.end(self.group)
        assert job.status is not None
        return job.status

    def resume_in_background(self) -> None:
        """Continue in the background."""
        self.attend()
        self.job.is_stopped = False
        signal_whole_group(self.group, SIGCONT)


class StoppedJobBudget(Budget):
    """The budget of a stopped job; cancelling it signals the group."""

    __slots__ = ("_group",)

    def __init__(self, limits: Limits, group: int) -> None:
        super().__init__(limits)
        self._group = group

    def cancel(self, signal: int = 0) -> None:
        super().cancel(signal)
        signal_whole_group(self._group, signal or SIGTERM)
        signal_whole_group(self._group, SIGCONT)


def is_stopped(kind: int, number: int) -> bool:
    """Whether a process, or one of a group, has stopped since the last call."""
    try:
        return os.waitid(kind, number, os.WSTOPPED | os.WNOHANG) is not None
    except ChildProcessError:
        return False


def signal_whole_group(group: int, number: int) -> None:
    """Signal all members of a group, if there are any."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


# ---------------------------------------------------------------- background jobs


class JobLeader:
    """The program whose pid is a job's. It leads a process group.

    The pid may belong to another process by the time of a signal; that one is left alone.
    """

    __slots__ = ("_row", "pid")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._row = process_row(pid) or ProcessRow(pid, 0, pid, 0, 0, b"")

    def signal(self, number: int, *, is_group: bool) -> None:
        """Signal it, or the whole group that it leads."""
        if is_group and self._is_alive():
            signal_group(self.pid, number)
        elif not is_group:
            signal_one(self._row, number)

    def _is_alive(self) -> bool:
        """Whether the pid is still its own; assumed where there is no /proc."""
        row = process_row(self.pid)
        return row is None or row.start_time == self._row.start_time
