"""The init file: what a shell at a terminal runs first."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.shell import Shell


def init_path(shell: Shell, complain: Callable[[str], object]) -> str:
    """`$KEYSH_INIT`, or else the one in the user's configuration; empty where there is none."""
    variables = shell.state.variables
    named = text_of(variables.get("KEYSH_INIT"))
    config = text_of(variables.get("XDG_CONFIG_HOME"))
    home = text_of(variables.get("HOME"))
    path = named or (f"{config or f'{home}/.config'}/keysh/init.ksh" if config or home else "")
    if not path:
        return ""
    path = join(shell.cwd, path)
    try:
        with shell.fs.open(path) as stream:
            stream.read(1)
    except OSError as error:
        if named or not isinstance(error, FileNotFoundError | NotADirectoryError):
            complain(f"keysh: {path}: {why(error)}\n")
        return ""
    return path
