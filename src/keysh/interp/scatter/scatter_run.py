"""One run of `scatter`: which task runs when, and the rows of those that have ended.

At most `width` tasks run. While an earlier row is missing, the later ones are held; then at most
twice as many items are under way, however many there are in all.
"""

from __future__ import annotations

from keysh.interp.scatter.engine import ItemTask, TaskEnding
from keysh.interp.scatter.item_command import UnfitItem
from keysh.interp.scatter.rows import row_of
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.run.budget import Budget
    from keysh.interp.scatter.engine import Engine
    from keysh.interp.scatter.item_command import ItemCommand
    from keysh.interp.scatter.items import Items
    from keysh.interp.scatter.job_log import JobLog
    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.scatter.progress_line import ProgressLine
    from keysh.interp.scatter.returned_files import ReturnedFiles
    from keysh.interp.scatter.rows import Row

HELD_PER_WORKER = 2
UNFIT_STATUS = 2


class ScatterRun:
    """Runs a command for all items of a source."""

    __slots__ = (
        "_command", "_engine", "_halted", "_held", "_index", "_log", "_mailbox", "_next_row",
        "_options", "_progress", "_returned", "_running", "_source", "failed",
    )  # fmt: skip

    def __init__(
        self, command: ItemCommand, source: Items, engine: Engine, mailbox: Mailbox,
        options: ScatterOptions, progress: ProgressLine, returned: ReturnedFiles,
        log: JobLog | None = None,
    ) -> None:  # fmt: skip
        self._command, self._source, self._engine = command, source, engine
        self._mailbox, self._options, self._log = mailbox, options, log
        self._progress, self._returned = progress, returned
        self._running = 0  # tasks
        self._held: dict[int, Row] = {}  # rows that wait for an earlier one
        self._index = self._next_row = 0
        self._halted = False
        self.failed = 0  # items

    def rows(self, budget: Budget, flush: Callable[[], object]) -> Iterator[Row]:
        """Run all, and yield the rows. `flush` is called before each wait."""
        source = self._source
        while True:
            yield from self._ready_rows()
            may_begin = self._may_begin() and not source.has_ended
            if may_begin and (not self._running or source.is_ready()):
                if not self._running:
                    flush()
                self._begin_next()
                continue
            if not self._running and (self._halted or source.has_ended):
                break
            self._engine.flush()
            flush()
            ended = self._mailbox.wait(budget, source.is_ready if may_begin else None)
            if ended is not None:
                for task, ending in self._engine.endings(ended):
                    self._end_task(task, ending)
        yield from self._rest()

    # ------------------------------------------------------------ tasks

    def _may_begin(self) -> bool:
        """Whether one more task may run."""
        width, under_way = self._engine.width, self._running + len(self._held)
        return not self._halted and self._running < width and under_way < HELD_PER_WORKER * width

    def _begin_next(self) -> None:
        """Take an item, if there is one, and begin its task."""
        item = self._source.take()
        if item is ABSENT:
            return
        index, self._index = self._index, self._index + 1
        known = None if self._log is None else self._log.row(index, item)
        if known is not None:
            self._held[index] = known
            return
        try:
            words = self._command.words_for(item)
        except UnfitItem as unfit:
            message = f"{self._command.name}: {unfit.reason}\n"
            task = ItemTask(index, item, ())
            self._finish(task, TaskEnding(UNFIT_STATUS, err=message))
            return
        options = self._options
        self._submit(ItemTask(index, item, words, timeout=options.seconds, seed=options.seed))

    def _submit(self, task: ItemTask) -> None:
        self._running += 1
        self._engine.submit(task)

    def _end_task(self, task: ItemTask, ending: TaskEnding) -> None:
        """Take the ending of a task: try again, or make its row."""
        self._running -= 1
        may_try = not ending.was_cancelled and not self._halted
        if ending.code and may_try and task.attempt <= self._options.retries:
            task.attempt += 1
            self._submit(task)
            return
        self._finish(task, ending)

    def _finish(self, task: ItemTask, ending: TaskEnding) -> None:
        """Make the row of a task, and halt if it has failed."""
        if ending.files:
            self._returned.put(task.index, ending.files)
        row = row_of(task, ending)
        self._held[task.index] = row
        if self._log is not None:
            self._log.add(row)
        self._progress.note(failed=bool(ending.code))
        if ending.code:
            self.failed += 1
            if self._options.halt != "never" and not self._halted:
                self._halted = True
                if self._options.halt == "now":
                    self._engine.cancel()

    # ------------------------------------------------------------ rows

    def _ready_rows(self) -> Iterator[Row]:
        """Yield the rows whose turn it is."""
        if self._options.order == "done":
            yield from self._rest()
        while (row := self._held.pop(self._next_row, None)) is not None:
            self._next_row += 1
            yield row

    def _rest(self) -> Iterator[Row]:
        """Yield all rows that are held."""
        for index in sorted(self._held):
            yield self._held.pop(index)
