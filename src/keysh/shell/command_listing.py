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
    ".": "source", ":": "true", "[": "test", "bunzip2": "bzip2", "bzcat": "bzip2", "dash": "bash",
    "egrep": "grep", "fgrep": "grep", "gawk": "awk", "gunzip": "gzip", "lzcat": "xz", "lzma": "xz",
    "mawk": "awk", "more": "less", "nawk": "awk", "ncal": "cal", "readarray": "mapfile",
    "sh": "bash", "typeset": "declare", "unix2dos": "dos2unix", "unlzma": "xz", "unxz": "xz",
    "xzcat": "xz", "zcat": "gzip",
    **{f"{packing}{kind}grep": "grep" for packing in ("z", "bz", "xz") for kind in ("", "e", "f")},
}  # fmt: skip

# Tools that no other system has: they are found by name only, not as files.
PATHLESS_TOOLS = frozenset({
    "csv", "fromjson", "fromjsonl", "fromtoml", "fromyaml", "keys", "lines", "result", "table",
    "tojson", "tojsonl", "toyaml", "values", "words",
})  # fmt: skip
# What a shell has built in and other systems also have as programs …
BUILTINS_WITH_FILES = frozenset({"[", "echo", "false", "kill", "printf", "pwd", "test", "true"})
# … and builtins that are only programs there.
PROGRAMS_AMONG_BUILTINS = frozenset({
    "bash", "dash", "flock", "keysh", "pgrep", "pkill", "printenv", "ps", "setsid", "sh", "time",
    "which", "xargs",
})  # fmt: skip


def command_modules() -> dict[str, str]:
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


def is_shell_builtin(name: str) -> bool:
    """Whether a command is the shell's own, not a tool that sh would start as a program."""
    file = FILES.get(name, name)
    is_builtin = command_modules().get(file, "").startswith("keysh.builtins.")
    return is_builtin and file not in PROGRAMS_AMONG_BUILTINS


def names() -> frozenset[str]:
    """The names of all commands."""
    return frozenset({*command_modules(), *FILES})


def program_names() -> frozenset[str]:
    """The names of the commands that other systems have as programs."""
    files = command_modules()
    tools = {name for name, module in files.items() if module.startswith("keysh.tools.")}
    aliases = {name for name, file in FILES.items() if file in tools}
    return frozenset((tools - PATHLESS_TOOLS) | aliases | PROGRAMS_AMONG_BUILTINS)


def command_named(name: str) -> Command:
    """A command's declaration; its module is loaded when it is first asked for."""
    file = FILES.get(name, name)
    # Not import_module, which takes longer to load itself than most commands.
    module = __import__(command_modules()[file], fromlist=[file])
    return command_of(getattr(module, file, None) or getattr(module, f"{file}_"))
