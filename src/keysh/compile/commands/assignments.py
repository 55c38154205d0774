"""Assignments: `x=1`, `u[k]=v`, `xs+=(e)`."""

from __future__ import annotations

from keysh.compile.commands.command_status import fail, settle
from keysh.compile.words.values import is_fresh
from keysh.compile.words.word_analysis import holds_substitution
from keysh.interp.engine.before_command import admit_command
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.options import ALLEXPORT, WATCHED_FLAGS, XTRACE
from keysh.interp.run.pipe_status import fresh_pipe_status
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.interp.variables.arrays import EntryList, array_value
from keysh.interp.variables.specials import text_of_elements
from keysh.interp.variables.value_paths import append_value, write_path
from keysh.interp.variables.variable import ARRAY, EXPORTED
from keysh.syntax import ast
from keysh.text.chunks import join_text, starts_mid_character
from keysh.values import ARRAYS, CONTAINERS, ShellList, deep_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State


def assignment_command(node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """Compile a command of assignments only. Its status is that of its last `$(…)`, if any."""
    site = Site(context.source, node)
    actions = [compile_assignment(assignment, context) for assignment in node.assignments]
    if len(actions) > 1 or holds_substitution(node):
        return several_assignments(actions, node, site, tested)
    action, only = actions[0], node.assignments[0]
    full = single_assignment(action, node, site, tested)
    if only.target.subscripts or only.append or only.value is None:
        return full
    if not isinstance(only.value, ast.Word) or has_side_effects(only.value):
        return full
    return plain_assignment(only.target.name, context.value(only.value), full, site, tested)


def single_assignment(
    action: Callable[[State], object], node: ast.Simple, site: Site, tested: bool
) -> Body:
    """Compile one assignment without a `$(…)`."""

    def run(state: State) -> int:
        if state.flags & WATCHED_FLAGS and not admit_command(state, (), site, shown=""):
            return state.status
        try:
            if state.flags & XTRACE:
                assign_and_trace(state, action, node.assignments[0], site)
            else:
                action(state)
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested)
        except LimitReached as limit:
            raise limit.with_location(site) from None
        state.last_words = ()
        state.status = 0
        return 0

    return run


def several_assignments(
    actions: list[Callable[[State], object]], node: ast.Simple, site: Site, tested: bool
) -> Body:
    """Compile several assignments, or one with a `$(…)`; each sees the status of the one before."""
    substitutes = holds_substitution(node)
    pairs = list(zip(actions, node.assignments, strict=True))

    def run(state: State) -> int:
        if state.flags & WATCHED_FLAGS and not admit_command(state, (), site, shown=""):
            return state.status
        if substitutes:
            state.status = fresh_pipe_status(state.status)
        before = state.status
        try:
            for action, assign in pairs:
                if state.flags & XTRACE:
                    assign_and_trace(state, action, assign, site)
                else:
                    action(state)
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested)
        except LimitReached as limit:
            raise limit.with_location(site) from None
        status = state.status
        if status is before:  # no `$(…)` has run
            status = 0
        state.last_words = ()
        return settle(state, status, site, tested)

    return run


def assign_and_trace(
    state: State, action: Callable[[State], object], node: ast.Assign, site: Site
) -> None:
    """Make an assignment and print it as `set -x` does."""
    from keysh.interp.engine.xtrace import trace_assignment  # noqa: PLC0415 - only for traces

    trace_assignment(state, action, node, site)


def plain_assignment(name: str, read: Expression, full: Body, site: Site, tested: bool) -> Body:
    """The commonest command, `x=$y` or `i=$((i+1))`: 1.7 times as fast as `single_assignment`."""

    def run(state: State) -> int:
        if state.flags & SLOW_PATH_FLAGS or name in state.attributes:
            return full(state)
        try:
            value = read(state)
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested)
        except LimitReached as limit:
            raise limit.with_location(site) from None
        kind = value.__class__
        if kind is not str and kind is not int and isinstance(value, CONTAINERS):
            return full(state)
        state.variables[name] = value
        state.last_words = ()
        state.status = 0
        return 0

    return run


SLOW_PATH_FLAGS = WATCHED_FLAGS | ALLEXPORT


def has_side_effects(word: ast.Word) -> bool:
    """Whether expanding a word a second time could change something."""
    return any(
        isinstance(node, ast.Step | ast.Assignments)
        or (isinstance(node, ast.Expand) and "=" in node.operator)
        for node in word.walk()
    )


