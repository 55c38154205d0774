"""Tools for agents of LangChain and LangGraph: `pip install keysh[langchain]`.

with toolset(files={"/notes": "one\\n"}) as tools:
    agent = create_agent(model, tools, system_prompt=tools.system_prompt())
    agent.invoke({"messages": [("user", "How many notes are there?")]})
"""

from __future__ import annotations

from typing import Any

from keysh.adapters.agent.frameworks.tools import FrameworkTools, refuse_missing

try:
    from langchain_core.messages import ToolMessage
    from langchain_core.tools import BaseTool
    from pydantic import PrivateAttr
except ModuleNotFoundError as error:
    refuse_missing(error, "langchain_core", "langchain")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.agent import tool as agent_tool


class KeyshTool(BaseTool):
    """A tool as LangChain takes it."""

    response_format: str = "content_and_artifact"
    _tools: LangChainTools = PrivateAttr()

    @classmethod
    def of(cls, tool: agent_tool.BaseTool, tools: LangChainTools) -> KeyshTool:
        """Return the tool for one of keysh's."""
        made = cls(
            name=tool.name, description=tool.description, args_schema=tool.parameters_schema()
        )
        made._tools = tools
        return made

    def _run(self, **arguments: Any) -> tuple[str, dict[str, Any]]:
        result = self._tools.call(self.name, arguments)
        return result.text, result.record()

    async def _arun(self, **arguments: Any) -> tuple[str, dict[str, Any]]:
        result = await self._tools.acall(self.name, arguments)
        return result.text, result.record()

    def run(self, *arguments: Any, **options: Any) -> Any:
        """Run the tool, as LangChain calls it."""
        return with_status(super().run(*arguments, **options))

    async def arun(self, *arguments: Any, **options: Any) -> Any:
        """Run the tool, as LangChain calls it from a coroutine."""
        return with_status(await super().arun(*arguments, **options))


def with_status(answer: Any) -> Any:
    """Mark the message of a call that has failed."""
    if isinstance(answer, ToolMessage) and not answer.artifact["success"]:
        answer.status = "error"
    return answer


class LangChainTools(FrameworkTools[KeyshTool]):
    """Tools for LangChain.

    The record of a result is the `artifact` of its message, whose `status` is "error" after a
    failure.
    """

    __slots__ = ()

    def framework_tool(self, tool: agent_tool.BaseTool) -> KeyshTool:
        """Return a tool as LangChain takes it."""
        return KeyshTool.of(tool, self)


toolset = LangChainTools
