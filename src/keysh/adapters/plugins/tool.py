"""Call a plugin's program: it reads a line of JSON and answers with one."""

from __future__ import annotations

import os
from io import FileIO
from time import monotonic

from keysh.adapters.plugins.line import AnswerLine
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.diagnostics.exceptions import refuse
from keysh.interp.run.limits import NEVER_SECONDS
from keysh.process import NotStarted, ProcessSpec, start
from keysh.text.signal_names import signal_name
from keysh.values import ABSENT, json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.plugins.manifest import Manifest
    from keysh.process import ProcessResult

LINE_TIMEOUT, EXIT_TIMEOUT = 10.0, 5.0  # seconds: until the answer, and then until the exit
MAX_ERROR_BYTES = 512  # of standard error in the message of a failure


TRACEBACK_START = "Traceback (most recent call last):"


class ErrorOutput:
    """The start and the end of what a program has written to standard error."""

    __slots__ = ("_end", "_start")

    def __init__(self) -> None:
        self._start, self._end = bytearray(), b""

    def add(self, piece: bytes) -> None:
        """Add a piece of output."""
        self._start += piece[: MAX_ERROR_BYTES - len(self._start)]
        self._end = (self._end + piece[-MAX_ERROR_BYTES:])[-MAX_ERROR_BYTES:]

    @property
    def text(self) -> str:
        """The start."""
        return self._start.decode("utf-8", "replace").strip()

    @property
    def summary(self) -> str:
        """The start; for a traceback of Python's its last line, which names the exception."""
        before, is_traceback, _ = self.text.partition(TRACEBACK_START)
        if not is_traceback:
            return before
        last = self._end.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"{before}{last}"


class PluginFailure(Exception):
    """A program of a plugin has not answered: why, and what it wrote to standard error."""

    def __init__(self, name: str, why: str, errors: ErrorOutput) -> None:
        super().__init__(why)
        self.name, self.why, self.errors = name, why, errors

    def message(self, errors: str) -> str:
        """Return the message, with some form of standard error."""
        return f"plugin '{self.name}'{self.why}{f'; stderr: {errors}' if errors else ''}"


