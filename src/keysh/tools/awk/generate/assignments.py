"""The Python code of what assigns, of calls of a program's functions, and of getline."""

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

    Change: TypeAlias = Callable[[str], str]  # from the code of an old value to that of a new one


class AssignmentCoder(ConditionCoder):
    """Makes the code of expressions that assign, too."""

    def of_assign(self, node: tree.Assign) -> Code:
        if node.operator and has_effects(node.value):
            value = self.temporary()
            made = self.update_code(
                node.target, lambda old: arithmetic_code(old, node.operator, value)
            )
            return "pure", f"(({value} := {self.number(node.value)}), {made})[1]"
        if node.operator:
            return "pure", self.update_code(
                node.target, lambda old: self.calculation(old, node.operator, node.value)
            )
        kind, code = self.assigned_value(node)
        return kind, self.store_code(node.target, code)

    def assigned_value(self, node: tree.Assign) -> Code:
        """The code of what is assigned; texts that could grow without end are measured."""
        kind, code = self.code(node.value)
        if isinstance(node.value, tree.Concatenation):
            return kind, f"check_length({code})"
        if kind == "field" and self.is_textual(node.target):
            return "any", code
        return ("any" if kind == "field" else kind), as_value(kind, code)

    def is_textual(self, node: tree.Node) -> bool:
        """Whether of what is assigned here only the text matters."""
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
        """The code that gives a target a value made from its old one."""
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
        """A variable's or an element's code as a number."""
        if kind == "number":
            return code
        name, first = self.bind_once(code)
        return f"({name} if {first}.__class__ is float else number_of({name}))"

    def store_code(self, target: tree.Node, code: str) -> str:
        """The code that assigns, and is the value."""
        while isinstance(target, tree.Group):
            target = target.inner
        if isinstance(target, tree.Element):
            return f"set_element({code}, {self.array(target.array)}, {self.key(target.keys)})"
        if isinstance(target, tree.Field):
            place = constant_index(target)
            if place:
                return f"rec.put_at({code}, {place})"
            return f"rec.put({code}, {self.number(target.index)})"
        if not isinstance(target, tree.Name):
            raise AwkProgramError(
                f"cmd. line:{target.line}: fatal: nothing that can be assigned to"
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
        """A call of one of the program's functions."""
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
        """The code of an argument that may be an array."""
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
        stored = self.store_code(node.target, f"input_value({name})")
        found = f"({name} := m.next_text({source})).__class__ is str"
        return "pure", f"(({stored}, 1.0)[1] if {found} else {name})"


def arithmetic_code(left: str, operator: str, right: str) -> str:
    """The code of an arithmetic operation on two codes."""
    if operator in ("+", "-", "*"):
        return f"{left} {operator} {right}"
    return f"{OPERATOR_FUNCTIONS[operator]}({left}, {right})"
