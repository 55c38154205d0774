"""Execution: a compiled program runs to its end, and what goes wrong is told with its line."""

from __future__ import annotations

from keysh.text.printf import TooWide
from keysh.tools.awk.parse.problem import Fatal, NextFile, NextRecord
from keysh.tools.awk.run.machine import GENERATED
from keysh.tools.awk.run.values import ArrayAsScalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from keysh.tools.awk.generate.compiler import Compiled
    from keysh.tools.awk.run.machine import Machine

PROBLEMS = (Fatal, ArrayAsScalar, NextFile, NextRecord, RecursionError, TooWide)


def pulled(machine: Machine, code: Compiled) -> Generator[str, None, int]:
    """Run a program that hands on its output; the status."""
    try:
        yield from code.function(machine)
    except PROBLEMS as error:
        yield "".join(machine.out)
        tell(machine, error)
    finally:
        machine.close()
    return machine.status


def pushed(machine: Machine, code: Compiled) -> int:
    """Run a program that writes its output; the status."""
    try:
        code.function(machine)
        machine.close()
    except PROBLEMS as error:
        machine.flush()
        tell(machine, error)
        close_at_last(machine)
    finally:
        if machine.input.in_place is not None:
            machine.input.in_place.abandon()
    return machine.status


def close_at_last(machine: Machine) -> None:
    """Close what is open behind an error; what cannot be written now is not told of, too."""
    while True:
        try:
            machine.close()
        except Fatal:
            continue
        return


def tell(machine: Machine, error: Exception) -> None:
    """Tell of what has ended a program; its status is then 2.

    awk: cmd. line:1: (FILENAME=- FNR=1) fatal: division by zero attempted
    """
    machine.status = 2
    if isinstance(error, Fatal) and not error.has_place:
        machine.warn(f"fatal: {error.message}")
        return
    machine.warn(f"{machine.place_of(row_of(error))}fatal: {message_of(error)}")


def message_of(error: Exception) -> str:
    if isinstance(error, Fatal):
        return error.message
    if isinstance(error, TooWide):
        return str(error)
    if isinstance(error, ArrayAsScalar):
        return "attempt to use array in a scalar context"
    if isinstance(error, RecursionError):
        return "functions call each other too deep"
    name = "next" if isinstance(error, NextRecord) else "nextfile"
    return f"`{name}' cannot be called from a `BEGIN' rule"


def row_of(error: Exception) -> int:
    """The line of generated code that an error comes from, the innermost; 0 if it is from none."""
    row, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == GENERATED:
            row = step.tb_lineno
        step = step.tb_next
    return row
