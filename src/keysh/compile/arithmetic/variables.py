"""Variables and elements in arithmetic: reading them as numbers, and setting them."""

from __future__ import annotations

from keysh.compile.arithmetic.operators import require_in_range
from keysh.diagnostics.dialect import BASH
from keysh.interp.run.options import NOUNSET
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.arithmetic_text import evaluate_value
from keysh.interp.variables.declare_output import is_declared_only
from keysh.interp.variables.specials import SPECIAL_VARIABLES
from keysh.interp.variables.value_paths import (
    base_value,
    is_slice,
    lookup,
    path_value,
    read_path,
    subscript_index,
    write_path,
)
from keysh.interp.variables.variable import first_element, unbound_variable
from keysh.syntax import ast
from keysh.text.shell_numbers import (
    BASE_DIGITS,
    MAX_INT64,
    MIN_INT64,
    parse_bash_integer,
    parse_shell_number,
)
from keysh.values import ABSENT, CONTAINERS, ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.interp.state.state import State

    NumberReader: TypeAlias = Callable[[State], int | float]


SAFE_DIGITS = 19  # a number of fewer digits is in range


# ---------------------------------------------------------------- values as numbers


def plain_variable_number(
    state: State, node: ast.Reference | ast.Variable, value: Any
) -> int | float:
    """The number that a plain variable holds; `value` is the variable's value."""
    if value.__class__ is not str:
        if isinstance(value, ShellList | dict) and is_empty_but_set(state, node.name, value):
            return 0
        try:
            value = state.variable_value(node.name, value)
        except RuntimeDiagnostic as problem:
            raise problem.with_location(node) from None
    elif value.isdecimal() and value[0] != "0" and len(value) < SAFE_DIGITS and value.isascii():
        return int(value)
    return number_of_value(state, value, node.name, node)


def is_empty_but_set(state: State, name: str, value: Any) -> bool:
    """Whether an array of the bash dialect has no first element, but was assigned."""
    is_empty = state.dialect is BASH and first_element(value) is ABSENT
    return is_empty and not is_declared_only(state, name)


def number_of_value(
    state: State, value: Any, shown: str, node: ast.Arithmetic | ast.Variable
) -> int | float:
    """Read a value as a number. Only the bash dialect evaluates a text that is none."""
    kind = value.__class__
    if kind is int or kind is float:
        number: int | float = value
        return number
    if value is None:
        return 0
    if state.dialect.evaluates_text:
        return number_in_bash(state, value, node)
    parsed = (
        None
        if kind is bool or isinstance(value, CONTAINERS)
        else parse_shell_number(text_of(value))
    )
    if parsed is None:
        raise not_a_number_problem(text_of(value), shown).with_location(node)
    try:
        return require_in_range(parsed, text_of(value))
    except RuntimeDiagnostic as problem:
        raise problem.with_location(node) from None


def number_in_bash(state: State, value: Any, node: ast.Arithmetic | ast.Variable) -> int | float:
    """Read a value as bash does: as a number, or as an expression of names and numbers."""
    text = text_of(value)
    number = parse_bash_integer(text)
    if number is not None and MIN_INT64 <= number <= MAX_INT64:
        return number
    try:
        return evaluate_value(state, text)
    except RuntimeDiagnostic as problem:
        raise problem.with_location(node) from None


def not_a_number_problem(text: str, shown: str) -> RuntimeDiagnostic:
    """E208: a text that is no number. `shown` is the variable that holds it."""
    excerpt = text if len(text) <= 40 else f"{text[:40]}…"
    datum = f"{shown}={excerpt}" if shown else excerpt
    digits = text.strip()
    if digits.isdecimal() and digits[0] == "0":
        return RuntimeDiagnostic(
            "E208", "not an octal number", datum, f"10#{'$' * bool(shown)}{shown or digits}"
        )
    base, mark, rest = digits.partition("#")
    is_literal = mark and not shown and excerpt == text and not rest.strip(BASE_DIGITS)
    if is_literal and base.isdecimal() and 2 <= int(base) <= 64:
        return RuntimeDiagnostic("E208", "value too great for base", datum, f"digits below {base}")
    if digits in ("true", "false"):
        return RuntimeDiagnostic("E208", "not a number", datum, f"[[ ${shown or digits} == true ]]")
    if not shown and text.isidentifier():
        return RuntimeDiagnostic("E208", "not a number", datum, f"${text} for the variable's value")
    return RuntimeDiagnostic("E208", "not a number", datum, "a number; text is never evaluated")


# ---------------------------------------------------------------- plain variables


def plain_variable_name(node: ast.Arithmetic) -> str | None:
    """The name in `x`, `$x`, `${x}` of a variable that is not computed; else None."""
    if isinstance(node, ast.Word) and len(node.parts) == 1:
        [part] = node.parts
        name = part.name if isinstance(part, ast.Variable) else ""
    else:
        name = node.name if isinstance(node, ast.Reference) and not node.subscripts else ""
    is_plain = name.isidentifier() and name != "LINENO" and name not in SPECIAL_VARIABLES
    return name if is_plain else None


