"""Invoke a builtin: bind its arguments, call its function, print its result."""

from __future__ import annotations

from keysh.diagnostics.dialect import KEYSH
from keysh.diagnostics.exceptions import UnwritableOutput
from keysh.interp.run.control_flow import ControlFlow, Exit, LineDiscarded, Refused
from keysh.interp.run.pipe_status import MarkedStatus, valid_status
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.call import CommandFailure, os_error_text
from keysh.interp.state.state import State
from keysh.interp.state.state_of_call import call_state, state_of
from keysh.interp.streams.descriptors import NO_INPUT
from keysh.interp.streams.streams import GENERATOR_TYPE, TextReader, Writer, output_text
from keysh.schema.arguments import ConstantArguments
from keysh.schema.binder import InvalidArguments, bind
from keysh.text.chunks import LineBlock
from keysh.values import CONTAINERS, TYPE_NAMES, json_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.arguments import Work
    from keysh.schema.command import Command

JSON_OPTION = ("json", True)
# Refusals that only fail a builtin: `read x` and `declare x=1` of a readonly variable, as in bash.
OPERAND_FAILURES = frozenset(("E211",))


async def sample_coroutine() -> None:
    """A coroutine whose class identifies coroutines."""


SAMPLE_COROUTINE = sample_coroutine()
COROUTINE_TYPE = type(SAMPLE_COROUTINE)
SAMPLE_COROUTINE.close()


