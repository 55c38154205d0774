"""Generate the code of assignments, calls of the program's functions, and getline."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.generate.code import OPERATOR_FUNCTIONS, as_value, constant_index, literal
from keysh.tools.awk.generate.conditions import ConditionCoder
from keysh.tools.awk.parse.effects import has_effects
from keysh.tools.awk.parse.lexer import AwkProgramError
from keysh.tools.awk.run.registers import SCALAR_VARIABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.tools.awk.generate.code import Code

    # Turns the code of the old value into that of the new one.
    Change: TypeAlias = Callable[[str], str]


class AssignmentCoder(ConditionCoder):
    """Generates assignments, increments and calls of the program's functions."""

    def of_assign(self, node: tree.Assign) -> Code:
        if node.operator and has_effects(node.value):
            value = self.temporary()
            update = self.update_code(
                node.target, lambda old: arithmetic_code(old, node.operator, value)
            )
            return "pure", f"(({value} := {self.number(node.value)}), {update})[1]"
        if node.operator:
            return "pure", self.update_code(
                node.target, lambda old: self.calculation(old, node.operator, node.value)
            )
        kind, code = self.assigned_value(node)
        return kind, self.store_code(node.target, code)

    def assigned_value(self, node: tree.Assign) -> Code:
        """Return the code of an assigned value."""
        kind, code = self.code(node.value)
        if kind == "field" and self.is_textual(node.target):
            return "any", code
        return ("any" if kind == "field" else kind), as_value(kind, code)

    def is_textual(self, node: tree.Node) -> bool:
        """Return whether only the text of what is assigned to a target is ever used."""
        while isinstance(node, tree.Element):
            node = node.array
        return isinstance(node, tree.Name) and (
            self.names.key(self.scope, node.name) in self.names.textual
        )

    def of_increment(self, node: tree.Increment) -> Code:
        amount = literal(node.amount)
        if node.is_prefix:
            return "pure", self.update_code(node.target, lambda old: f"{old} + {amount}")
        if isinstance(node.target, tree.Element):
            array, key = self.array(node.target.array), self.key(node.target.keys)
            return "pure", f"increment_element({array}, {key}, {amount})"
        name = self.temporary()
        changed = self.update_code(node.target, lambda old: f"({name} := {old} + 0.0) + {amount}")
        return "pure", f"({changed}, {name})[1]"

    def update_code(self, target: tree.Node, make: Change) -> str:
        """Return the code that sets a target to a value computed from its old one."""
        if isinstance(target, tree.Element):
            array, key = self.temporary(), self.temporary()
            kind = self.names.kind(self.scope, target)
            old = f"({array} := {self.array(target.array)})[({key} := {self.key(target.keys)})]"
            return f"set_element({make(self.as_number(kind, old))}, {array}, {key})"
        if isinstance(target, tree.Field) and not constant_index(target):
            index = self.temporary()
            old = f"number_of(rec.get(({index} := {self.number(target.index)})))"
            return f"rec.put({make(old)}, {index})"
        return self.store_code(target, make(self.number(target)))

    def as_number(self, kind: str, code: str) -> str:
        """Return the code of a variable or an element as a number."""
        if kind == "number":
            return code
        name, first = self.bind_once(code)
        return f"({name} if {first}.__class__ is float else number_of({name}))"

    def store_code(self, target: tree.Node, code: str) -> str:
        """Return the code that assigns and yields the value."""
        while isinstance(target, tree.Group):
            target = target.inner
        if isinstance(target, tree.Element):
            return f"set_element({code}, {self.array(target.array)}, {self.key(target.keys)})"
        if isinstance(target, tree.Field):
            number = constant_index(target)
            if number:
                return f"rec.put_at({code}, {number})"
            return f"rec.put({code}, {self.number(target.index)})"
        if not isinstance(target, tree.Name):
            raise AwkProgramError(
                f"cmd. line:{target.line}: fatal: cannot assign to this expression"
            )
        name = target.name
        key = self.names.key(self.scope, name)
        if key in self.names.arrays:
            raise self.names.kind_conflict(self.scope, name, target.line)
        if not key[0] and name in SCALAR_VARIABLES:
            return f"m.set({self.table.text(name)}, {code})"
        return f"(v_{name} := {code})"

    # ------------------------------------------------------------ calls

    def of_call(self, node: tree.Call) -> Code:
        """Return the code of a call of a function of the program."""
        function = self.names.functions[node.name]
        codes: list[str] = []
        for argument, parameter in zip(node.arguments, function.parameters, strict=False):
            if (node.name, parameter) in self.names.arrays:
                codes.append(self.array(argument))
            else:
                codes.append(self.value(argument))
        return "any", f"f_{node.name}({', '.join(codes)})"

    def of_indirect_call(self, node: tree.IndirectCall) -> Code:
        codes = [self.any_value(argument) for argument in node.arguments]
        return "any", f"function_of(m.functions, {self.text(node.name)})({', '.join(codes)})"

    def any_value(self, node: tree.Node) -> str:
        """Return the code of an argument that may be an array."""
        is_array = isinstance(node, tree.Name) and self.is_array(node)
        return self.array(node) if is_array else self.value(node)

    def is_array(self, node: tree.Name) -> bool:
        return self.names.key(self.scope, node.name) in self.names.arrays

    def of_getline(self, node: tree.Getline) -> Code:
        if node.source is None:
            source = ""
        else:
            source = f"{self.table.text(node.kind)}, {self.text(node.source)}"
        if node.target is None:
            return "pure", f"m.load_next({source})"
        name = self.temporary()
        store = self.store_code(node.target, f"input_value({name})")
        has_record = f"({name} := m.next_text({source})).__class__ is str"
        return "pure", f"(({store}, 1.0)[1] if {has_record} else {name})"


def arithmetic_code(left: str, operator: str, right: str) -> str:
    """Return the code of an arithmetic operation on two operands given as code."""
    if operator in ("+", "-", "*"):
        return f"{left} {operator} {right}"
    return f"{OPERATOR_FUNCTIONS[operator]}({left}, {right})"
