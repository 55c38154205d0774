"""A source file: a file to put into an archive."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat


class SourceFile:
    """The path of a file, the name of its member, and its status, None for standard input."""

    __slots__ = ("name", "path", "stat")

    def __init__(self, path: str, name: str, stat: Stat | None) -> None:
        self.path, self.name, self.stat = path, name, stat

    @property
    def size(self) -> int:
        """The number of bytes, as far as it is known before reading."""
        return self.stat.size if self.stat is not None and not self.stat.is_directory else 0
