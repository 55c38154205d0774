"""SessionTools: the tools of one session, and what a model is told about it."""

from __future__ import annotations

from keysh.adapters.agent.background_tools import BashInputTool, BashOutputTool, KillShellTool
from keysh.adapters.agent.bash import BashTool
from keysh.adapters.agent.file_tools import EditTool, ReadTool, ResetTool, WriteTool
from keysh.adapters.agent.guard import Guard
from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.adapters.agent.prompt.system_prompt import system_prompt
from keysh.adapters.agent.reference_tools import ChangesTool, HelpTool, ListCommandsTool
from keysh.adapters.agent.snapshot_tools import RestoreTool, Snapshots, SnapshotTool
from keysh.adapters.agent.tool import ToolRegistry
from keysh.adapters.agent.undo_tools import RedoTool, UndoTool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.agent.shells import ShellManager


class SessionTools(ToolRegistry):
    """All tools for one session, behind one guard; commands are in the session's dialect."""

    __slots__ = ("_guard", "_moves", "_read_tool", "manager")

    def __init__(
        self, manager: ShellManager, guard: Guard | None = None, *, on_timeout: str = "kill",
        promote_after: float | None = None,
    ) -> None:  # fmt: skip
        self._moves = on_timeout == "background" or promote_after is not None
        self._guard = guard = guard or Guard()
        self.manager = manager
        self._read_tool = read_tool = ReadTool(manager, guard=guard)
        super().__init__(
            BashTool(manager, guard=guard, on_timeout=on_timeout, promote_after=promote_after),
            BashOutputTool(manager),
            KillShellTool(manager),
            BashInputTool(manager),
            read_tool,
            WriteTool(manager, guard=guard),
            EditTool(manager, guard=guard),
            ResetTool(manager),
        )
        session = manager.session
        if isinstance(session, KeyshSession):
            self.register(ListCommandsTool(manager, session))
            self.register(HelpTool(manager, session))
            snapshots = Snapshots()
            self.register(SnapshotTool(manager, snapshots))
            self.register(RestoreTool(manager, snapshots))
            if session.has_journal:
                self.register(ChangesTool(manager, session))
                self.register(UndoTool(manager))
                self.register(RedoTool(manager))

    async def read_file(self, path: str) -> tuple[bytes, str]:
        """Return the bytes of a file, judged as those of the tool Read; or an error."""
        _, data, error = await self._read_tool.read_whole(path)
        return data, error

    def system_prompt(self) -> str:
        """Return what a model should know about the session, in about ten lines.

        It is made from what the shell may do: its language, commands, programs, network, files,
        limits and tools.
        """
        names = [tool.name for tool in self.list()]
        return system_prompt(self.manager, self._guard, names, moves_to_background=self._moves)


def tools_for(
    manager: ShellManager, guard: Guard | None = None, *, on_timeout: str = "kill",
    promote_after: float | None = None,
) -> SessionTools:  # fmt: skip
    """Return all tools for one session, behind one guard; commands are in the session's dialect.

    With `on_timeout="background"` a command that times out continues as a background shell, and
    with `promote_after` any command does after that many milliseconds.
    """
    return SessionTools(manager, guard, on_timeout=on_timeout, promote_after=promote_after)
