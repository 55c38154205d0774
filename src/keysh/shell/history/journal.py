"""Journal: what a host may say about the journal of a shell."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Each run keeps two tables of variables, some kilobytes.
DEFAULT_MAX_RUNS = 200
DEFAULT_MAX_BYTES = 256 << 20


class Journal:
    """What a shell keeps, so that its runs can be taken back: `Shell(journal=keysh.Journal(…))`.

    directory  keep contents and a list of the runs in this directory, for `keysh log` and
               `keysh undo`; by default they are in memory and end with the shell
    max_bytes  how many bytes of contents are kept; the oldest runs are forgotten for newer ones
    max_runs   how many runs are kept
    watch      the directories of the machine in which real programs are looked after; by default
               all of the mounted directories
    """

    __module__ = "keysh"
    __slots__ = ("directory", "max_bytes", "max_runs", "watch")

    def __init__(
        self,
        directory: str | os.PathLike[str] | None = None,
        *,
        max_bytes: int = DEFAULT_MAX_BYTES,
        max_runs: int = DEFAULT_MAX_RUNS,
        watch: Iterable[str | os.PathLike[str]] | None = None,
    ) -> None:
        if isinstance(watch, str | os.PathLike):
            raise TypeError(f"watch must be a list of directories, but is {watch!r}")
        if max_runs < 1 or max_bytes < 0:
            raise ValueError("max_runs must be at least 1, and max_bytes at least 0")
        self.directory = None if directory is None else os.fspath(directory)
        self.max_bytes, self.max_runs = max_bytes, max_runs
        self.watch = None if watch is None else [os.fspath(path) for path in watch]

    def for_fork(self) -> Journal:
        """Return what holds for a fork: its files are not those on the disk."""
        return Journal(max_bytes=self.max_bytes, max_runs=self.max_runs, watch=self.watch)
