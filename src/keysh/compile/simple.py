"""Simple commands: assignments, words, redirections.

The way of a command: its words are expanded, its redirections are made, its assignments hold, and
the name decides what runs. Each closure leaves the status in the state. A problem fails the command
alone; a failure that nobody tests ends the run under `set -e`.
"""

from __future__ import annotations

from keysh.compile.alias_words import FollowingWords, bare_text
from keysh.compile.assignments import assignment, assignments, holds_substitution
from keysh.compile.redirects import redirections
from keysh.compile.shortcuts import shortcut
from keysh.compile.words import is_many
from keysh.runtime.dispatch import run_command
from keysh.runtime.failing import failed, watched
from keysh.runtime.forwarding import received
from keysh.runtime.functions import call
from keysh.runtime.options import ENDS_ON_FAILURE, WATCHED
from keysh.runtime.problem import Problem
from keysh.runtime.redirects import keep, restore, saved
from keysh.runtime.signals import Stopped
from keysh.runtime.site import Site
from keysh.runtime.state import ABSENT, put_back
from keysh.schema.arguments import GlobArgument, NamedArgument
from keysh.syntax import ast
from keysh.syntax.literals import constant
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.compile.context import Context
    from keysh.compile.redirects import Redirecting
    from keysh.runtime.session import Body, Expression
    from keysh.runtime.state import State
    from keysh.syntax.node import Node

NOT_FOUND = 127
SHOW_VALUES = ("keys", "tojson", "tojsonl", "typeof", "values")


def simple(node: ast.Simple, context: Context, tested: bool) -> Body:
    """A simple command; where a script looks at PIPESTATUS it is a pipeline of one."""
    body = simple_command(node, context, tested)
    if not context.counts_statuses:
        return body

    def counted(state: State) -> int:
        status = body(state)
        state.pipe_statuses = [status]
        return status

    return counted


def simple_command(node: ast.Simple, context: Context, tested: bool) -> Body:
    """A simple command."""
    body = chosen(node, context, tested)
    return ending_substitutions(body) if substitutes_processes(node) else body


def substitutes_processes(node: ast.Simple) -> bool:
    """Whether a word of a command is, or holds, `<(…)` or `>(…)`."""
    return any(
        isinstance(part, ast.ProcessSubstitution)
        for argument in node.arguments
        if isinstance(argument, ast.Word)
        for part in argument.parts
    )


def ending_substitutions(body: Body) -> Body:
    """The descriptors that words have opened are closed when the command has ended."""

    def run(state: State) -> int:
        before = saved(state)
        try:
            return body(state)
        finally:
            restore(state, before)

    return run


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
    is_special = holds_special(node.arguments[1:])
    site = Site(context.source, node)
    is_slow = general(node, context, tested)
    line = context.source.position(node.start)[0]

    def run(state: State) -> int:
        if state.flags & WATCHED or (state.aliases and name in state.aliases):
            return is_slow(state)
        try:
            arguments = words(state)
            state.last_words = arguments or (name,)
            function = state.functions.get(name)
            if function is None:
                status = run_command(state, name, arguments)
            else:
                if is_special and function.command is None:
                    arguments = received(arguments)
                status = call(state, function, arguments, line)
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
    if name == "let":
        return "sums"
    return "arguments" if name == "set" else "command"


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


# ---------------------------------------------------------------- everything else


def general(node: ast.Simple, context: Context, tested: bool) -> Body:
    """A command with all it can have."""
    site = Site(context.source, node)
    name = constant(node.arguments[0])
    words = context.words(node.arguments, purpose=purpose_of(name))
    prefix = [prefixed(one, context) for one in node.assignments]
    redirects = redirections(node.redirects, context)
    for_complaints = redirects if any(map(leads_errors, node.redirects)) else []
    bare_name = bare_text(node.arguments[0])
    following = FollowingWords(node.arguments[1:], context, purpose_of(name))

    def run(state: State) -> int:
        try:
            alias = state.aliases.get(bare_name) if state.aliases else None
            if alias is None:
                status = run_here(state, words(state))
            else:
                status = alias.run(state, following, prefix, redirects, site)
        except Problem as problem:
            status = complained(state, problem, for_complaints, site)
        except Stopped as stopped:
            raise stopped.at(site) from None
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    def run_here(state: State, found: list[Any]) -> int:
        if found and found[0].__class__ is GlobArgument:
            found = [*found[0].expand(), *found[1:]]
        elif found and found[0].__class__ is NamedArgument:
            found = [found[0].text, *found[1:]]
        if not found:
            return without_name(state, prefix, redirects, state.status)
        if state.flags & WATCHED and not watched(state, found, node.assignments, site):
            return state.status
        state.last_words = passed_last(found)
        return performed(state, found, prefix, redirects, site, tested)

    return run


