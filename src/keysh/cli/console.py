"""The program's own output: text and JSON on standard output, messages on standard error."""

from __future__ import annotations

import os
import sys
from errno import EBADF

TERMINAL = "/dev/tty"
MAX_ANSWER_BYTES = 100


class UsageError(Exception):
    """The arguments make no sense; `subcommand` is the one whose help explains them."""

    def __init__(self, message: str, subcommand: str = "run") -> None:
        super().__init__(message)
        self.subcommand = subcommand


def put(text: str) -> None:
    """Print to standard output."""
    if sys.stdout is None:
        raise OSError(EBADF, os.strerror(EBADF))
    sys.stdout.write(text)


def put_json(value: object) -> None:
    """Print a value as JSON; bytes that are not UTF-8 become `?`."""
    from json import dumps  # noqa: PLC0415 - only where it is asked for

    text = dumps(value, ensure_ascii=False, indent=2)
    put(text.encode("utf-8", "replace").decode("utf-8") + "\n")


def complain(text: str) -> None:
    """Print to standard error; if that fails, the status has to be enough."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = None  # as Python has it when the descriptor is closed


def answer_at_terminal(question: str, seconds: float) -> str:
    """Ask the person at the terminal, whatever the streams are; "" without a terminal or answer."""
    import termios  # noqa: PLC0415 - few runs ask
    from select import select  # noqa: PLC0415 - as above

    try:
        fd = os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        termios.tcflush(fd, termios.TCIFLUSH)  # what was typed before the question is no answer
        os.write(fd, question.encode("utf-8", "backslashreplace"))
        if not select([fd], [], [], seconds)[0]:
            return ""
        return os.read(fd, MAX_ANSWER_BYTES).decode("ascii", "replace").strip()
    except (OSError, termios.error):  # the terminal is gone, or belongs to another job
        return ""
    finally:
        os.close(fd)
