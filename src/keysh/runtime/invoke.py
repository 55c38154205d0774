"""Invoking a command: its arguments are bound, its function called, its answer printed."""

from __future__ import annotations

from keysh.runtime.call import Failure, shown, why
from keysh.schema.bind import Misuse, bind
from keysh.schema.render import help_text
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from keysh.runtime.call import Call
    from keysh.schema.declare import Command

GENERATOR = type(_ for _ in ())


def invoke(command: Command, call: Call, arguments: Sequence[object]) -> int:
    """Run a command to its end, its output written; its status."""
    try:
        return delivered(answered(command, call, arguments), call)
    except Failure as failure:
        call.warn(failure.message)
        return failure.status
    except Misuse as misuse:
        call.warn(misuse.message)
        if not misuse.is_value:
            call.err.write(f"Try '{command.name} --help' for more information.\n")
        return command.usage_status
    except OSError as error:
        call.warn(f"{shown(error.filename)}: {why(error)}" if error.filename else why(error))
        return 1


def answered(command: Command, call: Call, arguments: Sequence[object]) -> object:
    """What the command's function returns; for a generator, nothing has run yet."""
    bound = bind(command, arguments)
    if bound.asks_help:
        return help_text(command)
    call.given = bound.given
    answer: object = command.function(call, *bound.positional, **bound.options)
    return answer


def pushed(chunks: Generator[str, None, object], call: Call) -> object:
    """Write what a generator yields; what it returns is the answer."""
    try:
        while True:
            call.out.write(next(chunks))
    except StopIteration as end:
        return end.value


def delivered(answer: object, call: Call) -> int:
    """Print a text or a value; the status."""
    if isinstance(answer, GENERATOR):
        answer = pushed(answer, call)
    if answer is None:
        return call.status
    if answer.__class__ is int:
        return answer or call.status
    text = text_of(answer)
    call.out.write(text if isinstance(answer, str) or text.endswith("\n") else f"{text}\n")
    return call.status
