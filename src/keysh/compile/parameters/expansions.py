"""Expansions: `${…}` with an operator, a subscript or an indirection; each gives a value.

What stands for all elements of something, `${xs[@]}` or `${@:2}`, gives a list, and so does an
operator that is applied to a list.
"""

from __future__ import annotations

from keysh.compile.late import Late
from keysh.compile.parameters.case import change_letters
from keysh.compile.parameters.subjects import (
    first_if_any,
    is_all,
    mark_of_all,
    plain_subject,
    subject,
    subject_if_any,
)
from keysh.compile.parameters.transform import transform
from keysh.compile.parameters.trim import trim
from keysh.compile.words.marks import mark_of_operand, unwrapped
from keysh.interp.run.options import NOUNSET
from keysh.interp.run.problem import Problem
from keysh.interp.variables.specials import SPECIALS
from keysh.interp.variables.value_paths import MISSING, base, elements, read, write
from keysh.interp.variables.variable import unbound
from keysh.syntax import ast
from keysh.values import CONTAINERS, copied, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State

around: Callable[..., Expression] = Late("words.unquoted.around")


def expand(node: ast.Expand, context: Context) -> Expression:
    """`${x:-w}`, `${x##p}`, `${u[k]}`."""
    operator = node.operator
    if not operator:
        return subject(node, context)
    if operator[0] == "@":
        return transform(node, context)
    return BY_SIGN[operator.lstrip(":")[0]](node, context)


# ---------------------------------------------------------------- where something is missing


def is_missing(value: Any, counts_empty: bool) -> bool:
    """Whether a default is taken; of all elements an only one that is empty is as good as none."""
    if value is MISSING:
        return True
    return counts_empty and (value is None or value == "")


def tested_subject(node: ast.Expand, context: Context) -> tuple[Expression, Callable[[Any], bool]]:
    """What an operator such as `:-` looks at, and whether that is missing."""
    counts_empty = node.operator[0] == ":"
    if counts_empty and is_all(node.reference):
        return subject_if_any(node, context), is_empty_list
    return subject_if_any(node, context), lambda value: is_missing(value, counts_empty)


def is_empty_list(value: Any) -> bool:
    """Whether all elements together are an empty text."""
    return value is MISSING or (len(value) == 1 and text_of(value[0]) == "")


def default(node: ast.Expand, context: Context) -> Expression:
    """`${x:-w}`."""
    find, lacks = tested_subject(node, context)
    other = operand(node, context)
    name = plain_subject(node, context)
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


def alternative(node: ast.Expand, context: Context) -> Expression:
    """`${x:+w}`; `"${xs[@]+w}"` is no word where `"${xs[@]}"` is none."""
    find, lacks = tested_subject(node, context)
    other = operand(node, context)
    name = plain_subject(node, context)
    if name is not None:
        return lambda state: "" if lacks(first_if_any(state, name)) else other(state)
    if is_all(node.reference) and mark_of_all(node.reference) == "@":
        return lambda state: [] if lacks(find(state)) else other(state)
    return lambda state: "" if lacks(find(state)) else other(state)


def default_kept(node: ast.Expand, context: Context) -> Expression:
    """`${x:=w}`: the default is assigned."""
    find, lacks = tested_subject(node, context)
    assert node.operand is not None  # the grammar gives this operator one, if only an empty one
    other = context.value(node.operand)
    again = subject(node, context)
    set_value = assigner(node, context)

    def assigned(state: State) -> Any:
        found = find(state)
        if not lacks(found):
            return found
        value = other(state)
        set_value(state, copied(value) if isinstance(value, CONTAINERS) else value)
        return again(state)

    return assigned


def assigner(node: ast.Expand, context: Context) -> Callable[[State, Any], None]:
    """How a default is assigned."""
    reference = node.reference
    name = reference.name
    if not name.isidentifier() or is_all(reference):
        shown = f"${name}" if not reference.subscripts else f"{name}[@]"

        def refuse(state: State, value: Any) -> None:
            fix = "set -- …" if name.isdecimal() or is_all(reference) else "a variable of your own"
            raise Problem("E211", "this cannot be assigned", shown, fix).at(node)

        return refuse
    keys = context.keys(reference.subscripts)

    def assign(state: State, value: Any) -> None:
        try:
            if node.indirect:
                held = text_of(read(state, name, keys(state)))
                target, steps = state.session.compiler.path(held)(state)
                write(state, target, steps, value)
            else:
                write(state, name, keys(state), value)
        except Problem as problem:
            raise problem.at(node) from None

    return assign


def demanded(node: ast.Expand, context: Context) -> Expression:
    """`${x:?message}`, which ends the run."""
    find, lacks = tested_subject(node, context)
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
        raise Problem("E209", shown, why, f"give {shown} a value", is_final=True).at(node)

    return wanted


def operand(node: ast.Expand, context: Context) -> Expression:
    """The word behind `:-` and its kin; `"$@"` in it keeps its words apart."""
    word = node.operand
    assert word is not None  # as above
    parts = unwrapped(word.parts)
    part = parts[0] if len(parts) == 1 else None
    if isinstance(part, ast.Variable) and part.name == "@":
        return context.part(part)
    if isinstance(part, ast.Expand | ast.Slice | ast.Replace) and is_all(part.reference):
        return context.part(part)
    if mark_of_operand(node) == "@":
        return around(word, context)
    return context.value(word)


BY_SIGN: dict[str, Callable[[ast.Expand, Context], Expression]] = {
    "-": default, "=": default_kept, "?": demanded, "+": alternative,
    "#": trim, "%": trim, "^": change_letters, ",": change_letters,
}  # fmt: skip


# ---------------------------------------------------------------- lengths and names


def length(node: ast.Length, context: Context) -> Expression:
    """`${#x}`: characters of a text, elements of a list, pairs of a record."""
    reference = node.reference
    name = plain_subject(node, context)
    if is_all(reference):
        return count(reference, context)
    value = subject(ast.Expand(node.start, node.end, reference, False, "", None), context)
    if name is None:
        return lambda state: measured(value(state))

    def of_plain(state: State) -> int:
        found = state.variables.get(name)
        return len(found) if found.__class__ is str else measured(value(state))

    return of_plain


def measured(value: Any) -> int:
    return len(value) if isinstance(value, CONTAINERS) else len(text_of(value))


def count(reference: ast.Reference, context: Context) -> Expression:
    """`${#xs[@]}`, `${#@}`: how many there are."""
    name, above = reference.name, reference.subscripts[:-1]
    if not reference.subscripts:
        return lambda state: len(state.arguments)
    keys = context.keys(above)

    def counted(state: State) -> int:
        if above:
            return len(elements(read(state, name, keys(state))))
        value = base(state, name)
        if value is MISSING and state.flags & NOUNSET:
            raise unbound(name).at(reference)
        if isinstance(value, CONTAINERS):
            return len(value)
        return 0 if value is MISSING or value is None else 1

    return counted


def names_of(node: ast.NamesOf, context: Context) -> Expression:
    """`${!prefix*}`: the names of variables, in order."""
    prefix = node.prefix
    computed = [name for name in SPECIALS if name.isidentifier() and name != "_"]

    def names(state: State) -> list[str]:
        return sorted({name for name in (*state.variables, *computed) if name.startswith(prefix)})

    return names
