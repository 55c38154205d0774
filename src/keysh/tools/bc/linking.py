"""Linking: what the functions of a program must know of each other.

A function sees the variables of its callers. So a parameter or an auto variable is a global of
the code, saved and set back, where a function that is called may mean it; else it is a local.
"""

from __future__ import annotations

import keysh.tools.bc.tree as tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Signature: TypeAlias = tuple[str, ...]  # the forms of the parameters


def generated_name(node: tree.Node) -> str:
    """What code calls the variable or the array of a node; empty for others."""
    if isinstance(node, tree.Name):
        return f"v_{node.name}"
    return f"a_{node.name}" if isinstance(node, tree.Element | tree.WholeArray) else ""


def generated_parameter_name(parameter: tree.Parameter) -> str:
    """What code calls a parameter or an auto variable."""
    return f"{'a' if parameter.form else 'v'}_{parameter.name}"


class FunctionTable:
    """The functions of a program by their names."""

    __slots__ = ("_calls", "_changing", "_free", "_functions", "_local_names", "signatures")

    def __init__(self) -> None:
        self._functions: dict[str, tree.Function] = {}
        self._calls: dict[str, frozenset[str]] = {}
        self._free: dict[str, frozenset[str]] = {}
        self._changing: set[str] = set()  # those that change ibase
        self._local_names: dict[str, frozenset[str]] = {}
        self.signatures: dict[str, Signature] = {}

    @property
    def functions(self) -> Mapping[str, tree.Function]:
        return self._functions

    def define(self, function: tree.Function) -> None:
        """Take in a function, in the place of one of the same name."""
        name = function.name
        nodes = list(function.walk())
        own = frozenset(
            generated_parameter_name(one) for one in (*function.parameters, *function.autos)
        )
        self._functions[name] = function
        self._local_names[name] = own
        self._free[name] = frozenset(map(generated_name, nodes)) - own - {""}
        self._calls[name] = called_functions(nodes)
        self._changing.discard(name)
        if any(map(changes_ibase, nodes)):
            self._changing.add(name)
        self.signatures[name] = tuple(one.form for one in function.parameters)

    def reachable_functions(self, names: frozenset[str]) -> set[str]:
        """The functions that may run where these are called."""
        found: set[str] = set()
        waiting = [*names]
        while waiting:
            name = waiting.pop()
            if name in self._functions and name not in found:
                found.add(name)
                waiting.extend(self._calls[name])
        return found

    def shared_variables(self, name: str) -> frozenset[str]:
        """What other functions may see of the variables of a function."""
        others = self.reachable_functions(self._calls[name]) - {name}
        return self._local_names[name] & frozenset().union(*(self._free[one] for one in others))

    def keeps_constants(self, name: str) -> bool:
        """Whether ibase may change while a function runs, whose constants do not change with it."""
        return not self._changing.isdisjoint(self.reachable_functions(frozenset((name,))))

    def code_dependencies(self, name: str) -> tuple[object, ...]:
        """All that the code of a function depends on, besides what the function itself says."""
        calls = sorted(self._calls[name])
        return (
            self.shared_variables(name),
            self.keeps_constants(name),
            *(self.signatures.get(one) for one in calls),
        )


def changes_ibase(node: tree.Node) -> bool:
    """Whether a node assigns to ibase."""
    target = node.target if isinstance(node, tree.Assign | tree.Increment) else None
    return isinstance(target, tree.SpecialVariable) and target.name == "ibase"


def called_functions(nodes: list[tree.Node]) -> frozenset[str]:
    """The functions that nodes call."""
    return frozenset(node.name for node in nodes if isinstance(node, tree.Call))
