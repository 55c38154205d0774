"""Forks: subshells and jobs, which run on a copy of the state."""

from __future__ import annotations

from keysh.runtime.background import start_job
from keysh.runtime.failing import failed
from keysh.runtime.options import ENDS_ON_FAILURE
from keysh.runtime.pipeline import subshell
from keysh.runtime.site import Site
from keysh.runtime.strand import deeper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import Context
    from keysh.runtime.session import Body
    from keysh.runtime.state import State
    from keysh.syntax import ast


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
