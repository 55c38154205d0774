"""E299: an exception that nothing expected becomes a message; the host finds it in the result.

Every exception of a host's command or object, and every defect of keysh, ends here: in a command,
at the end of a run or of a job, and in the program.
"""

from __future__ import annotations

import os

from keysh.diagnostics.exceptions import exception_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.streams.streams import Writer

UNEXPECTED_CODE = "E299"
DEBUG_VARIABLE = "KEYSH_DEBUG"  # of the process, not of the script


def unexpected_error_message(error: BaseException, place: str, command: str = "") -> str:
    """Return the diagnostic for an exception; under KEYSH_DEBUG the traceback comes first."""
    where = f" in `{command}`" if command else ""
    message = (
        f"{place}: {UNEXPECTED_CODE} an unexpected error{where}: {exception_text(error)}\n"
        f"fix: set {DEBUG_VARIABLE}=1 to see the traceback, and report it to the author\n"
    )
    if not os.environ.get(DEBUG_VARIABLE):
        return message
    from traceback import format_exception  # noqa: PLC0415 - as rare as the error

    return "".join([*format_exception(error), message])


def report_unexpected(
    state: AnyState, error: BaseException, err: Writer, command: str = ""
) -> None:
    """Tell the user of an exception, and keep it for the host."""
    state.session.error = error
    file = state.frames[-1].source if state.frames else state.source_name
    line = 0 if state.site is None else state.site.line
    place = f"{file}:{line}" if command and line else file
    err.write(unexpected_error_message(error, place, command))
