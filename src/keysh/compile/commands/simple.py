"""Simple commands: assignments, words, redirections.

The words are expanded, the redirections are made, the assignments are set, and the name decides
what runs. Each closure sets the status in the state. A diagnostic fails the command only; a failure
that nothing tests ends the run under `set -e`.
"""

from __future__ import annotations

from keysh.compile.commands.ending import settle
from keysh.compile.commands.fast_builtins import fast_command
from keysh.compile.late import LazyCompiler
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.options import WATCHED_FLAGS
from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

    LazyCommand: TypeAlias = LazyCompiler[[ast.Simple, CompileContext, bool], Body]

assignment_command: LazyCommand = LazyCompiler("commands.assignments.assignment_command")
bare_redirections: LazyCommand = LazyCompiler("commands.redirections.bare_redirections")
closing_word_descriptors: LazyCompiler[[Body], Body] = LazyCompiler(
    "commands.redirections.closing_word_descriptors"
)
full_command: LazyCommand = LazyCompiler("commands.full.full_command")
holds_substitution: LazyCompiler[[ast.Simple], bool] = LazyCompiler(
    "words.marks.holds_substitution"
)
holds_process_substitution: LazyCompiler[[ast.Simple], bool] = LazyCompiler(
    "words.marks.holds_process_substitution"
)
stands_for_all: LazyCompiler[[Node], bool] = LazyCompiler("words.marks.stands_for_all")
words_purpose: LazyCompiler[[str], str] = LazyCompiler("words.marks.words_purpose")


def simple_command(node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """Compile a simple command."""
    body = cheapest_command(node, context, tested)
    if has_only_constant_words(node):
        return body
    if tested and holds_substitution(node):
        body = without_errexit(body)  # its `$(…)` are tested with it
    return closing_word_descriptors(body) if holds_process_substitution(node) else body


def has_only_constant_words(node: ast.Simple) -> bool:
    """Whether a command is only constant words, a cheap test that most pass."""
    if node.redirects or node.assignments:
        return False
    return all(constant_text(argument) is not None for argument in node.arguments)


def cheapest_command(node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """Compile a command in the fastest form that covers it."""
    if not node.arguments:
        if node.redirects:
            return bare_redirections(node, context, tested)
        return assignment_command(node, context, tested)
    name = None if node.redirects else constant_text(node.arguments[0])
    if name is not None:
        fast = fast_command(name, node, context, tested)
        if fast is not None:
            return fast
        if not node.assignments:
            return plain_command(name, node, context, tested)
    return full_command(node, context, tested)


# ---------------------------------------------------------------- a name and words


def plain_command(name: str, node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """A constant name and words, nothing else: 2.2 times as fast as the full form."""
    from keysh.interp.engine.dispatch import run_command  # noqa: PLC0415 - fast builtins need neither
    from keysh.interp.engine.function_call import call_function  # noqa: PLC0415 - as above

    words = context.words(node.arguments[1:], purpose=words_purpose(name))
    receive = argument_receiver(node.arguments[1:])
    site = Site(context.source, node)
    full = context.full_command(node, tested=tested)
    line = context.source.position(node.start)[0]

    def run(state: State) -> int:
        if state.flags & WATCHED_FLAGS or (state.aliases and name in state.aliases):
            return full(state)
        try:
            arguments = words(state)
            # As `resolve_in_shell`, but a call less: 3 % of calling a function.
            function = state.functions.get(name)
            if function is None:
                status = run_command(state, name, arguments)
            else:
                if receive is not None and function.command is None:
                    arguments = receive(arguments)
                status = call_function(state, function, arguments, line)
            state.last_words = arguments or (name,)
        except RuntimeDiagnostic as problem:
            status = site.report(state, problem)
        except LimitReached as limit:
            raise limit.with_location(site) from None
        if status:
            return settle(state, status, site, tested)
        state.status = status
        return status

    return without_errexit(run) if tested else run


# How `set -e` knows what is tested: `state.is_tested` counts the tested commands around the one
# that runs, and above 0 `handle_failure` ignores failures. A command compiled as `tested` leaves
# its own status to what tests it (`if`, `&&`, `!`); functions and substitutions inside it are
# compiled as untested, so `without_errexit` raises the count around it. A stage of a pipeline is
# compiled as tested because the pipeline settles its status, yet what it runs inside is not
# tested: `with_errexit` lowers the count again.


def without_errexit(body: Body) -> Body:
    """Run a command whose status is tested: failures inside it do not end the run."""

    def run(state: State) -> int:
        state.is_tested += 1
        try:
            return body(state)
        finally:
            state.is_tested -= 1

    return run


def with_errexit(body: Body) -> Body:
    """Run a command compiled as tested whose own status is tested, and nothing inside it."""

    def run(state: State) -> int:
        state.is_tested -= 1
        try:
            return body(state)
        finally:
            state.is_tested += 1

    return run


def argument_receiver(
    arguments: Sequence[ast.Argument],
) -> Callable[[list[object]], list[object]] | None:
    """The function that makes `$@` of a call's words; None where they are passed unchanged."""
    if not holds_special_words(arguments):
        return None
    from keysh.interp.variables.forwarding import function_arguments  # noqa: PLC0415 - few words are special

    return function_arguments


def holds_special_words(arguments: Sequence[ast.Argument]) -> bool:
    """Whether words may be named arguments or globs, which a function receives as values."""
    return any(
        isinstance(argument, ast.Named)
        or (
            isinstance(argument, ast.Word)
            and any(
                isinstance(part, ast.Glob | ast.ExtendedGlob | ast.Brace) or may_forward_named(part)
                for part in argument.parts
            )
        )
        for argument in arguments
    )


def may_forward_named(part: Node) -> bool:
    """Whether a part may pass on named arguments of the function that contains it."""
    inner = part.parts if isinstance(part, ast.DoubleQuoted) else [part]
    return any(map(stands_for_all, inner))
