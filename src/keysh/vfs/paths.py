"""Paths as text: joining, normal form, parts. Nothing here looks at a file system."""

from __future__ import annotations


def normal_path(path: str) -> str:
    """An absolute path without `.`, `..`, empty steps and a final `/`; the root keeps its `/`."""
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
    """The normal form of an absolute path, where no file system must be asked for it.

    None where a `..` may follow a link, where a final `/` or `/.` wants a directory, and where the
    path is relative.
    """
    if path[:1] != "/":
        return None
    if "//" not in path and "/." not in path and (path[-1] != "/" or path == "/"):
        return path
    if "/../" in path or path.endswith(("/", "/.", "/..")):
        return None
    return normal_path(path)


def without_slash(path: str) -> str:
    """A path without the slashes at its end; the root keeps one."""
    return path.rstrip("/") or path[:1]


def with_one_slash(path: str) -> str:
    """A path with one slash at most at its end, as the C library's fts takes it."""
    if not path.endswith("//"):
        return path
    return f"{without_slash(path)}/" if path.strip("/") else "/"


def last_step(path: str) -> str:
    """What stands last in any path, slashes at its end aside."""
    return without_slash(path).rpartition("/")[2]


def join(base: str, path: str) -> str:
    """A path as seen from a directory; an absolute one stays as it is."""
    if path.startswith("/"):
        return path
    return base + path if base.endswith("/") else f"{base}/{path}"


def parent(path: str) -> str:
    """The directory that holds a normal path; the root holds itself."""
    return path[: path.rindex("/")] or "/"


def base_name(path: str) -> str:
    """The last step of a normal path; empty for the root."""
    return path[path.rindex("/") + 1 :]


def path_steps(path: str) -> list[str]:
    """The steps of a normal path."""
    return path[1:].split("/") if len(path) > 1 else []


def is_below(path: str, directory: str) -> bool:
    """Whether a normal path is a directory or lies inside it."""
    return directory == "/" or path == directory or path.startswith(f"{directory}/")
