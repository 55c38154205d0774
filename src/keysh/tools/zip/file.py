"""File: one that is put into an archive."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat


class SourceFile:
    """Where it is, how its member is called, and what is known of it.

    `found` is None for standard input.
    """

    __slots__ = ("found", "name", "path")

    def __init__(self, path: str, name: str, found: Stat | None) -> None:
        self.path, self.name, self.found = path, name, found

    @property
    def size(self) -> int:
        """How many bytes it has, as far as that is known before it is read."""
        return self.found.size if self.found is not None and not self.found.is_directory else 0
