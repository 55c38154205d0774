"""Editor: the line that is written, on prompt_toolkit."""

from __future__ import annotations

from _thread import get_ident

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.layout.containers import ConditionalContainer, HSplit, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from keysh.interp.run.options import OPTION_BITS
from keysh.repl.history_search import Suggest, Walk
from keysh.repl.keys import bindings
from keysh.repl.lexer import STYLE, KeyshLexer
from keysh.repl.menus import HEIGHT, KeyshCompleter, help_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.output import Output

    from keysh.repl.loop import Loop

CONTINUED = "> "
MENU = 6  # lines below the prompt that completion may take


class Editor:
    """Reads texts; shows while one writes what the shell knows of it."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        loop.history.read()  # now, or the first key would wait for it
        self._lexer = KeyshLexer(loop.shell)
        self._suggest = Suggest(loop.history, loop.shell.cwd)
        self.help = ""  # what the panel shows; nothing where it is closed
        self._session: PromptSession[str] = PromptSession(
            multiline=True,
            history=Walk(loop.history),
            lexer=self._lexer,
            completer=KeyshCompleter(loop.shell),
            complete_while_typing=False,
            auto_suggest=self._suggest,
            key_bindings=bindings(self),
            prompt_continuation=continuation,
            reserve_space_for_menu=MENU,
            style=Style.from_dict(STYLE),
            output=output(),
            include_default_pygments_style=False,
        )
        below = Window(FormattedTextControl(self._panel), height=self._height, wrap_lines=False)
        container = self._session.layout.container
        assert isinstance(container, HSplit)
        container.children.append(
            ConditionalContainer(below, filter=Condition(lambda: bool(self.help)))
        )

    def read(self) -> str | None:
        """The next text."""
        loop = self._loop
        self._lexer.forget()
        self._suggest.cwd, self.help = loop.shell.cwd, ""
        self._choose_keys()
        self.begin_line()
        loop.terminal.above = self._above
        try:
            return self._session.prompt(ANSI(loop.prompt()))
        except EOFError:
            return None
        finally:
            loop.terminal.above = None

    def _choose_keys(self) -> None:
        """Use the keys of vi or emacs; the one that was turned on last turns the other off."""
        shell, was_vi = self._loop.shell, self._session.editing_mode is EditingMode.VI
        wants_vi, wants_emacs = (
            bool(shell.state.flags & OPTION_BITS[name]) for name in ("vi", "emacs")
        )
        is_vi = wants_vi and not (wants_emacs and was_vi)
        shell.switch("emacs", not is_vi)
        shell.switch("vi", is_vi)
        self._session.editing_mode = EditingMode.VI if is_vi else EditingMode.EMACS

    def begin_line(self) -> None:
        """Begin on a line of its own, whatever stands on this one.

        Where the cursor is cannot be asked without reading what is typed ahead. A mark and as many
        blanks as the rest of a line go on the next line exactly if the cursor is not at the first.
        """
        output = self._session.output
        output.write_raw("\x1b[7m%\x1b[0m" + " " * (self._loop.terminal.width - 1) + "\r\x1b[J")
        output.flush()

    def toggle_help(self, buffer: Buffer) -> None:
        """Open the panel for where the cursor is, or close it."""
        state = self._loop.shell.state
        self.help = "" if self.help else help_at(state, buffer.text, buffer.cursor_position)

    def edit(self, buffer: Buffer) -> None:
        """Change the text with the user's editor."""

        def change() -> None:
            text = self._loop.edited(buffer.text)
            if text is not None:
                buffer.text = text
                buffer.cursor_position = len(text)

        run_in_terminal(change)

    def _panel(self) -> str:
        return self.help.rstrip("\n")

    def _height(self) -> int:
        return min(HEIGHT, self.help.count("\n") + 1)

    def _above(self, text: str) -> bool:
        """Show what a job prints above the line that is written; whether that can be done."""
        app = self._session.app
        loop = app.loop
        if loop is None or not app.is_running or get_ident() == self._loop.thread:
            return False

        def show() -> None:
            run_in_terminal(lambda: self._loop.terminal.out.send(text))

        loop.call_soon_threadsafe(show)
        return True


def continuation(width: int, number: int, wraps: int) -> str:
    """What stands before a line that is not the first; nothing where a long one only wraps."""
    return "" if wraps else CONTINUED


def output() -> Output:
    """The screen. It is not asked where the cursor is: the answer would mix with typed keys."""
    made = create_output()
    if isinstance(made, Vt100_Output):
        made.enable_cpr = False
    return made
