"""The long way of a simple command: all it can have, whoever watches, and aliases."""

from __future__ import annotations

from keysh.compile.commands.alias_words import FollowingWords, bare_text
from keysh.compile.commands.redirections import redirected, redirections
from keysh.compile.commands.simple import holds_substitution, purpose_of
from keysh.interp.engine.dispatch import run_command
from keysh.interp.engine.errexit import failed, watched
from keysh.interp.engine.function_call import call
from keysh.interp.run.control_flow import Stopped
from keysh.interp.run.options import ENDS_ON_FAILURE, WATCHED, XTRACE
from keysh.interp.run.pipe_status import marked
from keysh.interp.run.problem import Problem
from keysh.interp.run.site import Site
from keysh.interp.state.state import put_back
from keysh.interp.streams.redirects import end_own_input, keep, restore, saved
from keysh.interp.variables.forwarding import received
from keysh.interp.variables.variable import ABSENT
from keysh.schema.arguments import Constants, GlobArgument, NamedArgument
from keysh.syntax import ast
from keysh.syntax.constants import constant
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.compile.commands.redirections import Redirecting
    from keysh.compile.context import Context
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Writer


def general(node: ast.Simple, context: Context, tested: bool) -> Body:
    """A command with all it can have."""
    site = Site(context.source, node)
    name = constant(node.arguments[0])
    words = context.words(node.arguments, purpose=purpose_of(name))
    prefix = [prefixed(one, context) for one in node.assignments]
    redirects = redirections(node.redirects, context)
    for_complaints = redirects if any(map(leads_errors, node.redirects)) else []
    bare_name = bare_text(node.arguments[0])
    following = FollowingWords(node.arguments[1:], context, purpose_of(name))

    # Where no word may be left, the status is that of the last `$(…)`, if one has run.
    marks = name is None and holds_substitution(node)

    def run(state: State) -> int:
        if marks:
            state.status = marked(state.status)
        before = state.status
        try:
            alias = state.aliases.get(bare_name) if state.aliases else None
            if alias is None:
                status = run_here(state, words(state), before)
            else:
                status = alias.run(state, following, prefix, redirects, site)
        except Problem as problem:
            status = complained(state, problem, for_complaints, site)
        except Stopped as stopped:
            raise stopped.at(site) from None
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    def run_here(state: State, found: list[Any], before: int) -> int:
        if found and found[0].__class__ is GlobArgument:
            found = [*found[0].expand(), *found[1:]]
        elif found and found[0].__class__ is NamedArgument:
            found = [found[0].text, *found[1:]]
        if not found:
            return without_name(state, prefix, redirects, before)
        if state.flags & WATCHED and not watched(state, found, site, shown="" if prefix else None):
            return state.status
        status = performed(state, found, prefix, redirects, site, tested)
        state.last_words = passed_last(found)
        return status

    return run


def leads_errors(node: ast.Redirection) -> bool:
    """Whether a redirection leads standard error elsewhere."""
    if not isinstance(node, ast.Redirect):
        return False
    operator = node.operator
    return node.fd == 2 or operator in ("&>", "&>>") or (operator == ">&" and node.fd is None)


def complained(state: State, problem: Problem, redirects: Sequence[Redirecting], site: Site) -> int:
    """Say what is wrong with a command's words where its messages go."""
    before = saved(state)
    try:
        redirected(state, redirects)
        return site.complain(state, problem)
    except Problem:
        return site.complain(state, problem)
    finally:
        restore(state, before)


def passed_last(found: list[Any]) -> list[Any]:
    """The last word, as `$_` has it."""
    last = found[-1]
    return [last.text if isinstance(last, NamedArgument | GlobArgument) else last]


def performed(
    state: State,
    found: Sequence[Any],
    prefix: Sequence[tuple[str, Expression]],
    redirects: Sequence[Redirecting],
    site: Site,
    tested: bool,
) -> int:
    """Run words with their redirections and assignments; the status."""
    is_bare = len(found) == 1 or (len(found) == 2 and found[1] == "--")
    if is_bare and text_of(found[0]) == "exec" and "exec" not in state.functions:
        return made_to_stay(state, redirects)
    before = saved(state) if redirects else None
    err = state.err
    state.is_tested += tested
    try:
        if before is not None:
            problem = redirected(state, redirects)
            if problem:
                return problem
            end_own_input(state, before)
        if not prefix:
            return run_found(state, found, site)
        undo: list[tuple[str, Any, int]] = []
        outer = state.temporary
        try:
            for name, read in prefix:
                undo.append(
                    (name, state.variables.get(name, ABSENT), state.attributes.get(name, 0))
                )
                value = read(state)
                state.assign_copy(name, value)
                state.export(name)
                if state.flags & XTRACE:
                    trace_prefix(state, name, value, site, err)
            if state.flags & XTRACE:
                from keysh.interp.engine.xtrace import trace_words  # noqa: PLC0415 - only for traces

                trace_words(state, found, site, err)
            place = len(state.frames) + 1 if text_of(found[0]) in state.functions else 0
            state.temporary = outer | {name: (value, bits, place) for name, value, bits in undo}
            return run_found(state, found, site)
        finally:
            state.temporary = outer
            for name, value, bits in reversed(undo):
                put_back(state, name, value, bits)
    except Problem as problem:
        return site.complain(state, problem)
    finally:
        state.is_tested -= tested
        if before is not None:
            restore(state, before)


def trace_prefix(state: State, name: str, value: object, site: Site, err: Writer) -> None:
    """What `set -x` shows of an assignment in front of a command."""
    from keysh.interp.engine.xtrace import trace, traced_assignment  # noqa: PLC0415 - only for traces

    trace(state, traced_assignment(name, value), site, err)


def run_found(state: State, found: Sequence[Any], site: Site) -> int:
    """Run words: a function sees what they stand for, a command binds them."""
    name = text_of(found[0])
    function = state.functions.get(name)
    if function is None:
        words = found.behind() if isinstance(found, Constants) else found[1:]
        return run_command(state, name, words)
    words = found[1:] if function.command is not None else received(found[1:])
    return call(state, function, words, site.line)


def made_to_stay(state: State, redirects: Sequence[Redirecting]) -> int:
    """`exec 3>file`: redirections of the shell itself."""
    before = saved(state)
    problem = 1
    try:
        problem = redirected(state, redirects)
    finally:
        if problem:
            restore(state, before)
        else:
            keep(state, before)
    return problem


def without_name(
    state: State,
    prefix: Sequence[tuple[str, Expression]],
    redirects: Sequence[Redirecting],
    known: int,
) -> int:
    """Words that have all vanished: what is left are assignments, and redirections.

    `known` is the status before the words; where it is still there, no `$(…)` has run.
    """
    before = saved(state)
    try:
        for name, read in prefix:
            state.assign_copy(name, read(state))
        problem = redirected(state, redirects)
        if problem:
            return problem
        return 0 if state.status is known else state.status
    finally:
        restore(state, before)


def prefixed(node: ast.Assign, context: Context) -> tuple[str, Expression]:
    """`NAME=value` in front of a command."""
    name = node.target.name
    read = context.value(node.value) if node.value is not None else lambda state: ""
    if not node.append:
        return name, read
    return name, lambda state: text_of(state.variables.get(name)) + text_of(read(state))
