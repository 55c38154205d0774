"""OtherNames: by which other paths a file can be reached, where one directory is mounted twice.

    / is the machine, /work is /home/amy/project:     /work/a is /home/amy/project/a too

An overlay shows the files below it, and a read-only view those of what it stands for.
"""

from __future__ import annotations

from keysh.vfs.paths import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.vfs.api import FileSystem
    from keysh.vfs.mounts import Mounts


class OtherNames:
    """The other paths of files below one mount point."""

    __slots__ = ("_mounts", "_shifts")

    def __init__(self, mounts: Mounts, shifts: list[tuple[str, str, str]]) -> None:
        self._mounts = mounts
        # What is below the first path of the file system is below the second one of the tree too,
        # which belongs to the mount point that is third.
        self._shifts = shifts

    def of(self, inner: str) -> list[str]:
        """Return the other paths of a file, by its path inside the file system."""
        paths = []
        for here, there, point in self._shifts:
            if is_below(inner, here):
                rest = inner[len(here.rstrip("/")) :]
                path = f"{there.rstrip('/')}{rest if rest != '/' else ''}" or "/"
                if self._mounts.find(path)[2] == point:  # else something else is mounted above it
                    paths.append(path)
        return paths


def other_names(mounts: Mounts) -> dict[str, OtherNames]:
    """Return the other names by mount point, of those that have any."""
    points = mounts.points
    if len(points) < 2:
        return {}
    bases = {point: base_of(fs) for point, fs in points.items()}
    roots = real_roots(bases)
    found: dict[str, OtherNames] = {}
    for point, base in bases.items():
        shifts = []
        for other, other_base in bases.items():
            shift = None if other == point else shift_between(
                base, other_base, roots.get(point), roots.get(other)
            )  # fmt: skip
            if shift is not None:
                here, there = shift
                table_point = "" if other == "/" else other
                shifts.append((here, f"{table_point}{there}", table_point))
        if shifts:
            found[point] = OtherNames(mounts, shifts)
    return found


def base_of(fs: FileSystem) -> FileSystem:
    """Return what lies below overlays, which have a `lower`, and read-only views."""
    below: FileSystem | None = fs
    while below is not None:
        fs, below = below, getattr(below, "lower", None) or getattr(below, "inner", None)
    return fs


def real_roots(bases: Mapping[str, FileSystem]) -> dict[str, str]:
    """Return the directories that are mounted, by mount point, of those that have a place."""
    roots = {}
    for point, base in bases.items():
        root = base.tree_place()
        if root is not None:
            roots[point] = root
    return roots


def tree_places(mounts: Mounts) -> dict[str, str]:
    """Return by mount point a path in a tree that stands for what is mounted.

    Mounts of the same directory have the same path, and those of one below it a path below. No
    other name of the machine is in it.
    """
    bases = {point: base_of(fs) for point, fs in mounts.points.items()}
    roots = real_roots(bases)
    tops: list[str] = []
    for root in sorted(set(roots.values()), key=len):
        if not any(is_below(root, top) for top in tops):
            tops.append(root)
    others = dict.fromkeys(id(base) for point, base in bases.items() if point not in roots)
    places = {}
    for point, base in bases.items():
        if point in roots:
            root = roots[point]
            number = next(at for at, top in enumerate(tops) if is_below(root, top))
            places[point] = f"/{number}/{root[len(tops[number]) :].strip('/')}".rstrip("/")
        else:
            places[point] = f"/{len(tops) + [*others].index(id(base))}"
    return places


def shift_between(
    base: FileSystem, other: FileSystem, root: str | None, other_root: str | None
) -> tuple[str, str] | None:
    """Return two paths, inside two file systems, that are the same directory; None if none are."""
    if base is other:
        return "/", "/"
    if root is None or other_root is None:
        return None
    if is_below(root, other_root):
        return "/", root[len(other_root.rstrip("/")) :] or "/"
    if is_below(other_root, root):
        return other_root[len(root.rstrip("/")) :] or "/", "/"
    return None
