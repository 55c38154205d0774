"""The init file: what a shell at a terminal runs first."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.runtime.quoting import quoted
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.repl.loop import Loop


def run_init(loop: Loop) -> None:
    """Run `$KEYSH_INIT`, or else the one in the user's configuration, if it is there."""
    variables = loop.shell.state.variables
    named = text_of(variables.get("KEYSH_INIT"))
    config = text_of(variables.get("XDG_CONFIG_HOME"))
    home = text_of(variables.get("HOME"))
    path = named or (f"{config or f'{home}/.config'}/keysh/init.ksh" if config or home else "")
    if not path:
        return
    path = join(loop.shell.cwd, path)
    try:
        with loop.shell.fs.open(path) as stream:
            stream.read(1)
    except OSError as error:
        if named or not isinstance(error, FileNotFoundError | NotADirectoryError):
            loop.terminal.complain(f"keysh: {path}: {why(error)}\n")
        return
    loop.execute(f"source {quoted(path)}")
    if loop.status:
        loop.terminal.complain(f"keysh: {path}: ended with status {loop.status}\n")
        loop.status = loop.shell.state.status = 0