def plain_variable_reader(node: ast.Reference | ast.Variable, name: str) -> NumberReader:
    """Compile a plain variable as a number."""

    def number(state: State) -> int | float:
        value = state.variables.get(name)
        return value if value.__class__ is int else plain_variable_number(state, node, value)

    return number


# ---------------------------------------------------------------- any reference


class NumericReference:
    """A variable or element that is read or set. `keys` evaluates its subscripts once for both."""

    __slots__ = ("keys", "name", "node", "plain")

    def __init__(self, node: ast.Reference, context: CompileContext) -> None:
        self.name, self.node = node.name, node
        self.plain: NumberReader | None = None
        self.keys: Callable[[State], Sequence[object]] = no_keys
        if not node.subscripts:
            self.plain = variable_reader(node, context)
        elif any(isinstance(subscript, ast.AllSubscript) for subscript in node.subscripts):
            self.keys = refuse_all_elements(node)
        elif len(node.subscripts) > 1 and context.source.dialect.evaluates_text:
            self.keys = refuse_second_subscript(node)
        else:
            self.keys = context.keys(node.subscripts)

    def read(self, state: State, keys: Sequence[object]) -> int | float:
        """The number that it holds; 0 for a missing key of a record, as in `counts[$w]++`."""
        if self.plain is not None:
            return self.plain(state)
        holder = path_value(state, self.name, keys[:-1])
        has_elements = isinstance(holder, ShellList | dict) or (
            state.dialect.reads_first_element and holder is not ABSENT
        )
        if has_elements and path_value(state, self.name, keys) is ABSENT:
            # Also under `set -u`, unless nothing was ever assigned.
            is_unset = state.dialect is BASH and is_declared_only(state, self.name)
            if is_unset and state.flags & NOUNSET:
                raise unbound_variable(self.name).with_location(self.node)
            if isinstance(holder, dict) or subscript_index(state, keys[-1]) >= 0:
                return 0
        try:
            value = read_path(state, self.name, keys)
        except RuntimeDiagnostic as problem:
            raise problem.with_location(self.node) from None
        return number_of_value(state, value, path_text(self.name, keys), self.node)

    def read_for_change(self, state: State, keys: Sequence[object]) -> int | float:
        """The same before a change: an unset variable becomes an array, so its element is 0."""
        is_unset = len(keys) == 1 and not state.flags & NOUNSET
        if is_unset and base_value(state, self.name) is ABSENT:
            return 0
        return self.read(state, keys)

    def resolve_keys(self, state: State) -> Sequence[object]:
        """Evaluate the subscripts once for a read and a write, as `xs[i++]++` needs."""
        keys = self.keys(state)
        if self.plain is not None:
            return keys
        value = base_value(state, self.name)
        settled: list[object] = []
        for key in keys:
            is_place = isinstance(value, list) and not is_slice(text_of(key))
            settled.append(subscript_index(state, key) if is_place else key)
            value = ABSENT if value is ABSENT else lookup(state, value, settled[-1])
        return settled

    def write(self, state: State, keys: Sequence[object], number: int | float) -> None:
        """Set it to a number."""
        try:
            if self.plain is not None:
                state.assign(self.name, number)
            else:
                write_path(state, self.name, keys, number)
        except RuntimeDiagnostic as problem:
            raise problem.with_location(self.node) from None

    def number_reader(self) -> NumberReader:
        """Return a closure that only reads it."""
        if self.plain is not None:
            return self.plain
        keys, read_at = self.keys, self.read
        return lambda state: read_at(state, keys(state))


def variable_reader(node: ast.Reference, context: CompileContext) -> NumberReader:
    """Compile any variable, also a computed one, as a number."""
    name = plain_variable_name(node)
    if name is not None:
        return plain_variable_reader(node, name)
    compute = context.part(ast.Variable(node.start, node.end, node.name, False))
    return lambda state: number_of_value(state, compute(state), node.name, node)


def no_keys(state: State) -> Sequence[object]:
    return ()


def refuse_all_elements(node: ast.Reference) -> Callable[[State], Sequence[object]]:
    """Fail with E208 for `xs[@]`, which is not a single number."""
    fix = f"{node.name}[0], or ${{#{node.name}[@]}} for their number"

    def refuse(state: State) -> Sequence[object]:
        raise RuntimeDiagnostic(
            "E208", "several elements are not one number", f"{node.name}[@]", fix
        ).with_location(node)

    return refuse


def refuse_second_subscript(node: ast.Reference) -> Callable[[State], Sequence[object]]:
    """Fail for `a[1][2]`, which bash's arithmetic cannot read."""

    def refuse(state: State) -> Sequence[object]:
        fact, datum = "expected an operator, found", f"{node.name}[…][…]"
        raise RuntimeDiagnostic("E107", fact, datum).with_location(node.subscripts[1])

    return refuse


def path_text(name: str, keys: Sequence[object]) -> str:
    """A path as it is written, for a message."""
    return name + "".join(f"[{text_of(key)}]" for key in keys)
