"""What the functions of a bc program must know of each other.

A function sees the variables of its callers. A parameter or an auto variable is therefore a
global of the generated code, saved and restored, if a function called from there may refer to it;
otherwise it is a local.
"""

from __future__ import annotations

import keysh.tools.bc.tree as tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Signature: TypeAlias = tuple[str, ...]  # the forms of the parameters


def generated_name(node: tree.Node) -> str:
    """Return the generated name of the variable or array that a node names, if any."""
    if isinstance(node, tree.Name):
        return f"v_{node.name}"
    return f"a_{node.name}" if isinstance(node, tree.Element | tree.WholeArray) else ""


def generated_parameter_name(parameter: tree.Parameter) -> str:
    """Return the generated name of a parameter or an auto variable."""
    return f"{'a' if parameter.form else 'v'}_{parameter.name}"


class FunctionTable:
    """The functions of a program by name."""

    __slots__ = ("_calls", "_changing", "_free", "_functions", "_local_names", "signatures")

    def __init__(self) -> None:
        self._functions: dict[str, tree.Function] = {}
        self._calls: dict[str, frozenset[str]] = {}
        self._free: dict[str, frozenset[str]] = {}  # names a function uses but does not declare
        self._changing: set[str] = set()  # functions that assign to ibase
        self._local_names: dict[str, frozenset[str]] = {}
        self.signatures: dict[str, Signature] = {}

    @property
    def functions(self) -> Mapping[str, tree.Function]:
        return self._functions

    def define(self, function: tree.Function) -> None:
        """Add a function, or replace the one of the same name."""
        name = function.name
        nodes = list(function.walk())
        local_names = frozenset(
            generated_parameter_name(each) for each in (*function.parameters, *function.autos)
        )
        self._functions[name] = function
        self._local_names[name] = local_names
        self._free[name] = frozenset(map(generated_name, nodes)) - local_names - {""}
        self._calls[name] = called_functions(nodes)
        self._changing.discard(name)
        if any(map(changes_ibase, nodes)):
            self._changing.add(name)
        self.signatures[name] = tuple(parameter.form for parameter in function.parameters)

    def reachable_functions(self, names: frozenset[str]) -> set[str]:
        """Return the functions that may run when these are called."""
        reachable: set[str] = set()
        waiting = [*names]
        while waiting:
            name = waiting.pop()
            if name in self._functions and name not in reachable:
                reachable.add(name)
                waiting.extend(self._calls[name])
        return reachable

    def shared_variables(self, name: str) -> frozenset[str]:
        """Return the local variables of a function that other functions may refer to."""
        others = self.reachable_functions(self._calls[name]) - {name}
        return self._local_names[name] & frozenset().union(*(self._free[each] for each in others))

    def keeps_constants(self, name: str) -> bool:
        """Return whether ibase may change while a function runs; its constants must not follow."""
        return not self._changing.isdisjoint(self.reachable_functions(frozenset((name,))))

    def code_dependencies(self, name: str) -> tuple[object, ...]:
        """Return all that the code of a function depends on besides its own definition."""
        calls = sorted(self._calls[name])
        return (
            self.shared_variables(name),
            self.keeps_constants(name),
            *(self.signatures.get(callee) for callee in calls),
        )


def changes_ibase(node: tree.Node) -> bool:
    """Return whether a node assigns to ibase."""
    target = node.target if isinstance(node, tree.Assign | tree.Increment) else None
    return isinstance(target, tree.SpecialVariable) and target.name == "ibase"


def called_functions(nodes: list[tree.Node]) -> frozenset[str]:
    """Return the names of the functions that nodes call."""
    return frozenset(node.name for node in nodes if isinstance(node, tree.Call))
