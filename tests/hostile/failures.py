"""Calls that make every command fail, made from its declaration: a new command is among them.

Wherever a command takes a file, it gets one that is missing, a directory, one below a file, one
that a mount refuses, one through a link that leads out, and one whose file system is broken;
wherever it takes another value, it gets what is none.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import keysh
from hostile.sweep import FILE_TYPES, command_line, type_name
from keysh.schema.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Entry
    from keysh.vfs.stream import Stream

FILES = (
    "/work/none", "/work", "/work/own/below", "/work/way/secret", "/work/direct", "/work/loop",
    "/fixed/new", "/fixed/own", "/broken/f", "/gone/f", "/none/f", '"/work/$LONG"',
)  # fmt: skip
VALUES = ("none", "-1", "''", "1x", "$'\\xff'", "/work/own")
LONG_CHARACTERS = 300  # more than a name may have
ADDRESS = "0x7f0123456789"


class BrokenFS(keysh.MemoryFS):
    """A file system of a host, whose errors tell where its files really are."""

    __slots__ = ("_place",)

    def __init__(self, place: str) -> None:
        super().__init__({"/f": "text\n"})
        self._place = place

    def open(self, path: str, access: str = "r", permissions: int = 0) -> Stream:
        raise OSError(errno.EIO, f"disk <Disk object at {ADDRESS}> failed", self._place + path)

    def list(self, path: str) -> Iterator[Entry]:
        raise PermissionError(errno.EACCES, "no", self._place + path)

    def remove(self, path: str) -> None:
        raise OSError(errno.EROFS, "no", self._place + path)

    def rename(self, old: str, new: str) -> None:
        raise OSError(errno.EXDEV, "no", self._place + old, None, self._place + new)


def file_systems(folder: Path) -> dict[str, keysh.FileSystem]:
    """Return mounts that refuse: with links that lead out, read-only, broken, and gone."""
    root, gone = folder / "root-of-the-host", folder / "gone-from-the-host"
    (root / "sub").mkdir(parents=True)
    (folder / "outside").mkdir()
    (folder / "outside/secret").write_text("secret")
    (root / "own").write_text("own\n")
    (root / "way").symlink_to("../outside")
    (root / "direct").symlink_to("../outside/secret")
    (root / "loop").symlink_to("loop")
    gone.mkdir()
    mounts: dict[str, keysh.FileSystem] = {
        "/": keysh.MemoryFS({"/short": "a 1\nb 2\n"}),
        "/work": keysh.LocalFS(root),
        "/fixed": keysh.LocalFS(root, read_only=True),
        "/broken": BrokenFS(str(folder / "disk-of-the-host")),
        "/gone": keysh.LocalFS(gone),
    }
    gone.rmdir()
    return mounts


def failing_lines(command: Command) -> Iterator[str]:
    """Yield calls of a command that fail."""
    yield f"{command.name} --no-such-option"
    yield f"{command.name} < /work"
    yield f"{command_line(command, None, '')} < /gone/f"
    yield f"{command_line(command, None, '')} < /short > /fixed/new"
    for parameter in command.parameters:
        if not parameter.is_flag:
            for word in FILES if type_name(parameter) in FILE_TYPES else VALUES:
                yield f"{command_line(command, parameter, word)} < /short"
