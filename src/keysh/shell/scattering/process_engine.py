"""The engine of processes: each task runs in a worker process of this machine.

It has the threads of the other engine, each of which waits for a worker: the program of isolated
shells. Files of the host, its commands, programs and questions stay with the host, which the
workers ask; files in memory are a copy in each worker.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from time import monotonic

from keysh.interp.run.cancel import Cancel
from keysh.interp.scatter.thread_engine import ThreadEngine
from keysh.shell.history.fork_base import mounts_to_divide
from keysh.shell.isolation.workers import Workers
from keysh.shell.scattering.item_shell import ending_of_result
from keysh.shell.scattering.item_text import item_text
from keysh.shell.scattering.payload import image_of_state, needs_grant, plugins_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from keysh.interp.scatter.engine import ItemTask, TaskEnding
    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.state.state import State
    from keysh.shell.run_options import ShellOptions


class ProcessEngine:
    """Runs tasks in worker processes, one for each thread that waits for them."""

    __slots__ = (
        "_cancel", "_image", "_mounts", "_options", "_shells", "_state", "_threads", "_words",
        "_workers", "width",
    )  # fmt: skip

    def __init__(
        self, state: State, words: Sequence[object], options: ScatterOptions, mailbox: Mailbox
    ) -> None:
        mounts = mounts_to_divide(state.fs.mounts)
        self._state, self._words, self._options = state, words, options
        self._image = image_of_state(state, mounts)
        self._mounts = {point: fs for point, fs in mounts.items() if needs_grant(fs)}
        self.width = options.workers or os.cpu_count() or 1
        self._workers = Workers(self.width)
        self._threads = ThreadEngine(
            state, "scatter", self.width, mailbox, lambda _, task, number: self._run(task, number)
        )
        self._shells: dict[int, Any] = {}  # by the number of their thread
        self._cancel = Cancel()

    def _shell(self, number: int) -> Any:
        """Return the shell of a thread, made of the image when it is first needed."""
        if number not in self._shells:
            host: ShellOptions = self._state.session.host
            shell = host.make_shell.restore(
                self._image, self._mounts or None, isolated=self._workers,
                limits=self._state.session.limits, external=host.external, network=host.network,
                on_command=host.on_command, rules=host.rules, on_ask=host.on_ask,
                on_event=host.on_event, audit=host.audit,
            )  # fmt: skip
            self._shells[number] = shell
            for name, command in plugins_of(self._state).items():
                shell.add(command.function, name)
        return self._shells[number]

    def _run(self, task: ItemTask, number: int) -> TaskEnding:
        """Run a task in the worker of a thread."""
        began, options = monotonic(), self._options
        text = item_text(self._words, task.index, task.item, options.seed)
        result = self._shell(number).run(text, timeout=options.seconds, cancel=self._cancel)
        cancelled = self._cancel.is_cancelled
        ending = ending_of_result(result, monotonic() - began, number, was_cancelled=cancelled)
        ending.out = result.stdout
        ending.data = text.data
        return ending

    # ------------------------------------------------------------ an engine

    def submit(self, task: ItemTask) -> None:
        self._threads.submit(task)

    def flush(self) -> None:
        self._threads.flush()

    def endings(self, thing: object) -> Iterable[tuple[ItemTask, TaskEnding]]:
        return self._threads.endings(thing)

    def cancel(self) -> None:
        self._cancel.cancel()
        self._threads.cancel()

    def close(self) -> None:
        with ExitStack() as stack:
            stack.callback(self._workers.close)
            for shell in self._shells.values():
                stack.callback(shell.close)
            self._threads.close()
