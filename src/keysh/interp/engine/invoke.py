"""Invoking a command: its arguments are bound, its function called, its answer printed."""

from __future__ import annotations

from keysh.diagnostics.errors import Unwritten
from keysh.interp.run.control_flow import Leave
from keysh.interp.run.problem import Problem
from keysh.interp.state.call import Failure, why
from keysh.interp.streams.streams import GENERATOR, Whole, checked
from keysh.schema.arguments import Constants
from keysh.schema.binder import Misuse, bind
from keysh.text.chunks import Sheaf
from keysh.values import NAMES, json_of, of_python, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.command import Command

MOST_STATUS = 255
AS_ROWS = ("json", True)  # the option that asks for rows


async def waiting() -> None:
    """A coroutine, to know their class by."""


UNUSED = waiting()
COROUTINE = type(UNUSED)
UNUSED.close()


def invoke(command: Command, call: Call, arguments: Sequence[object]) -> int:
    """Run a command to its end, its output written; its status."""
    try:
        return delivered(command, answered(command, call, arguments), call)
    except (Problem, Leave, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - a host's command may raise anything
        return told(command, call, error)


def told(command: Command, call: Call, error: BaseException) -> int:
    """Say why a command could not go on; the status."""
    if isinstance(error, Failure):
        call.warn(error.message)
        return error.status
    if isinstance(error, Misuse):
        call.warn(error.message)
        if not error.is_value:
            call.err.write(f"{command.hint.format(command.name)}\n")
        return error.status or command.usage_status
    if isinstance(error, Unwritten):
        status, words = command.unwritten
        call.warn(words.format(why(error.error)))
        return status
    if isinstance(error, OSError) and error.errno:
        from keysh.text.gnu_quoting import shown  # noqa: PLC0415 - only for an error

        call.warn(f"{shown(error.filename)}: {why(error)}" if error.filename else why(error))
        return 1
    return call.state.raised(call, error)


def pulled(
    command: Command,
    call: Call,
    arguments: Sequence[object],
    pending: list[str],
    outcome: list[int],
) -> Generator[str | Sheaf, None, None]:
    """A command's output as chunks that are asked for; `outcome` gets the status at the end.

    What it writes beside what it yields stands in `pending`.
    """
    try:
        answer = answered(command, call, arguments)
        if isinstance(answer, GENERATOR):
            while True:
                try:
                    chunk = next(answer)
                except StopIteration as end:
                    answer = end.value
                    break
                if pending:
                    yield taken(pending)
                if chunk.__class__ is not str and not isinstance(chunk, Sheaf):
                    chunk = row_of(chunk)
                if chunk:  # who reads takes an empty one for the end
                    yield chunk
        status = delivered(command, answer, call)
    except (Problem, Leave, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - as above
        status = told(command, call, error)
    if pending:
        yield taken(pending)
    outcome.append(status)


def taken(pending: list[str]) -> str:
    """What has been written, taken out."""
    text = "".join(pending)
    pending.clear()
    return text


def answered(command: Command, call: Call, arguments: Sequence[object]) -> object:
    """What the command's function returns; for a generator, nothing has run yet."""
    if isinstance(arguments, Constants):
        call.site = command, arguments
        text = worked(command, arguments, call)
        if text is not None:
            return text
    bound = bind(command, arguments)
    if bound.asks_help:
        from keysh.schema.render import help_text  # noqa: PLC0415 - only where it is asked for

        text = help_text(command)
        return text.removesuffix("\n") if command.prints_value else text  # a value gets its own
    if bound.asks_version:
        from keysh.version import __version__  # noqa: PLC0415 - as above

        text = f"{command.name} (keysh) {__version__}"
        return text if command.prints_value else f"{text}\n"
    call.given = bound.given.copy()
    answer: object = command.function(call, *bound.positional, **bound.fresh())
    if answer.__class__ is COROUTINE:
        return call.state.awaited(answer)
    return answer


def worked(command: Command, words: Constants, call: Call) -> str | None:
    """The output of a call that is like an earlier one, where its whole input is there."""
    of, work = words.work
    reader = call.stdin
    if work is None or of is not command or not isinstance(reader, Whole):
        return None
    found = work(reader.left(), call.tick)
    if found is None:
        return None
    text, status = found
    call.status = valid(status)
    reader.drop()
    return checked(text)


def pushed(chunks: Generator[object, None, object], call: Call) -> object:
    """Write what a generator yields; what it returns is the answer."""
    write = call.out.write
    try:
        while True:
            chunk = next(chunks)
            if chunk.__class__ is str:
                write(chunk)
            elif isinstance(chunk, Sheaf):
                call.out.write_sheaf(chunk)
            else:
                call.out.write_row(chunk, row_of(chunk))
    except StopIteration as end:
        if AS_ROWS in call.given:
            call.out.end_rows()
        return end.value


def row_of(chunk: object) -> str:
    """A generator's chunk as text: a value is a line of its own."""
    is_piece = isinstance(chunk, str | bytes)
    return checked(chunk) if is_piece else f"{json_of(chunk)}\n"


def delivered(command: Command, answer: object, call: Call) -> int:
    """Print a text or a value; the status."""
    if isinstance(answer, GENERATOR):
        answer = pushed(answer, call)
    if answer.__class__ not in NAMES:  # a host's command may return anything
        answer = of_python(answer)
    if command.prints_value and call.status == 0:
        call.out.write_value(answer, f"{text_of(answer)}\n")
    elif answer is None:
        return call.status
    elif isinstance(answer, int) and answer.__class__ is not bool:
        return valid(answer) or call.status
    elif isinstance(answer, str):
        call.out.write(answer)
    else:
        call.out.write_value(answer, f"{text_of(answer)}\n")
    return call.status


def valid(status: int) -> int:
    """The status that a command answers with, a host's perhaps; ValueError."""
    if not 0 <= status <= MOST_STATUS:
        raise ValueError(f"a status must be 0 to {MOST_STATUS}, but is {status}")
    return status
