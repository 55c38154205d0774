"""List the commands that a script would run, from its text alone."""

from __future__ import annotations

from keysh.diagnostics.display import visible
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.syntax.wrappers import SHELLS, WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence, Set
    from typing import Any, Protocol

    from keysh.rules.rule_set import Rules
    from keysh.rules.script_verdicts import ScriptVerdicts
    from keysh.shell.host.planned_commands import PlannedCommand, PlannedRedirection
    from keysh.syntax.lexer.cursor import Tick
    from keysh.syntax.node import Node
    from keysh.vfs.router import Router

    class PlannedPlace(Protocol):
        """The directory and files that a script would run with: a shell."""

        @property
        def cwd(self) -> str: ...
        @property
        def fs(self) -> Router: ...


# Commands that run a text which the plan does not look into.
OPAQUE_COMMANDS = frozenset((
    *SHELLS, ".", "alias", "eval", "flock", "run", "source", "trap", "watch",
))  # fmt: skip
NODE_MARKS: dict[type, str] = {
    ast.If: "if", ast.Case: "case", ast.ForArithmetic: "for ((…))", ast.Background: "&",
    ast.Coproc: "coproc",
    ast.Subshell: "(…)", ast.Substitution: "$(…)",
}  # fmt: skip
LOOKUP_WRAPPERS = ("builtin", "command")  # an argument `.` of other wrappers is a directory
NODES_PER_TICK = 1000
FINDER = "find"  # runs the words after `-exec`, which stands anywhere in its arguments


class Plan:
    """The commands of a script in the order of its text; not every run reaches all of them.

    commands      a record for each (`PlannedCommand`)
    redirections  the redirections of loops and groups, and those without a command
    functions     the names of the functions that the script defines
    verdicts      with rules, what they decide about what the text tells (`ScriptVerdicts`): `acts`,
                  each with its verdict, and `unknown`, what only the run can tell; else None
    is_opaque     whether the script may run commands that are not listed: by `eval`, `source` or
                  a shell, also after `env` and similar, or by a name from a variable

    `str(plan)` is a tree that shows how the commands nest.
    """

    __module__ = "keysh"
    __slots__ = (
        "_script", "commands", "functions", "is_opaque", "redirections", "verdicts",
    )  # fmt: skip

    def __init__(self, script: ast.Script, tick: Tick | None = None) -> None:
        """`tick` is called again and again, and may end the work by an exception."""
        self._script = script
        self.verdicts: ScriptVerdicts | None = None
        self.commands: list[PlannedCommand] = []
        self.redirections: list[PlannedRedirection] = []
        self.functions: list[str] = []
        self.is_opaque = False
        calls: list[ast.Simple | ast.Redirected] = []
        for number, node in enumerate(script.walk()):
            if tick is not None and number % NODES_PER_TICK == 0:
                tick()
            if isinstance(node, ast.Function):
                self.functions.append(node.name)
            elif isinstance(node, ast.Simple | ast.Redirected):
                calls.append(node)
        names = frozenset(self.functions)
        for number, node in enumerate(calls):
            if tick is not None and number % NODES_PER_TICK == 0:
                tick()
            if isinstance(node, ast.Simple) and node.arguments:
                self._add(node, script, names)
            else:
                self.redirections += [redirection(one) for one in node.redirects]

    def _add(self, node: ast.Simple, script: ast.Script, functions: Set[str]) -> None:
        name = constant_text(node.arguments[0])
        line, column = script.source.position(node.start)
        arguments = [constant_argument(argument) for argument in node.arguments[1:]]
        self.commands.append({
            "name": name,
            "arguments": arguments,
            "redirections": [redirection(one) for one in node.redirects],
            "is_function": name in functions,
            "line": line,
            "column": column,
        })  # fmt: skip
        names = [name]
        if name in WRAPPERS or name == FINDER:
            # Its own operands count as names too: a plan errs on the side of opaque.
            names += [one for one in arguments if one != "." or name in LOOKUP_WRAPPERS]
        if any(one is None or one.rpartition("/")[2] in OPAQUE_COMMANDS for one in names):
            self.is_opaque = True

    def with_verdicts(self, all_rules: Sequence[Rules], place: PlannedPlace) -> Plan:
        """Return this plan, with what rules decide about what the text tells in a place."""
        if not all_rules:
            return self
        from keysh.rules.script_verdicts import ScriptVerdicts  # noqa: PLC0415 - most shells have no rules

        def resolve(path: str) -> str:
            try:
                return place.fs.resolve(path)
            except OSError:  # the directory is not there yet
                return path

        source = self._script.source
        for rules in all_rules:
            verdicts = ScriptVerdicts(rules, source.text, source.dialect, place.cwd, resolve)
            self.verdicts = verdicts if self.verdicts is None else self.verdicts.joined(verdicts)
        return self

    def record(self) -> dict[str, Any]:
        """Return the plan as a record for JSON."""
        verdicts = self.verdicts
        judged = {} if verdicts is None else {
            "verdicts": [act.record() for act in verdicts.acts], "unknown": verdicts.unknown,
        }  # fmt: skip
        return {
            **judged,
            "commands": self.commands,
            "redirections": self.redirections,
            "functions": self.functions,
            "is_opaque": self.is_opaque,
        }

    def __str__(self) -> str:
        lines: list[str] = []
        pending: list[tuple[Node, int]] = [(self._script, 0)]
        while pending:
            node, depth = pending.pop()
            line = tree_line(node)
            if line is not None:
                lines.append("    " * depth + line)
                depth += 1
            pending.extend((child, depth) for child in reversed(list(node.children())))
        return "\n".join(lines)

    def __repr__(self) -> str:
        names = ", ".join(str(command["name"]) for command in self.commands)
        return f"<Plan {names}{' …' if self.is_opaque else ''}>"


