"""Resolving: which file a command's name means."""

from __future__ import annotations

import errno
import os
import stat

from keysh.process.result import NotStarted

# Where every system has its basic programs, whatever PATH says.
SYSTEM_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"

PROC = "/proc"


def resolve(name: str, path: str, directory: str | None = None) -> str:
    """The file to execute: absolute, or relative to `directory`, as it was found.

    A name with a slash is a path. NotStarted lists where other names were looked for.
    """
    if "/" in name:
        fault = execution_errno(path_from(name, directory))
        if fault:
            raise unusable_file(name, fault, [name])
        return name
    tried = [f"{folder}/{name}" for folder in path.split(":") if folder] if name else []
    worst = errno.ENOENT
    for candidate in tried:
        fault = execution_errno(path_from(candidate, directory))
        if not fault:
            return candidate
        if fault == errno.EACCES:
            worst = fault
    raise unusable_file(name, worst, tried)


def unusable_file(name: str, fault: int, tried: list[str]) -> NotStarted:
    """The error for a file that cannot be executed, by the errno of `execution_errno`."""
    return NotStarted(
        "not_found" if fault == errno.ENOENT else "not_executable", fault, name, tried=tried
    )


def find_executable(name: str, path: str = SYSTEM_PATH) -> str | None:
    """The same; None if there is no such file."""
    try:
        return resolve(name, path)
    except NotStarted:
        return None


def execution_errno(path: str) -> int:
    """The errno with which executing a file would fail; 0 if it would not."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        return error.errno or errno.EIO
    except ValueError:  # contains a NUL
        return errno.ENOENT
    if stat.S_ISDIR(mode):
        return errno.EISDIR
    return 0 if stat.S_ISREG(mode) and os.access(path, os.X_OK) else errno.EACCES


def path_from(path: str, directory: str | None) -> str:
    """A path that leads from here to where `path` leads from the directory."""
    return path if directory is None or path.startswith("/") else f"{directory}/{path}"


def directory_path(directory: int, process: str = "") -> str:
    """A path of an open directory for this process and its children, valid while it is open.

    A child could say `self`, but the kernel makes the entries of /proc for each new process anew,
    which takes 3 percent of its start.
    """
    try:
        return f"{PROC}/{process or os.readlink(f'{PROC}/self')}/fd/{directory}"
    except OSError:
        import fcntl  # noqa: PLC0415 - for systems without /proc only

        path: bytes = fcntl.fcntl(directory, getattr(fcntl, "F_GETPATH"), bytes(1024))  # noqa: B009
        return os.fsdecode(path.rstrip(b"\0"))
