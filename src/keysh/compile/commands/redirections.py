"""Redirections: each becomes a closure that changes the state's descriptors."""

from __future__ import annotations

from keysh.compile.commands.assignments import assignment
from keysh.compile.words.marks import is_braced, is_glob, is_many, mark_of
from keysh.interp.engine.errexit import failed
from keysh.interp.run.options import ENDS_ON_FAILURE
from keysh.interp.run.pipe_status import marked
from keysh.interp.run.problem import Problem
from keysh.interp.run.site import Site
from keysh.interp.streams.redirects import (
    connect,
    copy,
    free_number,
    open_file,
    opened,
    read_text,
    restore,
    saved,
)
from keysh.schema.arguments import GlobArgument
from keysh.syntax import ast
from keysh.syntax.constants import constant
from keysh.text.shell_numbers import is_digits
from keysh.values import CONTAINERS, name_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

    Redirecting: TypeAlias = Callable[[State], object]
    from collections.abc import Callable

    from keysh.interp.run.closures import Body


def redirections(nodes: Sequence[ast.Redirection], context: Context) -> list[Redirecting]:
    """What the redirections of a command do, in order."""
    return [redirection(node, context) for node in nodes]


def redirection(node: ast.Redirection, context: Context) -> Redirecting:
    """One redirection."""
    if isinstance(node, ast.Heredoc):
        body = context.text(node.body)
        return numbered(node.fd, 0, lambda state, number: read_text(state, number, body(state)))
    operator = node.operator
    if operator == "<<<":
        line = context.text(node.target)
        return numbered(
            node.fd, 0, lambda state, number: read_text(state, number, f"{line(state)}\n")
        )
    target = path_of(node.target, context)
    if operator in ("&>", "&>>"):
        return both(target, ">>" if operator == "&>>" else ">")
    if operator == ">&" and node.fd is None:
        return either(target)
    if operator in (">&", "<&"):
        return numbered(
            node.fd, int(operator == ">&"), lambda state, number: copy(state, number, target(state))
        )
    default = int(operator not in ("<", "<>"))
    return numbered(
        node.fd, default, lambda state, number: open_file(state, number, operator, target(state))
    )


def numbered(
    fd: int | str | None, default: int, act: Callable[[State, int], object]
) -> Redirecting:
    """A redirection of a number, or `{name}` that is given one."""
    if isinstance(fd, str):
        name = fd.strip("{}")

        def named(state: State) -> None:
            found = state.variables.get(name)
            if isinstance(found, int) and found in state.descriptors:
                act(state, found)  # `{fd}>&-`
                return
            number = free_number(state)
            act(state, number)
            state.assign(name, number)

        return named
    number = default if fd is None else fd
    return lambda state: act(state, number)


def both(target: Expression, operator: str) -> Redirecting:
    """`&> file`: output and errors to one file."""

    def act(state: State) -> None:
        descriptor = opened(state, operator, target(state))
        connect(state, 1, descriptor)
        connect(state, 2, descriptor)

    return act


def either(target: Expression) -> Redirecting:
    """`>& word`: a number or `-` is copied; anything else is a file, as in `&>`."""
    to_file = both(target, ">")

    def act(state: State) -> None:
        found = target(state)
        if is_digits(found.rstrip("-")) or found == "-":
            copy(state, 1, found)
        else:
            to_file(state)

    return act


def may_be_several(part: Node) -> bool:
    """Whether a part of a target may be more than one word, or none."""
    if isinstance(part, ast.DoubleQuoted):
        return any(mark_of(inner) == "@" for inner in part.parts)
    return is_many(part)


def path_of(word: ast.Word, context: Context) -> Expression:
    """The target of a redirection: one text."""
    known = constant(word)
    if known is not None:
        return lambda state: known
    if len(word.parts) == 1 and isinstance(word.parts[0], ast.Variable | ast.Expand):
        read = context.part(word.parts[0])

        def value_path(state: State) -> str:
            found = read(state)
            if isinstance(found, CONTAINERS):
                raise Problem("E201", f"a {name_of(found)} is no path", text_of(found),
                              "${x[0]} for an element").at(word)  # fmt: skip
            return text_of(found)

        return value_path
    if is_glob(word.parts) or is_braced(word) or any(map(may_be_several, word.parts)):
        words = context.words([word], purpose="command")

        def one_path(state: State) -> str:
            found: list[object] = []
            for one in words(state):
                found.extend(one.expand() if isinstance(one, GlobArgument) else [one])
            if len(found) != 1:
                raise Problem("E212", "a redirection's target must be one word",
                              f"{len(found)} words", "quotes, or one of them").at(word)  # fmt: skip
            return text_of(found[0])

        return one_path
    return context.text(word)


def redirected(state: State, redirects: Sequence[Redirecting]) -> int:
    """Make redirections; where one fails, say so and answer the status."""
    try:
        for redirect in redirects:
            redirect(state)
    except OSError as error:
        state.err.write(f"keysh: {error.filename}: {error.strerror}\n")
        return 1
    return 0


# Commands whose redirections are all that is there for them, or for the whole of them.


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
