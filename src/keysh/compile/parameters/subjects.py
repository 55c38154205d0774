"""Subjects: what `${…}` works on, read by name, by path or through another variable."""

from __future__ import annotations

from keysh.diagnostics.errors import KeyshError
from keysh.interp.run.problem import Problem
from keysh.interp.variables.specials import ARRAYS, SPECIALS, positional, separator
from keysh.interp.variables.value_paths import (
    MISSING,
    base,
    elements,
    found,
    found_by_text,
    read,
    read_text_path,
)
from keysh.interp.variables.variable import NameReference, unsubscripted
from keysh.syntax import ast
from keysh.syntax.constants import constant
from keysh.text.shell_numbers import MOST_OF_A_NAME, is_digits, known_number
from keysh.values import ShellList, ShellRecord, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State

    Operation: TypeAlias = ast.Expand | ast.Replace | ast.Slice


# ---------------------------------------------------------------- what kind a subject is


def plain_subject(node: Operation | ast.Length, context: Context) -> str | None:
    """The name of a subject that is a variable as it stands in the state."""
    reference = node.reference
    if reference.subscripts or (not isinstance(node, ast.Length) and node.indirect):
        return None
    name = reference.name
    is_plain = name.isidentifier() and name != "LINENO" and context.special(name) is None
    return name if is_plain else None


def is_all(reference: ast.Reference) -> bool:
    """Whether a reference stands for all elements: `xs[@]`, `@`."""
    if reference.subscripts:
        return isinstance(reference.subscripts[-1], ast.AllSubscript)
    return reference.name in ("@", "*")


def mark_of_all(reference: ast.Reference) -> str:
    """The `@` or `*` of a reference that stands for all elements."""
    last = reference.subscripts[-1] if reference.subscripts else None
    return last.mark if isinstance(last, ast.AllSubscript) else reference.name


def has_operator(node: Operation) -> bool:
    """Whether something is done to what is read: `${!u[@]}` are the keys, `${!u[@]:-x}` is not."""
    return not isinstance(node, ast.Expand) or bool(node.operator)


# ---------------------------------------------------------------- reading


def subject(node: Operation, context: Context) -> Expression:
    """What an operation works on; where nothing is, it fails or gives null, as `$x` does."""
    reference = node.reference
    if node.indirect:
        is_listed = is_all(reference) and not has_operator(node)
        return keys_of(reference, context) if is_listed else indirect(reference, context)
    if not reference.subscripts:
        return context.part(ast.Variable(node.start, node.end, reference.name, True))
    if is_all(reference):
        return all_elements(reference, context)
    if len(reference.subscripts) == 1:
        return element(reference, context)
    name, keys = reference.name, context.keys(reference.subscripts)

    def at_path(state: State) -> Any:
        try:
            return read(state, name, keys(state))
        except Problem as problem:
            raise problem.at(reference) from None

    return at_path


def element(reference: ast.Reference, context: Context) -> Expression:
    """`${xs[0]}`, `${u[name]}`: one step into a variable."""
    name, keys = reference.name, context.keys(reference.subscripts)
    [subscript] = reference.subscripts
    known = constant(subscript.word) if isinstance(subscript, ast.Subscript) else None
    place = None  # of a plain number, which needs no look at what it could be
    if known is not None and is_digits(known) and len(known) < MOST_OF_A_NAME:
        place = int(known) if known[0] != "0" or known == "0" else None

    def at_key(state: State) -> Any:
        holder = state.variables.get(name)
        key = keys(state)[0]
        if isinstance(holder, dict):
            if key.__class__ is str and key in holder:
                return holder[key]
        elif isinstance(holder, list):
            at = key if place is None else place
            if at.__class__ is int and 0 <= at < len(holder):
                return holder[at]
        try:
            return read(state, name, [key])
        except Problem as problem:
            raise problem.at(reference) from None

    return at_key


def all_elements(reference: ast.Reference, context: Context) -> Expression:
    """`${xs[@]}`; of an unset variable there are none, even under `set -u`."""
    name, above = reference.name, reference.subscripts[:-1]
    if not above:

        def all_of(state: State) -> list[Any]:
            value = base(state, name)
            return [] if value is MISSING else elements(value)

        return all_of
    keys = context.keys(above)

    def all_at_path(state: State) -> list[Any]:
        try:
            return elements(read(state, name, keys(state)))
        except Problem as problem:
            raise problem.at(reference) from None

    return all_at_path


def keys_of(reference: ast.Reference, context: Context) -> Expression:
    """`${!u[@]}`: the keys of a record, the places of a list; of anything else its only one, 0."""
    name = reference.name
    keys = context.keys(reference.subscripts[:-1])

    def listed(state: State) -> list[Any]:
        value = found(state, name, keys(state))
        if isinstance(value, dict):
            return list(value)
        if isinstance(value, list):
            return list(range(len(value)))
        return [] if value is MISSING else [0]

    return listed


