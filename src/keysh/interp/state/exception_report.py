"""E299: an exception that nothing expected becomes a message; the host finds it in the result.

Every exception of a host's command or object, and every defect of keysh, ends here: in a command,
at the end of a run or of a job, and in the program. A script is told no path or address of its
host; the exception itself is for the host.
"""

from __future__ import annotations

import os
import re

from keysh.interp.run.control_flow import ControlFlow, LimitReached
from keysh.interp.run.exception_text import exception_text, traceback_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.streams.streams import Writer

UNEXPECTED_CODE = "E299"
PACKAGE = "keysh"
DEBUG_VARIABLE = "KEYSH_DEBUG"  # of the process, not of the script

# An absolute path or the rest of a URL; the number of an object in memory.
ABSOLUTE_PATH = re.compile(r"(?<![\w.~])/[^\s'\"`<>|;,()\[\]{}]+")
OBJECT_ADDRESS = re.compile(r"0x[0-9A-Fa-f]{6,}")
CONCEALED = "…"


def unexpected_error_message(
    error: BaseException,
    place: str,
    command: str = "",
    is_visible: Callable[[str], bool] = lambda path: False,
) -> str:
    """Return the diagnostic for an exception; under KEYSH_DEBUG the traceback comes first.

    Paths for which `is_visible` is false are concealed.
    """
    where = f" in `{command}`" if command else ""
    text = concealed_text(exception_text(error), is_visible)
    message = (
        f"{place}: {UNEXPECTED_CODE} an unexpected error{where}: {text}\n"
        f"fix: set {DEBUG_VARIABLE}=1 to see the traceback, and report it to the author\n"
    )
    if not os.environ.get(DEBUG_VARIABLE):
        return message
    return formatted_traceback(error) + message


def formatted_traceback(error: BaseException) -> str:
    """Return the traceback of an exception; that of its calls alone if its own code fails."""
    from traceback import format_exception, format_tb  # noqa: PLC0415 - as rare as the error

    try:
        return "".join(format_exception(error))
    except (ControlFlow, KeyboardInterrupt):
        raise
    except BaseException:  # noqa: BLE001 - a host's exception, which is asked for much here
        return "".join(format_tb(traceback_of(error)))


def concealed_text(text: str, is_visible: Callable[[str], bool]) -> str:
    """Return a text without addresses, and without the paths that are not visible."""

    def path_or_mark(match: re.Match[str]) -> str:
        return match[0] if is_visible(match[0]) else CONCEALED

    return ABSOLUTE_PATH.sub(path_or_mark, OBJECT_ADDRESS.sub(CONCEALED, text))


def is_visible_path(state: Any, path: str) -> bool:
    """Whether a script can see that this path exists."""
    try:
        return state.session.owns_process or state.fs.stat_or_none(path) is not None
    except (ControlFlow, KeyboardInterrupt):
        raise
    except BaseException:  # noqa: BLE001 - the host's file system may be what has failed
        return False


def is_file_of_script(state: Any, error: OSError) -> bool:
    """Whether an error is about a file of the script, not about one that its host has opened.

    The shell's own file systems raise the former.
    """
    trace = traceback_of(error)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    module = "" if trace is None else str(trace.tb_frame.f_globals.get("__name__"))
    return module.partition(".")[0] == PACKAGE or is_visible_path(state, str(error.filename))


def report_unexpected(
    state: AnyState, error: BaseException, err: Writer, command: str = ""
) -> None:
    """Tell the user of an exception, and keep it for the host."""
    state.session.error = error
    file = state.frames[-1].source if state.frames else state.source_name
    line = 0 if state.site is None else state.site.line
    place = f"{file}:{line}" if command and line else file
    told = unexpected_error_message(
        error, place, command, lambda path: is_visible_path(state, path)
    )
    try:
        err.write(told)
    except (LimitReached, KeyboardInterrupt):
        raise
    except BaseException:  # noqa: BLE001 - an output of the host, which is told by the result
        return
