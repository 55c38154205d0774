"""The exceptions of keysh, each with one meaning; and those of the operating system."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.diagnostic import Diagnostic


class KeyshError(Exception):
    """Anything keysh raises on purpose."""


class ScriptError(KeyshError):
    """A text is not a script; `diagnostics` say where and why, at most five."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics


class Incomplete(ScriptError):
    """A text is the beginning of a script: more lines may complete it."""


class GlobLimit(KeyshError):
    """A glob needs more `what`, results or entries, than `allowed`."""

    def __init__(self, what: str, allowed: int) -> None:
        super().__init__(f"glob has more than {allowed} {what}")
        self.what, self.allowed = what, allowed


class UnwritableOutput(KeyshError):
    """What a command prints cannot be written where its output goes; `error` says why."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class OverlayConflict(KeyshError):
    """What an overlay would change has been changed underneath, at `paths`."""

    def __init__(self, paths: list[str]) -> None:
        super().__init__(f"changed underneath: {', '.join(paths)}")
        self.paths = paths


def failure(number: int, path: str, other: str | None = None) -> OSError:
    """The exception for an errno: FileNotFoundError and its kin, with the path."""
    if other is None:
        return OSError(number, os.strerror(number), path)
    return OSError(number, os.strerror(number), other, None, path)


def exception_text(error: BaseException) -> str:
    """Return the type and the first line of an exception's message."""
    message = str(error).split("\n", 1)[0]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
