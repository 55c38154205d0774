"""Errors as records: what one side of the pipe raises is raised on the other one.

Only kinds that are listed here exist; anything else is a HostError, with its first line.
"""

from __future__ import annotations

from keysh.diagnostics.exceptions import (
    ImageError,
    KeyshError,
    MergeConflict,
    UndoConflict,
    UndoRefused,
)
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.exception_text import exception_text
from keysh.process.result import STATUS_BY_KIND, NotStarted
from keysh.shell.isolation.frames import FrameError
from keysh.vfs.api import LinkInPath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_ERROR_TEXT = 4096
MAX_ERROR_PATHS = 100


class HostError(Exception):
    """An exception that is known only by its text: it was raised on the other side."""


NAMED_ERRORS: dict[str, type[Exception]] = {
    "KeyError": KeyError,
    "TypeError": TypeError,
    "ValueError": ValueError,
    "KeyshError": KeyshError,
    "ImageError": ImageError,
    "UndoRefused": UndoRefused,
    "ContentLost": UndoRefused,
}


def record_of_error(error: BaseException) -> dict[str, Any]:
    """Return the record of an exception."""
    if isinstance(error, LinkInPath):
        return {"kind": "link", "path": error.path, "target": error.target, "rest": error.rest}
    if isinstance(error, OSError) and error.errno:
        names = [one if isinstance(one, str) else None for one in (error.filename, error.filename2)]
        return {"kind": "os", "errno": error.errno, "text": str(error.strerror), "names": names}
    if isinstance(error, UndoConflict):
        return {"kind": "conflict", "paths": error.paths[:MAX_ERROR_PATHS]}
    if isinstance(error, MergeConflict):
        facts = {kind: names[:MAX_ERROR_PATHS] for kind, names in error.facts.items()}
        return {"kind": "merge", "paths": error.paths[:MAX_ERROR_PATHS], "facts": facts}
    if isinstance(error, NotStarted):
        return {
            "kind": "not started", "name": error.kind, "code": error.code,
            "texts": [error.subject, error.reason, error.rule, error.file],
            "tried": [*error.tried],
        }  # fmt: skip
    if isinstance(error, LimitReached):
        return {
            "kind": "limit", "name": error.kind, "used": plain(error.used),
            "allowed": plain(error.allowed), "status": error.status,
        }  # fmt: skip
    name = type(error).__name__
    if name in NAMED_ERRORS and isinstance(error, Exception):
        text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
        return {"kind": "named", "name": name, "text": text[:MAX_ERROR_TEXT]}
    return {"kind": "other", "text": exception_text(error)[:MAX_ERROR_TEXT]}


def plain(value: object) -> object:
    """Return a number or text as it is, anything else as text."""
    return value if value is None or isinstance(value, str | int | float) else str(value)


def error_of_record(record: Any) -> BaseException:
    """Return the exception of a record; raise FrameError if it describes none."""
    match record:
        case {"kind": "link", "path": str(path), "target": str(target), "rest": str(rest)}:
            return LinkInPath(path, target, rest)
        case {"kind": "os", "errno": int(number), "text": str(text), "names": [first, second]}:
            if all(name is None or name.__class__ is str for name in (first, second)):
                return OSError(number, text, first, None, second)
        case {
            "kind": "limit", "name": str(name), "used": None | str() | int() | float() as used,
            "allowed": None | str() | int() | float() as allowed, "status": int(status),
        } if 0 <= status <= 255:  # fmt: skip
            return LimitReached(name, used, allowed, status)
        case {"kind": "merge", "paths": list(paths), "facts": dict(facts)}:
            if all(names.__class__ is list for names in facts.values()):
                found = {kind: [str(name) for name in names] for kind, names in facts.items()}
                return MergeConflict([str(path) for path in paths], found)
        case {"kind": "conflict", "paths": list(paths)}:
            return UndoConflict([str(path) for path in paths])
        case {
            "kind": "not started", "name": str(name), "code": str(code),
            "texts": [str(subject), str(reason), str(rule), str(file)], "tried": list(tried),
        } if name in STATUS_BY_KIND:  # fmt: skip
            return NotStarted(
                name, code, subject, reason, [str(one) for one in tried], rule=rule, file=file
            )
        case {"kind": "named", "name": str(name), "text": str(text)} if name in NAMED_ERRORS:
            return NAMED_ERRORS[name](text)
        case {"kind": "other", "text": str(text)}:
            return HostError(text)
    raise FrameError("an error of no kind")
