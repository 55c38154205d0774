"""Canonical paths, paths relative to a directory, and whether a path may be accessed."""

from __future__ import annotations

import os

from keysh.vfs.paths import is_below, join, normal_path, parent, path_steps, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat
    from keysh.vfs.router import Router


def real_path(fs: Router, path: str, missing: str) -> str:
    """Resolve an absolute path; `missing` components may be "none", the "last" or "all"."""
    if missing == "all":
        return resolve_existing(fs, path)
    if missing == "last":
        try:
            return fs.resolve(path)
        except FileNotFoundError:
            # A trailing slash does not require a missing name to be a directory.
            return fs.resolve(without_slash(path))
    fs.stat(path, follow=True)
    return fs.resolve(path)


def resolve_existing(fs: Router, path: str) -> str:
    """Follow the links of a path as far as it exists; keep the missing rest."""
    here, pending = "/", path.split("/")[::-1]
    passed: set[tuple[str, str]] = set()
    while pending:
        step = pending.pop()
        if step in ("", "."):
            continue
        if step == "..":
            here = parent(here)
            continue
        inside = join(here, step)
        try:
            target = fs.read_link(inside)
        except OSError:
            here = inside
            continue
        before = (inside, "/".join(pending))
        if before in passed:  # a link cycle is kept as it is
            here = inside
            continue
        passed.add(before)
        pending += target.split("/")[::-1]
        here = "/" if target.startswith("/") else here
    return here


def path_without_links(fs: Router, path: str, missing: str) -> str:
    """Return an absolute path without `.` and `..`, following no links."""
    made = normal_path(path)
    try:
        fs.stat(f"{made}/" if path.endswith(("/", "/.")) else made, follow=True)
    except FileNotFoundError:  # a file used as a directory is a different error
        if missing == "none":
            raise
    except OSError:
        if missing != "all":
            raise
    return made


def relative_path(path: str, base: str) -> str:
    """Return a normal path relative to the directory `base`."""
    steps, from_steps = path_steps(path), path_steps(base)
    shared = 0
    while steps[shared : shared + 1] == from_steps[shared : shared + 1] != []:
        shared += 1
    return "/".join([".."] * (len(from_steps) - shared) + steps[shared:]) or "."


def path_from(path: str, base: str | None, below: str | None) -> str:
    """Return a real path relative to `base`, if any, and only if it is below `below`."""
    if base is None or (below is not None and not is_below(path, below)):
        return path
    return relative_path(path, base)


def is_access_allowed(fs: Router, path: str, stat: Stat, access: int) -> bool:
    """Whether an access (4 read, 2 write, 1 execute) to a file is allowed.

    For a file of this machine this process's rights count, for any other the owner's bits.
    """
    real = fs.real_path(path)
    if real is None:
        return bool(stat.mode >> 6 & access)
    return os.access(real, access, effective_ids=os.access in os.supports_effective_ids)
