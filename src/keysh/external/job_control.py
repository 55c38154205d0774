"""Foreground: the programs that have a prompt's terminal, and those that were stopped there.

The stages of a pipeline are one group of processes: the terminal is the group's while any of them
runs, keys such as Ctrl-C and Ctrl-Z go to the group, and the shell has the terminal back when all
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

from keysh.interp.run.limits import Budget
from keysh.process.kill import signal_group, signal_one
from keysh.process.tree import ProcessRow, rows_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.run.limits import Cancel, Limits
    from keysh.interp.state.state import State
    from keysh.process.process import Process

    class StartedProgram(Protocol):
        """A program that has been started."""

        def finish(self) -> int:
            """Wait until nothing of it is left; the status."""


STOP_CHECK_DELAY_SECONDS = (
    0.25  # seconds from a program's stop to the look at whether anyone waits for it
)
STOP_POLL_SECONDS = 0.05  # seconds between two looks at whether a program is stopped
STATUS_STOPPED = 148  # the status of a program that Ctrl-Z has stopped


class Foreground:
    """What a session has as `terminal`. `cancel` is that of the run that the prompt waits for."""

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
        self._group = 0  # that has the terminal; 0 for the shell's own
        self._members = 0  # programs in it
        # Those for which the shell waits, so that it sees when they are stopped.
        self._awaited_pids: set[int] = set()
        self._unattended: list[SuspendedJob] = []  # nobody attends them yet
        self.cancel: Cancel | None = None

    def is_run_of(self, budget: Budget) -> bool:
        """Whether a run is the one that the prompt waits for, and no job beside it."""
        return self.cancel is not None and self.cancel.is_of(budget)

    @property
    def group(self) -> int:
        """The group that one more program is to be in; 0 for a new one."""
        if self._group:
            try:
                os.killpg(self._group, 0)
            except OSError:
                return 0  # nobody of it is left
        return self._group

    def begin(self, process: Process, *, is_read: bool) -> None:
        """A program runs; it leads a group where there was none.

        Where its output is read by the shell it will not be waited for before that is over.
        """
        if not is_read:
            self._awaited_pids.add(process.pid)
        if self.group:
            self._members += 1
        else:
            self.resume(process.pid)

    def resume(self, group: int) -> None:
        """A group gets the terminal, for one program of it."""
        self._members += 1
        self._group = group
        self._give(group)
        # It may have asked for a key before the terminal was its own, and so be stopped.
        signal_whole_group(group, SIGCONT)

    def end(self, pid: int) -> None:
        """A program has ended or is stopped."""
        self._awaited_pids.discard(pid)
        self._members -= 1
        if not self._members:
            self._group = 0
            self._give(self._shell_group)

    def sees_stopped(self, process: Process) -> bool:
        """Wait until a program has ended, or is stopped; which of both."""
        self._awaited_pids.add(process.pid)
        while process.wait_until(monotonic() + STOP_POLL_SECONDS) is None:
            if is_stopped(P_PID, process.pid):
                return True
        return False

    def sees_job_stopped(self, job: ShellJob, group: int, budget: Budget) -> bool:
        """The same for a job, which is attended already."""
        self._awaited_pids.add(group)
        while job.status is None:
            budget.check()
            job.pause()
            if job.status is None and is_stopped(P_PGID, group):
                return True
        return False

    def on_change(self, number: int, frame: object) -> None:
        """The handler of SIGCHLD: look soon, for the shell may be just about to wait."""
        if self._group:
            setitimer(ITIMER_REAL, STOP_CHECK_DELAY_SECONDS)

    def on_time(self, number: int, frame: object) -> None:
        """The handler of SIGALRM: what is stopped while its output is read has to go on.

        The shell could do nothing else before it has ended.
        """
        is_alone = not self._awaited_pids and all(
            one.group != self._group for one in self._unattended
        )
        if self._group and is_alone and is_stopped(P_PGID, self._group):
            signal_whole_group(self._group, SIGCONT)

    def suspend(self, state: State, run: StartedProgram, process: Process) -> int:
        """A program is stopped: it becomes a job, with the others of its group; the status."""
        group = self._group
        found = next((one for one in self._unattended if one.group == group), None)
        session, text = state.session, " ".join(process.spec.argv)
        if found is None:
            job = session.jobs.add(
                text, StoppedJobBudget(session.limits, group), session.runs, None
            )
            job.is_stopped = True
            found = job.suspended = SuspendedJob(self, job, group, state.budget)
            self._unattended.append(found)
        else:  # the stages are stopped from the last one on
            found.job.text = f"{text} | {found.job.text}"
        found.runs.append(run)
        self.end(process.pid)
        return STATUS_STOPPED

    def add(self, stopped: SuspendedJob) -> None:
        """A job has been stopped once more."""
        self._unattended.append(stopped)

    def settle(self) -> list[ShellJob]:
        """The run has ended: see to the jobs that were stopped in it; which they are."""
        found, self._unattended = self._unattended, []
        for stopped in found:
            stopped.attend()
        return [stopped.job for stopped in found]

    def _give(self, group: int) -> None:
        """Let a group have the terminal; the kernel would stop who does so from outside of it."""
        before = pthread_sigmask(SIG_BLOCK, [SIGTTOU])
        try:
            with suppress(OSError):  # it has gone
                os.tcsetpgrp(self._fd, group)
        finally:
            pthread_sigmask(SIG_SETMASK, before)


class SuspendedJob:
    """The programs of a stopped job: what `fg` and `bg` act on."""

    __slots__ = ("_budget", "_foreground", "_is_attended", "group", "job", "runs")

    def __init__(self, foreground: Foreground, job: ShellJob, group: int, budget: Budget) -> None:
        self._foreground, self.job, self.group = foreground, job, group
        self._budget = budget  # of the run that started them, whose flag they watch
        self.runs: list[StartedProgram] = []
        self._is_attended = False

    def attend(self) -> None:
        """Wait for the programs on a thread; the last stage was stopped first, and tells."""
        if self._is_attended:
            return
        self._is_attended = True

        def work() -> None:
            statuses = [run.finish() for run in self.runs]
            self.job.end(statuses[0])

        start_new_thread(work, ())

    def resume_in_foreground(self, budget: Budget) -> int:
        """Go on in the foreground; the status."""
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
        """Go on in the background."""
        self.attend()
        self.job.is_stopped = False
        signal_whole_group(self.group, SIGCONT)


class StoppedJobBudget(Budget):
    """What a stopped job is ended by, as any other is by its budget."""

    __slots__ = ("_group",)

    def __init__(self, limits: Limits, group: int) -> None:
        super().__init__(limits)
        self._group = group

    def cancel(self, signal: int = 0) -> None:
        super().cancel(signal)
        signal_whole_group(self._group, signal or SIGTERM)
        signal_whole_group(self._group, SIGCONT)


def is_stopped(kind: int, number: int) -> bool:
    """Whether a process, or one of a group, has been stopped since this was asked last."""
    try:
        return os.waitid(kind, number, os.WSTOPPED | os.WNOHANG) is not None
    except ChildProcessError:
        return False


def signal_whole_group(group: int, number: int) -> None:
    """Signal all of a group that is there."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


# Leader: the program that a background job is, as it is signalled.


class JobLeader:
    """A program whose number is the job's. It leads a group of processes.

    The number may be another process's by the time it is signalled, which is left alone then.
    """

    __slots__ = ("_row", "pid")

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._row: ProcessRow = next(rows_of([str(pid)]), ProcessRow(pid, 0, pid, 0, 0, False))

    def signal(self, number: int, *, is_group: bool) -> None:
        """Send it a signal, or to all of the group that it leads."""
        if is_group and self._is_alive():
            signal_group(self.pid, number)
        elif not is_group:
            signal_one(self._row, number)

    def _is_alive(self) -> bool:
        """Whether the number is still its own; nothing tells where there is no /proc."""
        found = next(rows_of([str(self.pid)]), None)
        return found is None or found.start_time == self._row.start_time
