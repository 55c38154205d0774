"""Call a tool as its framework does: the sync and the async way, and what the model reads."""

from __future__ import annotations

import json
from typing import Any

Arguments = dict[str, Any]


async def pydantic_ai(tool: Any, arguments: Arguments, is_async: bool) -> str:
    return str((await tool.function_schema.call(arguments, None)).return_value)


async def langchain(tool: Any, arguments: Arguments, is_async: bool) -> str:
    call = {"type": "tool_call", "id": "1", "name": tool.name, "args": arguments}
    message = await tool.ainvoke(call) if is_async else tool.invoke(call)
    return str(message.content)


async def openai_agents(tool: Any, arguments: Arguments, is_async: bool) -> str:
    return str(await tool.on_invoke_tool(None, json.dumps(arguments)))


async def anthropic(tool: Any, arguments: Arguments, is_async: bool) -> str:
    from anthropic.lib.tools import ToolError

    try:
        return str(tool.call(arguments))
    except ToolError as error:
        return str(error.content)


async def smolagents(tool: Any, arguments: Arguments, is_async: bool) -> str:
    return str(tool(**arguments, sanitize_inputs_outputs=True))


async def llama_index(tool: Any, arguments: Arguments, is_async: bool) -> str:
    output = await tool.acall(**arguments) if is_async else tool.call(**arguments)
    return str(output.content)
