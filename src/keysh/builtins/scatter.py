"""scatter - run a command for each item, many at once."""

from __future__ import annotations

import os

from keysh.interp.run.control_flow import STATUS_NOT_FOUND
from keysh.interp.scatter.item_command import ItemCommand, UnfitItem
from keysh.interp.scatter.item_source import ItemSource, LineSource
from keysh.interp.scatter.job_log import JobLog
from keysh.interp.scatter.mailbox import Mailbox
from keysh.interp.scatter.scatter_run import ScatterOptions, ScatterRun
from keysh.interp.scatter.thread_engine import ThreadEngine
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import command
from keysh.schema.types import ParameterType, UnfitValue, ValueType
from keysh.text.gnu_quoting import shell_message_name
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Literal, TypeAlias

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

FAILED_STATUS = 123
MAX_WORKERS = 512


class WorkersType(ParameterType):
    """A number of workers, or a percentage of the processors."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        number = text.removesuffix("%")
        if not number.isascii() or not number.isdigit() or len(number) > 5 or not int(number):
            raise UnfitValue(self.requirement, text)
        count = int(number)
        if number is not text:
            count = max(1, (os.cpu_count() or 1) * count // 100)
        if count > MAX_WORKERS:
            raise UnfitValue(f"at most {MAX_WORKERS}", text)
        return count

    def take(self, value: object) -> int:
        return self.parse(text_of(value))

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


if TYPE_CHECKING:
    Value: TypeAlias = object
    Workers: TypeAlias = int
else:
    Value = ValueType("value", "a value")
    Workers = WorkersType("Workers", "a number from 1, or a percentage such as 50%")


@command
def scatter(
    sh: Call,
    command: Value,
    *items: Value,
    workers: Workers | None = None,
    timeout: float | None = None,
    retries: int = 0,
    halt: Literal["never", "soon", "now"] = "never",
    order: Literal["items", "done"] = "items",
    log: Path | None = None,
    resume: bool = False,
    dry_run: bool = False,
    seed: int | None = None,
) -> Iterator[dict[str, Any] | str]:
    """Run a command for each item, many at once, and print what became of each.

    command          a function, a command, a script or a program; a list has its
                     first arguments, too
    items ...        the items (default: each line of the input, or the value of
                     its JSON)
    --workers NUM    run NUM items at once, or a percentage of the processors such
                     as 50% (default: as many as there are processors)
    --timeout MS     end an item and its programs after MS milliseconds
    --retries NUM    run an item that fails up to NUM times more
    --halt WHEN      after a failure begin no more items (soon), or end those that
                     run, too (now); default: never
    --order ORDER    print in the order of the items, or as they are done
    --log FILE       append what is printed to FILE as it comes
    --resume         do not run what FILE has as ok again
    --dry-run        only print what would run
    --seed NUM       let $RANDOM of an item depend on NUM and its place only

    A record becomes named arguments, a list several, and anything else one. Each
    runs in a subshell and has no input. The output is a record for each item, with
    i, item, ok, code, out, err, ms, worker, attempts, and data if the command
    printed a value. `gather` prints what a loop would have printed.

    The status is 0 if all were ok, and 123 if some failed.
    """
    state = state_of(sh)
    called = command if isinstance(command, list) and command else [command]
    run = ItemCommand(state, called)
    if not run.is_known:
        raise sh.fail(f"{shell_message_name(run.name)}: command not found", STATUS_NOT_FOUND)
    if timeout is not None and not 0 < timeout < float("inf"):
        raise sh.fail(f"timeout must be milliseconds above 0, but is {timeout:g}", 2)
    if retries < 0:
        raise sh.fail(f"retries must be 0 or more, but is {retries}", 2)
    if resume and log is None:
        raise sh.fail("resume needs a log\nfix: log=FILE resume=true", 2)
    check_items(sh, run, items)
    source = ItemSource(items) if items else LineSource(sh.stdin)
    if dry_run:
        yield from dry_lines(run, source)
        return
    mailbox = Mailbox()
    width = workers or os.cpu_count() or 1
    options = ScatterOptions(
        retries=retries, halt=halt, is_ordered=order == "items", seed=seed,
        timeout=None if timeout is None else timeout / 1000,
    )  # fmt: skip
    journal = None if log is None else JobLog(sh, log, called, resumes=resume)
    engine = ThreadEngine(state, f"scatter {run.name}", width, mailbox)
    try:
        scattered = ScatterRun(run, source, engine, mailbox, options, journal)
        yield from scattered.rows(state.budget)
    except BaseException:
        engine.cancel()
        raise
    finally:
        engine.close()
        if journal is not None:
            journal.close()
    sh.out.end_rows()
    sh.status = FAILED_STATUS if scattered.failed else 0


def check_items(sh: Call, run: ItemCommand, values: Sequence[object]) -> None:
    """Refuse operands that do not fit the command, before the first one runs."""
    for index, value in enumerate(values):
        try:
            run.words_for(value)
        except UnfitItem as unfit:
            shown = shell_message_name(text_of(value))
            raise sh.fail(f"item {index}, {shown}: {run.name}: {unfit.reason}", 2) from None


def dry_lines(run: ItemCommand, source: ItemSource) -> Iterator[str]:
    """Yield the commands that would run."""
    while True:
        item = source.take()
        if source.has_ended:
            return
        words = run.words_for(item)
        yield " ".join(shell_message_name(text_of(word)) for word in words) + "\n"
