"""Function calls: a new frame, new arguments, declared parameters as local variables."""

from __future__ import annotations

from keysh.interp.engine.thread_handoff import LEVELS_PER_STACK, on_fresh_stack
from keysh.interp.engine.traps import has_error_trap, leave_function, run_debug_trap
from keysh.interp.run.control_flow import Return
from keysh.interp.run.function import SAVED_OPTIONS_KEY, Frame
from keysh.interp.run.options import TRAPS_DEBUG, TRAPS_ERR
from keysh.interp.run.pipe_status import MarkedStatus
from keysh.interp.run.site import Site
from keysh.interp.variables.locals import make_local
from keysh.schema.binder import InvalidArguments, bind
from keysh.values import ABSENT, CONTAINERS, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.run.function import ShellFunction
    from keysh.interp.state.state import State


def bind_parameters(
    state: State, function: ShellFunction, arguments: Sequence[object]
) -> int | None:
    """Set `$@` and the declared parameters; return a status if the arguments do not fit."""
    from keysh.interp.variables.forwarding import function_arguments  # noqa: PLC0415 - few functions declare any

    command = function.command
    assert command is not None
    state.arguments = function_arguments(arguments)
    try:
        bound = bind(command, arguments)
    except InvalidArguments as error:
        state.complain(f"{function.name}: {error.message}")
        if not error.is_value:
            state.err.write(f"{command.refusals.usage_hint.format(function.name)}\n")
        return 2
    if bound.asks_help:
        from keysh.schema.render import help_text  # noqa: PLC0415 - few calls ask

        state.out.write(help_text(command))
        return 0
    values: dict[str, Any] = dict(bound.options)
    named = [one for one in command.parameters if one.role == "operand"]
    for parameter, value in zip(named, bound.positional, strict=False):
        values[parameter.name] = value
    if command.rest is not None:
        values[command.rest.name] = list(bound.positional[len(named) :])
    for parameter in command.parameters:
        name = parameter.name
        value = values.get(name, parameter.default)
        default = function.defaults.get(name)
        if value is ABSENT or (default is not None and value is parameter.default):
            value = default(state) if default is not None else None
        make_local(state, name)
        state.variables[name] = deep_copy(value) if isinstance(value, CONTAINERS) else value
    return None


def call_function(
    state: State,
    function: ShellFunction,
    arguments: Sequence[object],
    line: int,
    fresh: bool = False,
) -> int:
    """Call a function; return its status. `fresh`: the call already runs on a fresh stack."""
    depth = state.depth
    if not fresh and (depth >= state.max_depth or depth % LEVELS_PER_STACK == LEVELS_PER_STACK - 1):
        state.enter_level()  # raises LimitReached beyond the depth limit
        state.depth = depth
        return on_fresh_stack(state, lambda: call_function(state, function, arguments, line, True))
    # To a function that a trap calls, the call is where the trap has run; it has lines of its own.
    trapped_line = state.variables.pop("LINENO", None) if state.is_in_trap else None
    frame = Frame(function, line if trapped_line is None else trapped_line)
    saved_arguments, saved_loops, saved_dialect = state.arguments, state.loops, state.dialect
    budget = state.budget
    budget.steps_left -= 1
    was_trapped = has_error_trap(state) if state.traps else False
    state.frames.append(frame)
    try:
        if budget.steps_left < 0:
            budget.refill()
        state.depth, state.loops, state.dialect = depth + 1, 0, function.source.dialect
        if state.flags & TRAPS_DEBUG:  # bash runs the trap again where the function begins
            words = " ".join(map(text_of, [function.name, *arguments]))
            run_debug_trap(state, Site(function.source, function.node), words)
        if function.command is None:
            state.arguments = [*arguments]
        else:
            if not saved_dialect.has_literals:
                from keysh.schema.arguments import words_as_text  # noqa: PLC0415 - bash declares no parameters

                arguments = words_as_text(arguments)
            status = bind_parameters(state, function, arguments)
            if status is not None:
                return status
        status = +function.body(state)
    except Return as left:
        status = +left.status  # the RETURN trap sees `$?` from before `return`
    finally:
        if state.traps:
            leave_function(state)
        if frame.saved_variables is not None:
            restore_variables(state, frame.saved_variables)
        state.frames.pop()
        state.depth, state.arguments, state.loops = depth, saved_arguments, saved_loops
        state.dialect = saved_dialect
        if trapped_line is not None:
            state.variables["LINENO"] = trapped_line
    if state.flags & TRAPS_ERR and not was_trapped:
        return UntrappedStatus(status)
    return status


class UntrappedStatus(MarkedStatus):
    """The status of a function that was called without an ERR trap, and has set one itself."""


def restore_variables(state: State, saved: dict[str, tuple[Any, int]]) -> None:
    """Restore the variables that the locals of a function hid."""
    variables, attributes = state.variables, state.attributes
    for name, (value, bits) in saved.items():
        if value is ABSENT:
            variables.pop(name, None)
        elif name == SAVED_OPTIONS_KEY:
            from keysh.interp.variables.locals import restore_options  # noqa: PLC0415 - rare

            restore_options(state, value)
        else:
            variables[name] = value
            if state.owned:
                state.owned.pop(name, None)
        if bits:
            attributes[name] = bits
        elif name in attributes:
            del attributes[name]
