"""Tools to read and write the files of a session, and to reset it."""

from __future__ import annotations

from errno import EPERM
from os import strerror

from keysh.adapters.agent.changes_summary import changes_summary
from keysh.adapters.agent.guard import Guard
from keysh.adapters.agent.outputs import OUTPUT_DIRECTORY
from keysh.adapters.agent.shells import ShellManager
from keysh.adapters.agent.tool import BaseTool, ToolCategory, ToolParameter
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.interp.state.call import CommandFailure, os_error_text
from keysh.text.chunks import lines, no_limit, text_of_bytes
from keysh.tools.result import RESULT_DIRECTORY
from keysh.vfs.paths import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.agent.tool import ExecutionContext

DEFAULT_LINES = 2000  # read without a limit
MAX_READ_BYTES = 16 << 20
MAX_NAMED_PLACES = 5  # of a text that occurs more than once
WRITING_HINTS = {"destructiveHint": True, "idempotentHint": True, "openWorldHint": False}


class SessionTool(BaseTool):
    """A tool that uses the session."""

    category = ToolCategory.FILES

    def __init__(self, manager: ShellManager, *, guard: Guard | None = None) -> None:
        self.manager = manager
        self._guard = guard or Guard()

    def _allowed_path(self, path: str) -> str:
        """Resolve a path; raise PermissionError if it is outside the permitted directories."""
        resolve_path = self.manager.resolve_path
        real = resolve_path(path)
        is_output = any(is_below(real, point) for point in (OUTPUT_DIRECTORY, RESULT_DIRECTORY))
        if not is_output and not self._guard.is_inside(real, resolve_path):
            raise PermissionError(EPERM, strerror(EPERM), real)
        return real

    async def _write(
        self, arguments: Mapping[str, Any], context: ExecutionContext, path: str, content: str,
        message: str,
    ) -> ToolResult:  # fmt: skip
        """Write a file that may be written, and say so; the errors are the caller's."""
        if refusal := await self._guard.judge_file("write", path):
            return ToolResult.fail(f"{arguments['path']}: {refusal}")
        if context.dry_run:
            return ToolResult.ok(f"[Dry Run] Would write: {path}", path=path, dry_run=True)
        changes = await on_thread(lambda _: self.manager.session.write_file(path, content))
        metadata = {"changes": changes_summary(changes)} if changes else {}
        return ToolResult.ok(message, path=path, **metadata)

    def _content(self, path: str) -> bytes:
        """Return the bytes of a file, at most one more than MAX_READ_BYTES."""
        pieces: list[bytes] = []
        size = 0
        with self.manager.session.open_file(path) as stream:
            while size <= MAX_READ_BYTES and (piece := stream.read(MAX_READ_BYTES + 1 - size)):
                pieces.append(piece)
                size += len(piece)
        return b"".join(pieces)


class ReadTool(SessionTool):
    """Reads lines of a file."""

    name, title = "Read", "Read a file"
    hints = {"readOnlyHint": True, "openWorldHint": False}  # noqa: RUF012 - nobody changes it
    description = (
        "Reads lines of a file as the session sees it, also of those in /v/output. Returns how "
        "many lines follow."
    )
    parameters = (
        ToolParameter("path", "string", "The file", required=True),
        ToolParameter(
            "offset", "integer", "The first line to read, counted from 1", default=1, minimum=1
        ),
        ToolParameter(
            "limit", "integer", "How many lines to read", default=DEFAULT_LINES, minimum=1
        ),
    )

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        path, data, error = await self.read_whole(arguments["path"])
        if error:
            return ToolResult.fail(error)
        # As commands count them: a form feed or U+2028 ends no line.
        numbered = [*lines([data.decode("utf-8", "replace")], no_limit)]
        first = arguments["offset"] - 1
        selected = numbered[first : first + arguments["limit"]]
        output, cut = self.manager.outputs.preview("".join(selected))
        rest = max(0, len(numbered) - first - len(selected))
        metadata: dict[str, Any] = {"path": path, "lines": len(numbered), "more": rest}
        if cut is not None:
            metadata["cut"] = cut
        return ToolResult.ok(output, **metadata)

    async def read_whole(self, given: str) -> tuple[str, bytes, str]:
        """Return the real path of a file and its bytes, or an error if it cannot be read."""
        path, data = "", b""
        try:
            path = self._allowed_path(given)
            if refusal := await self._guard.judge_file("read", path):
                return path, data, f"{given}: {refusal}"
            data = await on_thread(lambda _: self._content(path))
        except OSError as error:
            return path, data, f"{given}: {os_error_text(error)}"
        except CommandFailure as denial:
            return path, data, str(denial)
        if len(data) > MAX_READ_BYTES:
            return path, b"", f"{given}: is over {MAX_READ_BYTES} bytes; use head or sed"
        return path, data, ""


