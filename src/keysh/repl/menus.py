"""The completion menu and the help panel of the editor."""

from __future__ import annotations

from prompt_toolkit.completion import Completer, Completion

from keysh.diagnostics.display import shorten
from keysh.schema.render import help_text
from keysh.shell.completion.command_names import command_declaration
from keysh.shell.completion.spot import spot_at_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from keysh.interp.state.state import State
    from keysh.shell.shell import Shell


MAX_HELP_COLUMNS = 60  # columns next to a candidate


class KeyshCompleter(Completer):
    """Passes the shell's candidates to prompt_toolkit."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        cursor = document.cursor_position
        for candidate in self._shell.complete(document.text, cursor):
            meta = shorten(candidate.help.partition("\n")[0], MAX_HELP_COLUMNS)
            yield Completion(
                candidate.text, candidate.start - cursor, display_meta=meta or candidate.kind
            )


HELP_PANEL_LINES = 16


def help_at(state: State, text: str, cursor: int) -> str:
    """Return the help of the command at the cursor."""
    # The name may continue after the cursor.
    end = cursor
    while end < len(text) and not text[end].isspace() and text[end] not in ";|&()":
        end += 1
    spot = spot_at_end(text[:end], state.dialect)
    if spot is None:
        return "no command here"
    name = spot.command[0] if spot.command else spot.word.text
    command = command_declaration(state, name)
    if command is None:
        return f"{name}: no help is known" if name else "no command here"
    return help_text(command)
