"""An agent loop: a model calls tools, and a keysh session runs them. The model is a script here."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

from keysh.adapters.agent import Guard, KeyshSession, ShellManager, ToolResult, tools_for

FILES = {"/src/app.py": "import os\nprint('TODO: greet')\n", "/src/old/app.py": "# TODO: remove\n"}


Turn = tuple[str, dict[str, object]] | str  # a tool with its arguments, or the answer


def model(schemas: object) -> Generator[Turn, ToolResult, None]:
    """Act as a language model would with these tools: yield calls, and receive their results.

    It corrects its first command by the error message.
    """
    result = yield "Bash", {"command": "cd /src && grpe -rn TODO ."}
    name = result.output.partition("did you mean `")[2].partition("`")[0]
    result = yield "Bash", {"command": f"cd /src && {name} -rn TODO ."}
    count = len(result.output.splitlines())
    yield "Bash", {"command": "sed -i s/TODO/DONE/ app.py && cat app.py"}
    yield "Bash", {"command": "rm -rf /"}
    yield f"There are {count} of them, and one is done."


async def main() -> None:
    """Run the loop until the model gives its answer."""
    confirmed: list[str] = []

    def confirm(command: str, programs: list[str]) -> bool:
        confirmed.append(" ".join(programs))
        return True

    with ShellManager(KeyshSession(files=FILES)) as manager:
        tools = tools_for(manager, Guard(confirm=confirm))
        conversation = model(tools.schemas("anthropic"))
        turn = next(conversation)
        while not isinstance(turn, str):
            name, arguments = turn
            result = await tools.execute(name, arguments)
            print("model:", arguments["command"])
            print((result.output or str(result.error)).rstrip())
            turn = conversation.send(result)
    print(turn)
    print("confirmed:", confirmed)


if __name__ == "__main__":
    asyncio.run(main())
