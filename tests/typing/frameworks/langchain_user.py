"""A user's program with LangChain, which mypy must pass in strict mode."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import ToolMessage

from keysh.adapters.langchain import toolset


def ask(model: BaseChatModel, question: str) -> str:
    """Let a model call tools once."""
    with toolset(files={"/notes": "tea"}) as tools:
        turn = model.bind_tools(tools).invoke(question)
        answers = [tools[0].invoke(call) for call in turn.tool_calls]
        return "".join(str(one.content) for one in answers if isinstance(one, ToolMessage))
