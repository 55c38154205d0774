"""Plan: what a script would run, told from its text."""

from __future__ import annotations

from keysh.diagnostics.display import visible
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.syntax.wrappers import SHELLS, WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.syntax.node import Node

# What runs a text that is not looked into.
OPAQUE = frozenset((*SHELLS, ".", "alias", "eval", "run", "source", "trap"))
MARKS: dict[type, str] = {
    ast.If: "if", ast.Case: "case", ast.ForArithmetic: "for ((…))", ast.Background: "&",
    ast.Subshell: "(…)", ast.Substitution: "$(…)",
}  # fmt: skip
OWN_WRAPPERS = ("builtin", "command")  # to others `.` is a directory
FINDER = "find"  # runs what stands behind `-exec`, anywhere among its arguments


class Plan:
    """The commands of a script in the order of its text; not all of them need to run.

    commands      one record each: name (null where only the run tells it), arguments (text, or
                  null), redirections, place, and whether it is a function of the script
    redirections  those that no command has: of a loop, a group, or with nothing before them
    functions     the names the script defines
    is_opaque     whether it may run what this does not list: `eval`, `source`, a shell, also
                  behind `env` and its kin, and a name from a variable

    As a text it is a tree: what stands inside what.
    """

    __slots__ = ("_script", "commands", "functions", "is_opaque", "redirections")

    def __init__(self, script: ast.Script) -> None:
        self._script = script
        self.commands: list[dict[str, Any]] = []
        self.redirections: list[dict[str, Any]] = []
        self.functions: list[str] = []
        self.is_opaque = False
        nodes = list(script.walk())
        self.functions = [node.name for node in nodes if isinstance(node, ast.Function)]
        for node in nodes:
            if isinstance(node, ast.Simple) and node.arguments:
                self._add(node, script)
            elif isinstance(node, ast.Simple | ast.Redirected):
                self.redirections += [redirection(one) for one in node.redirects]

    def _add(self, node: ast.Simple, script: ast.Script) -> None:
        name = constant_text(node.arguments[0])
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
        names = [name]
        if name in WRAPPERS or name == FINDER:
            # Its own words are taken for names too: rather opaque than not.
            names += [one for one in arguments if one != "." or name in OWN_WRAPPERS]
        if any(one is None or one.rpartition("/")[2] in OPAQUE for one in names):
            self.is_opaque = True

    def record(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return {
            "commands": self.commands,
            "redirections": self.redirections,
            "functions": self.functions,
            "is_opaque": self.is_opaque,
        }

    def __str__(self) -> str:
        lines: list[str] = []
        waiting: list[tuple[Node, int]] = [(self._script, 0)]
        while waiting:
            node, depth = waiting.pop()
            line = shown(node)
            if line is not None:
                lines.append("    " * depth + line)
                depth += 1
            waiting.extend((child, depth) for child in reversed(list(node.children())))
        return "\n".join(lines)

    def __repr__(self) -> str:
        names = ", ".join(str(command["name"]) for command in self.commands)
        return f"<Plan {names}{' …' if self.is_opaque else ''}>"


def known(argument: ast.Argument) -> str | None:
    """An argument's text, where it is always the same."""
    if isinstance(argument, ast.Named):
        if isinstance(argument.value, ast.Word):
            value = constant_text(argument.value)
            operator = "+=" if argument.append else "="
            return None if value is None else f"{argument.key}{operator}{value}"
        return f"{argument.key}=" if argument.value is None else None
    return constant_text(argument) if isinstance(argument, ast.Word) else None


def redirection(node: ast.Redirection) -> dict[str, Any]:
    """A redirection as a record."""
    if isinstance(node, ast.Heredoc):
        return {"fd": node.fd, "operator": "<<", "target": None}
    return {"fd": node.fd, "operator": node.operator, "target": constant_text(node.target)}


def shown(node: Node) -> str | None:
    """A node's line in the tree; None where it has none of its own."""
    match node:
        case ast.Simple() if node.arguments or node.redirects:
            words = [known(argument) for argument in node.arguments]
            return visible(" ".join(["…" if word is None else word for word in words]
                                    + [spelled(one) for one in node.redirects]))  # fmt: skip
        case ast.Redirected():
            return visible(" ".join(spelled(one) for one in node.redirects))
        case ast.Function():
            return f"{node.name}()"
        case ast.For():
            return f"for {node.name}"
        case ast.While():
            return "until" if node.until else "while"
        case ast.ProcessSubstitution():
            return f"{node.direction}(…)"
        case ast.Pipeline() if node.operators:
            return "|"
    return MARKS.get(node.__class__)


def spelled(node: ast.Redirection) -> str:
    """A redirection in the tree."""
    one = redirection(node)
    number = "" if one["fd"] is None else one["fd"]
    return f"{number}{one['operator']}{'…' if one['target'] is None else one['target']}"
