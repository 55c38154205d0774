"""Blocks: sequences of commands, `&&` and `||` chains, groups."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def block(node: ast.Block | None, context: CompileContext, tested: bool) -> Body:
    """Compile a sequence of commands. Where the block is tested, only its last command is."""
    if node is None:
        return empty_block
    commands = node.commands
    if len(commands) == 1:
        return context.command(commands[0], tested=tested)
    bodies = tuple(context.command(command, tested=tested) for command in commands)
    if len(bodies) == 2:  # the usual body of a loop or function: saves 5 % of calling one
        first, second = bodies

        def two(state: State) -> int:
            first(state)
            return second(state)

        return two

    def run(state: State) -> int:
        status = 0
        for body in bodies:
            status = body(state)
        return status

    return run


def empty_block(state: State) -> int:
    """Do nothing, successfully."""
    state.status = 0
    return 0


# ---------------------------------------------------------------- chains


def chain(node: ast.Chain, context: CompileContext, tested: bool) -> Body:
    """`a && b || c`: all but the last are tested"""
    last = len(node.commands) - 1
    bodies = [
        context.command(command, tested=tested or at < last)
        for at, command in enumerate(node.commands)
    ]
    pairs = list(zip((operator == "&&" for operator in node.operators), bodies[1:], strict=True))
    head = bodies[0]

    def run(state: State) -> int:
        status = head(state)
        for is_and, body in pairs:
            if (status == 0) is is_and:
                status = body(state)
        return status

    return run


# ---------------------------------------------------------------- groups


def group(node: ast.Group, context: CompileContext, tested: bool) -> Body:
    """`{ …; }`"""
    return context.block(node.body, tested=tested)
