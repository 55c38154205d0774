"""SessionTools: the tools of one session, and what a model is told about it."""

from __future__ import annotations

from keysh.adapters.agent.background_tools import BashInputTool, BashOutputTool, KillShellTool
from keysh.adapters.agent.bash import BashTool
from keysh.adapters.agent.file_tools import ReadTool, ResetTool, WriteTool
from keysh.adapters.agent.guard import Guard
from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.adapters.agent.prompt.system_prompt import system_prompt
from keysh.adapters.agent.shell_session import ShellSession
from keysh.adapters.agent.snapshot_tools import RestoreTool, Snapshots, SnapshotTool
from keysh.adapters.agent.tool import ToolRegistry
from keysh.adapters.agent.undo_tools import RedoTool, UndoTool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.agent.shells import ShellManager


class SessionTools(ToolRegistry):
    """All tools for one session, behind one guard; commands are in the session's dialect."""

    __slots__ = ("_guard", "_on_timeout", "manager")

    def __init__(
        self, manager: ShellManager, guard: Guard | None = None, *, on_timeout: str = "kill"
    ) -> None:
        if on_timeout == "background" and isinstance(manager.session, ShellSession):
            raise ValueError("a command in a shell of the host cannot continue in the background")
        self._guard = guard = guard or Guard()
        self.manager, self._on_timeout = manager, on_timeout
        super().__init__(
            BashTool(manager, guard=guard, on_timeout=on_timeout),
            BashOutputTool(manager),
            KillShellTool(manager),
            BashInputTool(manager),
            ReadTool(manager, guard=guard),
            WriteTool(manager, guard=guard),
            ResetTool(manager),
        )
        if isinstance(manager.session, KeyshSession):
            snapshots = Snapshots()
            self.register(SnapshotTool(manager, snapshots))
            self.register(RestoreTool(manager, snapshots))
            if manager.session.has_journal:
                self.register(UndoTool(manager))
                self.register(RedoTool(manager))

    def system_prompt(self) -> str:
        """Return what a model should know about the session, in about ten lines.

        It is made from what the shell may do: its language, commands, programs, network, files,
        limits and tools.
        """
        names = [tool.name for tool in self.list()]
        return system_prompt(self.manager.session, self._guard, names, self._on_timeout)


def tools_for(
    manager: ShellManager, guard: Guard | None = None, *, on_timeout: str = "kill"
) -> SessionTools:
    """Return all tools for one session, behind one guard; commands are in the session's dialect."""
    return SessionTools(manager, guard, on_timeout=on_timeout)
