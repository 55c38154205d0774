"""Memory: where programs were found, so that a loop does not look for the same one each time.

As in every shell, a name stays what it was found to be until the file, `$PATH` or the mounts
change: a file that is put into an earlier directory of `$PATH` meanwhile is seen after `hash -r`.
"""

from __future__ import annotations

import os

from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.state import State
    from keysh.vfs.api import FileSystem

    Known = tuple[str, object, dict[str, FileSystem]]

MOST = 256


class Memory:
    """Paths of programs by what they were asked for."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[tuple[str, object], Known] = {}

    def recall(self, state: State, name: str) -> str | None:
        """The path of a program that is still where it was found."""
        known = self._known.get(question(state, name))
        if known is None:
            return None
        path, mark, mounts = known
        return path if mark_of(path) == mark and state.fs.mounts == mounts else None

    def keep(self, state: State, name: str, path: str) -> None:
        """Remember what was found, if the machine has it by the path that was asked for.

        It is then known by that path, and need not be compared with the other one again.
        """
        asked = join(state.cwd, name) if "/" in name else path
        mark = mark_of(asked)
        if mark is None or mark != mark_of(path):
            return
        if len(self._known) >= MOST:
            self._known.pop(next(iter(self._known)), None)
        self._known[question(state, name)] = asked, mark, state.fs.mounts

    def forget(self, name: str | None = None) -> None:
        """Look a name up anew when it is asked for again; or all of them."""
        kept = [] if name is None else [one for one in self._known.items() if one[0][0] != name]
        self._known = dict(kept)


def question(state: State, name: str) -> tuple[str, object]:
    """What the answer depends on."""
    return name, state.cwd if "/" in name else state.variables.get("PATH")


def mark_of(path: str) -> object:
    """What changes with the file at a path; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns
