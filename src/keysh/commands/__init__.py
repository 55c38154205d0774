"""Commands: one file each, named as the command is; the folder's listing is the registry."""

from __future__ import annotations

import os

from keysh.schema.declare import command_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.schema.command import Command

# Names that no file can have, and the file that answers to them.
FILES = {
    ".": "source", ":": "true", "[": "test", "bash": "keysh", "bunzip2": "bzip2", "bzcat": "bzip2",
    "egrep": "grep", "fgrep": "grep", "gawk": "awk", "gunzip": "gzip", "lzcat": "xz", "lzma": "xz",
    "readarray": "mapfile", "sh": "keysh", "typeset": "declare", "unlzma": "xz", "unxz": "xz",
    "xzcat": "xz", "zcat": "gzip",
}  # fmt: skip


def names() -> frozenset[str]:
    """The names of all commands."""
    listed = {entry.removesuffix(".py") for entry in os.listdir(os.path.dirname(__file__))}
    return frozenset({name for name in listed if name[:1] != "_"}.union(FILES))


def command_named(name: str) -> Command:
    """A command's declaration; its module is loaded when it is first asked for."""
    file = FILES.get(name, name)
    # Not import_module, which takes longer to load itself than most commands.
    module = __import__(f"{__name__}.{file}", fromlist=[file])
    return command_of(getattr(module, file, None) or getattr(module, f"{file}_"))
