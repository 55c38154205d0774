"""Code runner: a piece of code, run by the interpreter of its language, in a process of its own.

    execute("python", "print(1)").stdout

Nothing lasts from one piece to the next. The code may do what this program may: nothing here holds
it back but time and the size of its output. It sees the environment of the host, which this door
reads, and no standard input. `execution.INTERPRETERS` has the languages; `languages` adds others,
`{"ruby": ("ruby", "-e")}`. In a shell the same is the command `run`, and `running(languages)` is
that command with more of them, for `Shell(commands=[…])`.
"""

from __future__ import annotations

import os

from keysh.adapters.thread import on_thread
from keysh.builtins.run.command import running as running
from keysh.builtins.run.execution import (
    DEFAULT_TIMEOUT,
    MAX_OUTPUT_BYTES,
    Execution,
    ExecutionFailure,
    Languages,
    execution_of,
    start_failure,
)
from keysh.process import ProcessSpec
from keysh.process import run as run_here
from keysh.process.capture import HeadTailCapture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keysh.process import ProcessResult


class CodeRun:
    """A piece of code that is to run: its process, and what that puts out."""

    __slots__ = ("_err", "_out", "_timeout", "spec")

    def __init__(self, words: Sequence[str], cwd: str | None, timeout: float) -> None:
        self._out, self._err, self._timeout = (
            HeadTailCapture(MAX_OUTPUT_BYTES),
            HeadTailCapture(MAX_OUTPUT_BYTES),
            timeout,
        )
        self.spec = ProcessSpec(
            words,
            env=dict(os.environ),
            directory=cwd,
            stdout=self._out.add,
            stderr=self._err.add,
            timeout=timeout * 1000,
        )

    def execution(self, result: ProcessResult) -> Execution:
        """How it went."""
        if result.error is not None:
            return start_failure(result.error).execution()
        return execution_of(result, self._out, self._err, self._timeout)


def execute(
    language: str,
    code: str,
    cwd: str | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    *,
    languages: Mapping[str, Sequence[str]] | None = None,
    cancel: int | None = None,
) -> Execution:
    """Run code and wait for it; after so many seconds it is killed, with all it has started.

    So it is when `cancel`, a descriptor, is readable.
    """
    try:
        piece = CodeRun(Languages(languages).words(language, code), cwd, timeout)
    except ExecutionFailure as failed:
        return failed.execution()
    return piece.execution(run_here(piece.spec, cancel=cancel))


async def aexecute(
    language: str, code: str, cwd: str | None = None, timeout: float = DEFAULT_TIMEOUT,
    *, languages: Mapping[str, Sequence[str]] | None = None,
) -> Execution:  # fmt: skip
    """The same on an event loop; to cancel the task stops the code first."""
    return await on_thread(
        lambda stop: execute(
            language, code, cwd, timeout, languages=languages, cancel=stop.budget.flag().fd
        )
    )
