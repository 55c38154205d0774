"""Subshells and background jobs, which run on a copy of the state."""

from __future__ import annotations

from keysh.compile.commands.command_status import fail, settle
from keysh.compile.commands.pipelines import HARMLESS_NODES
from keysh.interp.engine.background import start_job
from keysh.interp.engine.command_lookup import is_program as means_program
from keysh.interp.engine.pipeline import run_fork
from keysh.interp.engine.thread_handoff import run_deeper
from keysh.interp.engine.traps import run_debug_trap
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.syntax import ast
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State


def subshell_command(node: ast.Subshell, context: CompileContext, tested: bool) -> Body:
    """`( … )`"""
    body = context.block(node.body, tested=tested)
    site = Site(context.source, node)

    def run(state: State) -> int:
        status = run_deeper(state, lambda: run_fork(subshell_of(state), body, "subshell"))
        return settle(state, status, site, tested)

    return run


def subshell_of(state: State) -> State:
    """Return a fork for `( … )`, which knows only its own jobs."""
    child = state.fork()
    child.has_own_jobs = True
    return child


def background_command(node: ast.Background, context: CompileContext, tested: bool) -> Body:
    """`command &`"""
    if isinstance(node.command, ast.Subshell):
        body = context.block(node.command.body, tested=tested)  # the job is the subshell
    else:
        body = context.command(node.command, tested=tested)
    site = Site(context.source, node.command)
    is_simple = isinstance(node.command, ast.Simple)
    is_program = program_test(node.command, context)
    has_more = isinstance(node.command, ast.Pipeline) and len(node.command.stages) > 1

    def run(state: State) -> int:
        if is_simple:
            run_debug_trap(state, site)  # here, since a job inherits no traps
        state.background_job = start_job(
            state, body, site.text, is_program=is_program(state), has_more=has_more
        )
        state.status = 0
        return 0

    return run


def program_test(node: ast.Command, context: CompileContext) -> Callable[[State], bool]:
    """Whether a job is a real program or a pipeline that ends in one, whose pid is the job's."""
    last = node.stages[-1] if isinstance(node, ast.Pipeline) and node.stages else node
    first = last.arguments[0] if isinstance(last, ast.Simple) and last.arguments else None
    # The word is expanded twice, here and by the job, so that must have no side effects.
    if first is None or not all(isinstance(part, HARMLESS_NODES) for part in first.walk()):
        return lambda state: False
    words = context.words([first], purpose="command")

    def is_program(state: State) -> bool:
        if not state.session.has_programs:
            return False
        try:
            expanded = words(state)
            name = text_of(expanded[0]) if expanded else ""
            return bool(name) and means_program(state, name)
        except RuntimeDiagnostic:
            return False  # the job reports it

    return is_program


def coproc_command(node: ast.Coproc, context: CompileContext, tested: bool) -> Body:
    """`coproc NAME { …; }`"""
    from keysh.interp.builtin_operations.coprocess import start_coprocess  # noqa: PLC0415 - few scripts have any

    body = context.command(node.command, tested=tested)
    site = Site(context.source, node)

    def run(state: State) -> int:
        try:
            start_coprocess(state, node.name, body, site.text)
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested)
        state.status = 0
        return 0

    return run
