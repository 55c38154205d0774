"""Transformations: `${x@Q}`, `@U`, `@A` and the like: a quoted value, its case, its declaration."""

from __future__ import annotations

from keysh.compile.parameters.case_modification import upper_first
from keysh.compile.parameters.subjects import indirect_name, means_all_elements, subject_value
from keysh.compile.parameters.text_changes import (
    changed_text,
    computed_change,
    constant_change,
)
from keysh.diagnostics.dialect import BASH
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.declare_output import attribute_letters, declaration, is_declared_only
from keysh.interp.variables.value_paths import base_value, reference_target
from keysh.interp.variables.variable import NameReference
from keysh.syntax.lexer.quotes import ansi_text
from keysh.text.letter_case import to_lower, to_upper
from keysh.text.shell_quoting import double_quoted_text, quoted_text
from keysh.values import ABSENT, CONTAINERS, ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.compile.parameters.text_changes import TextChange
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast

QUOTE_BYTES = 4  # of a quote within quotes

TRANSFORM_CHANGES: dict[str, TextChange] = {
    "@U": to_upper, "@L": to_lower, "@u": upper_first, "@E": ansi_text,
}  # fmt: skip


def transform(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x@Q}`"""
    operator = node.operator
    if operator == "@E" and context.source.dialect is BASH:
        return constant_change(node, context, lambda text: ansi_text(text).partition("\0")[0])
    if operator in TRANSFORM_CHANGES:
        return constant_change(node, context, TRANSFORM_CHANGES[operator])
    if operator == "@P":
        from keysh.interp.variables.prompt_text import prompt_text  # noqa: PLC0415 - rare

        return computed_change(node, context, lambda state: lambda text: prompt_text(state, text))
    if operator in ("@A", "@a"):
        return variable_transform(node, context)
    read = subject_value(node, context)
    name = node.reference.name
    if operator == "@Q" or name in ("@", "*") or not describes_all(node):
        return lambda state: quoted_value(state, read(state))
    as_words = operator == "@k"

    def pairs(state: State) -> Any:
        value = base_value(state, name)
        listed = key_pairs(value)
        if as_words:
            return [item for pair in listed for item in pair]
        texts = [f"{key} {double_quoted_text(state.text(item))}" for key, item in listed]
        return state.join_values(" ", texts) + " " * isinstance(value, dict)

    return pairs


def key_pairs(value: Any) -> list[tuple[Any, Any]]:
    """The keys and values of a list or record."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        indexes = value.indexes() if isinstance(value, ShellList) else range(len(value))
        return list(zip(indexes, value, strict=True))
    return [] if value is ABSENT else [(0, value)]


def quoted_value(state: State, value: Any) -> Any:
    """A value in quotes, as a shell reads it back; empty for null."""
    if isinstance(value, list):
        return value.__class__([changed_text(state, quoted_text, text_of(item)) for item in value])
    if value is None:
        return ""
    text = state.text(value)
    if len(text) * QUOTE_BYTES > state.safe_length:
        state.check_size(len(text) + text.count("'") * (QUOTE_BYTES - 1))
    return changed_text(state, quoted_text, text)


def variable_transform(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x@A}`: the command that declares the variable; `${x@a}`: its attributes"""
    read = subject_value(node, context)
    if node.operator == "@a":
        return compile_attributes(node, read, context)
    reference = node.reference
    if reference.name in ("@", "*"):
        return lambda state: (
            ["set", "--", *quoted_value(state, read(state))] if state.arguments else []
        )

    name_of = name_reader(node, context)

    def command(state: State) -> Any:
        name = name_of(state)
        if isinstance(state.variables.get(name), NameReference):
            name, _ = reference_target(state, name, ())
        value, bits = base_value(state, name), state.attributes.get(name, 0)
        if describes_all(node):
            if value is ABSENT:
                return []
            if is_declared_only(state, name):
                return ["declare", f"-{attribute_letters(value, bits)}", name]
            return declaration_text(state, name, value, bits).split(" ", 2)
        is_element = (reference.subscripts and not node.indirect) or "[" in name
        if is_element and context.source.dialect is not BASH:
            fix = f"${{{name}[@]@A}}"
            raise RuntimeDiagnostic(
                "E203", "an element is not a variable", f"{name}[…]", fix
            ).with_location(node)
        if not name.isidentifier():
            return ""
        held, value = value, read(state)
        letters = attribute_letters(held, bits)
        if value is None:
            return f"declare -{letters} {name}" if letters else ""
        if isinstance(value, CONTAINERS):
            return declaration_text(state, name, value, bits)
        assignment = f"{name}={changed_text(state, quoted_text, text_of(value))}"
        return f"declare -{letters} {assignment}" if letters else assignment

    return command


def declaration_text(state: State, name: str, value: Any, bits: int) -> str:
    """The command that declares a variable."""
    state.check_container(value)
    return changed_text(state, lambda name: declaration(name, value, bits, quoted_text), name)


def compile_attributes(node: ast.Expand, read: Expression, context: CompileContext) -> Expression:
    """The attribute letters of a variable; for all elements, once for each."""
    name_of, is_each = name_reader(node, context), describes_all(node)

    def attribute_letters_of(state: State) -> Any:
        name = name_of(state)
        value = state.variables.get(name.partition("[")[0])
        letters = attribute_letters(value, state.attributes.get(name, 0))
        return [letters for _ in read(state)] if is_each else letters

    return attribute_letters_of


def describes_all(node: ast.Expand) -> bool:
    """Whether each element is transformed: `${!xs[@]@a}` describes what `${xs[@]}` names."""
    return means_all_elements(node.reference) and not node.indirect


def name_reader(node: ast.Expand, context: CompileContext) -> Callable[[State], str]:
    """The name of the variable that is described; for `${!r@a}` the one that `$r` names."""
    name = node.reference.name
    if not node.indirect:
        return lambda state: name
    return indirect_name(node.reference, context)
