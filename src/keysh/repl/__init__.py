"""The prompt: a person at a terminal writes lines, and a Shell runs them.

editor (prompt_toolkit) or plain lines --text--> Loop --run--> Shell --text, values--> Screen
"""

from __future__ import annotations

from keysh.repl.loop import Loop
from keysh.repl.terminal import Terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.repl.line_reader import Lines
    from keysh.shell.shell import Shell

MISSING = "keysh: no prompt_toolkit: lines are read plainly; `pip install keysh[prompt]` for more\n"


def prompt(shell: Shell) -> int:
    """Read and run lines until the end of the input or `exit`; the last status."""
    terminal = Terminal()
    loop = Loop(shell, terminal)
    try:
        return loop.run(lines_of(loop))
    except SystemExit:  # the terminal has gone, and what runs beside the prompt goes with it
        shell.close()
        raise


def lines_of(loop: Loop) -> Lines:
    """Where the lines come from: an editor where the terminal is fit for one."""
    from keysh.repl.plain_reader import PlainLines  # noqa: PLC0415 - one of two

    if not loop.terminal.is_fit:
        return PlainLines(loop)
    try:
        from keysh.repl.editor import Editor  # noqa: PLC0415 - the other, which takes 80 ms
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "prompt_toolkit":
            raise
        loop.terminal.complain(MISSING)
        return PlainLines(loop)
    return Editor(loop)
