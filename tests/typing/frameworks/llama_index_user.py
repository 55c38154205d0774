"""A user's program with LlamaIndex, which mypy must pass in strict mode."""

from __future__ import annotations

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms.function_calling import FunctionCallingLLM

from keysh.adapters.llama_index import toolset


async def ask(llm: FunctionCallingLLM, question: str) -> str:
    """Let an agent answer."""
    async with toolset(files={"/notes": "tea"}) as tools:
        agent = FunctionAgent(tools=[*tools], llm=llm, system_prompt=tools.system_prompt())
        return str(await agent.run(question))
