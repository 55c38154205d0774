"""Presence: what is at a path, for who asks no more than whether it is there, and what it is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat
    from keysh.vfs.router import Router


def stat_at(fs: Router, path: str, *, follow: bool = True) -> Stat | None:
    """What is at an absolute path; None where nothing is, or nothing can be seen."""
    try:
        return fs.stat(path, follow=follow) if path else None
    except OSError:
        return None


def stat_path(sh: Call, path: str, *, follow: bool = True) -> Stat | None:
    """What is at a path as a user gives it; None where nothing is, or nothing can be seen."""
    return stat_at(sh.fs, sh.path(path), follow=follow) if path else None


def exists(sh: Call, path: str, *, follow: bool = True) -> bool:
    """Whether something is at a path; without `follow`, be it a link that leads nowhere."""
    return stat_path(sh, path, follow=follow) is not None


def is_directory(sh: Call, path: str, *, follow: bool = True) -> bool:
    """Whether a directory is at a path; without `follow`, no link to one."""
    there = stat_path(sh, path, follow=follow)
    return there is not None and there.is_directory


def is_link(sh: Call, path: str) -> bool:
    """Whether a symbolic link is at a path, wherever it leads."""
    there = stat_path(sh, path, follow=False)
    return there is not None and there.is_link
