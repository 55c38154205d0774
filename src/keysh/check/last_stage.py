"""The last stage of a pipeline: it changes this shell, while sh runs it in a fork."""

from __future__ import annotations

from keysh.check.static_words import command_name
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.check.facts import Facts
    from keysh.syntax.node import Node

# Nodes whose commands cannot change this shell.
FORKING_NODES = (ast.Subshell, ast.Substitution, ast.ProcessSubstitution, ast.Function)
LEAVING_COMMANDS = ("exit", "return")
SHELL_CHANGING_COMMANDS = (
    ".", "alias", "cd", "eval", "exec", "export", "popd", "pushd", "readonly", "set", "shift",
    "shopt", "source", "trap", "ulimit", "umask", "unalias", "unset",
)  # fmt: skip


class LastStageRule:
    """Finds the pipelines of a script that differ from sh."""

    __slots__ = ("_assigned", "_facts", "_reads")

    def __init__(self, script: ast.Script, facts: Facts) -> None:
        self._facts = facts
        self._assigned: dict[int, set[str]] = {}  # the names assigned at an offset
        for name, made in facts.assignments.items():
            for one in made:
                self._assigned.setdefault(one.start, set()).add(name)
        loops: dict[str, list[range]] = {}  # loops whose head assigns a name each time
        for node in script.walk():
            if isinstance(node, ast.For | ast.While):
                for name in self._variables_set_by(loop_head(node)):
                    loops.setdefault(name, []).append(range(node.start, node.end))
        self._reads: dict[str, list[int]] = {}  # where a name is read, outside of those loops
        for read in facts.reads:
            if not any(read.start in loop for loop in loops.get(read.name, ())):
                self._reads.setdefault(read.name, []).append(read.start)

    def difference(self, node: ast.Pipeline) -> str:
        """Return how the last stage differs from sh; empty if it does not."""
        last = node.stages[-1]
        if len(node.stages) < 2 or isinstance(last, FORKING_NODES):
            return ""
        names = {command_name(one) for one in commands_in_stage(last)}
        if leaving := sorted(names.intersection(LEAVING_COMMANDS)):
            return f"{leaving[0]} in the last stage of a pipeline ends more than the pipeline here"
        if names.intersection(SHELL_CHANGING_COMMANDS) or self._is_seen(last):
            return "the last stage of a pipeline changes this shell here"
        return ""

    def _is_seen(self, last: Node) -> bool:
        """Whether a variable that a stage assigns may be read outside of it."""
        passing = {one.start for command in commands_in_stage(last) for one in command.assignments}
        names = self._variables_set_by(node for node in last.walk() if node.start not in passing)
        if self._facts.hides_variables:
            return bool(names)
        within = range(last.start, last.end)
        return any(start not in within for name in names for start in self._reads.get(name, ()))

    def _variables_set_by(self, nodes: Iterable[Node]) -> set[str]:
        """Return the variables assigned where nodes begin."""
        return {name for node in nodes for name in self._assigned.get(node.start, ())}


def loop_head(loop: ast.For | ast.While) -> Iterable[Node]:
    """Return the nodes that assign variables in each round: `for x in …`, `while read x`."""
    return (loop,) if isinstance(loop, ast.For) else loop.condition.walk()


def commands_in_stage(stage: Node) -> list[ast.Simple]:
    """Return the commands of a stage that run in this shell."""
    commands: list[ast.Simple] = []
    waiting = [stage]
    while waiting:
        node = waiting.pop()
        if isinstance(node, FORKING_NODES):
            continue
        if isinstance(node, ast.Simple) and node.arguments:
            commands.append(node)
        waiting.extend(node.children())
    return commands
