"""Subjects: what `${…}` operates on, read by name, by path or through another variable."""

from __future__ import annotations

from keysh.diagnostics.exceptions import KeyshError
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.specials import (
    ARRAY_SPECIALS,
    SPECIAL_VARIABLES,
    argument_separator,
    positional_reader,
)
from keysh.interp.variables.value_paths import (
    base_value,
    elements,
    path_value,
    read_path,
    read_text_path,
    reference_text,
    text_path_value,
)
from keysh.interp.variables.variable import NameReference, first_element, missing_subscript
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.text.shell_numbers import MAX_ID_DIGITS, bounded_number, is_digits
from keysh.values import ABSENT, ARRAYS, ShellList, StarList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State

    Operation: TypeAlias = ast.Expand | ast.Replace | ast.Slice


# ---------------------------------------------------------------- what kind a subject is


def plain_subject_name(node: Operation | ast.Length) -> str | None:
    """The name of a subject that is a plain variable, neither computed nor subscripted."""
    reference = node.reference
    if reference.subscripts or (not isinstance(node, ast.Length) and node.indirect):
        return None
    name = reference.name
    is_plain = name.isidentifier() and name != "LINENO" and name not in SPECIAL_VARIABLES
    return name if is_plain else None


def means_all_elements(reference: ast.Reference) -> bool:
    """Whether a reference means all elements: `xs[@]`, `@`."""
    if reference.subscripts:
        return isinstance(reference.subscripts[-1], ast.AllSubscript)
    return reference.name in ("@", "*")


def mark_of_all_elements(reference: ast.Reference) -> str:
    """The `@` or `*` of a reference to all elements."""
    last = reference.subscripts[-1] if reference.subscripts else None
    return last.mark if isinstance(last, ast.AllSubscript) else reference.name


def has_operator(node: Operation) -> bool:
    """Whether an operation changes what it reads: `${!u[@]}` lists keys, `${!u[@]:-x}` does not."""
    return not isinstance(node, ast.Expand) or bool(node.operator)


# ---------------------------------------------------------------- reading


def subject_value(node: Operation, context: CompileContext) -> Expression:
    """Compile the subject. A missing one is null or an error, as for `$x`."""
    reference = node.reference
    if node.indirect:
        is_listed = means_all_elements(reference) and not has_operator(node)
        return (
            container_keys(reference, context) if is_listed else indirect_value(reference, context)
        )
    if not reference.subscripts:
        return context.part(ast.Variable(node.start, node.end, reference.name, True))
    if means_all_elements(reference):
        return all_elements(reference, context)
    if len(reference.subscripts) == 1:
        return single_element(reference, context)
    name, keys = reference.name, context.keys(reference.subscripts)

    def at_path(state: State) -> Any:
        try:
            return read_path(state, name, keys(state))
        except RuntimeDiagnostic as problem:
            raise problem.with_location(reference) from None

    return at_path


def single_element(reference: ast.Reference, context: CompileContext) -> Expression:
    """`${xs[0]}`, `${u[name]}`: one subscript"""
    name, keys = reference.name, context.keys(reference.subscripts)
    [subscript] = reference.subscripts
    known = constant_text(subscript.word) if isinstance(subscript, ast.Subscript) else None
    index = None  # the index if it is a plain number, which makes this 2.4 times as fast
    if known is not None and is_digits(known) and len(known) < MAX_ID_DIGITS:
        index = int(known) if known[0] != "0" or known == "0" else None

    def at_key(state: State) -> Any:
        holder = state.variables.get(name)
        key = keys(state)[0]
        if isinstance(holder, dict):
            if key.__class__ is str and key in holder:
                return holder[key]
        elif isinstance(holder, list):
            position = key if index is None else index
            is_dense = holder.__class__ is list or holder.places is None  # type: ignore[attr-defined]
            if is_dense and position.__class__ is int and 0 <= position < len(holder):
                return holder[position]
        try:
            return read_path(state, name, [key])
        except RuntimeDiagnostic as problem:
            raise problem.with_location(reference) from None

    return at_key


def all_elements(reference: ast.Reference, context: CompileContext) -> Expression:
    """`${xs[@]}`; an unset variable has no elements, even under `set -u`"""
    name, above = reference.name, reference.subscripts[:-1]
    if not above:

        def all_of(state: State) -> list[Any]:
            value = base_value(state, name)
            return [] if value is ABSENT else elements(value)

        return all_of
    keys = context.keys(above)

    def all_at_path(state: State) -> list[Any]:
        try:
            return elements(read_path(state, name, keys(state)))
        except RuntimeDiagnostic as problem:
            raise problem.with_location(reference) from None

    return all_at_path


def container_keys(reference: ast.Reference, context: CompileContext) -> Expression:
    """`${!u[@]}`: the keys of a record, the indexes of a list; 0 for any other value"""
    name = reference.name
    keys = context.keys(reference.subscripts[:-1])

    def list_keys(state: State) -> list[Any]:
        value = path_value(state, name, keys(state))
        if isinstance(value, dict):
            return list(value)
        if isinstance(value, list):
            return value.indexes() if isinstance(value, ShellList) else list(range(len(value)))
        return [] if value is ABSENT else [0]

    return list_keys


# ---------------------------------------------------------------- reading what may be missing


