"""Plain lines: reading where no editor can be, as on a dumb terminal."""

from __future__ import annotations

from keysh.syntax.draft import Draft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.repl.loop import Loop

CONTINUED = "> "
MOST = 1 << 20  # characters of one text


class PlainLines:
    """Lines of the terminal as its own editing gives them; more of them where one is not whole."""

    __slots__ = ("_loop",)

    def __init__(self, loop: Loop) -> None:
        self._loop = loop

    def read(self) -> str | None:
        """The next text."""
        terminal = self._loop.terminal
        text = ""
        terminal.complain(bare(self._loop.prompt()))
        while True:
            terminal.is_reading = True
            try:
                line = terminal.input.read_line()
            except KeyboardInterrupt:
                terminal.complain("\n")
                raise
            finally:
                terminal.is_reading = False
            text += line
            if not line:
                if not text:
                    terminal.complain("\n")
                return text or None
            if len(text) > MOST or not Draft(text).is_incomplete:
                return text
            terminal.complain(CONTINUED)


def bare(text: str) -> str:
    """A prompt without its colours."""
    pieces = text.split("\x1b[")
    return pieces[0] + "".join(piece.partition("m")[2] for piece in pieces[1:])
