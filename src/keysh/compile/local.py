"""`local` by a short way: plain names, each with one word for its value or with none."""

from __future__ import annotations

from keysh.runtime.failing import failed
from keysh.runtime.local_variables import make_local
from keysh.runtime.options import WATCHED
from keysh.runtime.problem import Problem
from keysh.runtime.site import Site
from keysh.runtime.variable import ABSENT, READONLY
from keysh.syntax import ast
from keysh.syntax.literals import constant
from keysh.values import CONTAINERS, copied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.compile.context import Context
    from keysh.runtime.body import Body, Expression
    from keysh.runtime.state import State


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
