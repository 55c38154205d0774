"""A private directory of the machine whose deep paths are not walked from its root each time.

    /a/b/…/c    root ──32 steps──> waypoint ──32 steps──> waypoint ──a few──> the file

The waypoints of the last path stay open. They would go astray if somebody moved directories, so
this is only for a directory that nobody else changes meanwhile.
"""

from __future__ import annotations

from keysh.vfs.local.descent import OpenParent
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.local.root import PASS_FLAGS, RootDirectory

STEPS_TO_WAYPOINT = 32  # a path has 2,048 steps at most, so there are 64 waypoints at most


class DeepDirectory(LocalFS):
    """A LocalFS for trees of any depth; call `forget_waypoints` before others change the tree."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._waypoints: list[tuple[str, RootDirectory]] = []  # each below the one before

    def forget_waypoints(self) -> None:
        """Close the waypoints: the next path is walked from the root."""
        self._waypoints.clear()

    def close(self) -> None:
        self.forget_waypoints()
        super().close()

    def _open_parent(self, path: str, *names: str) -> OpenParent:
        steps = path.count("/") - 1
        if steps <= STEPS_TO_WAYPOINT:
            return super()._open_parent(path, *names)
        waypoints = self._waypoints
        while waypoints and not path.startswith(f"{waypoints[-1][0]}/"):
            waypoints.pop()
        current = waypoints[-1] if waypoints else ("", self._open_root(path))
        while path.count("/", len(current[0])) - 1 > STEPS_TO_WAYPOINT:
            current = self._next_waypoint(*current, path)
            waypoints.append(current)
        return OpenParent(current[1], path[len(current[0]) :], names or (path,))

    def _next_waypoint(
        self, prefix: str, start: RootDirectory, path: str
    ) -> tuple[str, RootDirectory]:
        """Open the directory some steps below one."""
        end = len(prefix)
        for _ in range(STEPS_TO_WAYPOINT):
            end = path.index("/", end + 1)
        with OpenParent(start, path[len(prefix) : end], (path,)) as parent:
            return path[:end], RootDirectory("", parent.open(PASS_FLAGS))
