"""Location: which file of the machine a name means, and in which directory it runs."""

from __future__ import annotations

import os

from keysh.process.resolve import find_executable
from keysh.values import text_of
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.paths import join, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.vfs.api import FileSystem
    from keysh.vfs.router import Router

    CachedLocation = tuple[str, object, dict[str, FileSystem]]


class VirtualPath(str):
    """The path of a file in the shell's tree that the machine does not have."""

    __slots__ = ()


def find_program(state: State, name: str) -> str | None:
    """The path of the file that a name means: in the shell's tree, or else on the machine."""
    if "/" not in name:
        return find_executable(name, search_path(state))
    place = join(state.cwd, name)
    real = state.fs.real_path(place)
    if real is not None:
        return real if os.path.exists(real) else None
    if is_virtual(state, place):
        return VirtualPath(place)
    return name if name.startswith("/") and os.path.exists(name) else None


def is_virtual(state: State, path: str) -> bool:
    """Whether a path of the shell's tree leads to something that is no file of the machine."""
    try:
        state.fs.stat(path, follow=True)
    except OSError:
        return False
    return state.fs.real_path(path) is None


def search_path(state: State) -> str:
    """`$PATH` in paths of the machine: directories of local mounts by where those really are."""
    given = state.variables.get("PATH")
    text = os.defpath if given is None else text_of(given)
    moved = moved_mounts(state.fs)
    if not moved and text[:1] == "/" and "::" not in text:
        return text
    folders = [join(state.cwd, folder) for folder in text.split(":") if folder]
    return ":".join(real_folder(folder, moved) for folder in folders)


def moved_mounts(fs: Router) -> list[tuple[str, str]]:
    """The local mounts whose path here is not the machine's, longest first, and the machine's."""
    found = []
    for point, mounted in fs.mounts.items():
        if isinstance(mounted, LocalFS):
            root = mounted.real_path("/")
            if root is not None and root != point:
                found.append((point, root))
    return sorted(found, key=lambda pair: -len(pair[0]))


def real_folder(folder: str, moved: list[tuple[str, str]]) -> str:
    for point, root in moved:
        below = point.rstrip("/") + "/"
        if folder == point or folder.startswith(below):
            return join(root, folder[len(below) :])
    return folder


def is_local(fs: Router, path: str) -> bool:
    """Whether a path, which may lead nowhere, begins in a mount that is of the machine."""
    steps = normal_path(path)
    points = [point for point in fs.mounts if f"{steps}/".startswith(f"{point.rstrip('/')}/")]
    return isinstance(fs.mounts[max(points, key=len)], LocalFS)


def writable_roots(fs: Router) -> list[str]:
    """The directories of the machine that scripts can write."""
    found = []
    for mounted in fs.mounts.values():
        if isinstance(mounted, LocalFS) and not mounted.is_read_only:
            root = mounted.real_path("/")
            if root is not None:
                found.append(root)
    return found


def confining_mount(fs: Router) -> str:
    """A mount that holds scripts back and would not hold a program; empty where there is none."""
    for point, mounted in fs.mounts.items():
        if mounted.confines:
            return point
        if isinstance(mounted, LocalFS) and mounted.is_read_only:
            return point
    return ""


# Memory: where programs were found, so that a loop does not look for the same one each time.

MAX_CACHED_LOCATIONS = 256


class LocationCache:
    """Paths of programs by what they were asked for."""

    __slots__ = ("_locations",)

    def __init__(self) -> None:
        self._locations: dict[tuple[str, object], CachedLocation] = {}

    def recall(self, state: State, name: str) -> str | None:
        """The path of a program that is still where it was found."""
        known = self._locations.get(cache_key(state, name))
        if known is None:
            return None
        path, mark, mounts = known
        return path if file_mark(path) == mark and state.fs.mounts == mounts else None

    def store(self, state: State, name: str, path: str) -> None:
        """Remember what was found, if the machine has it by the path that was asked for.

        It is then known by that path, and need not be compared with the other one again.
        """
        asked = join(state.cwd, name) if "/" in name else path
        mark = file_mark(asked)
        if mark is None or mark != file_mark(path):
            return
        if len(self._locations) >= MAX_CACHED_LOCATIONS:
            self._locations.pop(next(iter(self._locations)), None)
        self._locations[cache_key(state, name)] = asked, mark, state.fs.mounts

    def forget(self, name: str | None = None) -> None:
        """Look a name up anew when it is asked for again; or all of them."""
        kept = [] if name is None else [one for one in self._locations.items() if one[0][0] != name]
        self._locations = dict(kept)


def cache_key(state: State, name: str) -> tuple[str, object]:
    """What the answer depends on."""
    return name, state.cwd if "/" in name else state.variables.get("PATH")


def file_mark(path: str) -> object:
    """What changes with the file at a path; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns
