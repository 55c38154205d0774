"""Directory: which folder a program runs in."""

from __future__ import annotations

import errno

from keysh.process.result import NotStarted
from keysh.programs.folder import NOT_REAL, EmptyFolder, Folder
from keysh.programs.location import is_local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.policy import Policy
    from keysh.programs.request import Request
    from keysh.runtime.state import State


def folder_for(state: State, request: Request, policy: Policy | None) -> Folder:
    """Where a program runs; NotStarted where it cannot."""
    path = request.cwd or state.cwd
    try:
        found = state.fs.open_directory(path)
    except OSError as error:
        reason = "" if is_local(state.fs, path) else NOT_REAL
        raise NotStarted("directory", error.errno or 0, path, reason) from None
    if found is not None:
        return Folder(found)
    if policy is not None and policy.materialize:
        from keysh.programs.copy import Copy  # noqa: PLC0415 - only where it is allowed

        return Copy(state, request, policy.materialize)
    if request.cwd is not None:
        raise NotStarted("directory", errno.EXDEV, path, NOT_REAL)
    return EmptyFolder(state, request)
