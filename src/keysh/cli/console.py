"""The program's own output: text and JSON on standard output, messages on standard error."""

from __future__ import annotations

import os
import sys
from errno import EBADF


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
