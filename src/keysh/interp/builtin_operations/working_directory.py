"""The working directory and the directory stack, for `cd`, `pushd`, `popd` and `dirs`."""

from __future__ import annotations

import errno

from keysh.diagnostics.exceptions import failure
from keysh.interp.state.call import os_error_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.values import text_of
from keysh.vfs.paths import join, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

DOT_STEPS = (".", "..")  # $CDPATH is not searched for these


def change_directory(sh: Call, state: State, target: str, *, is_physical: bool = False) -> None:
    """Change the working directory; set PWD and OLDPWD."""
    try:
        path = resolve_directory(state, target, is_physical)
    except OSError as error:
        raise sh.fail(f"{target}: {os_error_text(error)}") from None
    state.assign("OLDPWD", state.cwd)
    state.export("OLDPWD")
    state.cwd = path
    state.assign("PWD", path)


def directory_operand(sh: Call, state: State, directory: str | None) -> tuple[str, bool]:
    """Return the target directory, and whether to print it because it came from a variable."""
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
            path = join(folder or ".", directory)
            if sh.is_directory(path):
                return path, folder not in ("", ".")
    return directory, False


def resolve_directory(state: State, target: str, is_physical: bool) -> str:
    """Return the new working directory for a path; the empty path means the current one."""
    path = join(state.cwd, target) if target else state.cwd
    if not is_physical:
        at = path.find("/..")
        while at > 0:  # `nodir/..` is no directory, although its name says `.`
            if not state.fs.stat(path[:at], follow=True).is_directory:
                raise failure(errno.ENOTDIR, target)
            at = path.find("/..", at + 1)
        path = normal_path(path)
    if not state.fs.stat(path, follow=True).is_directory:
        raise failure(errno.ENOTDIR, target)
    return state.fs.resolve(path) if is_physical else path


def stack_index(sh: Call, text: str, size: int, usage: str, kind: str = "argument") -> int:
    """Return the index for `+N` or `-N` in the directory stack; 0 is the working directory.

    An operand without a sign is an invalid `kind`.
    """
    digits = text[1:]
    if text[:1] not in ("+", "-") or not is_digits(digits):
        sh.warn(f"{text}: invalid {'number' if text[:1] in ('+', '-') else kind}")
        raise sh.fail(usage, 2)
    number = bounded_number(digits)
    index = number if text[0] == "+" else size - 1 - number
    if not 0 <= index < size:
        message = "directory stack empty" if size == 1 else "directory stack index out of range"
        raise sh.fail(message if size == 1 else f"{text}: {message}")
    return index


def stack_line(state: State) -> str:
    """Return the stack as it is printed after each change."""
    return " ".join(tilde_path(state, path) for path in (state.cwd, *state.directories)) + "\n"


def tilde_path(state: State, path: str) -> str:
    """Return a path with ~ for the home directory."""
    home = state.variables.get("HOME")
    if not isinstance(home, str) or home in ("", "/"):
        return path
    if path == home or path.startswith(f"{home}/"):
        return f"~{path[len(home) :]}"
    return path
