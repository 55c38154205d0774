"""Connections: the trees that bash makes of lists and pipelines, two commands in each."""

from __future__ import annotations

from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Connection:
    """Two commands and what connects them: `;`, a newline, `&`, `|`, `&&` or `||`."""

    __slots__ = ("connector", "first", "second")

    def __init__(self, first: Tree, connector: str, second: Tree | None) -> None:
        self.first, self.connector, self.second = first, connector, second


class MergedOutput:
    """The left side of `|&`, which bash prints with `2>&1`."""

    __slots__ = ("command",)

    def __init__(self, command: ast.Command) -> None:
        self.command = command


if TYPE_CHECKING:
    Tree = Connection | MergedOutput | ast.Command


def connect(tree: Tree, connector: str, command: Tree | None) -> Connection:
    """Return a list with one more command; `&` takes only the last one of a list."""
    if connector != "&" or not is_list(tree):
        return Connection(tree, connector, command)
    last: Any = tree
    while is_list(last.second):
        last = last.second
    last.second = Connection(last.second, "&", command)
    return last if last is tree else tree  # type: ignore[return-value]


def is_list(tree: Tree | None) -> bool:
    """Whether commands are connected by `;`."""
    return isinstance(tree, Connection) and tree.connector == ";"


def chain_tree(node: ast.Chain) -> Tree:
    """Return the connections of `a && b || c`."""
    tree: Tree = node.commands[0]
    for operator, command in zip(node.operators, node.commands[1:], strict=True):
        tree = Connection(tree, operator, command)
    return tree


def with_merged_output(tree: Tree) -> Tree:
    """Return what stands before `|&`, with `2>&1` at its last command."""
    if isinstance(tree, Connection):
        return Connection(tree.first, tree.connector, with_merged_output(tree.second))  # type: ignore[arg-type]
    return tree if isinstance(tree, MergedOutput) else MergedOutput(tree)


def pipe_tree(node: ast.Pipeline) -> Tree:
    """Return the connections of `a | b |& c`."""
    tree: Tree = node.stages[0]
    for operator, stage in zip(node.operators, node.stages[1:], strict=True):
        tree = Connection(with_merged_output(tree) if operator == "|&" else tree, "|", stage)
    return tree
