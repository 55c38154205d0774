"""Simple commands: assignments, words, redirections.

The way of a command: its words are expanded, its redirections are made, its assignments hold, and
the name decides what runs. Each closure leaves the status in the state. A problem fails the command
alone; a failure that nobody tests ends the run under `set -e`.
"""

from __future__ import annotations

from keysh.compile.commands.fast_builtins import shortcut
from keysh.compile.late import Late
from keysh.compile.words.marks import is_many
from keysh.interp.engine.dispatch import run_command
from keysh.interp.engine.errexit import failed
from keysh.interp.engine.function_call import call
from keysh.interp.run.control_flow import Stopped
from keysh.interp.run.options import ENDS_ON_FAILURE, WATCHED
from keysh.interp.run.problem import Problem
from keysh.interp.run.site import Site
from keysh.syntax import ast
from keysh.syntax.constants import constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

    Making: TypeAlias = Callable[[ast.Simple, Context, bool], Body]

assignments: Making = Late("commands.assignments.assignments")
bare_redirects: Making = Late("commands.redirections.bare_redirects")
ending_substitutions: Callable[[Body], Body] = Late("commands.redirections.ending_substitutions")
general: Making = Late("commands.full.general")

JOINERS = ("echo", "eval")
SHOW_VALUES = ("keys", "tojson", "tojsonl", "typeof", "values")


def simple(node: ast.Simple, context: Context, tested: bool) -> Body:
    """A simple command."""
    body = chosen(node, context, tested)
    if tested and not is_fixed(node) and holds_substitution(node):
        body = leniently(body)  # a test of the command is one of its `$(…)`, too
    return ending_substitutions(body) if substitutes_processes(node) else body


def is_fixed(node: ast.Simple) -> bool:
    """Whether a command is nothing but constant words, which is seen at a glance."""
    if node.redirects or node.assignments:
        return False
    return all(constant(argument) is not None for argument in node.arguments)


def holds_substitution(node: ast.Simple) -> bool:
    """Whether a `$(…)` stands anywhere in a command, whose status may then be its own."""
    return any(isinstance(inner, ast.Substitution) for inner in node.walk())


def substitutes_processes(node: ast.Simple) -> bool:
    """Whether a word of a command is, or holds, `<(…)` or `>(…)`."""
    return any(
        isinstance(part, ast.ProcessSubstitution)
        for argument in node.arguments
        if isinstance(argument, ast.Word)
        for part in argument.parts
    )


def chosen(node: ast.Simple, context: Context, tested: bool) -> Body:
    """The shortest way there is for a command."""
    if not node.arguments:
        if node.redirects:
            return bare_redirects(node, context, tested)
        return assignments(node, context, tested)
    name = None if node.redirects else constant(node.arguments[0])
    if name is not None:
        short = shortcut(name, node, context, tested)
        if short is not None:
            return short
        if not node.assignments:
            return plain(name, node, context, tested)
    return general(node, context, tested)


# ---------------------------------------------------------------- a name and words


def plain(name: str, node: ast.Simple, context: Context, tested: bool) -> Body:
    """A command whose name is known, without assignments and redirections."""
    words = context.words(node.arguments[1:], purpose=purpose_of(name))
    receive = receiver_of(node.arguments[1:])
    site = Site(context.source, node)
    long = context.long_way(node, tested=tested)
    line = context.source.position(node.start)[0]

    def run(state: State) -> int:
        if state.flags & WATCHED or (state.aliases and name in state.aliases):
            return long(state)
        try:
            arguments = words(state)
            function = state.functions.get(name)
            if function is None:
                status = run_command(state, name, arguments)
            else:
                if receive is not None and function.command is None:
                    arguments = receive(arguments)
                status = call(state, function, arguments, line)
            state.last_words = arguments or (name,)
        except Problem as problem:
            status = site.complain(state, problem)
        except Stopped as stopped:
            raise stopped.at(site) from None
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return leniently(run) if tested else run


def leniently(body: Body) -> Body:
    """A command whose status is tested: what fails within it does not end the run."""

    def run(state: State) -> int:
        state.is_tested += 1
        try:
            return body(state)
        finally:
            state.is_tested -= 1

    return run


def strictly(body: Body) -> Body:
    """A command that is compiled as tested, of which only its own status is."""

    def run(state: State) -> int:
        state.is_tested -= 1
        try:
            return body(state)
        finally:
            state.is_tested += 1

    return run


def purpose_of(name: str | None) -> str:
    """What a command's words are for: those of `set` become a list, where sh would split them."""
    if name in SHOW_VALUES:
        return "values"
    if name in JOINERS:
        return "joined"
    if name == "let":
        return "sums"
    return "arguments" if name == "set" else "command"


def receiver_of(arguments: Sequence[ast.Argument]) -> Callable[[list[object]], list[object]] | None:
    """What makes words those that a function has as `$@`; None where they stay as they are."""
    if not holds_special(arguments):
        return None
    from keysh.interp.variables.forwarding import received  # noqa: PLC0415 - few words are special

    return received


def holds_special(arguments: Sequence[ast.Argument]) -> bool:
    """Whether words may be more than values: named, or a glob."""
    return any(
        isinstance(argument, ast.Named)
        or (
            isinstance(argument, ast.Word)
            and any(
                isinstance(part, ast.Glob | ast.ExtendedGlob | ast.Brace) or hands_on(part)
                for part in argument.parts
            )
        )
        for argument in arguments
    )


def hands_on(part: Node) -> bool:
    """Whether a part may hand on the named arguments of the function that it stands in."""
    inner = part.parts if isinstance(part, ast.DoubleQuoted) else [part]
    return any(map(is_many, inner))
