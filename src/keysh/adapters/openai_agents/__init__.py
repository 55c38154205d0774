"""Tools for agents of the OpenAI Agents SDK: `pip install keysh[openai-agents]`.

with toolset(files={"/notes": "one\\n"}) as tools:
    agent = Agent("clerk", instructions=tools.system_prompt(), tools=tools, model=model)
    Runner.run_sync(agent, "How many notes are there?")
"""

from __future__ import annotations

from json import loads

from keysh.adapters.agent.frameworks.tools import FrameworkTools, refuse_missing

try:
    # mypy takes benchmarks/agents.py for it here.
    from agents import FunctionTool  # type: ignore[attr-defined]

    from keysh.adapters.openai_agents.sandbox_session import KeyshSandboxSession
except ModuleNotFoundError as error:
    refuse_missing(error, "agents", "openai-agents")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.adapters.agent import Guard
    from keysh.adapters.agent.frameworks.tools import ToolSession
    from keysh.adapters.agent.tool import BaseTool


class OpenAITools(FrameworkTools["FunctionTool"]):
    """Tools for the SDK. The model gets the text of a result; `on_result` gets all of it."""

    __slots__ = ()

    def framework_tool(self, tool: BaseTool) -> FunctionTool:
        """Return a tool as the SDK takes it."""

        async def call(_: object, text: str) -> str:
            try:
                arguments = loads(text or "{}")
            except ValueError as error:
                return f"{tool.name}: the arguments are not JSON: {error}"
            if not isinstance(arguments, dict):
                return f"{tool.name}: the arguments are not an object"
            return (await self.acall(tool.name, arguments)).text

        # The strict form of a schema requires each parameter.
        return FunctionTool(
            tool.name, tool.description, tool.parameters_schema(), call, strict_json_schema=False
        )


toolset = OpenAITools


def sandbox(
    session: ToolSession = None, *, guard: Guard | None = None, **options: Any
) -> KeyshSandboxSession:
    """Return a live sandbox for a session, a Shell, or a new session with options of `Shell`.

    A run takes it as `RunConfig(sandbox=SandboxRunConfig(session=…))`, within `async with`.
    """
    return KeyshSandboxSession(session, guard, options)
