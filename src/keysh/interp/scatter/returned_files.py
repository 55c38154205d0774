"""Files that items have written on workers with files of their own: they come back by a pattern."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.interp.words.glob_expansion import glob_paths
from keysh.text.gnu_quoting import message_name
from keysh.vfs.paths import join
from keysh.vfs.transfer import make_parents, stream_chunks, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

    # What tells whether a file has changed: its inode, size and time.
    Stamp: TypeAlias = tuple[int, int, int]

DIRECTORY_MODE = 0o777


def file_stamps(state: State, pattern: str) -> dict[str, Stamp]:
    """Return the files that match a pattern, each with what changes when it is written."""
    found = {}
    for path in glob_paths(state, pattern, [(pattern, True)]):
        whole = join(state.cwd, path)
        stat = state.fs.stat_or_none(whole)
        if stat is not None and stat.is_file:
            found[whole] = stat.inode, stat.size, stat.modified
    return found


def files_since(state: State, pattern: str, before: dict[str, Stamp]) -> dict[str, bytes]:
    """Return the contents of the files that have changed; LimitReached if they are too large."""
    files, total = {}, 0
    for path, stamp in file_stamps(state, pattern).items():
        if before.get(path) == stamp:
            continue
        total += stamp[1]
        state.check_size(total)
        with state.fs.open(path) as stream:
            files[path] = b"".join(stream_chunks(stream))
    return files


class ReturnedFiles:
    """Writes what comes back. Two items that have written the same path are an error."""

    __slots__ = ("_items", "_sh")

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._items: dict[str, int] = {}  # which one has written a path

    def put(self, index: int, files: dict[str, bytes]) -> None:
        """Write the files of an item."""
        sh = self._sh
        for path, data in files.items():
            other = self._items.setdefault(path, index)
            if other != index:
                first, second = sorted((other, index))
                fact = f"{message_name(path)} was written by item {first} and by item {second}"
                raise sh.fail(fact)
            try:
                make_parents(sh.fs, path, DIRECTORY_MODE)
                with sh.fs.open(path, "w") as stream:
                    write_all(stream, data)
            except OSError as error:
                raise sh.fail(f"{message_name(path)}: {os_error_text(error)}") from None
