"""The line editor, on prompt_toolkit."""

from __future__ import annotations

from _thread import get_ident

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.layout.containers import ConditionalContainer, HSplit, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.output.defaults import create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style

from keysh.interp.run.options import OPTION_BITS
from keysh.repl.history_search import HistorySuggestions, HistoryWalk
from keysh.repl.key_bindings import key_bindings
from keysh.repl.lexer import STYLE_RULES, KeyshLexer
from keysh.repl.menus import HELP_PANEL_LINES, KeyshCompleter, help_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.output import Output

    from keysh.diagnostics.dialect import Dialect
    from keysh.repl.read_loop import ReadLoop

CONTINUATION_PROMPT = "> "
MENU_LINES = 6  # lines below the prompt for the completion menu


class Editor:
    """Reads commands, with highlighting, completion, suggestions and help."""

    def __init__(self, loop: ReadLoop) -> None:
        self._loop = loop
        loop.history.read()  # now, so that the first key does not wait for it
        self._lexer = KeyshLexer(loop.shell)
        self._suggestions = HistorySuggestions(loop.history, loop.shell.cwd)
        self.help = ""  # the text in the help panel; empty if it is closed
        self._session: PromptSession[str] = PromptSession(
            multiline=True,
            history=HistoryWalk(loop.history),
            lexer=self._lexer,
            completer=KeyshCompleter(loop.shell),
            complete_while_typing=False,
            auto_suggest=self._suggestions,
            key_bindings=key_bindings(self),
            prompt_continuation=continuation_prompt,
            reserve_space_for_menu=MENU_LINES,
            style=Style.from_dict(STYLE_RULES),
            output=editor_output(),
            include_default_pygments_style=False,
        )
        below = Window(FormattedTextControl(self._panel), height=self._height, wrap_lines=False)
        container = self._session.layout.container
        assert isinstance(container, HSplit)
        container.children.append(
            ConditionalContainer(below, filter=Condition(lambda: bool(self.help)))
        )

    @property
    def dialect(self) -> Dialect:
        """The language that is typed."""
        return self._loop.shell.state.dialect

    def read(self) -> str | None:
        """Return the next command; None at the end of input."""
        loop = self._loop
        self._lexer.forget()
        self._suggestions.cwd, self.help = loop.shell.cwd, ""
        self._choose_keys()
        self.begin_line()
        loop.terminal.print_above = self._print_above
        try:
            return self._session.prompt(ANSI(loop.prompt()))
        except EOFError:
            return None
        finally:
            loop.terminal.print_above = None

    def _choose_keys(self) -> None:
        """Use the key bindings of vi or emacs; the option set last turns the other off."""
        shell, was_vi = self._loop.shell, self._session.editing_mode is EditingMode.VI
        wants_vi, wants_emacs = (
            bool(shell.state.flags & OPTION_BITS[name]) for name in ("vi", "emacs")
        )
        is_vi = wants_vi and not (wants_emacs and was_vi)
        shell.switch("emacs", not is_vi)
        shell.switch("vi", is_vi)
        self._session.editing_mode = EditingMode.VI if is_vi else EditingMode.EMACS

    def begin_line(self) -> None:
        """Start a new line, unless the cursor is in the first column.

        The cursor's position cannot be queried without consuming keys typed ahead. Printing a mark
        and blanks up to the width wraps to the next line unless the cursor was in the first column.
        """
        output = self._session.output
        output.write_raw("\x1b[7m%\x1b[0m" + " " * (self._loop.terminal.width - 1) + "\r\x1b[J")
        output.flush()

    def toggle_help(self, buffer: Buffer) -> None:
        """Open the help panel for the command at the cursor, or close the panel."""
        state = self._loop.shell.state
        self.help = "" if self.help else help_at(state, buffer.text, buffer.cursor_position)

    def edit(self, buffer: Buffer) -> None:
        """Edit the text in the user's editor."""

        def change() -> None:
            text = self._loop.edit_text(buffer.text)
            if text is not None:
                buffer.text = text
                buffer.cursor_position = len(text)

        run_in_terminal(change)

    def _panel(self) -> str:
        return self.help.rstrip("\n")

    def _height(self) -> Dimension:
        lines = min(HELP_PANEL_LINES, self.help.count("\n") + 1)
        return Dimension(min=1, preferred=lines, max=lines)  # a small window shows less of it

    def _print_above(self, text: str) -> bool:
        """Print the output of a job above the line; return False if no line is being edited."""
        app = self._session.app
        loop = app.loop
        if loop is None or not app.is_running or get_ident() == self._loop.thread:
            return False

        def show() -> None:
            run_in_terminal(lambda: self._loop.terminal.out.send(text))

        loop.call_soon_threadsafe(show)
        return True


def continuation_prompt(width: int, number: int, wraps: int) -> str:
    """Return the prompt of a continuation line; empty for a line that only wraps."""
    return "" if wraps else CONTINUATION_PROMPT


def editor_output() -> Output:
    """Return the output; it does not query the cursor: the answer would mix with typed keys."""
    output = create_output()
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False
    return output
