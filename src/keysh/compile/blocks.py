"""Blocks: commands one after the other, chains, pipelines, groups and subshells."""

from __future__ import annotations

from keysh.compile.redirects import redirections
from keysh.compile.simple import redirected, strictly, substitutes_processes
from keysh.runtime.dispatch import program_of
from keysh.runtime.failing import failed
from keysh.runtime.jobs import start_job
from keysh.runtime.options import ENDS_ON_FAILURE, ERREXIT, PIPEFAIL
from keysh.runtime.pipeline import GENERATOR_FLAG, Pipe, Stage, subshell
from keysh.runtime.problem import Problem
from keysh.runtime.redirects import restore, saved
from keysh.runtime.signals import Stopped
from keysh.runtime.site import Site
from keysh.runtime.strand import deeper
from keysh.runtime.timing import timed
from keysh.syntax import ast
from keysh.syntax.literals import constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import Context
    from keysh.runtime.pipeline import Program, Pull
    from keysh.runtime.session import Body, Expression
    from keysh.runtime.state import State
    from keysh.schema.declare import Command


def block(node: ast.Block | None, context: Context, tested: bool) -> Body:
    """Commands, one after the other. Of a block that is tested only the last command is."""
    if node is None:
        return nothing
    commands = node.commands
    if len(commands) == 1:
        return context.command(commands[0], tested=tested)
    bodies = tuple(context.command(command, tested=tested) for command in commands)
    if len(bodies) == 2:
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


def nothing(state: State) -> int:
    """An empty block."""
    state.status = 0
    return 0


# ---------------------------------------------------------------- chains


def chain(node: ast.Chain, context: Context, tested: bool) -> Body:
    """`a && b || c`: what is not the last is tested."""
    last = len(node.commands) - 1
    bodies = [
        context.command(command, tested=tested or at < last)
        for at, command in enumerate(node.commands)
    ]
    if last == 1:
        first, second = bodies
        if node.operators[0] == "&&":

            def both(state: State) -> int:
                status = first(state)
                return status or second(state)

            return both

        def either(state: State) -> int:
            return second(state) if first(state) else 0

        return either
    pairs = list(zip((operator == "&&" for operator in node.operators), bodies[1:], strict=True))
    head = bodies[0]

    def run(state: State) -> int:
        status = head(state)
        for is_and, body in pairs:
            if (status == 0) is is_and:
                status = body(state)
        return status

    return run


# ---------------------------------------------------------------- pipelines


def pipeline(node: ast.Pipeline, context: Context, tested: bool) -> Body:
    """`time ! a | b`"""
    body = stages(node, context, tested or node.negations % 2 == 1)
    if node.negations % 2:
        body = negated(body, body if tested else unasked(node, body, context))
    return timed(body, node.timing) if node.timing else body


def negated(lenient: Body, strict: Body) -> Body:
    """`! a`, whose failure is no failure; but a `set -e` within it holds at once, as in bash."""

    def run(state: State) -> int:
        body = lenient if state.flags & ERREXIT else strict
        status = state.status = 0 if body(state) else 1
        return status

    return run


def unasked(node: ast.Pipeline, lenient: Body, context: Context) -> Body:
    """What `!` inverts, where failures within it are no matter of the `!`."""
    stage = node.stages[0] if len(node.stages) == 1 else None
    if isinstance(stage, ast.Simple):
        return strictly(lenient)
    return context.command(stage) if isinstance(stage, ast.Group) else lenient


