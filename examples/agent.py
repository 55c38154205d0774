"""An agent loop: a model asks for tools, a session of keysh does it. The model here is a script."""

from __future__ import annotations

import asyncio
from collections.abc import Generator

from keysh.adapters.agent import Guard, KeyshSession, ShellManager, ToolResult, tools_for

FILES = {"/src/app.py": "import os\nprint('TODO: greet')\n", "/src/old/app.py": "# TODO: remove\n"}


Turn = tuple[str, dict[str, object]] | str  # a tool and its arguments, or the answer


def model(schemas: object) -> Generator[Turn, ToolResult, None]:
    """What a language model would do with these tools. It is sent each result.

    It reads the error of its first command, as one would.
    """
    result = yield "Bash", {"command": "cd /src && grpe -rn TODO ."}
    fix = result.output.partition("did you mean `")[2].partition("`")[0]
    result = yield "Bash", {"command": f"cd /src && {fix} -rn TODO ."}
    found = len(result.output.splitlines())
    yield "Bash", {"command": "sed -i s/TODO/DONE/ app.py && cat app.py"}
    yield "Bash", {"command": "rm -rf /"}
    yield f"There are {found} of them, and one is done."


async def main() -> None:
    """Run the loop until the model has an answer."""
    asked: list[str] = []

    def confirm(command: str, programs: list[str]) -> bool:
        asked.append(" ".join(programs))
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
    print("asked for:", asked)


if __name__ == "__main__":
    asyncio.run(main())
