"""Dired: where in a listing the names stand, counted in bytes, for the mode of Emacs of that name.

Colors do not count.
"""

from __future__ import annotations

from keysh.text.lines import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

INDENT = "  "  # of all lines but those that are empty


class Dired:
    """The places of files and of directories in headers, and how far the listing has come."""

    __slots__ = ("_at", "_files", "_folders")

    def __init__(self) -> None:
        self._at = 0
        self._files: list[int] = []
        self._folders: list[int] = []

    def passed(self, text: str) -> None:
        """Take a text without a name."""
        self._at += len(encoded(text))

    def file(self, name: str) -> None:
        """Take a file's name."""
        self._note(self._files, name)

    def folder(self, name: str) -> None:
        """Take the name in a header."""
        self._note(self._folders, name)

    def _note(self, places: list[int], name: str) -> None:
        start = self._at
        self.passed(name)
        places += [start, self._at]

    def told(self, style: str) -> Iterator[str]:
        """The lines that stand at the end, with the style in which names are quoted."""
        for word, places in (("DIRED", self._files), ("SUBDIRED", self._folders)):
            if places:
                yield f"//{word}// {' '.join(map(str, places))}\n"
        yield f"//DIRED-OPTIONS// --quoting-style={style}\n"
