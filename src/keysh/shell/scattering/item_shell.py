"""On a worker: a shell of a payload, which runs items one after the other."""

from __future__ import annotations

import os
import pickle
from _thread import allocate_lock
from time import monotonic

from keysh.interp.run.cancel import Cancel
from keysh.interp.scatter.engine import ItemTask, TaskEnding
from keysh.interp.scatter.item_command import ItemCommand
from keysh.interp.scatter.task_run import TaskRun
from keysh.shell.scattering.payload import importable_function
from keysh.shell.script_cache import HostWork
from keysh.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.state.state import State
    from keysh.shell.scattering.payload import Payload


class OtherVersion(Exception):
    """A worker has another version of keysh than the host."""


class ItemRunner:
    """Runs items in a shell, each as a run of its own."""

    __slots__ = ("_command", "_pattern", "_seed", "_words", "shell")

    def __init__(
        self, shell: Any, words: Sequence[object], seed: int | None, pattern: str | None
    ) -> None:
        """`pattern`: the files that items bring back."""
        self.shell, self._words, self._seed, self._pattern = shell, words, seed, pattern
        self._command: ItemCommand | None = None

    def run(
        self, index: int, item: object, timeout: float | None, cancel: Cancel, worker: object
    ) -> TaskEnding:
        """Run one item, within limits of its own."""
        runs: list[TaskRun] = []

        def body(state: State) -> int:
            if self._command is None:
                self._command = ItemCommand(state, self._words)
            words = self._command.words_for(item)
            task = ItemTask(index, item, words, seed=self._seed)
            run = TaskRun(state, task, self._pattern)
            runs.append(run)
            return run.run(run.child)

        work = HostWork(f"# item {index}")
        work.body = body
        began = monotonic()
        result = self.shell.run(work, timeout=timeout, cancel=cancel)
        ending = TaskEnding(
            result.code, err=result.stderr, seconds=monotonic() - began, worker=worker,
            was_cancelled=cancel.is_cancelled,
        )  # fmt: skip
        if result.limit is not None and result.limit.kind in ("seconds", "cancelled"):
            ending.err = ""  # as of an item on a thread
        if runs:
            ending.out, ending.err = runs[0].out, runs[0].err + ending.err
            ending.data, ending.files = runs[0].data, runs[0].files
        return ending


class ItemShell:
    """A shell of a payload."""

    __slots__ = ("_runner", "_timeout")

    def __init__(self, data: bytes) -> None:
        """OtherVersion, ImageError or OSError if this worker cannot run it."""
        content = pickle.loads(data)
        if content["version"] != __version__:
            raise OtherVersion(f"it has keysh {__version__}, and this is {content['version']}")
        mounts = {
            point: grant[0](*grant[1], **grant[2])
            for point, grant in content["granted"].items()
            if grant is not None
        }
        shell = content["make_shell"].restore(
            content["image"], mounts or None, limits=content["limits"],
            external=content["external"], network=content["network"], clock=content["clock"],
        )  # fmt: skip
        for name, module, place in content["commands"]:
            function = importable_function(module, place)
            if function is not None:
                shell.add(function, name)
        self._runner = ItemRunner(shell, content["words"], content["seed"], content["return"])
        self._timeout = content["timeout"]

    def run(self, index: int, item: object, cancel: Cancel, worker: object) -> TaskEnding:
        """Run one item."""
        return self._runner.run(index, item, self._timeout, cancel, worker)

    def close(self) -> None:
        self._runner.shell.close()


MAX_KEPT_SCATTERS = 8  # of which a worker keeps the shells
MAX_KEPT_CANCELLED = 1000  # scatters whose items may still arrive


class ItemShells:
    """The shells of this worker, by the payloads that they were made of."""

    __slots__ = ("_cancelled", "_idle", "_lock", "_running")

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._idle: dict[str, list[ItemShell]] = {}
        self._running: dict[str, list[Cancel]] = {}
        self._cancelled: dict[str, None] = {}

    def run(
        self, payload: Payload, items: Sequence[tuple[int, object]], seconds: float, worker: object
    ) -> list[TaskEnding]:
        """Run items one after the other; those that would begin too late are left to others."""
        cancel = Cancel()
        with self._lock:
            if payload.scatter in self._cancelled:
                cancel.cancel()
            idle = self._idle.get(payload.key)
            shell = idle.pop() if idle else None
            self._running.setdefault(payload.scatter, []).append(cancel)
        endings: list[TaskEnding] = []
        try:
            shell = shell or ItemShell(payload.data)
            begun = monotonic()
            for index, item in items:
                endings.append(shell.run(index, item, cancel, worker))
                if monotonic() - begun > seconds:
                    break
        finally:
            self._end(payload, shell, cancel)
        return endings

    def _end(self, payload: Payload, shell: ItemShell | None, cancel: Cancel) -> None:
        with self._lock:
            running = self._running[payload.scatter]
            running.remove(cancel)
            if not running:
                del self._running[payload.scatter]
            if shell is not None:
                idle = self._idle.pop(payload.key, [])
                self._idle[payload.key] = [*idle, shell]  # the one used last comes last
            old = [*self._idle][:-MAX_KEPT_SCATTERS]
            dropped = [one for key in old for one in self._idle.pop(key)]
        for one in dropped:
            one.close()

    def cancel(self, scatter: str) -> None:
        """End what runs of a scatter, and run nothing more of it."""
        with self._lock:
            self._cancelled[scatter] = None
            for old in [*self._cancelled][:-MAX_KEPT_CANCELLED]:
                del self._cancelled[old]
            running = [*self._running.get(scatter, ())]
        for cancel in running:
            cancel.cancel()


SHELLS = ItemShells()


def run_items(
    payload: Payload, items: Sequence[tuple[int, object]], seconds: float, worker: object = None
) -> list[TaskEnding]:
    """Run items on this worker: what a Mapper is asked to carry."""
    return SHELLS.run(payload, items, seconds, os.getpid() if worker is None else worker)


def cancel_items(scatter: str) -> None:
    """End what this worker runs of a scatter."""
    SHELLS.cancel(scatter)
