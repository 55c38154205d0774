"""Time ten calls of an agent's tool in one session: over the registry, over MCP, and beside others.

    python benchmarks/agents.py [--rounds N]

The same commands run in keysh (the registry with and without coroutines, the adapter of Pydantic
AI, the MCP server over standard streams, a session of the real bash), in bashkit's adapter of
Pydantic AI, and in a process of bash for each call. The contenders take turns, each of them first
in some rounds; the best round counts, since other work on the machine only adds time. Their outputs
are compared.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from keysh.adapters.agent import BashSession, KeyshSession, ShellManager, tools_for

CALLS = (
    "printf '%s\\n' 'tea 3' 'milk 2' 'tea 5' > notes",
    "cat notes",
    "grep -c tea notes",
    "awk '{ n += $2 } END { print n }' notes",
    "sort -n -k 2 notes | tail -n 1",
    'for word in $(cut -d " " -f 1 notes | sort -u); do echo "$word"; done',
    "sed 's/tea/coffee/' notes > others; diff notes others | wc -l",
    "ls notes others",
    'x=$(wc -l < notes); echo "$((x * 2)) lines"',
    "rm others; test ! -e others && echo gone",
)
REGISTRY_MS, MCP_MS = 5, 40  # what ten calls may take

# Runs a command in the session of a contender, and returns what the model reads.
Run = Callable[[str], Awaitable[str]]


@asynccontextmanager
async def registry() -> AsyncIterator[Run]:
    with ShellManager(KeyshSession()) as manager:
        tools = tools_for(manager)

        async def run(command: str) -> str:
            return (await tools.execute("Bash", {"command": command})).text

        yield run


@asynccontextmanager
async def registry_on_a_thread() -> AsyncIterator[Run]:
    """The same without coroutines, which waits for each call on a loop of its own."""
    with ShellManager(KeyshSession()) as manager:
        tools = tools_for(manager)

        async def run(command: str) -> str:
            return tools.execute_sync("Bash", {"command": command}).text

        yield run


@asynccontextmanager
async def pydantic_ai() -> AsyncIterator[Run]:
    async with importlib.import_module("keysh.adapters.pydantic_ai").toolset() as tools:

        async def run(command: str) -> str:
            answer = await tools[0].function_schema.call({"command": command}, None)
            return str(answer.return_value)

        yield run


@asynccontextmanager
async def bashkit() -> AsyncIterator[Run]:
    tool = importlib.import_module("bashkit.pydantic_ai").create_bash_tool()

    async def run(command: str) -> str:
        answer = await tool.function_schema.call({"commands": command}, None)
        return "" if answer == "[No output]" else str(answer)

    yield run


@asynccontextmanager
async def mcp_server() -> AsyncIterator[Run]:
    mcp = importlib.import_module("mcp")
    server = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "keysh", "mcp", "--memory"]
    )
    async with mcp.Client(server) as client:

        async def run(command: str) -> str:
            result = await client.call_tool("Bash", {"command": command})
            return "".join(part.text for part in result.content)

        yield run


@asynccontextmanager
async def bash_session() -> AsyncIterator[Run]:
    """The tools on one process of bash, which stays."""
    with tempfile.TemporaryDirectory() as folder, ShellManager(BashSession(cwd=folder)) as manager:
        tools = tools_for(manager)

        async def run(command: str) -> str:
            return (await tools.execute("Bash", {"command": command})).text

        yield run


@asynccontextmanager
async def bash_processes() -> AsyncIterator[Run]:
    """A process of bash for each call, as most agents run commands."""
    with tempfile.TemporaryDirectory() as folder:

        async def run(command: str) -> str:
            process = await asyncio.create_subprocess_exec(
                "bash", "-c", command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            out, _ = await process.communicate()
            return out.decode()

        yield run


CONTENDERS = {
    "keysh, registry": registry,
    "keysh, execute_sync": registry_on_a_thread,
    "keysh, pydantic_ai": pydantic_ai,
    "keysh, MCP stdio": mcp_server,
    "keysh, real bash": bash_session,
    "bashkit, pydantic_ai": bashkit,
    "bash, process a call": bash_processes,
}
MOST_MS = {
    "keysh, registry": REGISTRY_MS, "keysh, execute_sync": REGISTRY_MS, "keysh, MCP stdio": MCP_MS,
}  # fmt: skip


async def compare(rounds: int) -> None:
    runs: dict[str, Run] = {}
    async with AsyncExitStack() as stack:
        for name, contender in CONTENDERS.items():
            try:
                runs[name] = await stack.enter_async_context(contender())
            except (ImportError, FileNotFoundError) as error:
                print(f"{name:22} skipped: {error}")
        times: dict[str, list[float]] = {name: [] for name in runs}
        outputs: dict[str, list[str]] = {}
        names = [*runs]
        for number in range(rounds):
            first = number % len(names)
            for name in names[first:] + names[:first]:
                run = runs[name]
                began = time.perf_counter()
                outputs[name] = [await run(command) for command in CALLS]
                times[name].append((time.perf_counter() - began) * 1000)
    for name, measured in times.items():
        allowed = MOST_MS.get(name)
        verdict = "" if allowed is None else f"  ({allowed} allowed)"
        differs = "" if outputs[name] == outputs["keysh, registry"] else "  other outputs"
        print(
            f"{name:22} ten calls: best {min(measured):7.2f} ms  "
            f"median {statistics.median(measured):7.2f} ms{verdict}{differs}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    arguments = parser.parse_args()
    print(f"processors: {os.cpu_count()}  load: {os.getloadavg()[0]:.1f}")
    asyncio.run(compare(arguments.rounds))


if __name__ == "__main__":
    main()
