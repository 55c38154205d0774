"""Expansions: `${…}` with an operator, a subscript or an indirection; each gives a value.

What stands for all elements of something, `${xs[@]}` or `${@:2}`, gives a list, and so does an
operator that is applied to a list.
"""

from __future__ import annotations

from keysh.compile.late import LazyCompiler
from keysh.compile.parameters.case import change_case
from keysh.compile.parameters.subjects import (
    first_element_or_missing,
    mark_of_all_elements,
    means_all_elements,
    plain_subject_name,
    subject_or_missing,
    subject_value,
)
from keysh.compile.parameters.transform import transform
from keysh.compile.parameters.trim import trim
from keysh.compile.words.marks import flattened_parts, operand_all_mark
from keysh.interp.run.options import NOUNSET
from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.interp.variables.specials import SPECIAL_VARIABLES
from keysh.interp.variables.value_paths import base_value, elements, read_path, write_path
from keysh.interp.variables.variable import unbound_variable
from keysh.syntax import ast
from keysh.values import ABSENT, CONTAINERS, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State

operand_words: Callable[..., Expression] = LazyCompiler("words.unquoted.operand_words")


def expand(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:-w}`, `${x##p}`, `${u[k]}`."""
    operator = node.operator
    if not operator:
        return subject_value(node, context)
    if operator[0] == "@":
        return transform(node, context)
    return COMPILERS_BY_SIGN[operator.lstrip(":")[0]](node, context)


# ---------------------------------------------------------------- where something is missing


def is_missing(value: Any, counts_empty: bool) -> bool:
    """Whether a default is taken; of all elements an only one that is empty is as good as none."""
    if value is ABSENT:
        return True
    return counts_empty and (value is None or value == "")


def subject_and_test(
    node: ast.Expand, context: CompileContext
) -> tuple[Expression, Callable[[Any], bool]]:
    """What an operator such as `:-` looks at, and whether that is missing."""
    counts_empty = node.operator[0] == ":"
    if counts_empty and means_all_elements(node.reference):
        return subject_or_missing(node, context), is_empty_list
    return subject_or_missing(node, context), lambda value: is_missing(value, counts_empty)


def is_empty_list(value: Any) -> bool:
    """Whether all elements together are an empty text."""
    return value is ABSENT or (len(value) == 1 and text_of(value[0]) == "")


def default_value(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:-w}`."""
    find, lacks = subject_and_test(node, context)
    other = operand_value(node, context)
    name = plain_subject_name(node, context)
    counts_empty = node.operator[0] == ":"

    def general(state: State) -> Any:
        found = find(state)
        return other(state) if lacks(found) else found

    if name is None:
        return general

    def of_plain(state: State) -> Any:
        found = state.variables.get(name)
        if found.__class__ is str and (found or not counts_empty):
            return found
        return general(state)

    return of_plain


def alternative_value(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:+w}`; `"${xs[@]+w}"` is no word where `"${xs[@]}"` is none."""
    find, lacks = subject_and_test(node, context)
    other = operand_value(node, context)
    name = plain_subject_name(node, context)
    if name is not None:
        return lambda state: "" if lacks(first_element_or_missing(state, name)) else other(state)
    if means_all_elements(node.reference) and mark_of_all_elements(node.reference) == "@":
        return lambda state: [] if lacks(find(state)) else other(state)
    return lambda state: "" if lacks(find(state)) else other(state)


def assign_default(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:=w}`: the default is assigned."""
    find, lacks = subject_and_test(node, context)
    assert node.operand is not None  # the grammar gives this operator one, if only an empty one
    other = context.value(node.operand)
    again = subject_value(node, context)
    set_value = default_assigner(node, context)

    def assigned(state: State) -> Any:
        found = find(state)
        if not lacks(found):
            return found
        value = other(state)
        set_value(state, deep_copy(value) if isinstance(value, CONTAINERS) else value)
        return again(state)

    return assigned


def default_assigner(node: ast.Expand, context: CompileContext) -> Callable[[State, Any], None]:
    """How a default is assigned."""
    reference = node.reference
    name = reference.name
    if not name.isidentifier() or means_all_elements(reference):
        shown = f"${name}" if not reference.subscripts else f"{name}[@]"

        def refuse(state: State, value: Any) -> None:
            fix = (
                "set -- …"
                if name.isdecimal() or means_all_elements(reference)
                else "a variable of your own"
            )
            raise RuntimeDiagnostic("E211", "this cannot be assigned", shown, fix).with_location(
                node
            )

        return refuse
    keys = context.keys(reference.subscripts)

    def assign(state: State, value: Any) -> None:
        try:
            if node.indirect:
                held = text_of(read_path(state, name, keys(state)))
                target, steps = state.session.compiler.path(held)(state)
                write_path(state, target, steps, value)
            else:
                write_path(state, name, keys(state), value)
        except RuntimeDiagnostic as problem:
            raise problem.with_location(node) from None

    return assign


def required_value(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:?message}`, which ends the run."""
    find, lacks = subject_and_test(node, context)
    assert node.operand is not None  # the grammar gives this operator one, if only an empty one
    message = context.text(node.operand)
    reference = node.reference
    shown = context.source.text[reference.start : reference.end]
    usual = "parameter null or not set" if node.operator[0] == ":" else "parameter not set"

    def wanted(state: State) -> Any:
        found = find(state)
        if not lacks(found):
            return found
        why = message(state) or usual
        raise RuntimeDiagnostic(
            "E209", shown, why, f"give {shown} a value", is_final=True
        ).with_location(node)

    return wanted


def operand_value(node: ast.Expand, context: CompileContext) -> Expression:
    """The word behind `:-` and its kin; `"$@"` in it keeps its words apart."""
    word = node.operand
    assert word is not None  # as above
    parts = flattened_parts(word.parts)
    part = parts[0] if len(parts) == 1 else None
    if isinstance(part, ast.Variable) and part.name == "@":
        return context.part(part)
    if isinstance(part, ast.Expand | ast.Slice | ast.Replace) and means_all_elements(
        part.reference
    ):
        return context.part(part)
    if operand_all_mark(node) == "@":
        return operand_words(word, context)
    return context.value(word)


COMPILERS_BY_SIGN: dict[str, Callable[[ast.Expand, CompileContext], Expression]] = {
    "-": default_value, "=": assign_default, "?": required_value, "+": alternative_value,
    "#": trim, "%": trim, "^": change_case, ",": change_case,
}  # fmt: skip


# ---------------------------------------------------------------- lengths and names


def length(node: ast.Length, context: CompileContext) -> Expression:
    """`${#x}`: characters of a text, elements of a list, pairs of a record."""
    reference = node.reference
    name = plain_subject_name(node, context)
    if means_all_elements(reference):
        return element_count(reference, context)
    value = subject_value(ast.Expand(node.start, node.end, reference, False, "", None), context)
    if name is None:
        return lambda state: value_length(value(state))

    def of_plain(state: State) -> int:
        found = state.variables.get(name)
        return len(found) if found.__class__ is str else value_length(value(state))

    return of_plain


def value_length(value: Any) -> int:
    return len(value) if isinstance(value, CONTAINERS) else len(text_of(value))


def element_count(reference: ast.Reference, context: CompileContext) -> Expression:
    """`${#xs[@]}`, `${#@}`: how many there are."""
    name, above = reference.name, reference.subscripts[:-1]
    if not reference.subscripts:
        return lambda state: len(state.arguments)
    keys = context.keys(above)

    def counted(state: State) -> int:
        if above:
            return len(elements(read_path(state, name, keys(state))))
        value = base_value(state, name)
        if value is ABSENT and state.flags & NOUNSET:
            raise unbound_variable(name).with_location(reference)
        if isinstance(value, CONTAINERS):
            return len(value)
        return 0 if value is ABSENT or value is None else 1

    return counted


def names_of(node: ast.NamesOf, context: CompileContext) -> Expression:
    """`${!prefix*}`: the names of variables, in order."""
    prefix = node.prefix
    computed = [name for name in SPECIAL_VARIABLES if name.isidentifier() and name != "_"]

    def names(state: State) -> list[str]:
        return sorted({name for name in (*state.variables, *computed) if name.startswith(prefix)})

    return names