def stages(node: ast.Pipeline, context: Context, tested: bool) -> Body:
    """The commands of a pipeline."""
    if not node.stages:
        return nothing  # `time` and `!` alone
    if len(node.stages) == 1:
        return context.command(node.stages[0], tested=tested)
    operators = [*node.operators, ""]
    made = []
    for stage, operator in zip(node.stages, operators, strict=True):
        # A simple command is judged with the pipeline; what runs within it is judged there.
        is_simple = isinstance(stage, ast.Simple)
        if isinstance(stage, ast.Subshell) and operator:
            body = context.block(stage.body, tested=tested)  # the stage is a fork already
        else:
            body = context.command(stage, tested=tested or is_simple)
        if is_simple and not tested:
            body = strictly(body)
        plain = plain_words(stage, context) if operator else None
        made.append(
            Stage(
                body, pull_of(plain), program_stage(plain), operator == "|&", is_harmless(stage),
                Site(context.source, stage) if isinstance(stage, ast.Simple) else None,
            )
        )  # fmt: skip
    site = Site(context.source, node)

    def run(state: State) -> int:
        try:
            statuses = Pipe(state, made).run()
        except Stopped as stopped:
            raise stopped.at(site) from None
        state.pipe_statuses = statuses
        status = statuses[-1]
        if not status and state.flags & PIPEFAIL:
            status = next((one for one in reversed(statuses) if one), 0)
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return run


def plain_words(stage: ast.Command, context: Context) -> tuple[str, Expression] | None:
    """The name and the words of a stage that is words alone, which open no descriptor."""
    if not isinstance(stage, ast.Simple) or not stage.arguments:
        return None
    if stage.assignments or stage.redirects or substitutes_processes(stage):
        return None
    name = constant(stage.arguments[0])
    if name is None:
        return None
    return name, context.words(stage.arguments[1:], purpose="command")


def pull_of(plain: tuple[str, Expression] | None) -> Pull | None:
    """How a stage is pulled from, where it may be a command that yields its output."""
    if plain is None:
        return None
    name, words = plain

    def pull(state: State) -> tuple[str, Command, list[object]] | None:
        if name in state.functions or name in state.aliases:
            return None
        command = state.session.registry.command_named(name)
        if command is None or not command.function.__code__.co_flags & GENERATOR_FLAG:
            return None
        try:
            return name, command, words(state)
        except Problem:
            return None  # it is run and fails on its own

    return pull


def program_stage(plain: tuple[str, Expression] | None) -> Program | None:
    """How a stage is started as a real program, where it may be one."""
    if plain is None:
        return None
    name, words = plain

    def program(state: State) -> tuple[list[str], str] | None:
        try:
            return program_of(state, name, words)
        except Problem:
            return None  # it is run and fails on its own

    return program


HARMLESS = (ast.Word, ast.Text, ast.Quoted, ast.Variable, ast.DoubleQuoted, ast.Glob, ast.Tilde)


def is_harmless(stage: ast.Command) -> bool:
    """Whether a command's words can change nothing of the state."""
    if not isinstance(stage, ast.Simple):
        return False
    return all(
        isinstance(argument, ast.Word)
        and all(isinstance(inner, HARMLESS) for inner in argument.walk())
        for argument in stage.arguments
    )


# ---------------------------------------------------------------- groups


def group(node: ast.Group, context: Context, tested: bool) -> Body:
    """`{ …; }`"""
    return context.block(node.body, tested=tested)


def subshelled(node: ast.Subshell, context: Context, tested: bool) -> Body:
    """`( … )`: what happens in it stays in it."""
    body = context.block(node.body, tested=tested)
    site = Site(context.source, node)

    def run(state: State) -> int:
        status = state.status = deeper(state, lambda: subshell(state.fork(), body))
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return run


def background(node: ast.Background, context: Context, tested: bool) -> Body:
    """`command &`"""
    body = context.command(node.command, tested=True)
    site = Site(context.source, node.command)

    def run(state: State) -> int:
        start_job(state, body, site.text)
        state.status = 0
        return 0

    return run


def redirected_command(node: ast.Redirected, context: Context, tested: bool) -> Body:
    """A compound command with redirections."""
    body = context.command(node.command, tested=tested)
    redirects = redirections(node.redirects, context)
    site = Site(context.source, node)

    def run(state: State) -> int:
        before = saved(state)
        try:
            status = redirected(state, redirects)
            if not status:
                return body(state)
        except Problem as problem:
            status = site.complain(state, problem)
        finally:
            restore(state, before)
        state.status = status
        if not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return run
