"""The engine of threads: each task runs in a fork of the state, on one of a few jobs of the shell.

Commands of keysh take turns, since Python computes on one thread at a time. What waits does not
hold the others up: real programs, requests, `sleep`.
"""

from __future__ import annotations

import os
from time import monotonic

from keysh.interp.engine.background import start_job
from keysh.interp.engine.endings import run_to_end
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.scatter.engine import ItemTask, TaskEnding
from keysh.interp.scatter.mailbox import Mailbox
from keysh.interp.scatter.task_run import TaskRun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.scatter.engine import Engine
    from keysh.interp.state.state import State

ENDING_SECONDS = 1.0  # for jobs that were cancelled; one that computes is ended by the watchdog


class Worker:
    """One job that runs tasks. `tasks` gets END_OF_TASKS for the end."""

    __slots__ = ("job", "number", "tasks")

    def __init__(self, number: int) -> None:
        self.number = number
        self.tasks = Mailbox()
        self.job: ShellJob | None = None

    @property
    def is_alive(self) -> bool:
        """Whether the job goes on."""
        return self.job is not None and not self.job.budget.is_cancelled


def thread_engine(state: State, text: str, workers: int | None, mailbox: Mailbox) -> Engine:
    """Return an engine for a scatter, with as many workers as the shell may have jobs.

    A scatter within an item of another one has the share of its worker: itself. So none waits for a
    worker that another one has, however deep they are nested.
    """
    jobs, limit = state.session.jobs, state.session.limits.jobs
    running, width = jobs.running(), workers or os.cpu_count() or 1
    if limit is not None:
        width = min(width, limit - len(running))
    if width < 1 or any(job.is_worker and job.budget is state.budget for job in running):
        return InlineEngine(state, mailbox)
    return ThreadEngine(state, text, width, mailbox)


class TaskOutcome:
    """A task, and its ending or the limit that ends the run."""

    __slots__ = ("ending", "task")

    def __init__(self, task: ItemTask, ending: TaskEnding | LimitReached) -> None:
        self.task, self.ending = task, ending


class InlineEngine:
    """Runs each task where it is submitted."""

    __slots__ = ("_mailbox", "_state", "width")

    def __init__(self, state: State, mailbox: Mailbox) -> None:
        self._state, self._mailbox = state, mailbox
        self.width = 1

    def submit(self, task: ItemTask) -> None:
        self._mailbox.put(TaskOutcome(task, run_task(self._state, task, None)))

    def flush(self) -> None:
        """Nothing waits."""

    def endings(self, thing: object) -> Iterable[tuple[ItemTask, TaskEnding]]:
        assert isinstance(thing, TaskOutcome)
        assert isinstance(thing.ending, TaskEnding)
        return ((thing.task, thing.ending),)

    def cancel(self) -> None:
        """Nothing runs beside the caller."""

    def close(self) -> None:
        """Nothing runs beside the caller."""


class ThreadEngine:
    """Runs tasks on jobs of this shell."""

    __slots__ = (
        "_idle",
        "_is_cancelled",
        "_mailbox",
        "_state",
        "_text",
        "_workers",
        "width",
    )

    def __init__(self, state: State, text: str, width: int, mailbox: Mailbox) -> None:
        self._state, self._text, self._mailbox, self.width = state, text, mailbox, width
        self._is_cancelled = False
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []

    def submit(self, task: ItemTask) -> None:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:  # a script may have killed the job
                break
        else:
            worker = self._new_worker()
        worker.tasks.put(task)

    def flush(self) -> None:
        """Nothing waits."""

    def endings(self, thing: object) -> Iterable[tuple[ItemTask, TaskEnding]]:
        assert isinstance(thing, TaskOutcome)
        if isinstance(thing.ending, LimitReached):
            raise thing.ending
        return ((thing.task, thing.ending),)

    def _new_worker(self) -> Worker:
        worker = Worker(len(self._workers) + 1)
        worker.job = start_job(
            self._state, lambda child: self._serve(child, worker), self._text, shares_memory=True
        )
        worker.job.is_worker = True
        self._workers.append(worker)
        return worker

    def _serve(self, child: State, worker: Worker) -> int:
        """Run tasks until there are no more, or until the job is cancelled."""
        while isinstance(task := worker.tasks.wait(child.budget), ItemTask):
            try:
                ending: TaskEnding | LimitReached = run_task(child, task, worker.number)
            except LimitReached as limit:
                ending = limit
            is_over = isinstance(ending, LimitReached) or ending.was_cancelled
            if not is_over:
                self._idle.append(worker)
            self._mailbox.put(TaskOutcome(task, ending))
            if is_over:  # the job was cancelled, if only by a `kill` of the script
                break
        return 0

    def cancel(self) -> None:
        self._is_cancelled = True
        for worker in self._workers:
            assert worker.job is not None
            worker.job.budget.stop()

    def close(self) -> None:
        for worker in self._workers:
            worker.tasks.put(END_OF_TASKS)
        give_up_at = monotonic() + ENDING_SECONDS
        for worker in self._workers:
            job = worker.job
            assert job is not None
            # The run itself may be over, so its budget cannot wait for what it has cancelled.
            while self._is_cancelled and job.status is None and monotonic() < give_up_at:
                job.pause()
            if not self._is_cancelled:
                job.wait(self._state.budget)
            if job.status is not None:
                self._state.session.jobs.forget(job)


END_OF_TASKS = object()


def run_task(state: State, task: ItemTask, worker: object) -> TaskEnding:
    """Run a task; raise the limit if one of the whole run is reached."""
    budget, run = state.budget, TaskRun(state, task)
    before = budget.push_deadline(task.timeout)
    began = monotonic()
    try:
        ending = run_to_end(run.child, run.run)
    finally:
        budget.pop_deadline(before)
    limit = ending.limit
    was_cancelled = limit is not None and limit.kind == "cancelled"
    has_timed_out = limit is not None and limit.kind == "seconds" and not is_over(state)
    if limit is not None and not was_cancelled and not has_timed_out:
        raise limit
    return TaskEnding(
        ending.status, run.out, run.err, data=run.data, seconds=monotonic() - began,
        worker=worker, was_cancelled=was_cancelled,
    )  # fmt: skip


def is_over(state: State) -> bool:
    """Whether the run itself is out of time."""
    deadline = state.budget.deadline
    return deadline is not None and monotonic() > deadline
