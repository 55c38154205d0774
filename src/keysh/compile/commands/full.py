"""The long way of a simple command: all it can have, whoever watches, and aliases."""

from __future__ import annotations

from keysh.compile.commands.alias_words import FollowingWords, bare_text
from keysh.compile.commands.redirections import compile_redirections, make_redirections
from keysh.compile.commands.simple import holds_substitution, words_purpose
from keysh.interp.engine.dispatch import run_command
from keysh.interp.engine.errexit import admit_command, handle_failure
from keysh.interp.engine.function_call import call_function
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.options import ENDS_ON_FAILURE, WATCHED_FLAGS, XTRACE
from keysh.interp.run.pipe_status import fresh_pipe_status
from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.interp.state.state import restore_variable
from keysh.interp.streams.redirects import (
    begin_redirects,
    bound_self_input,
    keep_redirects,
    undo_redirects,
)
from keysh.interp.variables.forwarding import function_arguments
from keysh.schema.arguments import ConstantArguments, GlobArgument, NamedArgument
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.values import ABSENT, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.compile.commands.redirections import RedirectAction
    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Writer


def full_command(node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """A command with all it can have."""
    site = Site(context.source, node)
    name = constant_text(node.arguments[0])
    words = context.words(node.arguments, purpose=words_purpose(name))
    prefix = [prefix_assignment(one, context) for one in node.assignments]
    redirects = compile_redirections(node.redirects, context)
    for_complaints = redirects if any(map(redirects_stderr, node.redirects)) else []
    bare_name = bare_text(node.arguments[0])
    following = FollowingWords(node.arguments[1:], context, words_purpose(name))

    # Where no word may be left, the status is that of the last `$(…)`, if one has run.
    marks = name is None and holds_substitution(node)

    def run(state: State) -> int:
        if marks:
            state.status = fresh_pipe_status(state.status)
        before = state.status
        try:
            alias = state.aliases.get(bare_name) if state.aliases else None
            if alias is None:
                status = run_here(state, words(state), before)
            else:
                status = alias.run(state, following, prefix, redirects, site)
        except RuntimeDiagnostic as problem:
            status = report_redirected(state, problem, for_complaints, site)
        except LimitReached as stopped:
            raise stopped.with_location(site) from None
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return handle_failure(state, status, site)
        return status

    def run_here(state: State, found: list[Any], before: int) -> int:
        if found and found[0].__class__ is GlobArgument:
            found = [*found[0].expand(), *found[1:]]
        elif found and found[0].__class__ is NamedArgument:
            found = [found[0].text, *found[1:]]
        if not found:
            return assign_and_redirect(state, prefix, redirects, before)
        if state.flags & WATCHED_FLAGS and not admit_command(
            state, found, site, shown="" if prefix else None
        ):
            return state.status
        status = perform_command(state, found, prefix, redirects, site, tested)
        state.last_words = last_word(found)
        return status

    return run


def redirects_stderr(node: ast.Redirection) -> bool:
    """Whether a redirection leads standard error elsewhere."""
    if not isinstance(node, ast.Redirect):
        return False
    operator = node.operator
    return node.fd == 2 or operator in ("&>", "&>>") or (operator == ">&" and node.fd is None)


def report_redirected(
    state: State, problem: RuntimeDiagnostic, redirects: Sequence[RedirectAction], site: Site
) -> int:
    """Say what is wrong with a command's words where its messages go."""
    before = begin_redirects(state)
    try:
        make_redirections(state, redirects)
        return site.report(state, problem)
    except RuntimeDiagnostic:
        return site.report(state, problem)
    finally:
        undo_redirects(state, before)


def last_word(found: list[Any]) -> list[Any]:
    """The last word, as `$_` has it."""
    last = found[-1]
    return [last.text if isinstance(last, NamedArgument | GlobArgument) else last]


def perform_command(
    state: State,
    found: Sequence[Any],
    prefix: Sequence[tuple[str, Expression]],
    redirects: Sequence[RedirectAction],
    site: Site,
    tested: bool,
) -> int:
    """Run words with their redirections and assignments; the status."""
    is_bare = len(found) == 1 or (len(found) == 2 and found[1] == "--")
    if is_bare and text_of(found[0]) == "exec" and "exec" not in state.functions:
        return redirect_shell(state, redirects)
    before = begin_redirects(state) if redirects else None
    err = state.err
    state.is_tested += tested
    try:
        if before is not None:
            problem = make_redirections(state, redirects)
            if problem:
                return problem
            bound_self_input(state, before)
        if not prefix:
            return run_words(state, found, site)
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
            return run_words(state, found, site)
        finally:
            state.temporary = outer
            for name, value, bits in reversed(undo):
                restore_variable(state, name, value, bits)
    except RuntimeDiagnostic as problem:
        return site.report(state, problem)
    finally:
        state.is_tested -= tested
        if before is not None:
            undo_redirects(state, before)


def trace_prefix(state: State, name: str, value: object, site: Site, err: Writer) -> None:
    """What `set -x` shows of an assignment in front of a command."""
    from keysh.interp.engine.xtrace import trace, traced_assignment  # noqa: PLC0415 - only for traces

    trace(state, traced_assignment(name, value), site, err)


def run_words(state: State, found: Sequence[Any], site: Site) -> int:
    """Run words: a function sees what they stand for, a command binds them."""
    name = text_of(found[0])
    function = state.functions.get(name)
    if function is None:
        words = found.rest() if isinstance(found, ConstantArguments) else found[1:]
        return run_command(state, name, words)
    words = found[1:] if function.command is not None else function_arguments(found[1:])
    return call_function(state, function, words, site.line)


def redirect_shell(state: State, redirects: Sequence[RedirectAction]) -> int:
    """`exec 3>file`: redirections of the shell itself."""
    before = begin_redirects(state)
    problem = 1
    try:
        problem = make_redirections(state, redirects)
    finally:
        if problem:
            undo_redirects(state, before)
        else:
            keep_redirects(state, before)
    return problem


def assign_and_redirect(
    state: State,
    prefix: Sequence[tuple[str, Expression]],
    redirects: Sequence[RedirectAction],
    known: int,
) -> int:
    """Words that have all vanished: what is left are assignments, and redirections.

    `known` is the status before the words; where it is still there, no `$(…)` has run.
    """
    before = begin_redirects(state)
    try:
        for name, read in prefix:
            state.assign_copy(name, read(state))
        problem = make_redirections(state, redirects)
        if problem:
            return problem
        return 0 if state.status is known else state.status
    finally:
        undo_redirects(state, before)


def prefix_assignment(node: ast.Assign, context: CompileContext) -> tuple[str, Expression]:
    """`NAME=value` in front of a command."""
    name = node.target.name
    read = context.value(node.value) if node.value is not None else lambda state: ""
    if not node.append:
        return name, read
    return name, lambda state: text_of(state.variables.get(name)) + text_of(read(state))
