"""PluginTool: a program of a plugin, which is given a line of JSON and answers with one."""

from __future__ import annotations

import os
from io import FileIO
from time import monotonic

from keysh.adapters.plugins.line import Line
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.process import NotStarted, ProcessSpec, start
from keysh.process.resolve import SYSTEM_PATH
from keysh.values import ABSENT, json_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.plugins.manifest import Manifest
    from keysh.process import ProcessResult

LINE_TIMEOUT, EXIT_TIMEOUT = 10.0, 5.0  # seconds: for the line, and then for the end
COMPLAINT = 512  # bytes of standard error that a failure carries


class PluginTool:
    """One tool. Its program is opened now; a file that is changed later is not run.

    `env` is the whole environment of the program, which runs in the directory of the host.
    """

    __slots__ = ("_env", "_exit_timeout", "_file", "_held", "_mark", "_timeout", "manifest")

    def __init__(
        self,
        manifest: Manifest,
        binary: str | os.PathLike[str] = "",
        *,
        env: Mapping[str, str] | None = None,
        timeout: float = LINE_TIMEOUT,
        exit_timeout: float = EXIT_TIMEOUT,
    ) -> None:
        self.manifest = manifest
        self._file = os.fspath(binary) or manifest.binary
        self._env = {"PATH": SYSTEM_PATH} if env is None else dict(env)
        self._timeout, self._exit_timeout = timeout, exit_timeout
        # While it is open no other file can have its number.
        self._held = FileIO(self._file)
        self._mark = mark_of(os.fstat(self._held.fileno()))

    @property
    def name(self) -> str:
        """As the manifest has it, and as a shell's command."""
        return self.manifest.name

    @property
    def description(self) -> str:
        """What it does."""
        return self.manifest.description

    def parameters_schema(self) -> dict[str, Any]:
        """The parameters as a JSON Schema object."""
        properties: dict[str, Any] = {}
        for one in self.manifest.parameters:
            properties[one.name] = {"type": one.type, "description": one.description}
            if one.default is not ABSENT:
                properties[one.name]["default"] = one.default
        required = [one.name for one in self.manifest.parameters if one.required]
        return {"type": "object", "properties": properties, "required": required}

    async def execute(self, arguments: Mapping[str, Any]) -> ToolResult:
        """Ask the program; what goes wrong is in the result. To cancel the task kills it."""
        return await on_thread(lambda stop: self.ask(arguments, cancel=stop.budget.flag().fd))

    def ask(
        self,
        arguments: Mapping[str, Any],
        *,
        cancel: int | None = None,
        deadline: float | None = None,
    ) -> ToolResult:
        """The same for who waits. It is killed when `cancel` is readable, or at the deadline."""
        try:
            given = f"{json_of(dict(arguments))}\n".encode("utf-8", "surrogateescape")
        except (TypeError, ValueError, RecursionError) as error:
            return self._failure(f": arguments that are no JSON: {error}")
        line = Line()
        errors = bytearray()

        def complain(piece: bytes) -> None:
            errors.extend(piece[: COMPLAINT - len(errors)])

        spec = ProcessSpec(
            [self._file], env=self._env, stdin=given, stdout=line.add, stderr=complain, tagged=True
        )
        try:
            self._look()
            with start(spec, cancel=cancel, deadline=deadline) as process:
                until = monotonic() + self._timeout
                while process.result is None and not line.is_whole and monotonic() < until:
                    process.turn(until)
                if process.result is None and line.is_whole:
                    process.wait_until(monotonic() + self._exit_timeout)
        except NotStarted as error:
            return self._failure(f" could not be started: {error.subject}: {error.reason}")
        assert process.result is not None
        return self._judged(line, process.result, errors.decode("utf-8", "replace").strip())

    def close(self) -> None:
        """Give the file back; the tool can be used no more."""
        self._held.close()

    def _look(self) -> None:
        """NotStarted where the file is no longer the one that was opened."""
        if self._held.closed:
            raise NotStarted("refused", "ECANCELED", self._file, "the plugin has been closed")
        try:
            is_same = mark_of(os.stat(self._file)) == self._mark
        except OSError:
            is_same = False
        if not is_same:
            raise NotStarted("refused", "ESTALE", self._file, "has changed since it was loaded")

    def _judged(self, line: Line, end: ProcessResult, errors: str) -> ToolResult:
        """The answer of a process that has ended, or was stopped behind it."""
        if end.stop and (end.stop != "killed" or not line.is_whole):
            why = " was cancelled" if end.cancelled else f" timed out after {self._timeout:g}s"
            return self._failure(why, errors)
        if not end.stop and not end.ok:
            by = f"signal {end.signal}" if end.signal else f"status {end.exit_code}"
            return self._failure(f" exited with {by}", errors)
        if not line.data.strip():
            return self._failure(": empty stdout", errors)
        try:
            return line.answer()
        except ValueError as error:
            why = f": failed to parse output: {error} (got: {line.shown()})"
            return self._failure(why, errors)

    def _failure(self, why: str, errors: str = "") -> ToolResult:
        stderr = f"; stderr: {errors}" if errors else ""
        return ToolResult.fail(f"plugin '{self.name}'{why}{stderr}")

    def __repr__(self) -> str:
        return f"<PluginTool {self.name}>"


def mark_of(found: os.stat_result) -> object:
    """What changes with a file or its contents."""
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