def leads_errors(node: ast.Redirection) -> bool:
    """Whether a redirection leads standard error elsewhere."""
    if not isinstance(node, ast.Redirect):
        return False
    operator = node.operator
    return node.fd == 2 or operator in ("&>", "&>>") or (operator == ">&" and node.fd is None)


def complained(state: State, problem: Problem, redirects: Sequence[Redirecting], site: Site) -> int:
    """Say what is wrong with a command's words where its messages go."""
    before = saved(state)
    try:
        redirected(state, redirects)
        return site.complain(state, problem)
    except Problem:
        return site.complain(state, problem)
    finally:
        restore(state, before)


def passed_last(found: list[Any]) -> list[Any]:
    """The last word, as `$_` has it."""
    last = found[-1]
    return [last.text if isinstance(last, NamedArgument | GlobArgument) else last]


def performed(
    state: State,
    found: Sequence[Any],
    prefix: Sequence[tuple[str, Expression]],
    redirects: Sequence[Redirecting],
    site: Site,
    tested: bool,
) -> int:
    """Run words with their redirections and assignments; the status."""
    is_bare = len(found) == 1 or (len(found) == 2 and found[1] == "--")
    if is_bare and text_of(found[0]) == "exec" and "exec" not in state.functions:
        return made_to_stay(state, redirects)
    before = saved(state) if redirects else None
    state.is_tested += tested
    try:
        if redirects:
            problem = redirected(state, redirects)
            if problem:
                return problem
        if not prefix:
            return run_found(state, found, site)
        undo: list[tuple[str, Any, int]] = []
        outer = state.temporary
        try:
            for name, read in prefix:
                undo.append(
                    (name, state.variables.get(name, ABSENT), state.attributes.get(name, 0))
                )
                state.assign_copy(name, read(state))
                state.export(name)
            place = len(state.frames) + 1 if text_of(found[0]) in state.functions else 0
            state.temporary = outer | {name: (value, bits, place) for name, value, bits in undo}
            return run_found(state, found, site)
        finally:
            state.temporary = outer
            for name, value, bits in reversed(undo):
                put_back(state, name, value, bits)
    except Problem as problem:
        return site.complain(state, problem)
    finally:
        state.is_tested -= tested
        if before is not None:
            restore(state, before)


def run_found(state: State, found: Sequence[Any], site: Site) -> int:
    """Run words: a function sees what they stand for, a command binds them."""
    name = text_of(found[0])
    function = state.functions.get(name)
    if function is None:
        return run_command(state, name, found[1:])
    words = found[1:] if function.command is not None else received(found[1:])
    return call(state, function, words, site.line)


def redirected(state: State, redirects: Sequence[Redirecting]) -> int:
    """Make redirections; where one fails, say so and answer the status."""
    try:
        for redirect in redirects:
            redirect(state)
    except OSError as error:
        state.err.write(f"keysh: {error.filename}: {error.strerror}\n")
        return 1
    return 0


def made_to_stay(state: State, redirects: Sequence[Redirecting]) -> int:
    """`exec 3>file`: redirections of the shell itself."""
    before = saved(state)
    problem = redirected(state, redirects)
    if problem:
        restore(state, before)
    else:
        keep(state, before)
    return problem


def without_name(
    state: State,
    prefix: Sequence[tuple[str, Expression]],
    redirects: Sequence[Redirecting],
    status: int,
) -> int:
    """Words that have all vanished: what is left are assignments, and redirections."""
    before = saved(state)
    try:
        problem = redirected(state, redirects)
        if problem:
            return problem
        for name, read in prefix:
            state.assign_copy(name, read(state))
        return status
    finally:
        restore(state, before)


def prefixed(node: ast.Assign, context: Context) -> tuple[str, Expression]:
    """`NAME=value` in front of a command."""
    name = node.target.name
    read = context.value(node.value) if node.value is not None else lambda state: ""
    if not node.append:
        return name, read
    return name, lambda state: text_of(state.variables.get(name)) + text_of(read(state))


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
        except Problem as problem:
            status = site.complain(state, problem)
        finally:
            restore(state, before)
        state.status = status
        return status

    return run


def bare_redirects(node: ast.Simple, context: Context, tested: bool) -> Body:
    """Redirections without a command: the files are made, and nothing else happens."""
    redirects = redirections(node.redirects, context)
    assign: list[Callable[[State], object]] = [assignment(one, context) for one in node.assignments]
    site = Site(context.source, node)
    substitutes = holds_substitution(node)

    def run(state: State) -> int:
        before = saved(state)
        if substitutes:
            state.status = 0
        try:
            status = redirected(state, redirects)
            if not status:
                for act in assign:
                    act(state)
                status = state.status if substitutes else 0
        except Problem as problem:
            status = site.complain(state, problem)
        finally:
            restore(state, before)
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return run
