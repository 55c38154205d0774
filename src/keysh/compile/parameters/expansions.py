"""Expansions: `${…}` with an operator or an indirection; each returns a value.

All elements of something, `${xs[@]}` or `${@:2}`, are a list, and so is the result of an operator
on a list.
"""

from __future__ import annotations

from keysh.compile.lazy_compiler import LazyCompiler
from keysh.compile.parameters.case_modification import change_case
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
from keysh.compile.words.word_analysis import flattened_parts, operand_all_mark
from keysh.diagnostics.dialect import BASH
from keysh.interp.run.options import NOUNSET
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.declare_output import is_declared_only
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

operand_words: LazyCompiler[[ast.Word, CompileContext], Expression] = LazyCompiler(
    "words.unquoted.operand_words"
)


def expand(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:-w}`, `${x##p}`, `${u[k]}`"""
    operator = node.operator
    if not operator:
        return subject_value(node, context)
    if operator[0] == "@":
        return transform(node, context)
    return COMPILERS_BY_SIGN[operator.lstrip(":")[0]](node, context)


# ---------------------------------------------------------------- where something is missing


def is_missing(value: Any, counts_empty: bool) -> bool:
    """Whether a default applies. `counts_empty`: also to null and to an empty string."""
    if value is ABSENT:
        return True
    return counts_empty and (value is None or value == "")


def subject_and_test(
    node: ast.Expand, context: CompileContext
) -> tuple[Expression, Callable[[Any], bool]]:
    """What an operator such as `:-` reads, and the test whether that is missing."""
    counts_empty = node.operator[0] == ":"
    if counts_empty and means_all_elements(node.reference) and not node.indirect:
        return subject_or_missing(node, context), is_empty_list
    return subject_or_missing(node, context), lambda value: is_missing(value, counts_empty)


def is_empty_list(value: Any) -> bool:
    """Whether a list of all elements is missing or holds one empty string."""
    return value is ABSENT or (len(value) == 1 and text_of(value[0]) == "")


def default_value(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:-w}`. A plain string variable is read directly: 1.4 times as fast."""
    find, lacks = subject_and_test(node, context)
    other = operand_value(node, context)
    name = plain_subject_name(node)
    counts_empty = node.operator[0] == ":"

    def read_any(state: State) -> Any:
        value = find(state)
        return other(state) if lacks(value) else value

    if name is None:
        return read_any

    def read_plain(state: State) -> Any:
        value = state.variables.get(name)
        if value.__class__ is str and (value or not counts_empty):
            return value
        return read_any(state)

    return read_plain


def alternative_value(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:+w}`; `"${xs[@]+w}"` is no word where `"${xs[@]}"` is none"""
    find, lacks = subject_and_test(node, context)
    other = operand_value(node, context)
    name = plain_subject_name(node)
    if name is not None:
        return lambda state: "" if lacks(first_element_or_missing(state, name)) else other(state)
    if means_all_elements(node.reference) and mark_of_all_elements(node.reference) == "@":
        return lambda state: [] if lacks(find(state)) else other(state)
    return lambda state: "" if lacks(find(state)) else other(state)


def assign_default(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:=w}`, which assigns the default"""
    find, lacks = subject_and_test(node, context)
    assert node.operand is not None  # the grammar gives this operator one, if only an empty one
    other = context.value(node.operand)
    read = subject_value(node, context)
    set_value = default_assigner(node, context)

    def read_or_assign(state: State) -> Any:
        old = find(state)
        if not lacks(old):
            return old
        value = other(state)
        set_value(state, deep_copy(value) if isinstance(value, CONTAINERS) else value)
        return read(state)

    return read_or_assign


def default_assigner(node: ast.Expand, context: CompileContext) -> Callable[[State, Any], None]:
    """The function that assigns a default; for what cannot be assigned, E211."""
    reference = node.reference
    name = reference.name
    if not name.isidentifier() or means_all_elements(reference):
        target_text = f"${name}" if not reference.subscripts else f"{name}[@]"

        def refuse(state: State, value: Any) -> None:
            fix = (
                "set -- …"
                if name.isdecimal() or means_all_elements(reference)
                else "another variable"
            )
            raise RuntimeDiagnostic(
                "E211", "this cannot be assigned", target_text, fix
            ).with_location(node)

        return refuse
    keys = context.keys(reference.subscripts)

    def assign(state: State, value: Any) -> None:
        try:
            if node.indirect:
                path = text_of(read_path(state, name, keys(state)))
                target, steps = state.compiler.path(path, state)(state)
                write_path(state, target, steps, value)
            else:
                write_path(state, name, keys(state), value)
        except RuntimeDiagnostic as problem:
            raise problem.with_location(node) from None

    return assign


def required_value(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x:?message}`, which ends the run"""
    find, lacks = subject_and_test(node, context)
    assert node.operand is not None  # the grammar gives this operator one, if only an empty one
    message = context.text(node.operand)
    reference = node.reference
    target = context.source.text[reference.start : reference.end]
    default_message = (
        "parameter null or not set" if node.operator[0] == ":" else "parameter not set"
    )

    def read(state: State) -> Any:
        value = find(state)
        if not lacks(value):
            return value
        reason = message(state) or default_message
        raise RuntimeDiagnostic(
            "E209", target, reason, f"give {target} a value", is_final=True
        ).with_location(node)

    return read


def operand_value(node: ast.Expand, context: CompileContext) -> Expression:
    """The word after `:-`, `:+`; `"$@"` in it stays several words"""
    word = node.operand
    assert word is not None  # the operators that call this have an operand
    parts = flattened_parts(word.parts)
    part = parts[0] if len(parts) == 1 else None
    if isinstance(part, ast.Variable) and part.name == "@":
        return context.part(part)
    if isinstance(part, ast.Expand | ast.Slice | ast.Replace) and (
        part.indirect or means_all_elements(part.reference)
    ):
        return context.part(part)
    if operand_all_mark(node) == "@":
        return operand_words(word, context)
    return context.value(word)


COMPILERS_BY_SIGN: dict[str, Callable[[ast.Expand, CompileContext], Expression]] = {
    "-": default_value, "=": assign_default, "?": required_value, "+": alternative_value,
    "#": trim, "%": trim, "^": change_case, ",": change_case, "~": change_case,
}  # fmt: skip


# ---------------------------------------------------------------- lengths and names


def length(node: ast.Length, context: CompileContext) -> Expression:
    """`${#x}`: characters, elements or pairs. A plain string is measured directly (1.25x)."""
    reference = node.reference
    name = plain_subject_name(node)
    if means_all_elements(reference):
        return element_count(reference, context)
    value = subject_value(ast.Expand(node.start, node.end, reference, False, "", None), context)
    if name is None:
        return lambda state: value_length(value(state))

    def length_of_plain(state: State) -> int:
        held = state.variables.get(name)
        return len(held) if held.__class__ is str else value_length(value(state))

    return length_of_plain


def value_length(value: Any) -> int:
    return len(value) if isinstance(value, CONTAINERS) else len(text_of(value))


def element_count(reference: ast.Reference, context: CompileContext) -> Expression:
    """`${#xs[@]}`, `${#@}`: the number of elements"""
    name, above = reference.name, reference.subscripts[:-1]
    if not reference.subscripts:
        return lambda state: len(state.arguments)
    keys = context.keys(above)
    is_bash = context.source.dialect is BASH

    def count_elements(state: State) -> int:
        if above:
            return len(elements(read_path(state, name, keys(state))))
        value = base_value(state, name)
        if state.flags & NOUNSET and (
            value is ABSENT or (is_bash and not value and is_declared_only(state, name))
        ):
            raise unbound_variable(name).with_location(reference)
        if isinstance(value, CONTAINERS):
            return len(value)
        return 0 if value is ABSENT or value is None else 1

    return count_elements


def names_of(node: ast.NamesOf, context: CompileContext) -> Expression:
    """`${!prefix*}`: the sorted names of variables"""
    prefix = node.prefix
    computed = {
        name: read
        for name, read in SPECIAL_VARIABLES.items()
        if name.isidentifier() and name != "_" and name.startswith(prefix)
    }

    def names(state: State) -> list[str]:
        of_shell = {name for name, read in computed.items() if read(state) is not None}
        return sorted(of_shell.union(name for name in state.variables if name.startswith(prefix)))

    return names
