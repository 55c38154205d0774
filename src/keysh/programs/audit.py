"""Audit: a file that has one line of JSON for each event, for `Shell(on_event=…)`."""

from __future__ import annotations

import os
from json import dumps


class AuditFile:
    """Appends to the file at a path, which only its owner may read if it is new.

    Each line is written at once and by one call, so that those of several shells do not mix, and
    none is lost that was told. OSError where it cannot be, which ends the program it tells of.
    """

    __slots__ = ("_fd", "_path")

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def __call__(self, event: dict[str, object]) -> None:
        data = dumps(event).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            error.filename = self._path
            raise

    def close(self) -> None:
        """Later events are an error."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
