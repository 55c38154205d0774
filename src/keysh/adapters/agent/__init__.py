"""Agent tools: a shell session as tools for a language model.

    manager = ShellManager(KeyshSession(files={"/notes": "…"}))
    registry = tools_for(manager)
    registry.schemas("openai")
    await registry.execute("Bash", {"command": "wc -l /notes"})

Hosts enter at `tools_for`, and so does `adapters.mcp`. The tools know no model and no protocol.
"""

from __future__ import annotations

from keysh.adapters.agent.background_tools import BashInputTool as BashInputTool
from keysh.adapters.agent.background_tools import BashOutputTool as BashOutputTool
from keysh.adapters.agent.background_tools import KillShellTool as KillShellTool
from keysh.adapters.agent.bash import BashTool as BashTool
from keysh.adapters.agent.bash_session import BashSession as BashSession
from keysh.adapters.agent.file_tools import EditTool as EditTool
from keysh.adapters.agent.file_tools import ReadTool as ReadTool
from keysh.adapters.agent.file_tools import ResetTool as ResetTool
from keysh.adapters.agent.file_tools import WriteTool as WriteTool
from keysh.adapters.agent.frameworks.tools import FrameworkTools as FrameworkTools
from keysh.adapters.agent.guard import ALLOWED as ALLOWED
from keysh.adapters.agent.guard import Guard as Guard
from keysh.adapters.agent.keysh_session import KeyshSession as KeyshSession
from keysh.adapters.agent.reference_tools import ChangesTool as ChangesTool
from keysh.adapters.agent.reference_tools import HelpTool as HelpTool
from keysh.adapters.agent.reference_tools import ListCommandsTool as ListCommandsTool
from keysh.adapters.agent.session_tools import SessionTools as SessionTools
from keysh.adapters.agent.session_tools import tools_for as tools_for
from keysh.adapters.agent.shell_session import ShellSession as ShellSession
from keysh.adapters.agent.shells import BackgroundShell as BackgroundShell
from keysh.adapters.agent.shells import ShellManager as ShellManager
from keysh.adapters.agent.shells import ShellStatus as ShellStatus
from keysh.adapters.agent.snapshot_tools import RestoreTool as RestoreTool
from keysh.adapters.agent.snapshot_tools import Snapshots as Snapshots
from keysh.adapters.agent.snapshot_tools import SnapshotTool as SnapshotTool
from keysh.adapters.agent.tool import BaseTool as BaseTool
from keysh.adapters.agent.tool import ExecutionContext as ExecutionContext
from keysh.adapters.agent.tool import ToolCategory as ToolCategory
from keysh.adapters.agent.tool import ToolParameter as ToolParameter
from keysh.adapters.agent.tool import ToolRegistry as ToolRegistry
from keysh.adapters.agent.undo_tools import RedoTool as RedoTool
from keysh.adapters.agent.undo_tools import UndoTool as UndoTool
from keysh.adapters.tool_result import ToolResult as ToolResult
from keysh.audit.secret_patterns import SECRET_NAMES as SECRET_NAMES
from keysh.audit.secret_patterns import without_secrets as without_secrets
