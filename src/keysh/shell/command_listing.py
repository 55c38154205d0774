"""The registry of keysh's own commands: the listings of the folders `tools` and `builtins`.

A command is the function in the module, or in `command.py` of the folder, that has its name.
"""

from __future__ import annotations

import os

from keysh.schema.declare import command_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.schema.command import Command

FOLDERS = ("tools", "builtins")

# Names that no file can have, and the file that answers to them.
FILES = {
    ".": "source", ":": "true", "[": "test", "bash": "keysh", "bunzip2": "bzip2", "bzcat": "bzip2",
    "egrep": "grep", "fgrep": "grep", "gawk": "awk", "gunzip": "gzip", "lzcat": "xz", "lzma": "xz",
    "more": "less", "readarray": "mapfile", "sh": "keysh", "typeset": "declare", "unlzma": "xz",
    "unxz": "xz", "xzcat": "xz", "zcat": "gzip",
}  # fmt: skip


def command_files() -> dict[str, str]:
    """The module of each command that has a file or a folder of its name."""
    package = os.path.dirname(os.path.dirname(__file__))
    modules = {}
    for folder in FOLDERS:
        for entry in os.listdir(os.path.join(package, folder)):
            name = entry.removesuffix(".py")
            if name[:1] != "_":
                module = f"keysh.{folder}.{name}"
                modules[name] = module if name != entry else f"{module}.command"
    return modules


def names() -> frozenset[str]:
    """The names of all commands."""
    return frozenset({*command_files(), *FILES})


def command_named(name: str) -> Command:
    """A command's declaration; its module is loaded when it is first asked for."""
    file = FILES.get(name, name)
    # Not import_module, which takes longer to load itself than most commands.
    module = __import__(command_files()[file], fromlist=[file])
    return command_of(getattr(module, file, None) or getattr(module, f"{file}_"))
