"""Quick checks of what exists at a path."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat
    from keysh.vfs.router import Router


def stat_at(fs: Router, path: str, *, follow: bool = True) -> Stat | None:
    """Return the stat of an absolute path; None if it does not exist or is not accessible."""
    try:
        return fs.stat(path, follow=follow) if path else None
    except OSError:
        return None


def stat_path(sh: Call, path: str, *, follow: bool = True) -> Stat | None:
    """Return the stat of a user's path; None if it does not exist or is not accessible."""
    return stat_at(sh.fs, sh.path(path), follow=follow) if path else None


def exists(sh: Call, path: str, *, follow: bool = True) -> bool:
    """Whether a path exists; without `follow` a dangling link does."""
    return stat_path(sh, path, follow=follow) is not None


def is_directory(sh: Call, path: str, *, follow: bool = True) -> bool:
    """Whether a path is a directory; without `follow` a link to one is not."""
    there = stat_path(sh, path, follow=follow)
    return there is not None and there.is_directory


def is_link(sh: Call, path: str) -> bool:
    """Whether a path is a symbolic link, dangling or not."""
    there = stat_path(sh, path, follow=False)
    return there is not None and there.is_link