def constant_argument(argument: ast.Argument) -> str | None:
    """Return the text of an argument that does not depend on the run, else None."""
    if isinstance(argument, ast.Named):
        if isinstance(argument.value, ast.Word):
            value = constant_text(argument.value)
            operator = "+=" if argument.append else "="
            return None if value is None else f"{argument.key}{operator}{value}"
        return f"{argument.key}=" if argument.value is None else None
    return constant_text(argument) if isinstance(argument, ast.Word) else None


def redirection(node: ast.Redirection) -> PlannedRedirection:
    """Return a redirection as a record."""
    if isinstance(node, ast.Heredoc):
        return {"fd": node.fd, "operator": "<<", "target": None}
    return {"fd": node.fd, "operator": node.operator, "target": constant_text(node.target)}


def tree_line(node: Node) -> str | None:
    """Return the line of a node in the tree; None if it has no line."""
    match node:
        case ast.Simple() if node.arguments or node.redirects:
            words = [constant_argument(argument) for argument in node.arguments]
            shown = ["…" if word is None else word for word in words]
            return visible(" ".join([*shown, *map(redirection_text, node.redirects)]))
        case ast.Redirected():
            return visible(" ".join(map(redirection_text, node.redirects)))
        case ast.Function():
            return f"{node.name}()"
        case ast.Select():
            return f"select {node.name}"
        case ast.For():
            return f"for {node.name}"
        case ast.While():
            return "until" if node.until else "while"
        case ast.ProcessSubstitution():
            return f"{node.direction}(…)"
        case ast.Pipeline() if node.operators:
            return "|"
    return NODE_MARKS.get(node.__class__)


def redirection_text(node: ast.Redirection) -> str:
    """Return a redirection as the tree shows it."""
    record = redirection(node)
    fd = "" if record["fd"] is None else record["fd"]
    target = "…" if record["target"] is None else record["target"]
    return f"{fd}{record['operator']}{target}"
