"""The full form of a simple command: redirections, assignments in front, tracing and aliases."""

from __future__ import annotations

from keysh.compile.commands.alias_words import FollowingWords, bare_text
from keysh.compile.commands.assignments import compile_assignment
from keysh.compile.commands.command_status import settle
from keysh.compile.commands.redirections import compile_redirections, make_redirections
from keysh.compile.words.word_analysis import holds_substitution, words_purpose
from keysh.diagnostics.dialect import BASH
from keysh.interp.engine.before_command import admit_command, perform_admitted
from keysh.interp.engine.command_lookup import resolve_in_shell
from keysh.interp.engine.dispatch import run_builtin, run_external
from keysh.interp.engine.function_call import call_function
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.function import ShellFunction
from keysh.interp.run.options import WATCHED_FLAGS, XTRACE
from keysh.interp.run.pipe_status import fresh_pipe_status
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.interp.state.scope import restore_variable
from keysh.interp.streams.descriptor_table import (
    begin_redirects,
    bound_self_input,
    keep_redirects,
    undo_redirects,
)
from keysh.interp.variables.forwarding import function_arguments
from keysh.interp.variables.variable import ARRAY, INTEGER, LOWER, UPPER
from keysh.schema.arguments import ConstantArguments, GlobArgument, NamedArgument
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.values import ABSENT, CONTAINERS, text_of

HIDDEN_BITS = ARRAY | INTEGER | LOWER | UPPER  # what `x=1 f` does not take over from x, in bash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.compile.commands.redirections import RedirectAction
    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Writer


