"""Plain commands: a constant name and words, without assignments or redirections.

Most commands of most scripts are plain. Their closure does without the steps of the full form.
"""

from __future__ import annotations

from keysh.compile.commands.settle import settle, without_errexit
from keysh.compile.words.marks import stands_for_all, words_purpose
from keysh.interp.engine.dispatch import run_command
from keysh.interp.engine.function_call import call_function
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.options import WATCHED_FLAGS
from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node


def plain_command(name: str, node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """A constant name and words, nothing else: 2.2 times as fast as the full form."""
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
                state.call_line = line
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
