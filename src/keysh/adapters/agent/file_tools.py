"""Tools for the files that a session sees, and for beginning it anew."""

from __future__ import annotations

from errno import EPERM
from os import strerror

from keysh.adapters.agent.guard import Guard
from keysh.adapters.agent.outputs import OUTPUT_DIRECTORY
from keysh.adapters.agent.shells import ShellManager
from keysh.adapters.agent.tool import BaseTool, ToolCategory, ToolParameter
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.interp.state.call import os_error_text
from keysh.shell.host_files import put_file
from keysh.vfs.paths import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.agent.tool import ExecutionContext

DEFAULT_LINES = 2000  # that are read where no count is given
MAX_READ_BYTES = 16 << 20  # bytes of a file


class SessionTool(BaseTool):
    """A tool for a session."""

    category = ToolCategory.FILES

    def __init__(self, manager: ShellManager, *, guard: Guard | None = None) -> None:
        self.manager = manager
        self._guard = guard or Guard()

    def _allowed_path(self, path: str) -> str:
        """Where a path of the session leads; PermissionError outside of its directories."""
        resolve_path = self.manager.resolve_path
        place = resolve_path(path)
        if not self._guard.is_inside(place, resolve_path) and not is_below(place, OUTPUT_DIRECTORY):
            raise PermissionError(EPERM, strerror(EPERM), place)
        return place


class ReadTool(SessionTool):
    """Reads lines of a file."""

    name = "Read"
    description = (
        "Reads a file as the session sees it, also those below /v/output: so many lines from a "
        "line on, the first of which is 1. It says how many more there are."
    )
    parameters = (
        ToolParameter("path", "string", "The file", required=True),
        ToolParameter("offset", "integer", "The first line to read", default=1, minimum=1),
        ToolParameter(
            "limit", "integer", "How many lines to read", default=DEFAULT_LINES, minimum=1
        ),
    )

    async def _execute(self, context: ExecutionContext, given: Mapping[str, Any]) -> ToolResult:
        try:
            path = self._allowed_path(given["path"])
            data = await on_thread(lambda _: self._content(path))
        except OSError as error:
            return ToolResult.fail(f"{given['path']}: {os_error_text(error)}")
        if len(data) > MAX_READ_BYTES:
            return ToolResult.fail(
                f"{given['path']}: is over {MAX_READ_BYTES} bytes; use head or sed"
            )
        lines = data.decode("utf-8", "replace").splitlines(keepends=True)
        first = given["offset"] - 1
        taken = lines[first : first + given["limit"]]
        output, whole = self.manager.outputs.preview("".join(taken))
        rest = max(0, len(lines) - first - len(taken))
        return ToolResult.ok(
            output, path=path, lines=len(lines), more=rest, truncated=whole is not None
        )

    def _content(self, path: str) -> bytes:
        """The bytes of a file, and one more where there are too many."""
        pieces: list[bytes] = []
        size = 0
        with self.manager.session.fs.open(path) as stream:
            while size <= MAX_READ_BYTES and (piece := stream.read(MAX_READ_BYTES + 1 - size)):
                pieces.append(piece)
                size += len(piece)
        return b"".join(pieces)


class WriteTool(SessionTool):
    """Writes a file."""

    name = "Write"
    description = "Writes a file as the session sees it, and makes the directories above it."
    parameters = (
        ToolParameter("path", "string", "The file", required=True),
        ToolParameter("content", "string", "All that is to be in it", required=True),
    )

    async def _execute(self, context: ExecutionContext, given: Mapping[str, Any]) -> ToolResult:
        content: str = given["content"]
        try:
            path = self._allowed_path(given["path"])
            if context.dry_run:
                return ToolResult.ok(f"[Dry Run] Would write: {path}", path=path, dry_run=True)
            await on_thread(lambda _: put_file(self.manager.session.fs, path, content))
        except OSError as error:
            return ToolResult.fail(f"{given['path']}: {os_error_text(error)}")
        return ToolResult.ok(f"{len(content)} characters were written to {path}", path=path)


class ResetTool(SessionTool):
    """Begins the session anew."""

    name = "Reset"
    category = ToolCategory.EXECUTION
    description = (
        "Begins the session anew: no variables, no functions, the first directory; what runs in "
        "the background is ended. Files stay."
    )

    async def _execute(self, context: ExecutionContext, given: Mapping[str, Any]) -> ToolResult:
        if context.dry_run:
            return ToolResult.ok("[Dry Run] Would begin the session anew", dry_run=True)
        await on_thread(lambda _: self.manager.reset())
        return ToolResult.ok(f"The session begins anew in {self.manager.session.cwd}")