def invoke(command: Command, call: Call, arguments: Sequence[object]) -> int:
    """Run a command, write its output and return its status."""
    try:
        return deliver_answer(command, call_command(command, call, arguments), call)
    except RuntimeDiagnostic as problem:
        is_lenient = getattr(call_state(call), "dialect", KEYSH).is_lenient
        ends_line = is_lenient and problem.is_of_attribute
        problem.is_of_operand = not ends_line and (is_lenient or problem.code in OPERAND_FAILURES)
        problem.command_name = command.name
        raise
    except (ControlFlow, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - a host's command may raise anything
        return report_failure(command, call, error)


def report_failure(command: Command, call: Call, error: BaseException) -> int:
    """Report why a command could not continue; return the status.

    The exception may be the host's, whose own attributes may fail: then it is unexpected.
    """
    status: int | None
    try:
        status = expected_status(command, call, error)
    except (ControlFlow, KeyboardInterrupt):
        raise
    except BaseException:  # noqa: BLE001 - of the exception itself
        status = None
    return call.report_exception(error) if status is None else status


def expected_status(command: Command, call: Call, error: BaseException) -> int | None:
    """Report an exception that commands raise on purpose; return the status, None for another."""
    if isinstance(error, CommandFailure):
        call.warn(error.message)
        return valid_status(error.status)
    if isinstance(error, InvalidArguments):
        said, ends_line = None, False
        if getattr(call_state(call), "dialect", KEYSH).is_lenient:
            from keysh.interp.run.builtin_usage import (  # noqa: PLC0415 - only for an error
                BUILTINS_THAT_END_LINES,
                refusal_in_bash,
            )

            said = refusal_in_bash(command.name, error.message)
            extra = command.refusals.extra_operand_error
            ends_line = command.name in BUILTINS_THAT_END_LINES and error.message == extra
        call.warn(error.message if said is None else said[0])
        if said is not None:
            call.err.write(f"{said[1]}\n")
        elif not error.is_value:
            call.err.write(f"{command.refusals.usage_hint.format(command.name)}\n")
        if ends_line:
            raise LineDiscarded(1)
        return error.status or command.refusals.usage_status
    if isinstance(error, UnwritableOutput):
        status, words = command.output.write_error
        call.warn(words.format(os_error_text(error.error)))
        return status
    if isinstance(error, OSError) and (error.errno or error.filename):
        from keysh.interp.state.exception_report import is_file_of_script  # noqa: PLC0415 - only for an error
        from keysh.text.gnu_quoting import message_name  # noqa: PLC0415 - only for an error

        call.warn(
            f"{message_name(error.filename)}: {os_error_text(error)}"
            if error.filename and is_file_of_script(call_state(call), error)
            else os_error_text(error)
        )
        return 1
    return None


def pulled_chunks(
    command: Command,
    call: Call,
    arguments: Sequence[object],
    pending: list[str],
    outcome: list[int],
) -> Generator[str | LineBlock, None, None]:
    """Yield a command's output on demand; at the end append the status to `outcome`.

    `pending` holds what the command wrote between two yields.
    """
    try:
        answer = call_command(command, call, arguments)
        if isinstance(answer, GENERATOR_TYPE):
            while True:
                try:
                    chunk = next(answer)
                except StopIteration as end:
                    answer = end.value
                    break
                if pending:
                    yield take_pending(pending)
                if chunk.__class__ is not str and not isinstance(chunk, LineBlock):
                    chunk = row_text(row_value(chunk))
                if chunk:  # an empty chunk would mean the end
                    yield chunk
        status = deliver_answer(command, answer, call)
    except (ControlFlow, KeyboardInterrupt):
        raise
    except GeneratorExit as error:
        from keysh.interp.run.exception_text import traceback_of  # noqa: PLC0415 - few readers end early

        if traceback_of(error).tb_next is not None:  # the command has raised it
            status = report_failure(command, call, error)
        else:
            end_generator(command, call, answer)
            raise
    except RuntimeDiagnostic as problem:
        status = stage_status(call, problem)
    except BaseException as error:  # noqa: BLE001 - a host's command may raise anything
        status = report_failure(command, call, error)
    if pending:
        yield take_pending(pending)
    outcome.append(status)


def end_generator(command: Command, call: Call, answer: object) -> None:
    """Close the generator of a command whose reader has ended."""
    try:
        if isinstance(answer, GENERATOR_TYPE):
            answer.close()
    except (ControlFlow, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - a host's generator may raise anything
        report_failure(command, call, error)


def stage_status(call: Call, problem: RuntimeDiagnostic) -> int:
    """Report a diagnostic of a stage; return its status. It ends the stage, never a shell."""
    assert call.site is not None
    try:
        return call.site.report(state_of(call), problem)
    except Refused:
        raise
    except Exit as end:
        return end.status


def take_pending(pending: list[str]) -> str:
    """Empty `pending` and return its text."""
    text = "".join(pending)
    pending.clear()
    return text


# `cd "$1" && rm *` must not go on after `cd --help`; bash sees to that for all its builtins.
BASH_HELP_STATUS = 2


def call_command(command: Command, call: Call, arguments: Sequence[object]) -> object:
    """Bind the arguments, call the function and return its result; a generator has not started."""
    if command.whole is not None and isinstance(arguments, ConstantArguments):
        text = whole_output(command, arguments, call)
        if text is not None:
            return text
    if command.expands_words:  # a host's command
        if not state_of(call).dialect.has_literals:
            from keysh.schema.arguments import words_as_text  # noqa: PLC0415 - only for the bash dialect

            arguments = words_as_text(arguments)
        if command.is_group:
            from keysh.schema.command_group import call_group  # noqa: PLC0415 - few hosts have any

            state = state_of(call)
            are_texts = not state.dialect.has_literals
            return call_group(command, call, state, arguments, are_texts=are_texts)  # type: ignore[arg-type]
    bound = bind(command, arguments)
    if bound.asks_help:
        from keysh.schema.render import help_text  # noqa: PLC0415 - only where it is asked for

        text = help_text(command)
        if is_bash_builtin(call):
            call.out.write(text)
            return BASH_HELP_STATUS
        # A value gets its own newline.
        return text.removesuffix("\n") if command.output.prints_value else text
    if bound.asks_version:
        from keysh.schema.render import version_text  # noqa: PLC0415 - as above

        text = version_text(command, call.name)
        return text.removesuffix("\n") if command.output.prints_value else text
    call.given = bound.options_in_order.copy()
    answer: object = command.function(call, *bound.positional, **bound.fresh_options())
    if answer.__class__ is COROUTINE_TYPE:
        return call.run_coroutine(answer)
    return answer


def whole_output(command: Command, words: ConstantArguments, call: Call) -> str | None:
    """Return the output for a complete text as input, if the command declares how to make it.

    The function that makes it is found once for the words of a call site.
    """
    reader = call.source
    if not isinstance(reader, TextReader):
        return None
    known, work = words.work
    if known is not command:
        work = whole_work(command, words, call)
        words.work = command, work
    result = None if work is None else work(reader.unread_text(), call.tick)
    if result is None:
        return None
    text, status = result
    if status != 0:
        call.status = valid_status(status)
    reader.drop()
    return text if text.__class__ is str else output_text(text)


def pulled_whole(command: Command, call: Call, arguments: Sequence[object]) -> str | None:
    """Return all that a stage prints, if it need not run, and set its status."""
    if command.whole is None or not isinstance(arguments, ConstantArguments):
        return None
    try:
        return whole_output(command, arguments, call)
    except (ControlFlow, KeyboardInterrupt):
        raise
    except RuntimeDiagnostic as problem:
        call.status = stage_status(call, problem)
        return ""
    except BaseException as error:  # noqa: BLE001 - a host's command may raise anything
        call.status = report_failure(command, call, error)
        return ""


def is_bash_builtin(call: Call) -> bool:
    """Return whether a call in the bash dialect is one of bash's own builtins."""
    state: object = call_state(call)
    return (
        isinstance(state, State)
        and state.dialect.is_lenient
        and state.session.registry.is_builtin(call.name)
    )


def whole_work(command: Command, words: ConstantArguments, call: Call) -> Work | None:
    """Return the function from a whole input to the output, or None if the call must run.

    Invalid arguments, and all that would print a message, are left to the call.
    """
    assert command.whole is not None
    try:
        bound = bind(command, words)
        if bound.asks_help or bound.asks_version:
            return None
        pure = call.with_streams(NO_INPUT, REFUSING_WRITER, REFUSING_WRITER)
        pure.given = bound.options_in_order.copy()
        return command.whole(pure, *bound.positional, **bound.fresh_options())
    except Exception:  # noqa: BLE001 - the call itself reports it
        return None


def refuse_output(text: str) -> None:
    """Refuse output while it is not known whether a call has to run."""
    raise ValueError(text)


REFUSING_WRITER = Writer(refuse_output)


def write_chunks(chunks: Generator[object, None, object], call: Call) -> object:
    """Write what a generator yields; return its return value."""
    write = call.out.write
    try:
        while True:
            chunk = next(chunks)
            if chunk.__class__ is str:
                write(chunk)
            elif isinstance(chunk, LineBlock):
                call.out.write_line_block(chunk)
            else:
                chunk = row_value(chunk)
                call.out.write_row(chunk, row_text(chunk))
    except StopIteration as end:
        if JSON_OPTION in call.given:
            call.out.end_rows()
        return end.value


def row_value(chunk: object) -> object:
    """Return a yielded chunk as a value; a host's generator may yield any object."""
    if chunk.__class__ in TYPE_NAMES or isinstance(chunk, bytes):
        return chunk
    from keysh.interp.state.host_answers import plain_value  # noqa: PLC0415 - only of hosts' commands

    return plain_value(chunk)


def row_text(chunk: object) -> str:
    """Return a yielded chunk as text; a value becomes a line of JSON."""
    is_piece = isinstance(chunk, str | bytes)
    return output_text(chunk) if is_piece else f"{json_of(chunk)}\n"


def deliver_answer(command: Command, answer: object, call: Call) -> int:
    """Print the result of a command; return the status."""
    if isinstance(answer, GENERATOR_TYPE):
        answer = write_chunks(answer, call)
    is_container = command.expands_words and isinstance(answer, CONTAINERS)  # of any objects
    if is_container or (
        answer.__class__ not in TYPE_NAMES and not isinstance(answer, MarkedStatus)
    ):
        from keysh.interp.state.host_answers import answer_of_host  # noqa: PLC0415 - only of hosts' commands

        answer = answer_of_host(answer, call)
    has_value = command.output.prints_value and not (answer is None and command.is_group)
    if has_value and call.status == 0:
        call.out.write_value(answer, f"{text_of(answer)}\n")
    elif answer is None:
        pass
    elif isinstance(answer, str):
        call.out.write(answer)
    elif isinstance(answer, int) and answer.__class__ is not bool:
        if status := valid_status(answer):
            return status
    else:
        call.out.write_value(answer, f"{text_of(answer)}\n")
    return valid_status(call.status) if call.status else 0