# ---------------------------------------------------------------- reading what may be missing


def subject_if_any(node: Operation, context: Context) -> Expression:
    """The same subject, but MISSING where nothing is."""
    reference = node.reference
    name = reference.name
    if node.indirect:
        target = name_in(reference, context)
        return lambda state: found_by_name(state, target(state))
    if is_all(reference):
        every = subject(node, context)

        def any_of(state: State) -> Any:
            return every(state) or MISSING

        return any_joined(any_of) if mark_of_all(reference) == "*" else any_of
    if reference.subscripts:
        keys = context.keys(reference.subscripts)

        def at_path(state: State) -> Any:
            try:
                return found(state, name, keys(state))
            except Problem as problem:
                raise problem.at(reference) from None

        return at_path
    if name.isdecimal() and name != "0":
        at = known_number(name)
        argument = positional(at)
        return lambda state: argument(state) if at <= len(state.arguments) else MISSING
    if plain_subject(node, context) is None:
        return subject(node, context)
    return lambda state: found_plain(state, name)


def any_joined(any_of: Expression) -> Expression:
    """`${*:-w}`: empty texts between which IFS puts nothing are one empty text."""

    def joined(state: State) -> Any:
        found = any_of(state)
        if found is not MISSING and not separator(state) and not any(map(text_of, found)):
            return [""]
        return found

    return joined


def found_plain(state: State, name: str) -> Any:
    """What a plain variable holds, or MISSING."""
    value = base(state, name)
    if value.__class__ is ShellList or value.__class__ is ShellRecord:
        raise unsubscripted(name, value)
    return value


def first_if_any(state: State, name: str) -> Any:
    """What sh looks at where it only asks for a plain variable: of an array, the first element."""
    value = base(state, name)
    if value.__class__ is ShellList:
        return value[0] if value else MISSING
    return value.get("0", MISSING) if value.__class__ is ShellRecord else value


# ---------------------------------------------------------------- through another variable


def indirect(reference: ast.Reference, context: Context) -> Expression:
    """`${!r}`: what the variable or path that `r` names holds."""
    name = reference.name
    if not reference.subscripts and name.isidentifier():
        target = name_in(reference, context)

        def through(state: State) -> Any:
            named = state.variables.get(name)
            if named.__class__ is NameReference:
                return str(named)
            return read_by_name(state, target(state))

        return through
    target = name_in(reference, context)
    return lambda state: read_by_name(state, target(state))


def name_in(reference: ast.Reference, context: Context) -> Expression:
    """The name that `${!r}` reads from `r`."""
    node = ast.Expand(reference.start, reference.end, reference, False, "", None)
    held = subject(node, context)

    def name(state: State) -> str:
        found = held(state)
        text = " ".join(map(text_of, found)) if isinstance(found, list) else text_of(found)
        if not text:
            raise no_name(text, reference)
        try:
            checked_name(state, text)
        except (KeyshError, ValueError):
            raise no_name(text, reference) from None
        return text

    return name


def checked_name(state: State, text: str) -> None:
    """Raise what the compiler raises where a text names nothing."""
    if not is_digits(text) and text not in SPECIALS:
        state.session.compiler.path(without_all(text))


def no_name(text: str, reference: ast.Reference) -> Problem:
    fix = f"{reference.name}=name, or {reference.name}='name[key]'"
    return Problem("E203", "this names no variable", f"{reference.name}={text}", fix).at(reference)


def without_all(text: str) -> str:
    """A path without the `[@]` at its end."""
    return text[:-3] if text.endswith(("[@]", "[*]")) else text


def read_by_name(state: State, text: str) -> Any:
    """What a text names: an argument, a special variable, a path, or, as an array of sh, all
    elements of a list: where the name is read, nothing tells that there will be several.
    """
    if is_digits(text) and text != "0":
        return positional(known_number(text))(state)
    if text in SPECIALS:
        value = SPECIALS[text](state)
        if text in ARRAYS:
            return value[0] if value else None
        return ShellList(value) if text in ("@", "*") else value
    path = without_all(text)
    if path != text:
        value = found_by_text(state, path)
        return ShellList([] if value is MISSING else elements(value))
    return read_text_path(state, text)


def found_by_name(state: State, text: str) -> Any:
    """The same, but MISSING where nothing is."""
    if is_digits(text) or text in SPECIALS or without_all(text) != text:
        value = read_by_name(state, text)
        return MISSING if value is None or value == [] else value
    value = found_by_text(state, text)
    if value.__class__ is ShellList or value.__class__ is ShellRecord:
        raise unsubscripted(text, value)
    return value
