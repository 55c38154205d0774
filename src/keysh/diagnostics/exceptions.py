"""The exceptions of keysh, each with one meaning.

`failure` returns those of the system; `refuse` raises what says that an argument is wrong.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.diagnostics.diagnostic import Diagnostic

MAX_SHOWN_CHARACTERS = 60  # of a wrong value


class KeyshError(Exception):
    """The base class of all errors that keysh raises on purpose."""

    __module__ = "keysh"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what is there: `__init__` takes other arguments than the message."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class ScriptError(KeyshError):
    """A text is not a valid script; `diagnostics` has at most five errors."""

    __module__ = "keysh"

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics


class Incomplete(ScriptError):
    """A text is only the beginning of a script; more lines may complete it."""

    __module__ = "keysh"


class GlobLimit(KeyshError):
    """A glob exceeds a limit: more results or entries (`what`) than `allowed`."""

    __module__ = "keysh"

    def __init__(self, what: str, allowed: int) -> None:
        super().__init__(f"glob has more than {allowed} {what}")
        self.what, self.allowed = what, allowed


class UnwritableOutput(KeyshError):
    """A command's output cannot be written; `error` is the reason."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class OverlayConflict(KeyshError):
    """The lower file system of an overlay has changed at `paths`, which the commit would change."""

    __module__ = "keysh"

    def __init__(self, paths: list[str]) -> None:
        super().__init__(f"changed underneath: {', '.join(paths)}")
        self.paths = paths


class UndoRefused(KeyshError):
    """A run cannot be taken back or repeated; nothing was changed."""

    __module__ = "keysh"


class UndoConflict(UndoRefused):
    """Somebody else has changed `paths` since the run that was to be taken back or repeated."""

    __module__ = "keysh"

    def __init__(self, paths: list[str]) -> None:
        super().__init__(f"changed since: {', '.join(paths)}")
        self.paths = paths


class ContentLost(UndoRefused):
    """What files contained was not kept; `reasons` has the paths, and why."""

    __module__ = "keysh"

    def __init__(self, reasons: dict[str, str]) -> None:
        lines = [f"{path}: {reason}" for path, reason in reasons.items()]
        super().__init__(f"not kept: {'; '.join(lines)}")
        self.reasons = reasons


class MergeConflict(KeyshError):
    """A shell and its fork have changed the same things differently; nothing was merged.

    `paths` are those of files. `facts` has the names of variables and all else by their kind, as a
    StateChange has them; `variables`, `functions`, `aliases`, `traps`, `options` are parts of it.
    """

    __module__ = "keysh"

    def __init__(self, paths: list[str], facts: dict[str, list[str]]) -> None:
        listed = [f"{kind} {', '.join(names)}".rstrip() for kind, names in facts.items()]
        if paths:
            listed.insert(0, f"file {', '.join(paths)}")
        super().__init__(f"both sides have changed: {'; '.join(listed)}")
        self.paths, self.facts = paths, facts
        self.variables, self.functions = facts.get("variable", []), facts.get("function", [])
        self.aliases, self.traps = facts.get("alias", []), facts.get("trap", [])
        self.options = facts.get("option", [])


class ImageError(KeyshError):
    """Bytes are not an image of a shell, or an image asks for what the host has not granted."""

    __module__ = "keysh"


class RulesError(KeyshError, ValueError):
    """Rules that cannot be used: the message says which, what is wrong, and what to write."""

    __module__ = "keysh"


def failure(number: int, path: str, other: str | None = None) -> OSError:
    """Return the OSError for an errno, of the right subclass, with the path."""
    if other is None:
        return OSError(number, os.strerror(number), path)
    return OSError(number, os.strerror(number), other, None, path)


def refuse(name: str, requirement: str, value: object, fix: str = "") -> NoReturn:
    """Raise a TypeError that names the argument and the required type."""
    hint = f"; write {fix}" if fix else ""
    raise TypeError(f"{name} must be {requirement}, but is {shown_value(value)}{hint}")


def shown_value(value: object) -> str:
    """Return a value as a message shows it: the start of its `repr`, or its class if that fails."""
    try:
        shown = repr(value)
    except Exception:  # noqa: BLE001 - of a class of the host
        shown = f"<{type.__dict__['__name__'].__get__(type(value))}>"
    return str.__getitem__(shown, slice(0, MAX_SHOWN_CHARACTERS))