def full_command(node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """Compile a command in its full form."""
    site = Site(context.source, node)
    name = constant_text(node.arguments[0])
    purpose = words_purpose(name, context.source.dialect)
    words = context.words(node.arguments, purpose=purpose)
    prefix = [prefix_assignment(assignment, context) for assignment in node.assignments]
    # If no words are left, these assignments are the shell's own.
    own = [] if name else [compile_assignment(one, context) for one in node.assignments]
    redirects = compile_redirections(node.redirects, context)
    error_redirects = redirects if any(map(redirects_stderr, node.redirects)) else []
    # The aliases of bash are replaced in its text, before it is parsed.
    bare_name = bare_text(node.arguments[0]) if context.source.dialect is not BASH else ""
    following = FollowingWords(node.arguments[1:], context, purpose)

    # If no words are left after expansion, the status is that of the last `$(…)`, if one has run.
    may_be_status_only = name is None and holds_substitution(node)

    def run(state: State) -> int:
        if may_be_status_only:
            state.status = fresh_pipe_status(state.status)
        before = state.status
        state.site = site
        try:
            alias = state.aliases.get(bare_name) if state.aliases else None
            if alias is None:
                status = run_here(state, words(state), before)
            else:
                status = state.compiler.alias(alias, state).run(
                    state, following, prefix, redirects, site
                )
        except RuntimeDiagnostic as problem:
            status = report_redirected(state, problem, error_redirects, site)
        except LimitReached as limit:
            raise limit.with_location(site) from None
        return settle(state, status, site, tested)

    def run_here(state: State, expanded: list[Any], before: int) -> int:
        if expanded and expanded[0].__class__ is GlobArgument:
            expanded = [*expanded[0].expand(), *expanded[1:]]
        elif expanded and expanded[0].__class__ is NamedArgument:
            expanded = [expanded[0].text, *expanded[1:]]
        if not expanded:
            return assign_and_redirect(state, own, redirects, before)
        if state.flags & WATCHED_FLAGS:
            span = state.span
            if not admit_command(state, expanded, site, shown="" if prefix else None):
                return state.status
            status = perform_admitted(
                state, span,
                lambda: perform_command(state, expanded, prefix, redirects, site, tested),
            )  # fmt: skip
        else:
            status = perform_command(state, expanded, prefix, redirects, site, tested)
        state.last_words = last_word(expanded)
        return status

    return run


def redirects_stderr(node: ast.Redirection) -> bool:
    """Whether a redirection changes standard error."""
    if not isinstance(node, ast.Redirect):
        return False
    operator = node.operator
    return node.fd == 2 or operator in ("&>", "&>>") or (operator == ">&" and node.fd is None)


def report_redirected(
    state: State, problem: RuntimeDiagnostic, redirects: Sequence[RedirectAction], site: Site
) -> int:
    """Report a diagnostic of a command's words; a `2>file` of the command applies to it."""
    before = begin_redirects(state)
    try:
        make_redirections(state, redirects)
        return site.report(state, problem)
    except RuntimeDiagnostic:
        return site.report(state, problem)
    finally:
        undo_redirects(state, before)


def last_word(words: list[Any]) -> list[Any]:
    """The last word, for `$_`."""
    last = words[-1]
    return [last.text if isinstance(last, NamedArgument | GlobArgument) else last]


def perform_command(
    state: State,
    words: Sequence[Any],
    prefix: Sequence[tuple[str, Expression]],
    redirects: Sequence[RedirectAction],
    site: Site,
    tested: bool,
) -> int:
    """Run words with redirections and assignments; return the status."""
    is_bare = len(words) == 1 or (len(words) == 2 and words[1] == "--")
    if is_bare and text_of(words[0]) == "exec" and "exec" not in state.functions:
        return redirect_shell(state, redirects)
    before = begin_redirects(state) if redirects else None
    tracer = None  # the writer of traces, before the redirections
    if state.flags & XTRACE:
        from keysh.interp.engine.xtrace import trace_writer  # noqa: PLC0415 - only for traces

        tracer = trace_writer(state)
    state.is_tested += tested
    try:
        if before is not None:
            status = make_redirections(state, redirects)
            if status:
                return status
            bound_self_input(state, before)
        if not prefix:
            return run_expanded_words(state, words, site)
        undo: list[tuple[str, Any, int]] = []
        outer = state.temporary
        try:
            for name, read in prefix:
                undo.append(
                    (name, state.variables.get(name, ABSENT), state.attributes.get(name, 0))
                )
                value = read(state)
                if value is ABSENT or not assign_for_command(state, name, value, site):
                    continue
                if state.flags & XTRACE:
                    trace_prefix(state, name, value, site, tracer)
            if state.flags & XTRACE:
                from keysh.interp.engine.xtrace import trace_words  # noqa: PLC0415 - only for traces

                trace_words(state, words, site, tracer)
            depth = len(state.frames) + 1
            if text_of(words[0]) not in state.functions:
                depth = -depth
            added = {name: (value, bits, depth) for name, value, bits in undo}
            state.temporary = {**outer, **added}
            return run_expanded_words(state, words, site)
        finally:
            kept, state.temporary = state.temporary, outer
            for name, value, bits in reversed(undo):
                if kept is outer or name in kept:  # else `unset` has restored it
                    restore_variable(state, name, value, bits)
    except RuntimeDiagnostic as problem:
        return site.report(state, problem)
    finally:
        state.is_tested -= tested
        if before is not None:
            undo_redirects(state, before)


def assign_for_command(state: State, name: str, value: object, site: Site) -> bool:
    """Set and export a variable for one command; return whether that was possible."""
    bits = state.attributes.get(name, 0)
    hidden = HIDDEN_BITS if site.source.dialect is BASH else ARRAY
    kept_bits = bits & ~hidden
    if kept_bits != bits and not isinstance(value, CONTAINERS):
        # Hidden, and restored after the command.
        restore_variable(state, name, ABSENT, kept_bits)
    try:
        state.assign_copy(name, value)
    except RuntimeDiagnostic as problem:
        if not site.source.dialect.is_lenient:
            raise
        problem.is_of_operand = True  # bash runs the command all the same
        site.report(state, problem)
        return False
    state.export(name)
    return True


def trace_prefix(state: State, name: str, value: object, site: Site, writer: Writer | None) -> None:
    """Print an assignment in front of a command as `set -x` does."""
    from keysh.interp.engine.xtrace import trace, traced_assignment  # noqa: PLC0415 - only for traces

    trace(state, traced_assignment(name, value), site, writer)


def run_expanded_words(state: State, expanded: Sequence[Any], site: Site) -> int:
    """Run words: a function receives their values, a command binds them."""
    name = text_of(expanded[0])
    meaning = resolve_in_shell(state, name)
    if isinstance(meaning, ShellFunction):
        words = expanded[1:] if meaning.command is not None else function_arguments(expanded[1:])
        return call_function(state, meaning, words, site.line)
    words = expanded.rest() if isinstance(expanded, ConstantArguments) else expanded[1:]
    if meaning is None:
        return run_external(state, name, words)
    return run_builtin(state, name, meaning, words)


def redirect_shell(state: State, redirects: Sequence[RedirectAction]) -> int:
    """`exec 3>file`: redirect the shell itself."""
    before = begin_redirects(state)
    status = 1
    try:
        status = make_redirections(state, redirects)
    finally:
        if status:
            undo_redirects(state, before)
        else:
            keep_redirects(state, before)
    return status


def assign_and_redirect(
    state: State,
    assignments: Sequence[Callable[[State], object]],
    redirects: Sequence[RedirectAction],
    before_words: int,
) -> int:
    """Perform the assignments and redirections of a command whose words have all vanished.

    `before_words` is the status before; if `$?` is still the same object, no `$(…)` has run.
    """
    before = begin_redirects(state)
    try:
        for assign in assignments:
            assign(state)
        status = make_redirections(state, redirects)
        state.last_words = ()
        if status:
            return status
        return 0 if state.status is before_words else state.status
    finally:
        undo_redirects(state, before)


def prefix_assignment(node: ast.Assign, context: CompileContext) -> tuple[str, Expression]:
    """`NAME=value` in front of a command"""
    name = node.target.name
    value = node.value
    if context.source.dialect.reads_first_element:
        if node.target.subscripts:
            return element_in_front(node, context)
        if isinstance(value, ast.Array):
            value = array_as_text(value, context)
    read = context.value(value) if value is not None else lambda state: ""
    if not node.append or isinstance(node.value, ast.Array):
        return name, read
    return name, lambda state: text_of(state.variables.get(name)) + text_of(read(state))


def array_as_text(node: ast.Array, context: CompileContext) -> ast.Word:
    """`B=(1 $x)` in front of a command of bash exports the words as they are written, expanded."""
    parts: list[Any] = []
    for entry in node.entries:
        parts.append(ast.Text(entry.start, entry.start, " " if parts else "("))
        value = entry.value if isinstance(entry, ast.Entry) else entry
        if isinstance(entry, ast.Entry):
            end = entry.end if value is None else value.start
            parts.append(ast.Text(entry.start, end, context.source.text[entry.start : end]))
        if isinstance(value, ast.Word):
            parts += value.parts
    parts.append(ast.Text(node.end, node.end, ")" if parts else "()"))
    return ast.Word(node.start, node.end, parts)


def element_in_front(node: ast.Assign, context: CompileContext) -> tuple[str, Expression]:
    """`a[0]=value` in front of a command: bash complains, and runs the command without it."""
    target = context.source.text[node.target.start : node.target.end]

    def complain(state: State) -> object:
        state.complain(f"`{target}': not a valid identifier")
        return ABSENT

    return target, complain
