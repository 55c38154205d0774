"""File: one that is put into an archive."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat


class File:
    """Where it is, how its member is called, and what is known of it.

    `found` is None for standard input.
    """

    __slots__ = ("found", "name", "path")

    def __init__(self, path: str, name: str, found: Stat | None) -> None:
        self.path, self.name, self.found = path, name, found
