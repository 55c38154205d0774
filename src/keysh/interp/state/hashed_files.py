"""Hashed files: where a shell of the bash dialect found its scripts and programs.

They are forgotten when PATH changes. Until then, or until `hash -r`, a file that is put into an
earlier directory of PATH is not seen, and a file that has been deleted is not looked for elsewhere.
"""

from __future__ import annotations


class HashedFile:
    """The path of a file, and how often it has been run."""

    __slots__ = ("hits", "path")

    def __init__(self, path: str, hits: int = 0) -> None:
        self.path, self.hits = path, hits


class HashedFiles:
    """The hashed files of one shell, by the names they are run by."""

    __slots__ = ("_files", "_search_path")

    def __init__(self) -> None:
        self._files: dict[str, HashedFile] = {}
        self._search_path: object = None  # the value of PATH that the files were found by

    def __len__(self) -> int:
        return len(self._files)

    def copy(self) -> HashedFiles:
        """Return the table of a subshell."""
        copied = HashedFiles()
        copied._search_path = self._search_path
        copied._files = {name: HashedFile(one.path, one.hits) for name, one in self._files.items()}
        return copied

    def paths(self) -> list[list[str]]:
        """Return the names, each with the path of its file."""
        return [[name, file.path] for name, file in self._files.items()]

    def for_path(self, search_path: object) -> dict[str, HashedFile]:
        """Return the files by name; a new value of PATH has emptied the table."""
        if search_path != self._search_path:
            self._search_path = search_path
            self._files = {}
        return self._files
