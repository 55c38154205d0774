"""Working directory: where `cd` and `pushd` go, and what they leave behind."""

from __future__ import annotations

import errno

from keysh.diagnostics.errors import failure
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.files import is_directory
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.values import text_of
from keysh.vfs.paths import join, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

DOT_STEPS = (".", "..")  # first steps for which $CDPATH is not searched


def change_directory(sh: Call, state: State, place: str, *, is_physical: bool = False) -> None:
    """Make a directory the working one."""
    try:
        path = resolve_directory(state, place, is_physical)
    except OSError as error:
        raise sh.fail(f"{place}: {os_error_text(error)}") from None
    state.assign("OLDPWD", state.cwd)
    state.export("OLDPWD")
    state.cwd = path
    state.assign("PWD", path)


def directory_operand(sh: Call, state: State, directory: str | None) -> tuple[str, bool]:
    """Where to go, and whether it is printed: it is where the words do not say it."""
    if directory is None:
        if "HOME" not in state.variables:
            raise sh.fail("HOME not set")
        return text_of(state.variables["HOME"]), False
    if directory == "-":
        if "OLDPWD" not in state.variables:
            raise sh.fail("OLDPWD not set")
        return text_of(state.variables["OLDPWD"]), True
    folders = text_of(state.variables.get("CDPATH"))
    if folders and directory[:1] != "/" and directory.partition("/")[0] not in DOT_STEPS:
        for folder in folders.split(":"):
            found = join(folder or ".", directory)
            if is_directory(sh, found):
                return found, folder not in ("", ".")
    return directory, False


def resolve_directory(state: State, place: str, is_physical: bool) -> str:
    """The directory that a path leads to, as it is remembered; an empty one leads nowhere."""
    path = join(state.cwd, place) if place else state.cwd
    if not is_physical:
        path = normal_path(path)
    if not state.fs.stat(path, follow=True).is_directory:
        raise failure(errno.ENOTDIR, place)
    return state.fs.resolve(path) if is_physical else path


def stack_index(sh: Call, text: str, size: int, usage: str, kind: str = "argument") -> int:
    """The place that `+1` or `-0` means in the stack of directories, of which 0 is this one.

    What has no sign is a wrong argument, or whatever `kind` names.
    """
    digits = text[1:]
    if text[:1] not in ("+", "-") or not is_digits(digits):
        sh.warn(f"{text}: invalid {'number' if text[:1] in ('+', '-') else kind}")
        raise sh.fail(usage, 2)
    number = bounded_number(digits)
    index = number if text[0] == "+" else size - 1 - number
    if not 0 <= index < size:
        says = "directory stack empty" if size == 1 else "directory stack index out of range"
        raise sh.fail(says if size == 1 else f"{text}: {says}")
    return index


def stack_line(state: State) -> str:
    """The stack as it is printed behind each change."""
    return " ".join(tilde_path(state, path) for path in (state.cwd, *state.directories)) + "\n"


def tilde_path(state: State, path: str) -> str:
    """A path with ~ for the home directory."""
    home = state.variables.get("HOME")
    if not isinstance(home, str) or home in ("", "/"):
        return path
    if path == home or path.startswith(f"{home}/"):
        return f"~{path[len(home) :]}"
    return path