class PluginTool:
    """A tool of a plugin. Its program is opened now; if the file changes later, it is not run.

    `env` is the whole environment of the program, by default that of the host; it runs in the
    directory of the host.
    """

    __slots__ = ("_env", "_exit_timeout", "_file", "_identity", "_program", "_timeout", "manifest")

    def __init__(
        self,
        manifest: Manifest,
        binary: str | os.PathLike[str] = "",
        *,
        env: Mapping[str, str] | None = None,
        timeout: float = LINE_TIMEOUT,
        exit_timeout: float = EXIT_TIMEOUT,
    ) -> None:
        for option, seconds in (("timeout", timeout), ("exit_timeout", exit_timeout)):
            is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
            if not is_number or not seconds >= 0:
                refuse(option, "a number of seconds", seconds, f"{option}=5")
        if env is not None and not hasattr(env, "items"):
            refuse("env", "a mapping", env, "env={'NAME': 'value'}")
        self.manifest = manifest
        self._file = os.fspath(binary) or manifest.binary
        self._env = dict(os.environ if env is None else env)
        self._timeout = min(timeout, NEVER_SECONDS)
        self._exit_timeout = min(exit_timeout, NEVER_SECONDS)
        # While it is open, no other file can get its inode number.
        self._program = FileIO(self._file)
        self._identity = file_identity(os.fstat(self._program.fileno()))

    @property
    def name(self) -> str:
        """The name in the manifest, which is also the name of the command."""
        return self.manifest.name

    @property
    def description(self) -> str:
        """The description in the manifest."""
        return self.manifest.description

    def parameters_schema(self) -> dict[str, Any]:
        """Return the parameters as a JSON Schema."""
        properties: dict[str, Any] = {}
        for one in self.manifest.parameters:
            properties[one.name] = {"type": one.type, "description": one.description}
            if one.default is not ABSENT:
                properties[one.name]["default"] = one.default
        required = [one.name for one in self.manifest.parameters if one.required]
        return {"type": "object", "properties": properties, "required": required}

    async def execute(self, arguments: Mapping[str, Any]) -> ToolResult:
        """Call the program; errors are in the result. Cancelling the task kills the program."""
        return await on_thread(lambda stop: self.call(arguments, cancel=stop.budget.flag().fd))

    def call(
        self,
        arguments: Mapping[str, Any],
        *,
        cancel: int | None = None,
        deadline: float | None = None,
    ) -> ToolResult:
        """Call the program and wait; it is killed when `cancel` is readable, or at the deadline."""
        try:
            return self.answer(arguments, cancel=cancel, deadline=deadline)
        except PluginFailure as failure:
            return ToolResult.fail(failure.message(failure.errors.text))

    def answer(
        self,
        arguments: Mapping[str, Any],
        *,
        cancel: int | None = None,
        deadline: float | None = None,
    ) -> ToolResult:
        """Call the program as `call` does; raise PluginFailure if it does not answer."""
        errors = ErrorOutput()
        try:
            request = f"{json_of(dict(arguments))}\n".encode("utf-8", "surrogateescape")
        except (TypeError, ValueError, RecursionError) as error:
            raise PluginFailure(self.name, f": arguments are not JSON: {error}", errors) from None
        line = AnswerLine()
        spec = ProcessSpec(
            [self._file],
            env=self._env,
            stdin=request,
            stdout=line.add,
            stderr=errors.add,
            tagged=True,
        )
        try:
            self._check_program()
            with start(spec, cancel=cancel, deadline=deadline) as process:
                until = monotonic() + self._timeout
                while process.result is None and not line.is_whole and monotonic() < until:
                    process.turn(until)
                if process.result is None and line.is_whole:
                    process.wait_until(monotonic() + self._exit_timeout)
        except NotStarted as error:
            why = f" could not be started: {error.subject}: {error.reason}"
            raise PluginFailure(self.name, why, errors) from None
        assert process.result is not None
        return self._result_of(line, process.result, errors)

    def close(self) -> None:
        """Close the program file; the tool can no longer be called."""
        self._program.close()

    def _check_program(self) -> None:
        """Raise NotStarted if the file is no longer the one that was opened."""
        if self._program.closed:
            raise NotStarted("refused", "ECANCELED", self._file, "the plugin has been closed")
        try:
            is_same = file_identity(os.stat(self._file)) == self._identity
        except OSError:
            is_same = False
        if not is_same:
            raise NotStarted("refused", "ESTALE", self._file, "has changed since it was loaded")

    def _result_of(
        self, line: AnswerLine, process: ProcessResult, errors: ErrorOutput
    ) -> ToolResult:
        """Return the answer of a process that exited, or was killed after its answer."""
        if process.stop and (process.stop != "killed" or not line.is_whole):
            why = " was cancelled" if process.cancelled else f" timed out after {self._timeout:g}s"
            raise PluginFailure(self.name, why, errors)
        if not process.stop and not process.ok:
            by = (
                f"signal: {process.signal} (SIG{signal_name(process.signal)})"
                if process.signal
                else f"exit status: {process.exit_code}"
            )
            raise PluginFailure(self.name, f" exited with {by}", errors)
        if not line.data.strip():
            raise PluginFailure(self.name, ": empty stdout", errors)
        try:
            return line.answer()
        except ValueError as error:
            why = f": failed to parse output as ToolResult: {error} (got: {line.quoted_text()})"
            raise PluginFailure(self.name, why, errors) from None

    def __repr__(self) -> str:
        return f"<PluginTool {self.name}>"


def file_identity(stat: os.stat_result) -> object:
    """Return values that change with a file or its contents."""
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
