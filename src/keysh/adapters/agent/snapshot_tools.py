"""Tools to keep the state of a session under a name, and to return to it."""

from __future__ import annotations

from keysh.adapters.agent.file_tools import SessionTool
from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.adapters.agent.task import UnsupportedRequest
from keysh.adapters.agent.tool import ToolCategory, ToolParameter
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.diagnostics.exceptions import ImageError
from keysh.interp.state.call import CommandFailure
from keysh.shell.images.snapshot import image_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.agent.shells import ShellManager
    from keysh.adapters.agent.tool import ExecutionContext

MAX_KEPT_BYTES = 256 << 20  # of all images; beyond this the oldest are dropped


class Snapshots:
    """The images of a session by their names, in the order in which they were made."""

    __slots__ = ("images",)

    def __init__(self) -> None:
        self.images: dict[str, bytes] = {}

    def keep(self, name: str, image: bytes) -> list[str]:
        """Keep an image; return the names of those that are dropped for it."""
        self.images.pop(name, None)
        self.images[name] = image
        dropped: list[str] = []
        size = sum(map(len, self.images.values()))
        for oldest in list(self.images)[:-1]:
            if size <= MAX_KEPT_BYTES:
                break
            size -= len(self.images.pop(oldest))
            dropped.append(oldest)
        return dropped


class SnapshotTool(SessionTool):
    """Keeps the state of the session."""

    name, title = "Snapshot", "Keep the session"
    category = ToolCategory.EXECUTION
    description = (
        "Keeps the session as it is now under a name: variables, functions, the directory, and "
        "files in memory. Restore returns to it. Files of the machine are not kept; the result "
        "names the directories where such files are."
    )
    parameters = (
        ToolParameter("name", "string", "The name, for Restore", default="snapshot"),
    )  # fmt: skip

    def __init__(self, manager: ShellManager, snapshots: Snapshots) -> None:
        super().__init__(manager)
        self._snapshots = snapshots

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        name: str = arguments["name"]
        if context.dry_run:
            return ToolResult.ok(f"[Dry Run] Would keep the session as {name}", dry_run=True)
        session = self.manager.session
        assert isinstance(session, KeyshSession)
        try:
            data = await on_thread(lambda _: session.snapshot())
        except ImageError as error:
            return ToolResult.fail(f"Snapshot: {error}")
        dropped, image = self._snapshots.keep(name, data), image_of(data)
        # The devices are files of the machine that nobody wants back.
        machine = sorted(point for point in image.references if point != "/dev")
        notes = [f"The session is kept as {name}"]
        if machine:
            notes.append(f"the files of the machine at {', '.join(machine)} are not in it")
        if image.left_out:
            notes.append(f"not in it: {', '.join(image.left_out)}")
        if dropped:
            notes.append(f"dropped to make room: {', '.join(dropped)}")
        return ToolResult.ok(
            "; ".join(notes), name=name, bytes=len(data), machine_files=machine,
            left_out=image.left_out, dropped=dropped,
        )  # fmt: skip


class RestoreTool(SessionTool):
    """Returns to a state of the session that was kept."""

    name, title = "Restore", "Return to a snapshot"
    category = ToolCategory.EXECUTION
    description = (
        "Returns the session to what it was when Snapshot kept it under a name: variables, "
        "functions, the directory, and files in memory. Files of the machine stay as they are."
    )
    parameters = (
        ToolParameter("name", "string", "The name that Snapshot was given", default="snapshot"),
    )  # fmt: skip

    def __init__(self, manager: ShellManager, snapshots: Snapshots) -> None:
        super().__init__(manager)
        self._snapshots = snapshots

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        name: str = arguments["name"]
        image = self._snapshots.images.get(name)
        if image is None:
            kept = ", ".join(self._snapshots.images) or "none"
            return ToolResult.fail(f"Restore: no snapshot is called {name}; there are: {kept}")
        if context.dry_run:
            return ToolResult.ok(f"[Dry Run] Would return to {name}", dry_run=True)
        try:
            await on_thread(lambda _: self.manager.restore(image))
        except (CommandFailure, ImageError, UnsupportedRequest) as error:
            return ToolResult.fail(f"Restore: {error}")
        cwd = self.manager.session.cwd
        return ToolResult.ok(f"The session is as {name}; its directory is {cwd}", cwd=cwd)
