"""Lookup: which file of the machine a name means, and where programs were found before.

As in every shell a name keeps its meaning until the file, `$PATH` or the mounts change; a file
added to an earlier directory of `$PATH` is seen after `hash -r`.
"""

from __future__ import annotations

import os

from keysh.process.policy import is_within
from keysh.process.resolve import SYSTEM_PATH, find_executable
from keysh.values import text_of
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.paths import join, normal_path
from keysh.vfs.readonly import ReadOnlyFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.process.policy import Policy
    from keysh.vfs.api import FileSystem
    from keysh.vfs.router import Router

    CachedLocation = tuple[str, object, dict[str, FileSystem]]

MAX_CACHED_LOCATIONS = 256  # programs


class VirtualPath(str):
    """The path of a file in the shell's tree that does not exist on the machine."""

    __slots__ = ()


def find_program(state: State, name: str, search: str) -> str | None:
    """The path of the program that a name means, in the shell's tree or on the machine."""
    if "/" not in name:
        return find_executable(name, search)
    path = join(state.cwd, name)
    real = state.fs.real_path(path)
    if real is not None:
        return real if os.path.exists(real) else None
    if is_virtual(state, path):
        return VirtualPath(path)
    return name if name.startswith("/") and os.path.exists(name) else None


def is_virtual(state: State, path: str) -> bool:
    """Whether a path of the shell's tree leads to something that is no file of the machine."""
    try:
        state.fs.stat(path, follow=True)
    except OSError:
        return False
    return state.fs.real_path(path) is None


def search_path(state: State) -> str:
    """`$PATH` as paths of the machine; directories below local mounts are translated."""
    value = state.variables.get("PATH")
    text = os.defpath if value is None else text_of(value)
    moved = moved_mounts(state.fs)
    if not moved and text[:1] == "/" and "::" not in text:
        return text
    folders = [join(state.cwd, folder) for folder in text.split(":") if folder]
    return ":".join(real_folder(folder, moved) for folder in folders)


def program_path(state: State, policy: Policy | None) -> str:
    """Where programs are searched: `$PATH`, and the machine's where a kernel holds them.

    A sandbox shows no directory of the machine's programs; those that are allowed run anyway.
    """
    path = search_path(state)
    if policy is None or policy.confinement is None or not policy.confinement.holds_mounts:
        return path
    return f"{path}:{SYSTEM_PATH}"


def moved_mounts(fs: Router) -> list[tuple[str, str]]:
    """Local mounts at another path than the machine's, longest first: (path here, real path)."""
    mounts = []
    for point, mounted in fs.mounts.items():
        if isinstance(mounted, LocalFS):
            root = mounted.real_path("/")
            if root is not None and root != point:
                mounts.append((point, root))
    return sorted(mounts, key=lambda pair: -len(pair[0]))


def path_in_shell(state: State, real: str) -> str:
    """The path by which scripts know a real file; itself if it lies in no mount."""
    for point, root in sorted(moved_mounts(state.fs), key=lambda pair: -len(pair[1])):
        if is_within(real, root):
            return normal_path(f"{point}/{real[len(root) :]}")
    return real


def real_folder(folder: str, moved: list[tuple[str, str]]) -> str:
    for point, root in moved:
        below = point.rstrip("/") + "/"
        if folder == point or folder.startswith(below):
            return join(root, folder[len(below) :])
    return folder


def is_local(fs: Router, path: str) -> bool:
    """Whether a path, which need not exist, lies in a local mount."""
    steps = normal_path(path)
    points = [point for point in fs.mounts if f"{steps}/".startswith(f"{point.rstrip('/')}/")]
    return isinstance(fs.mounts[max(points, key=len)], LocalFS)


def writable_roots(fs: Router) -> list[str]:
    """The directories of the machine that scripts can write."""
    roots = []
    for mounted in fs.mounts.values():
        if isinstance(mounted, LocalFS) and not mounted.is_read_only:
            root = mounted.real_path("/")
            if root is not None:
                roots.append(root)
    return roots


def confining_mount(fs: Router, *, is_held: bool = False) -> str:
    """A mount that restricts scripts but would not restrict a program; "" if none does.

    `is_held`: the kernel holds programs to reading what is read-only.
    """
    for point, mounted in fs.mounts.items():
        while is_held and isinstance(mounted, ReadOnlyFS):
            mounted = mounted.inner
        is_read_only = isinstance(mounted, LocalFS) and mounted.is_read_only
        if mounted.confines or (is_read_only and not is_held):
            return point
    return ""


# ---------------------------------------------------------------- where programs were found


class LocationCache:
    """The paths of programs, by name and what the lookup depends on."""

    __slots__ = ("_locations",)

    def __init__(self) -> None:
        self._locations: dict[tuple[str, object], CachedLocation] = {}

    def recall(self, state: State, name: str) -> str | None:
        """The path of a program that is still where it was found."""
        location = self._locations.get(cache_key(state, name))
        if location is None:
            return None
        path, mark, mounts = location
        return path if file_mark(path) == mark and state.fs.mounts == mounts else None

    def store(self, state: State, name: str, path: str) -> None:
        """Keep a path, if the path that was asked for leads to the same file on the machine.

        The latter is kept, and need not be compared with the former again.
        """
        asked = join(state.cwd, name) if "/" in name else path
        mark = file_mark(asked)
        if mark is None or mark != file_mark(path):
            return
        if len(self._locations) >= MAX_CACHED_LOCATIONS:
            self._locations.pop(next(iter(self._locations)), None)
        self._locations[cache_key(state, name)] = asked, mark, state.fs.mounts

    def forget(self, name: str | None = None) -> None:
        """Drop one name, or all of them."""
        kept = (
            [] if name is None else [item for item in self._locations.items() if item[0][0] != name]
        )
        self._locations = dict(kept)


def cache_key(state: State, name: str) -> tuple[str, object]:
    """The name, and what its lookup depends on."""
    return name, state.cwd if "/" in name else state.variables.get("PATH")


def file_mark(path: str) -> object:
    """What changes with a file; None if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino, stat.st_mode, stat.st_size, stat.st_mtime_ns
