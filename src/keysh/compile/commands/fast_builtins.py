"""Shortcuts: commands that scripts run most, in a way that skips the binder.

Each does exactly what the command of that name does; whatever is out of the ordinary goes the long
way. A function of the same name sets the SHADOWS flag, and then no shortcut is taken.
"""

from __future__ import annotations

from keysh.compile.late import LazyCompiler
from keysh.diagnostics.errors import UnwritableOutput
from keysh.interp.engine.dispatch import run_command
from keysh.interp.engine.errexit import handle_failure
from keysh.interp.run.control_flow import Break, Continue, LimitReached, Return
from keysh.interp.run.options import ENDS_ON_FAILURE, WATCHED_FLAGS
from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.interp.run.speech import line_of
from keysh.interp.variables.locals import make_local
from keysh.interp.variables.variable import READONLY
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.values import ABSENT, CONTAINERS, deep_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State


# `local` by a short way: plain names, each with one word for its value or with none.


def fast_local(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`local a=$1 b`, without options."""
    targets: list[tuple[str, Expression | None]] = []
    for argument in node.arguments[1:]:
        if isinstance(argument, ast.Named) and argument.key.isidentifier() and not argument.append:
            if not isinstance(argument.value, ast.Word):
                return None
            targets.append((argument.key, context.value(argument.value)))
        else:
            name = constant_text(argument)
            if name is None or not name.isidentifier():
                return None
            targets.append((name, None))
    if not targets:
        return None
    names = [name for name, _ in targets]
    long = context.full_command(node, tested=tested)
    site = Site(context.source, node)

    def run(state: State) -> int:
        if state.flags & WATCHED_FLAGS or state.aliases or not state.frames:
            return long(state)
        attributes = state.attributes
        for name in names:
            if name in attributes and attributes[name] & READONLY:
                return long(state)
        try:
            # All are expanded first: in `local x=1 y=$x` the `$x` is still the caller's.
            values = [None if read is None else deep_copy(read(state)) for _, read in targets]
            for (name, read), value in zip(targets, values, strict=True):
                make_local(state, name)
                if read is not None:
                    state.variables[name] = value
        except RuntimeDiagnostic as problem:
            return refuse(state, problem)
        state.status = 0
        return 0

    def refuse(state: State, problem: RuntimeDiagnostic) -> int:
        status = state.status = site.report(state, problem)
        return handle_failure(state, status, site) if not tested else status

    [first, first_read], *more = targets
    return run if more or first_read is None else first_local(first, first_read, run, refuse)


def first_local(
    name: str, read: Expression, many: Body, refuse: Callable[[State, RuntimeDiagnostic], int]
) -> Body:
    """`local a=$1` in a function that has made nothing local yet: most have one such line."""

    def run(state: State) -> int:
        frames = state.frames
        at = len(frames)
        if (
            at <= state.shared_frames
            or state.flags & WATCHED_FLAGS
            or state.aliases
            or state.temporary
        ):
            return many(state)
        frame = frames[-1]
        if frame.saved_variables is not None or not frame.is_function or name in state.attributes:
            return many(state)
        try:
            found = read(state)
        except RuntimeDiagnostic as problem:
            return refuse(state, problem)
        kind = found.__class__
        if kind is not str and kind is not int and isinstance(found, CONTAINERS):
            found = deep_copy(found)
        variables = state.variables
        frame.saved_variables = {name: (variables.get(name, ABSENT), 0)}
        variables[name] = found
        state.status = 0
        return 0

    return run


def fast_command(name: str, node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """The short way of a command, where it has one for these arguments."""
    make = FAST_BUILTINS.get(name)
    if make is None or (node.assignments and make is not fast_read):
        return None
    return make(node, context, tested)


def unless_watched(short: Body, node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """A short way that is taken unless somebody watches."""
    long = context.full_command(node, tested=tested)

    def run(state: State) -> int:
        if state.flags & WATCHED_FLAGS or state.aliases:
            return long(state)
        return short(state)

    return run


# ---------------------------------------------------------------- true, false, break, return


def fast_true(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`:` and `true`"""
    if len(node.arguments) > 1:
        return None
    words = [constant_text(node.arguments[0]) or ""]

    def run(state: State) -> int:
        state.last_words = words
        state.status = 0
        return 0

    return unless_watched(run, node, context, tested)


def fast_false(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`false`"""
    if len(node.arguments) > 1:
        return None
    site = Site(context.source, node)

    def run(state: State) -> int:
        state.status = 1
        return handle_failure(state, 1, site) if not tested and state.flags & ENDS_ON_FAILURE else 1

    return unless_watched(run, node, context, tested)


def fast_loop_exit(kind: type[Break] | type[Continue]) -> Callable[..., Body | None]:
    """`break` and `continue`"""

    def make(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
        if len(node.arguments) > 1:
            return None
        long = context.full_command(node, tested=tested)

        def run(state: State) -> int:
            if not state.loops:
                return long(state)
            raise kind(1)

        return unless_watched(run, node, context, tested)

    return make


def fast_return(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`return` and `return 3`"""
    long = context.full_command(node, tested=tested)
    if len(node.arguments) == 1:

        def last_status(state: State) -> int:
            if not state.frames:
                return long(state)
            raise Return(state.status)

        return unless_watched(last_status, node, context, tested)
    known = constant_text(node.arguments[1])
    if len(node.arguments) > 2 or known is None or not is_status(known):
        return None
    status = int(known)

    def run(state: State) -> int:
        if not state.frames:
            return long(state)
        raise Return(status)

    return unless_watched(run, node, context, tested)


def is_status(text: str) -> bool:
    """Whether a text is a status as most write one."""
    return text.isascii() and text.isdecimal() and len(text) <= 3 and int(text) <= 255


# ---------------------------------------------------------------- echo


def fast_echo(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`echo words`, without options."""
    arguments = node.arguments[1:]
    if any(isinstance(argument, ast.Named) for argument in arguments):
        return None
    site = Site(context.source, node)

    def after(state: State, status: int) -> int:
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return handle_failure(state, status, site)
        return status

    known = [constant_text(argument) for argument in arguments]
    if all(one is not None for one in known):
        if known and known[0][:1] == "-":  # type: ignore[index]
            return None
        line = f"{' '.join(known)}\n"  # type: ignore[arg-type]
        words = known or ["echo"]

        def fixed(state: State) -> int:
            state.last_words = words
            try:
                state.out.put(line)
            except UnwritableOutput:
                return after(state, run_command(state, "echo", words))
            state.status = 0
            return 0

        return unless_watched(fixed, node, context, tested)
    read = context.words(arguments, purpose="joined")

    def run(state: State) -> int:
        try:
            found = read(state)
            line = line_of(found)
            if line is None:
                return long_echo(state, found)
            state.last_words = found
            state.out.put(line)
        except RuntimeDiagnostic as problem:
            return after(state, site.report(state, problem))
        except LimitReached as stopped:
            raise stopped.with_location(site) from None
        except UnwritableOutput:
            return after(state, run_command(state, "echo", found))
        state.status = 0
        return 0

    def long_echo(state: State, found: list[Any]) -> int:
        state.last_words = found
        return after(state, run_command(state, "echo", found))

    return unless_watched(run, node, context, tested)


# ---------------------------------------------------------------- read


IFS_WHITESPACE = " \t\n"


def fast_read(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`read -r x` and `IFS= read -r x`, the heads of loops over lines."""
    words = [constant_text(argument) for argument in node.arguments]
    if len(words) != 3 or words[1] != "-r" or not (words[2] or "").isidentifier():
        return None
    keeps_blanks = bool(node.assignments)
    if keeps_blanks and not sets_empty_ifs(node.assignments):
        return None
    name, site = str(words[2]), Site(context.source, node)
    long = context.full_command(node, tested=tested)

    def run(state: State) -> int:
        separators = "" if keeps_blanks else state.variables.get("IFS", IFS_WHITESPACE)
        is_usual = separators == "" or separators == IFS_WHITESPACE
        if not is_usual or name in state.attributes or state.flags & WATCHED_FLAGS or state.aliases:
            return long(state)
        try:
            line = state.stdin.read_part(state.max_value_chars + 1, "\n")
            if len(line) > state.max_value_chars:
                raise state.value_too_long(len(line))
        except OSError as error:
            state.err.write(f"read: read error: 0: {error.strerror}\n")
            state.status = 1
            return 1
        status = state.status = 0 if line[-1:] == "\n" else 1
        if "\0" in line:
            line = line.replace("\0", "")
        state.variables[name] = (
            line.strip(IFS_WHITESPACE) if separators else line.removesuffix("\n")
        )
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return handle_failure(state, status, site)
        return status

    return run


def sets_empty_ifs(assignments: Sequence[ast.Assign]) -> bool:
    """Whether assignments are `IFS=` and nothing else."""
    if len(assignments) != 1:
        return False
    [one] = assignments
    is_plain = one.target.name == "IFS" and not one.target.subscripts and not one.append
    return is_plain and (one.value is None or constant_text(one.value) == "")


fast_test = LazyCompiler("commands.fast_test.fast_test")
FAST_BUILTINS: dict[str, Callable[[ast.Simple, CompileContext, bool], Body | None]] = {
    ":": fast_true, "true": fast_true, "false": fast_false, "echo": fast_echo, "[": fast_test, "test": fast_test,
    "local": LazyCompiler("commands.fast_builtins.fast_local"),
    "break": fast_loop_exit(Break), "continue": fast_loop_exit(Continue),
    "return": fast_return, "read": fast_read,
}  # fmt: skip
