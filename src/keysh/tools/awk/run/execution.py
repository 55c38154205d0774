"""Run a compiled program and report errors with the line of the program."""

from __future__ import annotations

from keysh.text.printf import FieldTooWide
from keysh.tools.awk.parse.problem import AwkFatal, NextFile, NextRecord
from keysh.tools.awk.run.machine import GENERATED_FILE
from keysh.tools.awk.run.values import ArrayAsScalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from keysh.tools.awk.generate.compiler import CompiledProgram
    from keysh.tools.awk.run.machine import AwkMachine

RUN_ERRORS = (
    AwkFatal,
    ArrayAsScalar,
    NextFile,
    NextRecord,
    RecursionError,
    FieldTooWide,
    MemoryError,
)


def run_pulled(machine: AwkMachine, code: CompiledProgram) -> Generator[str, None, int]:
    """Run a program that yields its output; return the status."""
    try:
        yield from code.function(machine)
    except RUN_ERRORS as error:
        yield from machine.take_output()
        report_fatal(machine, error)
    finally:
        try:
            machine.close()
        finally:
            machine.release()
    return machine.status


def run_pushed(machine: AwkMachine, code: CompiledProgram) -> int:
    """Run a program that writes its output itself; return the status."""
    try:
        code.function(machine)
        machine.close()
    except RUN_ERRORS as error:
        machine.flush()
        report_fatal(machine, error)
        close_after_error(machine)
    finally:
        if machine.input.in_place is not None:
            machine.input.in_place.abandon()
        machine.release()
    return machine.status


def close_after_error(machine: AwkMachine) -> None:
    """Close all streams after an error, without reporting further errors."""
    while True:
        try:
            machine.close()
        except AwkFatal:
            continue
        return


def report_fatal(machine: AwkMachine, error: Exception) -> None:
    """Print the error that has ended a program and set the status to 2.

    awk: cmd. line:1: (FILENAME=- FNR=1) fatal: division by zero attempted
    """
    machine.status = 2
    if isinstance(error, AwkFatal) and not error.has_place:
        machine.warn(f"fatal: {error.message}")
        return
    machine.warn(f"{machine.location_of(generated_line_of(error))}fatal: {message_of(error)}")


def message_of(error: Exception) -> str:
    if isinstance(error, AwkFatal):
        return error.message
    if isinstance(error, FieldTooWide):
        return str(error)
    if isinstance(error, ArrayAsScalar):
        return "attempt to use array in a scalar context"
    if isinstance(error, RecursionError):
        return "function calls nest too deeply"
    if isinstance(error, MemoryError):
        return "memory exhausted"
    name = "next" if isinstance(error, NextRecord) else "nextfile"
    return f"`{name}' cannot be called from a `BEGIN' rule"


def generated_line_of(error: Exception) -> int:
    """Return the innermost line of generated code in a traceback; 0 if there is none."""
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == GENERATED_FILE:
            line = step.tb_lineno
        step = step.tb_next
    return line
