"""Run code with the interpreter of its language, in a process of its own.

    execute("python", "print(1)").stdout

Only time and output are limited: the code may do whatever this process may. It gets the host's
environment and no standard input. `execution.INTERPRETERS` lists the languages, and `languages`
adds some: `{"ruby": ("ruby", "-e")}`. The command `run` does the same in a shell; `running`
returns that command with more languages, for `Shell(commands=[…])`.
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
    checked_timeout,
    execution_of,
    start_failure,
)
from keysh.diagnostics.exceptions import refuse
from keysh.process import ProcessSpec
from keysh.process import run as run_process
from keysh.process.streams.capture import HeadTailCapture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keysh.process import ProcessResult


class CodeRun:
    """A run of some code: the specification of its process, and the captured output."""

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
        """Return the outcome."""
        if result.error is not None:
            return start_failure(result.error).execution()
        return execution_of(result, self._out, self._err, self._timeout)


def execute(
    language: str,
    code: str,
    cwd: str | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    *,
    version: str | None = None,
    languages: Mapping[str, Sequence[str]] | None = None,
    cancel: int | None = None,
) -> Execution:
    """Run code and wait for it.

    It is killed, with all processes it started, after `timeout` seconds, or as soon as the
    descriptor `cancel` is readable. `version` is ignored: there is one interpreter of a language.
    """
    if cwd is not None and not isinstance(cwd, str | os.PathLike):
        refuse("cwd", "a path", cwd)
    if cancel is not None and (not isinstance(cancel, int) or isinstance(cancel, bool)):
        refuse("cancel", "an open descriptor", cancel)
    try:
        words = Languages(languages).words(language, code)
        code_run = CodeRun(words, cwd, checked_timeout(timeout))
    except ExecutionFailure as failed:
        return failed.execution()
    return code_run.execution(run_process(code_run.spec, cancel=cancel))


async def aexecute(
    language: str, code: str, cwd: str | None = None, timeout: float = DEFAULT_TIMEOUT,
    *, version: str | None = None, languages: Mapping[str, Sequence[str]] | None = None,
) -> Execution:  # fmt: skip
    """Run code from an event loop. Cancelling the task kills the code first."""
    return await on_thread(
        lambda stop: execute(
            language, code, cwd, timeout, languages=languages, cancel=stop.budget.flag().fd
        )
    )
