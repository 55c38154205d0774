"""Told: errors that tell of the path somebody asked for, not of the one it led to."""

from __future__ import annotations


class Told:
    """Errors of the operating system leave the `with` with the path, or both, as it was given."""

    __slots__ = ("_other", "_path")

    def __init__(self, path: str, other: str | None = None) -> None:
        self._path, self._other = path, other

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            error.filename, error.filename2 = self._path, self._other
