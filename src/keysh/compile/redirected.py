"""Commands whose redirections are all that is there for them, or for the whole of them."""

from __future__ import annotations

from keysh.compile.assignments import assignment
from keysh.compile.redirects import redirected, redirections
from keysh.runtime.failing import failed
from keysh.runtime.options import ENDS_ON_FAILURE
from keysh.runtime.pipe_status import marked
from keysh.runtime.problem import Problem
from keysh.runtime.redirects import restore, saved
from keysh.runtime.site import Site

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.compile.context import Context
    from keysh.runtime.body import Body
    from keysh.runtime.state import State
    from keysh.syntax import ast


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


def bare_redirects(node: ast.Simple, context: Context, tested: bool) -> Body:
    """Redirections without a command: the files are made, and nothing else happens.

    Assignments come first: what a `$(…)` in them reads and complains of is not redirected.
    """
    redirects = redirections(node.redirects, context)
    assign: list[Callable[[State], object]] = [assignment(one, context) for one in node.assignments]
    site = Site(context.source, node)

    def run(state: State) -> int:
        before = saved(state)
        unchanged = state.status = marked(state.status)
        try:
            for act in assign:
                act(state)
            status = redirected(state, redirects)
            if not status and state.status is not unchanged:
                status = state.status
        except Problem as problem:
            status = site.complain(state, problem)
        finally:
            restore(state, before)
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return run


def copied_input(node: ast.Simple, context: Context) -> Body:
    """`<file` alone in a `$(…)`, which is what `cat` would print."""
    redirects = redirections(node.redirects, context)
    site = Site(context.source, node)

    def run(state: State) -> int:
        before = saved(state)
        try:
            status = redirected(state, redirects)
            if not status:
                state.out.writelines(state.stdin.chunks())
        except OSError as error:
            state.err.write(f"keysh: read error: {error.strerror}\n")
            status = 1
        except Problem as problem:
            status = site.complain(state, problem)
        finally:
            restore(state, before)
        state.status = status
        return status

    return run


def ending_substitutions(body: Body) -> Body:
    """The descriptors that words have opened are closed when the command has ended."""

    def run(state: State) -> int:
        before = saved(state)
        try:
            return body(state)
        finally:
            restore(state, before)

    return run
