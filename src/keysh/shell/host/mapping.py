"""`Shell.map` and `Shell.amap`: `scatter` for hosts, with items and rows as Python objects."""

from __future__ import annotations

from queue import Full, Queue
from threading import Thread

from keysh.diagnostics.suggestions import closest_names
from keysh.interp.engine.invoke import deliver_answer
from keysh.interp.run.cancel import Cancel
from keysh.interp.scatter.items import Items
from keysh.interp.scatter.options import ScatterOptions
from keysh.interp.scatter.rows import FAILED_STATUS
from keysh.interp.state.call import Call, CommandFailure
from keysh.interp.streams.streams import Writer
from keysh.schema.arguments import NamedArgument
from keysh.schema.binder import InvalidArguments, bind
from keysh.schema.declare import command_of
from keysh.shell.history.fork_base import mounts_to_divide
from keysh.shell.script_cache import HostWork
from keysh.values import ABSENT, text_of, value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncGenerator, Callable, Generator, Iterable
    from typing import Any

    from keysh.interp.state.state import State
    from keysh.shell.run_result import Result

MAX_WAITING_ROWS = 64  # that the host has not taken yet
ROOM_POLL_SECONDS = 0.02  # how often a script that has got ahead checks its run


class Row:
    """What became of one item.

    index, item   the place of the item, and the item itself
    ok, code      whether the command has succeeded, and its status
    out, err      what it has printed
    data          the value that it has printed, else `out` without its last newline
    ms            how long the last attempt took
    worker        where it ran
    attempts      how often it was tried
    """

    __module__ = "keysh"
    __slots__ = ("attempts", "code", "data", "err", "index", "item", "ms", "ok", "out", "worker")

    def __init__(self, row: dict[str, Any]) -> None:
        self.index, self.item = row["i"], row["item"]
        self.ok, self.code = row["ok"], row["code"]
        self.out, self.err = row["out"], row["err"]
        self.data = row.get("data", self.out.removesuffix("\n"))
        self.ms, self.worker, self.attempts = row["ms"], row["worker"], row["attempts"]

    def __repr__(self) -> str:
        return f"<Row {self.index} {'ok' if self.ok else f'failed with {self.code}'}>"


class HostItems(Items):
    """The items of a host. What its iterator raises ends the scatter, and is raised to the host."""

    __slots__ = ("error",)

    def __init__(self, items: Iterable[object]) -> None:
        super().__init__(items)
        self.error: BaseException | None = None

    def take(self) -> object:
        try:
            item = super().take()
            return ABSENT if item is ABSENT else value_of_python(item)
        except Exception as error:
            self.error = error
            raise


class RowWriter(Writer):
    """Passes the rows of a scatter on as they come; it prints nothing."""

    __slots__ = ("_take",)

    def __init__(self, take: Callable[[Row], None]) -> None:
        super().__init__(lambda text: None)
        self._take = take

    def write_row(self, row: Any, text: str) -> None:
        self._take(Row(row))


class HostScatter:
    """One scatter of a host, in a fork of its shell that shares all files.

    So the shell is free meanwhile, also for the loop that takes the rows.
    """

    __slots__ = ("_command", "_items", "_options", "_shell")

    def __init__(
        self,
        shell: Any,
        command: object,
        items: Iterable[object],
        options: dict[str, object],
    ) -> None:
        """TypeError for what is no command, no items or no option."""
        from keysh.builtins.scatter import scatter  # noqa: PLC0415 - few hosts map

        if isinstance(items, str | bytes) or not hasattr(items, "__iter__"):
            raise TypeError(f"items must be a list or an iterator, but is {items!r:.60}")
        declared = command_of(scatter)
        self._command = value_of_python(command)
        options = {name.removesuffix("_"): value for name, value in options.items()}
        for name in options:
            if name not in declared.by_key:
                near = closest_names(name, declared.by_key, 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise TypeError(f"map has no option {name!r:.60}{hint}")
        given = {name: value_of_python(value) for name, value in options.items()}
        words = [NamedArgument(name, value, f"{name}={text_of(value)}")
                 for name, value in given.items() if value is not None]  # fmt: skip
        try:
            bound = bind(declared, [self._command, *words])
        except InvalidArguments as error:
            raise TypeError(error.message) from None
        self._options, self._items = ScatterOptions(**bound.options), HostItems(items)
        self._shell = shell.fork(share=mounts_to_divide(shell.fs.mounts))

    def run(self, take: Callable[[Row], None], cancel: Cancel) -> Result:
        """Run the scatter; `take` gets each row."""
        from keysh.builtins.scatter import scatter  # noqa: PLC0415 - few hosts map
        from keysh.interp.scatter.scatter_items import scatter_items  # noqa: PLC0415 - as above

        def body(state: State) -> int:
            call = Call("scatter", state, state.stdin, RowWriter(take), state.err)
            rows = scatter_items(call, self._command, self._items, self._options)
            try:
                return deliver_answer(command_of(scatter), rows, call)
            except CommandFailure as failure:
                call.warn(failure.message)
                return failure.status

        work = HostWork(f"# scatter {text_of(self._command)}")
        work.body = body
        result: Result = self._shell.run(work, cancel=cancel)
        return result

    def check(self, result: Result) -> None:
        """Raise what has kept the scatter from its end."""
        if self._items.error is not None:
            raise self._items.error
        if result.code != FAILED_STATUS:  # of an item
            result.check()

    def close(self) -> None:
        self._shell.close()

    # ------------------------------------------------------------ for the host's loops

    def rows(self) -> Generator[Row, None, None]:
        """Yield the rows as they come; leaving the loop cancels the rest."""
        queue: Queue[Row | None] = Queue(MAX_WAITING_ROWS)
        cancel, outcome = Cancel(), []
        is_left = False

        def take(row: Row | None) -> None:
            while not is_left:
                try:
                    queue.put(row, timeout=ROOM_POLL_SECONDS)
                except Full:
                    continue
                return

        def work() -> None:
            try:
                outcome.append(self.run(take, cancel))
            finally:
                take(None)

        thread = Thread(target=work, name="keysh-map", daemon=True)
        thread.start()
        try:
            while (row := queue.get()) is not None:
                yield row
        finally:
            is_left = True
            cancel.cancel()
            thread.join()
            self.close()
        self.check(outcome[0])

    async def arows(self) -> AsyncGenerator[Row, None]:
        """The same for a loop of a coroutine."""
        from keysh.interp.engine.host_loop import host_coroutine_of, set_host  # noqa: PLC0415 - few hosts map
        from keysh.shell.async_run import await_run, stream_run  # noqa: PLC0415 - as above

        session = self._shell.state.session
        caller = host_coroutine_of(session)

        async def run(on_output: Callable[[str, Any], None]) -> Result:
            def work(loop: AbstractEventLoop, cancel: Cancel) -> Result:
                set_host(loop, caller)
                return self.run(lambda row: on_output("row", row), cancel)

            return await await_run(work, session)

        try:
            async for kind, thing in stream_run(run, lambda kind, thing: (kind, thing)):
                if kind == "row":
                    yield thing
                else:
                    self.check(thing)
        finally:
            self.close()
