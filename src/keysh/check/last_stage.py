"""Stages: what the last stage of a pipeline does to this shell, where sh forgets it."""

from __future__ import annotations

from keysh.check.static_words import command_name
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.check.facts import Facts
    from keysh.syntax.node import Node

# What stays with a fork, and what forks: nothing in them reaches this shell.
FORKING_NODES = (ast.Subshell, ast.Substitution, ast.ProcessSubstitution, ast.Function)
LEAVING_COMMANDS = ("exit", "return")
SHELL_CHANGING_COMMANDS = (
    ".", "alias", "cd", "eval", "exec", "export", "popd", "pushd", "readonly", "set", "shift",
    "shopt", "source", "trap", "ulimit", "umask", "unalias", "unset",
)  # fmt: skip


class LastStageRule:
    """The pipelines of one script."""

    __slots__ = ("_assigned", "_facts", "_reads")

    def __init__(self, script: ast.Script, facts: Facts) -> None:
        self._facts = facts
        self._assigned: dict[int, set[str]] = {}  # the names that are assigned at a place
        for name, made in facts.assignments.items():
            for one in made:
                self._assigned.setdefault(one.start, set()).add(name)
        loops: dict[str, list[range]] = {}  # where the head of a loop sets a name at every turn
        for node in script.walk():
            if isinstance(node, ast.For | ast.While):
                for name in self._variables_set_by(loop_head(node)):
                    loops.setdefault(name, []).append(range(node.start, node.end))
        self._reads: dict[str, list[int]] = {}  # where a name is read, but for those loops
        for read in facts.reads:
            if not any(read.start in loop for loop in loops.get(read.name, ())):
                self._reads.setdefault(read.name, []).append(read.start)

    def difference(self, node: ast.Pipeline) -> str:
        """What the last stage does here and not in sh; empty where it is the same."""
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
        """Whether a variable that a stage sets is read outside of it, as far as can be known."""
        passing = {one.start for command in commands_in_stage(last) for one in command.assignments}
        names = self._variables_set_by(node for node in last.walk() if node.start not in passing)
        if self._facts.hides_variables:
            return bool(names)
        within = range(last.start, last.end)
        return any(start not in within for name in names for start in self._reads.get(name, ()))

    def _variables_set_by(self, nodes: Iterable[Node]) -> set[str]:
        """The variables that are assigned where nodes begin."""
        return {name for node in nodes for name in self._assigned.get(node.start, ())}


def loop_head(loop: ast.For | ast.While) -> Iterable[Node]:
    """What sets variables at every turn: `for x in …`, `while read x`."""
    return (loop,) if isinstance(loop, ast.For) else loop.condition.walk()


def commands_in_stage(stage: Node) -> list[ast.Simple]:
    """The commands of a stage that run in this shell."""
    found: list[ast.Simple] = []
    waiting = [stage]
    while waiting:
        node = waiting.pop()
        if isinstance(node, FORKING_NODES):
            continue
        if isinstance(node, ast.Simple) and node.arguments:
            found.append(node)
        waiting.extend(node.children())
    return found
