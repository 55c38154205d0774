"""What a scatter holds does not grow with the number of its items."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from keysh import Limits
from keysh.interp.run.budget import Budget
from keysh.interp.scatter.engine import ItemTask, TaskEnding
from keysh.interp.scatter.mailbox import Mailbox
from keysh.interp.scatter.options import ScatterOptions
from keysh.interp.scatter.scatter_run import ScatterRun
from keysh.shell.scattering.chunk_engine import MAX_CHUNK_BYTES, ChunkEngine
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORKERS = 3
OUTPUT_BYTES = MAX_CHUNK_BYTES // 4


class Numbers:
    """A source of items."""

    def __init__(self, count: int) -> None:
        self.known_items: list[object] = []
        self.taken, self.count = 0, count
        self.has_ended = False

    def is_ready(self) -> bool:
        return True

    def take(self) -> object:
        if self.taken == self.count:
            self.has_ended = True
            return ABSENT
        self.taken += 1
        return self.taken


class Words:
    """A command that takes any item."""

    name = "any"

    def words_for(self, item: object) -> list[object]:
        return [item]


class Ignored:
    """What a scatter tells of its progress and files."""

    def note(self, *, failed: bool) -> None:
        pass


class LateFirst:
    """An engine whose first task ends when nothing else is left to do."""

    width = WORKERS

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._running: list[ItemTask] = []
        self.begun_before_first_end = 0
        self._begun = 0

    def submit(self, task: ItemTask) -> None:
        self._running.append(task)
        self._begun += 1

    def flush(self) -> None:
        last = self._running.pop()
        if not last.index:
            self.begun_before_first_end = self._begun
        self._mailbox.put(last)

    def endings(self, thing: Any) -> list[tuple[ItemTask, TaskEnding]]:
        return [(thing, TaskEnding(0))]


def run_with(engine: Any, source: Numbers, mailbox: Mailbox) -> list[int]:
    ignored: Any = Ignored()
    words: Any = Words()
    run = ScatterRun(words, source, engine, mailbox, ScatterOptions(), ignored, ignored)  # type: ignore[arg-type]
    return [row["i"] for row in run.rows(Budget(Limits()), lambda: None)]  # type: ignore[misc]


def test_rows_that_wait_for_the_first_one_are_few() -> None:
    mailbox = Mailbox()
    engine, source = LateFirst(mailbox), Numbers(1000)
    assert run_with(engine, source, mailbox) == list(range(1000))
    assert WORKERS < engine.begun_before_first_end <= 2 * WORKERS


class Printing:
    """Runs chunks whose items print much in no time."""

    width = 1

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def begin(
        self, items: Sequence[object], seconds: float, tell: Callable[[TaskEnding], object]
    ) -> Future[list[TaskEnding]]:
        self.sizes.append(len(items))
        future: Future[list[TaskEnding]] = Future()
        future.set_result([TaskEnding(0, "x" * OUTPUT_BYTES) for _ in items])
        return future


def test_chunks_of_items_that_print_much_are_small() -> None:
    mailbox, runner = Mailbox(), Printing()
    engine = ChunkEngine(runner, None, mailbox, list, list)  # type: ignore[arg-type]
    assert run_with(engine, Numbers(40), mailbox) == list(range(40))
    assert max(runner.sizes) == MAX_CHUNK_BYTES // OUTPUT_BYTES
