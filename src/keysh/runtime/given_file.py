"""Given files: files that a user names to be read, where `-` is standard input.

with GivenFile(sh, path) as reader:
    text = reader.read()
"""

from __future__ import annotations

from keysh.runtime.streams import Reader, reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call


class GivenFile:
    """Opens a file and closes it; standard input stays open for who reads on."""

    __slots__ = ("_path", "_reader", "_sh")

    def __init__(self, sh: Call, path: str) -> None:
        self._sh, self._path = sh, path
        self._reader = sh.stdin

    def __enter__(self) -> Reader:
        if self._path != "-":
            self._reader = reader_of(self._sh.open(self._path))
        return self._reader

    def __exit__(self, *error: object) -> None:
        if self._reader is not self._sh.stdin:
            self._reader.close()
