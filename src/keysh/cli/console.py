"""Console: what the program says, to standard output and to standard error."""

from __future__ import annotations

import os
import sys
from errno import EBADF


class UsageError(Exception):
    """The arguments make no sense; the message says which."""


def put(text: str) -> None:
    """Print to standard output."""
    if sys.stdout is None:
        raise OSError(EBADF, os.strerror(EBADF))
    sys.stdout.write(text)


def put_json(value: object) -> None:
    """Print a value as JSON; bytes that are no text as `?`."""
    from json import dumps  # noqa: PLC0415 - only where it is asked for

    text = dumps(value, ensure_ascii=False, indent=2)
    put(text.encode("utf-8", "replace").decode("utf-8") + "\n")


def complain(text: str) -> None:
    """Print to standard error; where that fails the status must do."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = None  # as it is where none was given