def subject_or_missing(node: Operation, context: CompileContext) -> Expression:
    """Compile the same subject; where there is nothing, ABSENT."""
    reference = node.reference
    name = reference.name
    if node.indirect:
        target = indirect_name(reference, context)
        return lambda state: named_value_or_missing(state, target(state))
    if means_all_elements(reference):
        every = subject_value(node, context)

        def any_of(state: State) -> Any:
            return every(state) or ABSENT

        return star_or_missing(any_of) if mark_of_all_elements(reference) == "*" else any_of
    if reference.subscripts:
        keys = context.keys(reference.subscripts)

        def at_path(state: State) -> Any:
            try:
                return path_value(state, name, keys(state))
            except RuntimeDiagnostic as problem:
                raise problem.with_location(reference) from None

        return at_path
    if name.isdecimal() and name != "0":
        number = bounded_number(name)
        argument = positional_reader(number)
        return lambda state: argument(state) if number <= len(state.arguments) else ABSENT
    if name == "!":
        last_job = SPECIAL_VARIABLES[name]
        return lambda state: last_job(state) or ABSENT
    if name in ARRAY_SPECIALS:
        first = subject_value(node, context)

        def first_or_missing(state: State) -> Any:
            return ABSENT if not SPECIAL_VARIABLES[name](state) else first(state)

        return first_or_missing
    if plain_subject_name(node) is None:
        return subject_value(node, context)
    return lambda state: plain_value_or_missing(state, name)


def star_or_missing(any_of: Expression) -> Expression:
    """`${*:-w}`: empty elements joined by an empty IFS count as one empty string"""

    def join_empty(state: State) -> Any:
        items = any_of(state)
        if items is not ABSENT and not argument_separator(state) and not any(map(text_of, items)):
            return [""]
        return items

    return join_empty


def plain_value_or_missing(state: State, name: str) -> Any:
    """What a plain variable holds, or ABSENT."""
    value = base_value(state, name)
    return scalar_or_refusal(state, name, value) if isinstance(value, ARRAYS) else value


def scalar_or_refusal(state: State, name: str, value: Any) -> Any:
    """The first element of an array for bash; E311 in keysh's own dialect."""
    if not state.dialect.reads_first_element:
        raise missing_subscript(name, value)
    return first_element(value)


def first_element_or_missing(state: State, name: str) -> Any:
    """What sh reads for a plain variable: of an array, the first element."""
    value = base_value(state, name)
    return first_element(value) if isinstance(value, ARRAYS) else value


# ---------------------------------------------------------------- through another variable


def indirect_value(reference: ast.Reference, context: CompileContext) -> Expression:
    """`${!r}`: the value of the variable or path that `r` names"""
    name = reference.name
    target = indirect_name(reference, context)
    line = context.part(ast.Variable(reference.start, reference.end, "LINENO", False))

    def through(state: State) -> Any:
        text = target(state)
        return line(state) if text == "LINENO" else named_value(state, text)

    if reference.subscripts or not name.isidentifier():
        return through

    def through_variable(state: State) -> Any:
        held = state.variables.get(name)
        if held.__class__ is NameReference:
            return reference_text(state, held)
        return through(state)

    return through_variable


def indirect_name(reference: ast.Reference, context: CompileContext) -> Expression:
    """The name that `${!r}` reads from `r`."""
    node = ast.Expand(reference.start, reference.end, reference, False, "", None)
    read = subject_value(node, context)

    def name(state: State) -> str:
        value = read(state)
        text = state.join_values(" ", value) if isinstance(value, list) else text_of(value)
        if not text:
            raise bad_name_problem(text, reference)
        try:
            check_name(state, text)
        except (KeyshError, ValueError):
            raise bad_name_problem(text, reference) from None
        return text

    return name


def check_name(state: State, text: str) -> None:
    """Raise KeyshError or ValueError for a text that names nothing."""
    if not is_digits(text) and text not in SPECIAL_VARIABLES:
        state.compiler.path(without_all_subscript(text), state)


def bad_name_problem(text: str, reference: ast.Reference) -> RuntimeDiagnostic:
    fix = f"{reference.name}=name, or {reference.name}='name[key]'"
    return RuntimeDiagnostic(
        "E203",
        "this is not the name of a variable",
        f"{reference.name}={text}",
        fix,
        fails_in_sh=True,
    ).with_location(reference)


def without_all_subscript(text: str) -> str:
    """A path without the `[@]` at its end."""
    return text[:-3] if text.endswith(("[@]", "[*]")) else text


def named_value(state: State, text: str) -> Any:
    """The value that a text names: an argument, a special variable or a path.

    All elements are a ShellList: the word that reads them does not know that there are several.
    """
    if is_digits(text) and text != "0":
        return positional_reader(bounded_number(text))(state)
    if text in SPECIAL_VARIABLES:
        value = SPECIAL_VARIABLES[text](state)
        if text in ARRAY_SPECIALS:
            return value[0] if value else None
        if text in ("@", "*"):
            return StarList(value) if text == "*" else ShellList(value)
        return value
    path = without_all_subscript(text)
    if path != text:
        value = text_path_value(state, path)
        items = [] if value is ABSENT else elements(value)
        return StarList(items) if text.endswith("[*]") else ShellList(items)
    return read_text_path(state, text)


def named_value_or_missing(state: State, text: str) -> Any:
    """The same; where there is nothing, ABSENT."""
    if is_digits(text) or text in SPECIAL_VARIABLES or without_all_subscript(text) != text:
        value = named_value(state, text)
        return ABSENT if value is None or value == [] else value
    value = text_path_value(state, text)
    return scalar_or_refusal(state, text, value) if isinstance(value, ARRAYS) else value
