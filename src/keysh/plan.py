"""Plan: what a script would run, told from its text."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.literals import constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What runs a text that is not known before.
OPAQUE = ("eval", "source", ".", "sh", "bash", "keysh", "trap", "alias")
WRAPPERS = ("command", "exec", "env", "timeout", "xargs", "time", "builtin", "nohup")


class Plan:
    """The commands of a script in the order of its text; not all of them need to run.

    commands    one record each: name (null where only the run tells it), arguments (text, or null),
                redirections, place, and whether it is a function of the script
    functions   the names the script defines
    is_opaque   whether it may run what this does not list: `eval`, `source`, a name from a variable
    """

    __slots__ = ("commands", "functions", "is_opaque")

    def __init__(self, script: ast.Script) -> None:
        self.commands: list[dict[str, Any]] = []
        self.functions: list[str] = []
        self.is_opaque = False
        nodes = list(script.walk())
        self.functions = [node.name for node in nodes if isinstance(node, ast.Function)]
        for node in nodes:
            if isinstance(node, ast.Simple) and node.arguments:
                self._add(node, script)

    def _add(self, node: ast.Simple, script: ast.Script) -> None:
        name = constant(node.arguments[0])
        line, column = script.source.position(node.start)
        arguments = [known(argument) for argument in node.arguments[1:]]
        self.commands.append({
            "name": name,
            "arguments": arguments,
            "redirections": [redirection(one) for one in node.redirects],
            "is_function": name in self.functions,
            "line": line,
            "column": column,
        })  # fmt: skip
        wraps_unknown = name in WRAPPERS and any(one is None for one in arguments)
        if name is None or name in OPAQUE or wraps_unknown:
            self.is_opaque = True

    def record(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return {
            "commands": self.commands,
            "functions": self.functions,
            "is_opaque": self.is_opaque,
        }

    def __repr__(self) -> str:
        names = ", ".join(str(command["name"]) for command in self.commands)
        return f"<Plan {names}{' …' if self.is_opaque else ''}>"


def known(argument: ast.Argument) -> str | None:
    """An argument's text, where it is always the same."""
    if isinstance(argument, ast.Named):
        if isinstance(argument.value, ast.Word):
            value = constant(argument.value)
            operator = "+=" if argument.append else "="
            return None if value is None else f"{argument.key}{operator}{value}"
        return f"{argument.key}=" if argument.value is None else None
    return constant(argument) if isinstance(argument, ast.Word) else None


def redirection(node: ast.Redirection) -> dict[str, Any]:
    """A redirection as a record."""
    if isinstance(node, ast.Heredoc):
        return {"fd": node.fd, "operator": "<<", "target": None}
    return {"fd": node.fd, "operator": node.operator, "target": constant(node.target)}
