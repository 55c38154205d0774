"""Find commands that would take a machine down by accident, in a parsed script.

This is no protection against attackers, who can get around it.
"""

from __future__ import annotations

from keysh.syntax import ast
from keysh.vfs.paths import join, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.rules.planned_programs import PlannedScript, Program

# Directories that nobody removes on purpose.
SYSTEM_DIRECTORIES = frozenset({
    "/", "~", "/Applications", "/Library", "/System", "/Users", "/bin", "/boot", "/dev", "/etc",
    "/home", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root", "/run", "/sbin", "/srv", "/sys",
    "/usr", "/var",
})  # fmt: skip
DISK_PREFIXES = ("sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "md", "dm-", "mapper/")
HARMLESS_DEVICES = ("fd/", "full", "null", "shm/", "stderr", "stdout", "tty", "zero")
# These write to the files among their operands.
FILE_WRITERS = ("blkdiscard", "cp", "mv", "shred", "tee", "wipefs")
RECURSIVE_CHANGERS = {
    "chgrp": "changes all of", "chmod": "changes all of", "chown": "changes all of",
    "rm": "removes",
}  # fmt: skip
GLOB_CHARACTERS = frozenset("*?[")


def danger(script: PlannedScript, cwd: str) -> str:
    """Return why a script must not run in a directory; empty if nothing speaks against it."""
    if script.is_cut:
        return "it runs too many commands in turn to look at them all"
    places = [cwd, *directories(script, cwd)]
    for program in script.programs:
        reason = reason_against(program, places)
        if reason:
            return reason
    for node in script.nodes:
        if isinstance(node, ast.Function) and is_fork_bomb(node):
            return f"{node.name} starts itself again and again"
    return ""


def directories(script: PlannedScript, cwd: str) -> Iterator[str]:
    """Yield the directories that a script changes to."""
    for program in script.programs:
        if program.name in ("cd", "pushd"):
            for word in operands(program):
                yield join(cwd, word)


def reason_against(program: Program, places: list[str]) -> str:
    """Return why a command must not run; empty if nothing speaks against it."""
    name, known_arguments = program.name, program.known_arguments
    files = [target for target in program.targets if target is not None]
    for file in files + known_arguments if name in FILE_WRITERS else files:
        if is_disk(file):
            return f"it writes to the disk {file}"
    if name == "mkfs" or name.startswith("mkfs."):
        return "it makes a file system"
    if name == "dd":
        for word in known_arguments:
            if word.startswith("of=/dev/") and not word[8:].startswith(HARMLESS_DEVICES):
                return f"it writes to the device {word[3:]}"
    is_whole = (
        "-delete" in known_arguments
        if name == "find"
        else name in RECURSIVE_CHANGERS and is_recursive(known_arguments)
    )
    for word in operands(program) if is_whole else ():
        if directory := system_directory(word, places):
            return f"it {RECURSIVE_CHANGERS.get(name, 'removes what is in')} {directory}"
    return ""


def operands(program: Program) -> list[str]:
    """Return the arguments that are not options."""
    known_arguments = program.known_arguments
    if "--" in known_arguments:
        at = known_arguments.index("--")
        return [
            word for word in known_arguments[:at] if not word.startswith("-")
        ] + known_arguments[at + 1 :]
    return [word for word in known_arguments if not word.startswith("-")]


def is_recursive(words: list[str]) -> bool:
    """Whether the arguments include `-r`, also combined with other letters, or `--recursive`."""
    for word in words:
        if word == "--":
            return False
        if word.startswith("--"):
            if len(word) > 4 and "--recursive".startswith(word):
                return True
        elif word.startswith("-") and ("r" in word or "R" in word):
            return True
    return False


def system_directory(word: str, places: list[str]) -> str:
    """Return the system directory that a word means in one of the directories; empty if none."""
    if word == "~" or word.startswith("~/"):
        return "~" if word.rstrip("/*.") in ("~", "") else ""
    for place in places:
        path = word if word.startswith("/") else f"{place}/{word}"
        head, _, last = path.rstrip("/").rpartition("/")
        if last and GLOB_CHARACTERS.intersection(last):
            # In the root any pattern is dangerous; in other system directories only one for all.
            whole = head or "/"
            if normal_path(whole) == "/" or (
                last in ("*", ".*") and normal_path(whole) in SYSTEM_DIRECTORIES
            ):
                return path
            continue
        if normal_path(path) in SYSTEM_DIRECTORIES:
            return normal_path(path)
    return ""


def is_disk(path: str) -> bool:
    """Whether a path is the device of a disk or a partition."""
    return path.startswith("/dev/") and path[5:].startswith(DISK_PREFIXES)


def is_fork_bomb(function: ast.Function) -> bool:
    """Whether a function runs itself twice at the same time, as in `f() { f | f & }`."""
    for node in function.walk():
        if (
            isinstance(node, ast.Pipeline)
            and sum(runs_function(one, function.name) for one in node.stages) > 1
        ):
            return True
        if isinstance(node, ast.Background) and runs_function(node.command, function.name):
            count = sum(
                runs_function(one, function.name) for one in function.walk() if is_simple(one)
            )
            if count > 1:
                return True
    return False


def is_simple(node: object) -> bool:
    return isinstance(node, ast.Simple)


def runs_function(node: object, name: str) -> bool:
    """Whether a command, or a command inside it, calls the function."""
    if not isinstance(node, ast.Simple):
        return any(runs_function(one, name) for one in node.walk() if is_simple(one))  # type: ignore[attr-defined]
    first = node.arguments[0] if node.arguments else None
    if not isinstance(first, ast.Word) or len(first.parts) != 1:
        return False
    return getattr(first.parts[0], "value", None) == name
