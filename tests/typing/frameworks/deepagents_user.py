"""A user's program with Deep Agents, which mypy must pass in strict mode."""

from __future__ import annotations

from deepagents.backends.protocol import SandboxBackendProtocol

from keysh import Shell
from keysh.adapters.deepagents import sandbox


def lines(backend: SandboxBackendProtocol, path: str) -> str:
    """Count the lines of a file."""
    return backend.execute(f"wc -l < {path}").output


def main() -> None:
    """Use a shell of the host."""
    with Shell(dialect="bash", files={"/notes": "tea\n"}) as shell, sandbox(shell) as backend:
        print(lines(backend, "/notes"), backend.system_prompt())
