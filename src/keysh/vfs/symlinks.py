"""Following symbolic links: from any absolute path to the path without links.

The file systems are asked for the longest piece at once and report the first link in it, so a
path costs one question, and one more for each link and each group of `..`:

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
    """The normal path that an absolute path means, no step of which is a link.

    The last step may be missing, and may be a link unless `follow` is true or the path ends in `/`
    or `/.`: then it must also be a directory. `..` leaves the directory that a link leads to.
    `opens` is for opening a file that may be made, where a `/` at the end is always EISDIR.
    """
    if not path.startswith("/"):
        raise failure(errno.EINVAL if path else errno.ENOENT, path)
    pending = path.split("/")
    end = directory_ending(path)
    pending.reverse()
    here = "/"
    turns = 0
    while True:
        here = join_steps(here, pending)
        try:
            found = mounts.stat(here)
            if found.is_link and (pending or follow or end):
                fs, inner, _ = mounts.find(here)
                raise LinkInPath(here, fs.read_link(inner), "")
        except LinkInPath as link:
            if opens and end == "/" and not pending and not link.rest:
                raise failure(errno.EISDIR, path) from None
            turns += 1
            if turns > MAX_LINK_TURNS:
                raise failure(errno.ELOOP, path) from None
            steps = link.target.split("/")
            if not link.rest and not pending:
                end = end or directory_ending(link.target)
            pending += reversed(link.rest.split("/"))
            pending += reversed(steps)
            here = "/" if link.target.startswith("/") else parent(link.path)
            continue
        except FileNotFoundError:
            if opens and end == "/" and not pending:
                mounts.stat(parent(here))
                raise failure(errno.EISDIR, path) from None
            if pending or end:
                raise
            return here
        if opens and end == "/" and not pending:
            raise failure(errno.EISDIR, path)
        if not found.is_directory and (pending or end):
            raise failure(errno.ENOTDIR, path)
        if not pending:
            return here
        pending.pop()  # a `..`
        here = parent(here)


def directory_ending(path: str) -> str:
    """What at the end of a path wants a directory: `/` behind a name, `.` as a step, or nothing."""
    if last_step(path) in ("", ".", ".."):
        return "."
    return "/" if path.endswith("/") else ""


def join_steps(here: str, pending: list[str]) -> str:
    """Go down from a directory by all the steps that come before the next `..`."""
    run = []
    while pending and pending[-1] != "..":
        step = pending.pop()
        if step and step != ".":
            run.append(step)
    return join(here, "/".join(run)) if run else here
