"""Shortcuts: commands that scripts run most, in a way that skips the binder.

Each does exactly what the command of that name does; whatever is out of the ordinary goes the long
way. A function of the same name sets the SHADOWS flag, and then no shortcut is taken.
"""

from __future__ import annotations

from keysh.compile.late import Late
from keysh.diagnostics.errors import Unwritten
from keysh.interp.engine.dispatch import run_command
from keysh.interp.engine.errexit import failed
from keysh.interp.run.control_flow import Break, Continue, Return, Stopped
from keysh.interp.run.options import ENDS_ON_FAILURE, WATCHED
from keysh.interp.run.problem import Problem
from keysh.interp.run.site import Site
from keysh.interp.run.speech import line_of
from keysh.interp.variables.locals import make_local
from keysh.interp.variables.variable import ABSENT, READONLY
from keysh.syntax import ast
from keysh.syntax.constants import constant
from keysh.values import CONTAINERS, copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State


# `local` by a short way: plain names, each with one word for its value or with none.


def local(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`local a=$1 b`, without options."""
    targets: list[tuple[str, Expression | None]] = []
    for argument in node.arguments[1:]:
        if isinstance(argument, ast.Named) and argument.key.isidentifier() and not argument.append:
            if not isinstance(argument.value, ast.Word):
                return None
            targets.append((argument.key, context.value(argument.value)))
        else:
            name = constant(argument)
            if name is None or not name.isidentifier():
                return None
            targets.append((name, None))
    if not targets:
        return None
    names = [name for name, _ in targets]
    long = context.long_way(node, tested=tested)
    site = Site(context.source, node)

    def run(state: State) -> int:
        if state.flags & WATCHED or state.aliases or not state.frames:
            return long(state)
        attributes = state.attributes
        for name in names:
            if name in attributes and attributes[name] & READONLY:
                return long(state)
        try:
            # All are expanded first: in `local x=1 y=$x` the `$x` is still the caller's.
            values = [None if read is None else copied(read(state)) for _, read in targets]
            for (name, read), value in zip(targets, values, strict=True):
                make_local(state, name)
                if read is not None:
                    state.variables[name] = value
        except Problem as problem:
            return refuse(state, problem)
        state.status = 0
        return 0

    def refuse(state: State, problem: Problem) -> int:
        status = state.status = site.complain(state, problem)
        return failed(state, status, site) if not tested else status

    [first, first_read], *more = targets
    return run if more or first_read is None else only_local(first, first_read, run, refuse)


def only_local(
    name: str, read: Expression, many: Body, refuse: Callable[[State, Problem], int]
) -> Body:
    """`local a=$1` in a function that has made nothing local yet: most have one such line."""

    def run(state: State) -> int:
        frames = state.frames
        at = len(frames)
        if at <= state.shared_frames or state.flags & WATCHED or state.aliases or state.temporary:
            return many(state)
        frame = frames[-1]
        if frame.saved is not None or not frame.is_function or name in state.attributes:
            return many(state)
        try:
            found = read(state)
        except Problem as problem:
            return refuse(state, problem)
        kind = found.__class__
        if kind is not str and kind is not int and isinstance(found, CONTAINERS):
            found = copied(found)
        variables = state.variables
        frame.saved = {name: (variables.get(name, ABSENT), 0)}
        variables[name] = found
        state.status = 0
        return 0

    return run


def shortcut(name: str, node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """The short way of a command, where it has one for these arguments."""
    make = SHORTCUTS.get(name)
    if make is None or (node.assignments and make is not read):
        return None
    return make(node, context, tested)


def guarded(short: Body, node: ast.Simple, context: Context, tested: bool) -> Body:
    """A short way that is taken unless somebody watches."""
    long = context.long_way(node, tested=tested)

    def run(state: State) -> int:
        if state.flags & WATCHED or state.aliases:
            return long(state)
        return short(state)

    return run


# ---------------------------------------------------------------- true, false, break, return


def succeed(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`:` and `true`"""
    if len(node.arguments) > 1:
        return None
    words = [constant(node.arguments[0]) or ""]

    def run(state: State) -> int:
        state.last_words = words
        state.status = 0
        return 0

    return guarded(run, node, context, tested)


def fail(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`false`"""
    if len(node.arguments) > 1:
        return None
    site = Site(context.source, node)

    def run(state: State) -> int:
        state.status = 1
        return failed(state, 1, site) if not tested and state.flags & ENDS_ON_FAILURE else 1

    return guarded(run, node, context, tested)


def leaving(kind: type[Break] | type[Continue]) -> Callable[..., Body | None]:
    """`break` and `continue`"""

    def make(node: ast.Simple, context: Context, tested: bool) -> Body | None:
        if len(node.arguments) > 1:
            return None
        long = context.long_way(node, tested=tested)

        def run(state: State) -> int:
            if not state.loops:
                return long(state)
            raise kind(1)

        return guarded(run, node, context, tested)

    return make


def give_back(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`return` and `return 3`"""
    long = context.long_way(node, tested=tested)
    if len(node.arguments) == 1:

        def last_status(state: State) -> int:
            if not state.frames:
                return long(state)
            raise Return(state.status)

        return guarded(last_status, node, context, tested)
    known = constant(node.arguments[1])
    if len(node.arguments) > 2 or known is None or not is_status(known):
        return None
    status = int(known)

    def run(state: State) -> int:
        if not state.frames:
            return long(state)
        raise Return(status)

    return guarded(run, node, context, tested)


def is_status(text: str) -> bool:
    """Whether a text is a status as most write one."""
    return text.isascii() and text.isdecimal() and len(text) <= 3 and int(text) <= 255


# ---------------------------------------------------------------- echo


def echo(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`echo words`, without options."""
    arguments = node.arguments[1:]
    if any(isinstance(argument, ast.Named) for argument in arguments):
        return None
    site = Site(context.source, node)

    def after(state: State, status: int) -> int:
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    known = [constant(argument) for argument in arguments]
    if all(one is not None for one in known):
        if known and known[0][:1] == "-":  # type: ignore[index]
            return None
        line = f"{' '.join(known)}\n"  # type: ignore[arg-type]
        words = known or ["echo"]

        def fixed(state: State) -> int:
            state.last_words = words
            try:
                state.out.put(line)
            except Unwritten:
                return after(state, run_command(state, "echo", words))
            state.status = 0
            return 0

        return guarded(fixed, node, context, tested)
    read = context.words(arguments, purpose="joined")

    def run(state: State) -> int:
        try:
            found = read(state)
            line = line_of(found)
            if line is None:
                return long_echo(state, found)
            state.last_words = found
            state.out.put(line)
        except Problem as problem:
            return after(state, site.complain(state, problem))
        except Stopped as stopped:
            raise stopped.at(site) from None
        except Unwritten:
            return after(state, run_command(state, "echo", found))
        state.status = 0
        return 0

    def long_echo(state: State, found: list[Any]) -> int:
        state.last_words = found
        return after(state, run_command(state, "echo", found))

    return guarded(run, node, context, tested)


# ---------------------------------------------------------------- read


WHITE = " \t\n"


def read(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`read -r x` and `IFS= read -r x`, the heads of loops over lines."""
    words = [constant(argument) for argument in node.arguments]
    if len(words) != 3 or words[1] != "-r" or not (words[2] or "").isidentifier():
        return None
    keeps_blanks = bool(node.assignments)
    if keeps_blanks and not is_empty_separator(node.assignments):
        return None
    name, site = str(words[2]), Site(context.source, node)
    long = context.long_way(node, tested=tested)

    def run(state: State) -> int:
        separators = "" if keeps_blanks else state.variables.get("IFS", WHITE)
        is_usual = separators == "" or separators == WHITE
        if not is_usual or name in state.attributes or state.flags & WATCHED or state.aliases:
            return long(state)
        try:
            line = state.stdin.read_part(state.longest + 1, "\n")
            if len(line) > state.longest:
                raise state.too_long(len(line))
        except OSError as error:
            state.err.write(f"read: read error: 0: {error.strerror}\n")
            state.status = 1
            return 1
        status = state.status = 0 if line[-1:] == "\n" else 1
        if "\0" in line:
            line = line.replace("\0", "")
        state.variables[name] = line.strip(WHITE) if separators else line.removesuffix("\n")
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return run


def is_empty_separator(assignments: Sequence[ast.Assign]) -> bool:
    """Whether assignments are `IFS=` and nothing else."""
    if len(assignments) != 1:
        return False
    [one] = assignments
    is_plain = one.target.name == "IFS" and not one.target.subscripts and not one.append
    return is_plain and (one.value is None or constant(one.value) == "")


test = Late("commands.fast_test.test")
SHORTCUTS: dict[str, Callable[[ast.Simple, Context, bool], Body | None]] = {
    ":": succeed, "true": succeed, "false": fail, "echo": echo, "[": test, "test": test,
    "local": Late("commands.fast_builtins.local"),
    "break": leaving(Break), "continue": leaving(Continue),
    "return": give_back, "read": read,
}  # fmt: skip
