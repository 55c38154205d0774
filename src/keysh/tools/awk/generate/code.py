"""Generate the code of operands and operators.

The code of an expression comes with its kind:

    pure     a float
    number   a float, or UNSET if a variable may have no value yet
    text     a str
    field    a field as it was read: a str that may look like a number
    any      any value

and is converted to the form that its context needs: a number, a text, a value or a truth. No text
of the awk program gets into the code: names have a prefix and constants are in a table.
"""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.generate.text_parts import (
    UNBOUNDED,
    TextPart,
    checked_code,
    concatenation_code,
    joined_code,
    text_part,
)
from keysh.tools.awk.parse.lexer import AwkProgramError
from keysh.tools.awk.run.registers import (
    ARRAY_VARIABLES,
    NUMBER_VARIABLES,
    SCALAR_VARIABLES,
    TEXT_VARIABLES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.tools.awk.generate.table import ConstantTable
    from keysh.tools.awk.parse.names import NameAnalysis

    Code: TypeAlias = tuple[str, str]  # the kind, and the code


def literal(number: float) -> str:
    """Return the code of a constant."""
    return repr(number) if abs(number) != float("inf") else "INFINITY"


class AwkExpressionCoder:
    """Generates operands and operators within one function, or outside all functions."""

    def __init__(self, names: NameAnalysis, table: ConstantTable, *, is_fast: bool) -> None:
        self.names, self.table = names, table
        self.is_fast = is_fast  # the program never changes the record: it is in `line` and `F`
        self.scope = ""
        self.temporaries = 0
        self.needs_output_text = bool(
            {"CONVFMT", "OFMT"} & (names.mentioned | names.assigned_outside)
        )

    def temporary(self) -> str:
        """Return a new name for an intermediate value."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    # ------------------------------------------------------------ forms

    def number(self, node: tree.Node) -> str:
        """Return the code of an expression as a number, which may be UNSET."""
        kind, code = self.code(node)
        if kind in ("pure", "number"):
            return code
        if kind == "text":
            return f"number_of({code})"
        name, first = self.bind_once(code)
        if kind == "any":
            return f"({name} if {first}.__class__ is float else number_of({name}))"
        if not self.is_fast:  # a field that was assigned may be any value
            digits = f"{first}.__class__ is str and {name}.isdecimal() and {name}.isascii()"
            return f"(float({name}) if {digits} else number_of({name}))"
        digits = digits_test(name)
        if is_numbered_field(node):
            digits = f"{first} and is_digits or {digits}"
        else:
            digits = digits.replace(name, first, 1)
        return f"(float({name}) if {digits} else number_of({name}))"

    def text(self, node: tree.Node) -> str:
        """Return the code of an expression as a text."""
        if isinstance(node, tree.Number) and node.value.is_integer():
            return self.table.text(str(int(node.value)))
        return self.as_text(*self.code(node))

    def as_text(self, kind: str, code: str, texts: str = "texts", text: str = "text") -> str:
        if kind == "text" or (kind == "field" and self.is_fast) or code == "rec.whole()":
            return code
        if kind == "pure":
            return f"{texts}[{code}]"
        name, first = self.bind_once(code)
        if kind == "number":
            return f"({texts}[{name}] if {first}.__class__ is float else EMPTY)"
        return f"({name} if {first}.__class__ is str else {text}({name}))"

    def printed_text(self, node: tree.Node) -> str:
        """Return the code of an expression as `print` shows it."""
        if not self.needs_output_text:
            return self.text(node)
        kind, code = self.code(node)
        return self.as_text(kind, code, "print_texts", "print_text")

    def value(self, node: tree.Node) -> str:
        """Return the code of an expression as a value that can be stored."""
        return as_value(*self.code(node))

    def truth(self, node: tree.Node) -> str:
        """Return the code of an expression as a condition."""
        while isinstance(node, tree.Group):
            node = node.inner
        condition = self.condition(node)
        if condition:
            return condition
        kind, code = self.code(node)
        if kind in ("pure", "number", "text"):
            return code
        if kind == "field":
            return f"truth_of_input({code})"
        name, first = self.bind_once(code)
        return f"({name} if {first}.__class__ is float else truth({name}))"

    def bind_once(self, code: str) -> tuple[str, str]:
        """Return a name for a value, and the code of its first use, which binds the name."""
        if code.isidentifier():
            return code, code
        name = self.temporary()
        return name, f"({name} := {code})"

    # ------------------------------------------------------------ dispatch

    def code(self, node: tree.Node) -> Code:
        """Return the kind and the code of an expression."""
        if self.condition_method(node) is not None:
            return "pure", f"(1.0 if {self.condition(node)} else 0.0)"
        method = getattr(self, EXPRESSION_METHODS[node.__class__])
        code: Code = method(node)
        return code

    def condition(self, node: tree.Node) -> str:
        """Return the code of an expression that is a condition; empty for others."""
        method = self.condition_method(node)
        return "" if method is None else str(getattr(self, method)(node))

    def condition_method(self, node: tree.Node) -> str | None:
        """Return the name of the method that generates a condition; None for other nodes."""
        if isinstance(node, tree.Unary):
            return "negation" if node.operator == "!" else None
        if isinstance(node, tree.RegexLiteral):
            return None if node.is_typed else "record_match"
        return CONDITION_METHODS.get(node.__class__)

    # ------------------------------------------------------------ operands

    def of_number(self, node: tree.Number) -> Code:
        return "pure", literal(node.value)

    def of_text(self, node: tree.String) -> Code:
        return "text", self.table.text(node.value)

    def of_regex(self, node: tree.RegexLiteral) -> Code:
        return "any", f"RegexValue({self.table.text(node.pattern)})"

    def of_group(self, node: tree.Group) -> Code:
        return self.code(node.inner)

    def of_name(self, node: tree.Name) -> Code:
        name = node.name
        key = self.names.key(self.scope, name)
        if key in self.names.arrays:
            raise self.names.kind_conflict(self.scope, name, node.line)
        if not key[0] and name in SCALAR_VARIABLES:
            if name == "NF":
                return "pure", "float(len(F))" if self.is_fast else "float(len(rec.all()))"
            kind = (
                "pure" if name in NUMBER_VARIABLES else "text" if name in TEXT_VARIABLES else "any"
            )
            return kind, f"m.{name}"
        return self.names.kind_of_name(self.scope, name), f"v_{name}"

    def of_element(self, node: tree.Element) -> Code:
        return self.names.kind(self.scope, node), f"{self.array(node.array)}[{self.key(node.keys)}]"

    def array(self, node: tree.Node) -> str:
        """Return the code of an array: a variable or an element."""
        if isinstance(node, tree.Element):
            return f"subarray({self.array(node.array)}, {self.key(node.keys)})"
        if isinstance(node, tree.Group):
            return self.array(node.inner)
        if not isinstance(node, tree.Name) or (
            self.names.key(self.scope, node.name) not in self.names.arrays
        ):
            raise AwkProgramError(f"cmd. line:{node.line}: fatal: argument must be an array")
        is_special = node.name in ARRAY_VARIABLES and not self.names.key(self.scope, node.name)[0]
        return f"m.{node.name}" if is_special else f"a_{node.name}"

    def key(self, keys: list[tree.Node]) -> str:
        """Return the code of an array's key."""
        if len(keys) == 1:
            return self.text(keys[0])
        separator = self.register_part("SUBSEP", "m.SUBSEP")
        parts = [part for key in keys for part in (separator, self.part(key))][1:]
        return joined_code(self, parts, concatenation_code, checked_code)

    # ------------------------------------------------------------ fields

    def of_field(self, node: tree.Field) -> Code:
        return "field", self.field(node)

    def field(self, node: tree.Field) -> str:
        """Return the code of a field, which is empty if it does not exist."""
        index, number = node.index, constant_index(node)
        if number == 0:
            return "line" if self.is_fast else "rec.whole()"
        if not self.is_fast:
            return f"rec.get({self.number(index)})" if number is None else f"rec.at({number})"
        if number is not None:
            exists = "F" if number == 1 else f"len(F) > {number - 1}"
            return f"(F[{number - 1}] if {exists} else EMPTY)"
        if isinstance(index, tree.Name) and index.name == "NF":
            return "(F[-1] if F else line)"
        name, first = self.bind_once(self.number(index))
        return f"(F[int({name}) - 1] if 1.0 <= {first} <= len(F) else field_at({name}, line, F))"

    # ------------------------------------------------------------ operators

    def of_unary(self, node: tree.Unary) -> Code:
        code = self.number(node.operand)
        return "pure", f"(-{code})" if node.operator == "-" else f"({code} + 0.0)"

    def of_arithmetic(self, node: tree.Arithmetic) -> Code:
        return "pure", f"({self.chain(node)})"

    def chain(self, node: tree.Arithmetic) -> str:
        """Return the code of `a + b - c` without redundant parentheses."""
        left = node.left
        level = node.operator in ("+", "-")
        if (
            isinstance(left, tree.Arithmetic)
            and node.operator in ("+", "-", "*")
            and (left.operator in ("+", "-") if level else left.operator == "*")
        ):
            first = self.chain(left)
        else:
            first = self.number(left)
        return self.calculation(first, node.operator, node.right)

    def calculation(self, left: str, operator: str, right: tree.Node) -> str:
        """Return the code of an arithmetic operation."""
        if operator in ("+", "-", "*"):
            return f"{left} {operator} {self.number(right)}"
        constant = right.value if isinstance(right, tree.Number) else 0.0
        if operator == "/" and constant:
            return f"{left} / {literal(constant)}"
        if operator == "%" and 0 < constant < float("inf"):
            # With these signs Python's % equals C's fmod.
            name, first = self.bind_once(left)
            divisor = literal(constant)
            return f"({name} % {divisor} if {first} >= 0.0 else modulo({name}, {divisor}))"
        return f"{OPERATOR_FUNCTIONS[operator]}({left}, {self.number(right)})"

    def of_concatenation(self, node: tree.Concatenation) -> Code:
        return "text", self.concatenation(node.parts)

    def concatenation(self, nodes: list[tree.Node]) -> str:
        """Return the code of a concatenation."""
        return joined_code(self, [*map(self.part, nodes)], concatenation_code, checked_code)

    def part(self, node: tree.Node) -> TextPart:
        """Return an expression as a part of a text."""
        return text_part(self, node, self.text(node))

    def register_part(self, name: str, code: str) -> TextPart:
        """Return a special variable as a part of a text: a short one unless the program sets it."""
        is_set = name in self.names.mentioned | self.names.assigned_outside
        return TextPart(code, UNBOUNDED if is_set else 0)

    def of_conditional(self, node: tree.Conditional) -> Code:
        condition = self.truth(node.condition)
        (kind, yes), (other, no) = self.code(node.yes), self.code(node.no)
        if kind != other:
            yes, no = as_value(kind, yes), as_value(other, no)
            kind = "number" if {kind, other} == {"pure", "number"} else "any"
        return kind, f"({yes} if {condition} else {no})"


def as_value(kind: str, code: str) -> str:
    """Return code of this kind as the code of a value that can be stored."""
    return f"input_value({code})" if kind == "field" else code


def is_numbered_field(node: tree.Node) -> bool:
    """Return whether an expression is a field with a constant index other than 0."""
    while isinstance(node, tree.Group):
        node = node.inner
    return (
        isinstance(node, tree.Field)
        and isinstance(node.index, tree.Number)
        and node.index.value >= 1
    )


def digits_test(name: str) -> str:
    """Return the code that tests for ASCII digits. In an ASCII chunk all digits are."""
    return f"{name}.isdecimal() and (is_ascii or {name}.isascii())"


def constant_index(node: tree.Field) -> int | None:
    """Return the index of a field if it is a constant."""
    index = node.index
    if isinstance(index, tree.Number) and index.value.is_integer():
        return int(index.value)
    return None


OPERATOR_FUNCTIONS = {"/": "divide", "%": "modulo", "^": "power"}
CONDITION_METHODS = {
    tree.Comparison: "comparison", tree.Match: "match", tree.Membership: "membership",
    tree.Logical: "logical",
}  # fmt: skip
EXPRESSION_METHODS = {
    tree.Number: "of_number", tree.String: "of_text", tree.RegexLiteral: "of_regex",
    tree.Name: "of_name", tree.Element: "of_element", tree.Field: "of_field",
    tree.Assign: "of_assign", tree.Increment: "of_increment", tree.Unary: "of_unary",
    tree.Arithmetic: "of_arithmetic", tree.Concatenation: "of_concatenation",
    tree.Conditional: "of_conditional", tree.Group: "of_group", tree.Call: "of_call",
    tree.IndirectCall: "of_indirect_call",
    tree.Builtin: "of_builtin", tree.Getline: "of_getline",
}  # fmt: skip
