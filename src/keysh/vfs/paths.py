"""Paths as strings: joining, normal form and parts, without a file system."""

from __future__ import annotations


def normal_path(path: str) -> str:
    """Return an absolute path without `.`, `..`, empty steps and a final `/`; the root is `/`."""
    if "//" not in path and "/." not in path and (not path.endswith("/") or path == "/"):
        return path
    steps: list[str] = []
    for step in path.split("/"):
        if step == "..":
            if steps:
                steps.pop()
        elif step and step != ".":
            steps.append(step)
    return "/" + "/".join(steps)


def simple_path(path: str) -> str | None:
    """Return an absolute path's normal form, if that needs no file system.

    None for a relative path, if a `..` may follow a link, and if a final `/` or `/.` requires a
    directory.
    """
    if path[:1] != "/":
        return None
    if "//" not in path and "/." not in path and (path[-1] != "/" or path == "/"):
        return path
    if "/../" in path or path.endswith(("/", "/.", "/..")):
        return None
    return normal_path(path)


def without_slash(path: str) -> str:
    """Return a path without final slashes; the root keeps one."""
    return path.rstrip("/") or path[:1]


def with_one_slash(path: str) -> str:
    """Return a path with at most one final slash, as fts(3) does."""
    if not path.endswith("//"):
        return path
    return f"{without_slash(path)}/" if path.strip("/") else "/"


def last_step(path: str) -> str:
    """Return the last step of any path, without final slashes."""
    return without_slash(path).rpartition("/")[2]


def join(base: str, path: str) -> str:
    """Return a path relative to a directory as a whole path; an absolute path is unchanged."""
    if path.startswith("/"):
        return path
    return base + path if base.endswith("/") else f"{base}/{path}"


def parent(path: str) -> str:
    """Return the parent directory of a normal path; the root's is the root."""
    return path[: path.rindex("/")] or "/"


def base_name(path: str) -> str:
    """Return the last step of a normal path; empty for the root."""
    return path[path.rindex("/") + 1 :]


def path_steps(path: str) -> list[str]:
    """Return the steps of a normal path."""
    return path[1:].split("/") if len(path) > 1 else []


def is_below(path: str, directory: str) -> bool:
    """Whether a normal path is a directory or is inside it."""
    return directory == "/" or path == directory or path.startswith(f"{directory}/")