class WriteTool(SessionTool):
    """Writes a file."""

    name, title = "Write", "Write a file"
    hints = WRITING_HINTS
    description = "Writes a file as the session sees it, and creates its parent directories."
    parameters = (
        ToolParameter("path", "string", "The file", required=True),
        ToolParameter("content", "string", "The whole content of the file", required=True),
    )

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        content: str = arguments["content"]
        try:
            path = self._allowed_path(arguments["path"])
            message = f"{len(content)} characters were written to {path}"
            return await self._write(arguments, context, path, content, message)
        except OSError as error:
            return ToolResult.fail(f"{arguments['path']}: {os_error_text(error)}")
        except CommandFailure as denial:
            return ToolResult.fail(str(denial))


class EditTool(SessionTool):
    """Replaces a text in a file."""

    name, title = "Edit", "Edit a file"
    hints = WRITING_HINTS
    description = (
        "Replaces a text in a file by another, exactly, with all blanks and line ends. The text "
        "must occur once; with replace_all each occurrence is replaced. The rest of the file stays "
        "as it is."
    )
    parameters = (
        ToolParameter("path", "string", "The file", required=True),
        ToolParameter("old_string", "string", "The text to replace", required=True),
        ToolParameter("new_string", "string", "The text in its place", required=True),
        ToolParameter("replace_all", "boolean", "Replace each occurrence", default=False),
    )

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        old, new = arguments["old_string"], arguments["new_string"]
        given = arguments["path"]
        if not old:
            return ToolResult.fail("Edit: old_string is empty; Write makes a new file")
        if old == new:
            return ToolResult.fail("Edit: new_string is the same as old_string")
        try:
            path = self._allowed_path(given)
            if refusal := await self._guard.judge_file("read", path):
                return ToolResult.fail(f"{given}: {refusal}")
            data = await on_thread(lambda _: self._content(path))
            if len(data) > MAX_READ_BYTES:
                return ToolResult.fail(f"{given}: is over {MAX_READ_BYTES} bytes; use sed -i")
            text = text_of_bytes(data)
            count = text.count(old)
            if fault := fault_of_edit(text, old, count, arguments["replace_all"]):
                return ToolResult.fail(f"{given}: {fault}")
            message = f"{count} {'place was' if count == 1 else 'places were'} changed in {path}"
            return await self._write(arguments, context, path, text.replace(old, new), message)
        except OSError as error:
            return ToolResult.fail(f"{given}: {os_error_text(error)}")
        except CommandFailure as denial:
            return ToolResult.fail(str(denial))


def fault_of_edit(text: str, old: str, count: int, replaces_all: bool) -> str:
    """Return why a text cannot be replaced in a file; empty if it can."""
    if count > 1 and not replaces_all:
        known = [str(text.count("\n", 0, at) + 1) for at in places_of(text, old, MAX_NAMED_PLACES)]
        more = ", …" if count > len(known) else ""
        return (
            f"old_string occurs {count} times, in lines {', '.join(known)}{more}: add lines around "
            "it, or set replace_all"
        )
    if count:
        return ""
    if old in text.replace("\r\n", "\n"):
        return "old_string is not in the file, whose lines end in CR LF"
    first = next((line.strip() for line in old.split("\n") if line.strip()), "")
    for number, line in enumerate(text.split("\n"), 1):
        if first and line.strip() == first:
            return (
                f"old_string is not in the file, but line {number} is like its first one: see the "
                "blanks"
            )
    return "old_string is not in the file"


def places_of(text: str, part: str, most: int) -> list[int]:
    """Return where a part begins in a text, for the first places."""
    found: list[int] = []
    at = text.find(part)
    while at >= 0 and len(found) < most:
        found.append(at)
        at = text.find(part, at + len(part))
    return found


class ResetTool(SessionTool):
    """Resets the session."""

    name, title = "Reset", "Reset the session"
    category = ToolCategory.EXECUTION
    description = (
        "Resets the session: clears variables and functions, returns to the first directory, and "
        "kills what runs in the background. Files stay."
    )

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        if context.dry_run:
            return ToolResult.ok("[Dry Run] Would reset the session", dry_run=True)
        await on_thread(lambda _: self.manager.reset())
        return ToolResult.ok(f"The session was reset; its directory is {self.manager.session.cwd}")