def compile_assignment(node: ast.Assign, context: CompileContext) -> Callable[[State], object]:
    """Compile one assignment: f(state) returns the value, or raises a RuntimeDiagnostic."""
    target = node.target
    name = target.name
    if target.subscripts:
        return element_assignment(node, context)
    if node.value is None:
        return append_empty(name) if node.append else lambda state: store_value(state, name, "")
    read, fresh = context.value(node.value), is_fresh(node.value)
    owned = owned_value if context.source.dialect.has_literals else joined_elements
    if node.append:
        return compile_append(name, context, node)

    def assign(state: State) -> object:
        value = read(state)
        kind = value.__class__
        if kind is not str and kind is not int and isinstance(value, CONTAINERS):
            value = array_value(state, name, value) if fresh else owned(state, value)
            if isinstance(value, ARRAYS):
                state.assign(name, value)
                return value
        if name in state.attributes or state.flags & ALLEXPORT:
            store_value(state, name, value)
        else:
            state.variables[name] = value
        return value

    return assign


def owned_value(state: State, value: Any) -> Any:
    """Return a value that no other variable holds."""
    return deep_copy(value)


def owned_element(state: State, value: Any) -> Any:
    """Return the value of an element, which no other variable holds."""
    return state.element_copy(value)


def joined_elements(state: State, value: Any) -> Any:
    """Return the same in bash, where `$r` of a reference to `a[@]` is a text of all elements."""
    return (
        text_of_elements(state, value)
        if isinstance(value, ShellList)
        else state.element_copy(value)
    )


def store_value(state: State, name: str, value: Any) -> object:
    """Set a variable that has attributes, or that `set -a` exports."""
    if state.flags & ALLEXPORT and not isinstance(value, CONTAINERS):
        state.attributes[name] = state.attributes.get(name, 0) | EXPORTED
    state.assign(name, value)
    return value


def append_empty(name: str) -> Callable[[State], object]:
    """`x+=`"""

    def append(state: State) -> object:
        store_value(state, name, state.variables.get(name, ""))
        return ""

    return append


def compile_append(
    name: str, context: CompileContext, node: ast.Assign
) -> Callable[[State], object]:
    """`x+=value`"""
    assert node.value is not None
    read, fresh = context.value(node.value), is_fresh(node.value)
    owned = owned_value if context.source.dialect.has_literals else joined_elements

    def append(state: State) -> object:
        value = read(state)
        if isinstance(value, CONTAINERS):
            if isinstance(value, EntryList):
                return store_value(state, name, value.extended_value(state, name))
            value = array_value(state, name, value) if fresh else owned(state, value)
        bits = state.attributes.get(name, 0)
        if bits and not (bits == ARRAY and isinstance(value, list)):
            append_by_attributes(state, name, value)
            return value
        old = state.own_value(name)
        if old.__class__ is str and value.__class__ is str:
            if len(old) + len(value) > state.safe_length:
                state.check_texts((old, value))
            # CPython extends a string in place if this is the only reference.
            state.variables[name] = ""
            if value.isascii() or not starts_mid_character(value):
                old += value
            else:
                old = join_text(old, value)
            state.variables[name] = old
            return value
        if isinstance(value, list):
            if old is None and value.__class__ is ShellList:
                return store_value(state, name, value)
            if old is not None and not isinstance(old, CONTAINERS):
                return store_value(state, name, append_value(state, ShellList([old]), value))
        state.variables[name] = append_value(state, old, value)
        return value

    return append


def append_by_attributes(state: State, name: str, value: Any) -> None:
    """`x+=value` where x is exported, an integer, readonly or a reference"""
    from keysh.interp.state.attributes import append_to_attributed  # noqa: PLC0415 - rare

    append_to_attributed(state, name, value)


def element_assignment(node: ast.Assign, context: CompileContext) -> Callable[[State], object]:
    """`u[k]=v`"""
    name, appends = node.target.name, node.append
    keys = context.keys(node.target.subscripts)
    read = context.value(node.value) if node.value is not None else lambda state: ""
    fresh = node.value is None or is_fresh(node.value)
    owned = owned_element if context.source.dialect.has_literals else joined_elements
    target = node.target
    if isinstance(node.value, ast.Array) and context.source.dialect.is_lenient:
        return refuse_nested_array(target, context)

    def assign(state: State) -> object:
        value = read(state) if fresh else owned(state, read(state))
        try:
            write_path(state, name, keys(state), value, append=appends)
        except RuntimeDiagnostic as problem:
            raise problem.with_location(target) from None
        return value

    return assign


def refuse_nested_array(
    target: ast.Reference, context: CompileContext
) -> Callable[[State], object]:
    """`a[0]=(x y)`: arrays of bash hold texts only."""
    text = context.source.text[target.start : target.end]

    def refuse(state: State) -> object:
        fact, fix = "cannot assign list to array member", "quote the text"
        raise RuntimeDiagnostic("E119", f"{text}: {fact}", "", fix).with_location(target)

    return refuse
