"""Blocks: sequences of commands, `&&` and `||` chains, groups."""

from __future__ import annotations

from keysh.interp.run.control_flow import Refused
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State


# A longer list is charged to the budget by itself, in pieces of this length. A shorter one costs
# less than whatever it belongs to, which is charged.
UNCHARGED_COMMANDS = 16


def block(node: ast.Block | None, context: CompileContext, tested: bool) -> Body:
    """Compile a sequence of commands. Where the block is tested, only its last command is."""
    if node is None:
        return empty_block
    commands = node.commands
    if len(commands) == 1:
        return context.command(commands[0], tested=tested)
    return sequence(tuple(context.command(command, tested=tested) for command in commands))


def script_block(node: ast.Block | None, context: CompileContext) -> Body:
    """Compile the commands of a script itself."""
    if node is None:
        return empty_block
    bodies = tuple(map(context.script_command, node.commands))
    return bodies[0] if len(bodies) == 1 else sequence(bodies)


def sequence(bodies: Sequence[Body]) -> Body:
    """Run commands one after the other."""
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

    return run if len(bodies) <= UNCHARGED_COMMANDS else charged_pieces(bodies)


def charged_pieces(bodies: Sequence[Body]) -> Body:
    """Run many commands one after the other, and charge the budget for them."""
    pieces = [
        bodies[start : start + UNCHARGED_COMMANDS]
        for start in range(0, len(bodies), UNCHARGED_COMMANDS)
    ]

    def run(state: State) -> int:
        status, budget = 0, state.budget
        for piece in pieces:
            budget.steps_left -= len(piece)
            if budget.steps_left < 0:
                budget.refill()
            for body in piece:
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
        tested_command(command, context) if at < last else context.command(command, tested=tested)
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

    def run_charged(state: State) -> int:
        status, budget = head(state), state.budget
        for index, (is_and, body) in enumerate(pairs):
            if not index % UNCHARGED_COMMANDS:
                budget.steps_left -= UNCHARGED_COMMANDS
                if budget.steps_left < 0:
                    budget.refill()
            if (status == 0) is is_and:
                status = body(state)
        return status

    return run if len(bodies) <= UNCHARGED_COMMANDS else run_charged


# ---------------------------------------------------------------- what is tested


def condition_block(node: ast.Block | None, context: CompileContext) -> Body:
    """The condition of `if`, `while` and `until`: its last command is tested."""
    if node is None:
        return empty_block
    *before, last = node.commands
    bodies = [context.command(command, tested=True) for command in before]
    ending = tested_command(last, context)
    return sequence((*bodies, ending)) if bodies else ending


def tested_command(node: ast.Command, context: CompileContext) -> Body:
    """A command whose status is tested. A refusal inside a subshell ends only that."""
    body = context.command(node, tested=True)
    return subshell_with_refusals(body) if is_subshell(node) else body


def is_subshell(node: ast.Command) -> bool:
    """Whether a command is `( … )`, perhaps with redirections or a `!`."""
    while True:
        if isinstance(node, ast.Redirected):
            node = node.command
        elif isinstance(node, ast.Pipeline) and len(node.stages) == 1:
            node = node.stages[0]
        else:
            return isinstance(node, ast.Subshell)


def subshell_with_refusals(body: Body) -> Body:
    """A tested subshell: a refusal ends the subshell alone."""

    def run(state: State) -> int:
        try:
            return body(state)
        except Refused as refusal:
            state.status = refusal.status
            return refusal.status

    return run


# ---------------------------------------------------------------- groups


def group(node: ast.Group, context: CompileContext, tested: bool) -> Body:
    """`{ …; }`"""
    return context.block(node.body, tested=tested)
