"""A sandbox for agents of Deep Agents: `pip install keysh[deepagents]`.

    with sandbox(files={"/notes": "one\n"}) as backend:
        agent = create_deep_agent(model, backend=backend, system_prompt=backend.system_prompt())
        agent.invoke({"messages": [("user", "How many notes are there?")]})

The agent's tools (`execute`, `read_file`, `grep` and so on) are those of Deep Agents.
"""

from __future__ import annotations

from keysh.adapters.agent.frameworks.tools import refuse_missing

try:
    from keysh.adapters.deepagents.keysh_sandbox import KeyshSandbox
except ModuleNotFoundError as error:
    refuse_missing(error, "deepagents", "deepagents")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.adapters.agent import Guard
    from keysh.adapters.agent.frameworks.tools import ToolSession


def sandbox(
    session: ToolSession = None, *, guard: Guard | None = None, **options: Any
) -> KeyshSandbox:
    """Return a backend for a session, a Shell, or a new session with the options of `Shell`."""
    return KeyshSandbox(session, guard, options)
