"""Real paths: absolute ones without links, `.` and `..`, and paths as seen from a directory."""

from __future__ import annotations

from keysh.vfs.paths import is_below, join, normal_path, parent, path_steps, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.router import Router


def real_path(sh: Call, path: str, missing: str) -> str:
    """Where a path leads. `missing` says what need not be there: "none", "last" or "all"."""
    whole = sh.path(path)
    if missing == "all":
        return resolve_existing(sh.fs, whole)
    if missing == "last":
        try:
            return sh.fs.resolve(whole)
        except FileNotFoundError:
            # A slash behind a name that is not there wants no directory yet.
            return sh.fs.resolve(without_slash(whole))
    sh.fs.stat(whole, follow=True)
    return sh.fs.resolve(whole)


def resolve_existing(fs: Router, path: str) -> str:
    """A path whose links are followed as long as there are any; what is not there stays."""
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
        if before in passed:  # a link that leads back to itself leads nowhere
            here = inside
            continue
        passed.add(before)
        pending += target.split("/")[::-1]
        here = "/" if target.startswith("/") else here
    return here


def path_without_links(sh: Call, path: str, missing: str) -> str:
    """A path in its normal form, no link followed."""
    made = normal_path(sh.path(path))
    try:
        sh.fs.stat(f"{made}/" if path.endswith(("/", "/.")) else made, follow=True)
    except FileNotFoundError:  # a file on the way is an error of its own
        if missing == "none":
            raise
    except OSError:
        if missing != "all":
            raise
    return made


def relative_path(path: str, base: str) -> str:
    """A normal path as seen from the directory at another."""
    steps, from_steps = path_steps(path), path_steps(base)
    shared = 0
    while steps[shared : shared + 1] == from_steps[shared : shared + 1] != []:
        shared += 1
    return "/".join([".."] * (len(from_steps) - shared) + steps[shared:]) or "."


def path_from(path: str, base: str | None, below: str | None) -> str:
    """A real path as seen from `base`, where there is one, and only if it lies in `below`."""
    if base is None or (below is not None and not is_below(path, below)):
        return path
    return relative_path(path, base)
