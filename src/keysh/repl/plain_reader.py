"""Read lines without an editor, as on a dumb terminal."""

from __future__ import annotations

from keysh.syntax.draft import Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.repl.read_loop import ReadLoop

CONTINUATION_PROMPT = "> "
MAX_TEXT_CHARACTERS = 1 << 20  # of one command


class PlainLines:
    """Reads lines from the terminal driver, and more lines while a command is incomplete."""

    __slots__ = ("_loop",)

    def __init__(self, loop: ReadLoop) -> None:
        self._loop = loop

    def read(self) -> str | None:
        """Return the next command; None at the end of input."""
        terminal, dialect = self._loop.terminal, self._loop.shell.state.dialect
        text = ""
        terminal.write_message(without_colors(self._loop.prompt()))
        while True:
            terminal.is_reading = True
            try:
                line = terminal.input.read_line()
            except KeyboardInterrupt:
                terminal.write_message("\n")
                raise
            finally:
                terminal.is_reading = False
            text += line
            if not line:
                if not text:
                    terminal.write_message("\n")
                return text or None
            if len(text) > MAX_TEXT_CHARACTERS or not Draft(text, dialect).is_incomplete:
                return text
            terminal.write_message(CONTINUATION_PROMPT)


def without_colors(text: str) -> str:
    """Return a prompt without its colors."""
    pieces = text.split("\x1b[")
    return pieces[0] + "".join(piece.partition("m")[2] for piece in pieces[1:])
