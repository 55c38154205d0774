"""A mapper of worker processes on this machine: the program of isolated shells.

Files of the host, its commands, programs and questions stay with the host, which the workers ask;
files in memory are a copy in each worker.
"""

from __future__ import annotations

import os
from concurrent.futures import Future
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Thread

from keysh.interp.run.cancel import Cancel
from keysh.interp.scatter.engine import TaskEnding
from keysh.shell.history.fork_base import mounts_to_divide
from keysh.shell.isolation.frames import FrameError
from keysh.shell.isolation.workers import Workers
from keysh.shell.scattering.item_text import ending_of_line, item_text
from keysh.shell.scattering.mapper import WorkerLost
from keysh.shell.scattering.payload import file_system_to_grant, image_of_state, plugins_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.state.state import State
    from keysh.shell.run_options import ShellSettings


class ProcessMapper:
    """Runs chunks of items, each worker one at a time.

    Each chunk has a thread of its own, which no exit of the interpreter waits for.
    """

    __slots__ = (
        "_cancel", "_granted", "_idle", "_image", "_options", "_shells", "_state", "_threads",
        "_words", "_workers", "width",
    )  # fmt: skip

    def __init__(self, state: State, words: Sequence[object], options: ScatterOptions) -> None:
        mounts = mounts_to_divide(state.fs.mounts)
        self._state, self._words, self._options = state, words, options
        self._image = image_of_state(state, mounts)
        self._granted = {
            point: needed
            for point, fs in mounts.items()
            if (needed := file_system_to_grant(fs)) is not None
        }
        self.width = options.workers or os.cpu_count() or 1
        self._workers = Workers(self.width)
        self._threads: set[Thread] = set()
        self._shells: dict[int, Any] = {}  # by the numbers of the workers, from 1
        self._idle: SimpleQueue[int] = SimpleQueue()
        for number in range(1, self.width + 1):
            self._idle.put(number)
        self._cancel = Cancel()

    def begin(
        self,
        items: Sequence[tuple[int, object]],
        seconds: float,
        tell: Callable[[TaskEnding], object],
    ) -> Future[list[TaskEnding]]:
        future: Future[list[TaskEnding]] = Future()

        def work() -> None:
            try:
                endings = self._run(items, seconds, tell)
            except BaseException as error:  # noqa: BLE001 - raised where the result is asked for
                future.set_exception(error)
            else:
                future.set_result(endings)
            finally:
                self._threads.discard(thread)

        thread = Thread(target=work, name="keysh-scatter", daemon=True)
        self._threads.add(thread)
        thread.start()
        return future

    def _run(
        self,
        items: Sequence[tuple[int, object]],
        seconds: float,
        tell: Callable[[TaskEnding], object],
    ) -> list[TaskEnding]:
        """Run items in a worker that is idle; return the endings of which it has not told."""
        number = self._idle.get()
        try:
            return self._run_in(number, items, seconds, tell)
        finally:
            self._idle.put(number)

    def _run_in(
        self, number: int, items: Sequence[tuple[int, object]], seconds: float,
        tell: Callable[[TaskEnding], object],
    ) -> list[TaskEnding]:  # fmt: skip
        rest, left = "", len(items)

        def take(stream: str, text: str) -> None:
            nonlocal rest, left
            *lines, rest = (rest + text).split("\n")
            left -= len(lines)
            if left < 0:
                raise FrameError("more endings than items")
            for line in lines:
                tell(ending_of_line(line, number))

        text = item_text(self._words, items, self._options, seconds)
        result = self._shell(number).run(text, on_output=take, cancel=self._cancel)
        if self._cancel.is_cancelled and not result.ok:
            return [TaskEnding(result.code, was_cancelled=True) for _ in range(left)]
        if not result.ok:
            raise WorkerLost(number, result.stderr.strip().removeprefix("keysh: "), [])
        return []

    def _shell(self, number: int) -> Any:
        """Return the shell of a worker, made of the image when it is first needed."""
        if number not in self._shells:
            host: ShellSettings = self._state.session.host
            shell = host.make_shell.restore(
                self._image, self._granted or None, isolated=self._workers,
                limits=self._state.session.limits, external=host.external, network=host.network,
                on_command=host.on_command, rules=host.rules, on_ask=host.on_ask,
                on_event=host.on_event, audit=host.audit, clock=host.clock,
                on_progress=host.on_progress,
            )  # fmt: skip
            shell.belong_to(self._state.span)
            for name, command in plugins_of(self._state).items():
                shell.add(command if command.is_group else command.function, name)
            self._shells[number] = shell
        return self._shells[number]

    def cancel(self) -> None:
        self._cancel.cancel()

    def close(self) -> None:
        self._cancel.cancel()
        with ExitStack() as stack:
            stack.callback(self._workers.close)
            stack.callback(lambda: [shell.close() for shell in self._shells.values()])
            for thread in tuple(self._threads):
                thread.join()
