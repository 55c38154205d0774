"""Following symbolic links: from any absolute path to a path without links.

A file system is asked for the longest piece at once and reports the first link in it. So a path
costs one call, and one more for each link and each group of `..`:

    /a/b/../c/d     stat /a/b, which must be a directory     then stat /a/c/d
    /a/link/x       stat /a/link/x: LinkInPath(/a/link)      then stat TARGET/x
"""

from __future__ import annotations

import errno

from keysh.vfs.api import LinkInPath, failure
from keysh.vfs.paths import join, last_step, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.mounts import Mounts

MAX_LINK_TURNS = 40  # as Linux


def resolve_links(mounts: Mounts, path: str, follow: bool, opens: bool = False) -> str:
    """Return an absolute path in normal form and without links.

    The last step may be missing. It may be a link, unless `follow` is true or the path ends in `/`
    or `/.`, which also requires a directory. `..` leaves the directory that a link leads to. With
    `opens`, for a file that may be created, a final `/` is always EISDIR.
    """
    if not path.startswith("/"):
        raise failure(errno.EINVAL if path else errno.ENOENT, path)
    pending = path.split("/")
    ending = directory_ending(path)
    pending.reverse()
    current = "/"
    turns = 0
    while True:
        current = join_steps(current, pending)
        try:
            stat = mounts.stat(current)
            if stat.is_link and (pending or follow or ending):
                fs, inner, _ = mounts.find(current)
                raise LinkInPath(current, fs.read_link(inner), "")
        except LinkInPath as link:
            if opens and ending == "/" and not pending and not link.rest:
                raise failure(errno.EISDIR, path) from None
            turns += 1
            if turns > MAX_LINK_TURNS:
                raise failure(errno.ELOOP, path) from None
            steps = link.target.split("/")
            if not link.rest and not pending:
                ending = ending or directory_ending(link.target)
            pending += reversed(link.rest.split("/"))
            pending += reversed(steps)
            current = "/" if link.target.startswith("/") else parent(link.path)
            continue
        except FileNotFoundError:
            if opens and ending == "/" and not pending:
                mounts.stat(parent(current))
                raise failure(errno.EISDIR, path) from None
            if pending or ending:
                raise
            return current
        if opens and ending == "/" and not pending:
            raise failure(errno.EISDIR, path)
        if not stat.is_directory and (pending or ending):
            raise failure(errno.ENOTDIR, path)
        if not pending:
            return current
        pending.pop()  # a `..`
        current = parent(current)


def directory_ending(path: str) -> str:
    """Return what requires a directory at the end of a path: `/`, `.` as a step, or ""."""
    if last_step(path) in ("", ".", ".."):
        return "."
    return "/" if path.endswith("/") else ""


def join_steps(current: str, pending: list[str]) -> str:
    """Return a directory joined with all the steps before the next `..`."""
    run = []
    while pending and pending[-1] != "..":
        step = pending.pop()
        if step and step != ".":
            run.append(step)
    return join(current, "/".join(run)) if run else current
