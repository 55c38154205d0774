"""scatter - run a command for each item, many at once."""

from __future__ import annotations

import os

from keysh.interp.scatter.items import InputItems, OperandItems
from keysh.interp.scatter.options import MAX_WORKERS, ScatterOptions
from keysh.interp.scatter.scatter_items import scatter_items
from keysh.schema.declare import Refusals, command
from keysh.schema.types import ParameterType, UnfitValue, ValueType
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal, TypeAlias

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern


MISSING_COMMAND = "missing operand: the command that runs for each item, as in `scatter echo`"


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


@command(refusals=Refusals(missing_operand_error=MISSING_COMMAND))
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
    engine: Literal["threads", "processes", "dask"] | None = None,
    on: str | None = None,
    shared: list[str] | None = None,
    return_: Pattern | None = None,
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
    --engine ENGINE  run on threads of this process, in worker processes, or on a
                     Dask cluster (default: threads, unless the host has brought
                     a mapper)
    --on ADDRESS     the scheduler of a Dask cluster, such as tcp://host:8786
    --return GLOB    bring back the files that items have written and that match
                     GLOB, where they have files of their own
    --shared DIR     the mount DIR shows a directory that workers have at the same
                     path

    A record becomes named arguments, a list several, and anything else one. Each
    runs in a subshell and has no input. The output is a record for each item, with
    i, item, ok, code, out, err, ms, worker, attempts, and data if the command
    printed a value. `gather` prints what a loop would have printed.

    The status is 0 if all were ok, and 123 if some failed.
    """
    options = ScatterOptions(
        workers=workers, timeout=timeout, retries=retries, halt=halt, order=order, log=log,
        resume=resume, dry_run=dry_run, seed=seed, engine=engine, on=on, shared=shared,
        return_=return_,
    )  # fmt: skip
    source = OperandItems(items) if items else InputItems(sh.stdin)
    return scatter_items(sh, command, source, options)
