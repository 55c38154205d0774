"""Coprocesses of the bash dialect: a job whose input and output are descriptors of the shell."""

from __future__ import annotations

from keysh.compile.commands.command_status import fail
from keysh.interp.builtin_operations.coprocess import start_coprocess
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def coproc_command(node: ast.Coproc, context: CompileContext, tested: bool) -> Body:
    """`coproc NAME { …; }`"""
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
