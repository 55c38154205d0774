"""The interactive prompt: it reads commands at a terminal and runs them in a Shell.

    editor (prompt_toolkit) or plain lines --text--> ReadLoop --run--> Shell --output--> Screen

Enter at `prompt`, which the command line calls. No other part knows the terminal's keys and screen
or imports prompt_toolkit. It may not know the adapters or the command line.
"""

from __future__ import annotations

from keysh.repl.read_loop import ReadLoop
from keysh.repl.terminal import Terminal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.repl.line_reader import LineSource
    from keysh.shell.shell import Shell

PLAIN_LINES_NOTICE = (
    "keysh: no line editing without prompt_toolkit; to install it: pip install 'keysh[prompt]'\n"
)


def prompt(shell: Shell) -> int:
    """Read and run commands until the end of input or `exit`; return the last status."""
    terminal = Terminal()
    loop = ReadLoop(shell, terminal)
    try:
        return loop.run(line_source(loop))
    except SystemExit:  # the terminal was closed: end the jobs too
        shell.close()
        raise


def line_source(loop: ReadLoop) -> LineSource:
    """Return the editor if the terminal can draw one, else plain lines."""
    from keysh.repl.plain_reader import PlainLines  # noqa: PLC0415 - one of two

    if not loop.terminal.can_draw:
        return PlainLines(loop)
    try:
        from keysh.repl.editor import Editor  # noqa: PLC0415 - the other, which takes 80 ms
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "prompt_toolkit":
            raise
        loop.terminal.write_message(PLAIN_LINES_NOTICE)
        return PlainLines(loop)
    return Editor(loop)
