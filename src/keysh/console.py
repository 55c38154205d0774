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


def complain(text: str) -> None:
    """Print to standard error; where that fails the status must do."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        sys.stderr = None  # as it is where none was given
