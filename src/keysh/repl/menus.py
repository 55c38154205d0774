"""Completing: the shell's candidates, as the editor shows them."""

from __future__ import annotations

from prompt_toolkit.completion import Completer, Completion

from keysh.diagnostics.diagnostic import shorten
from keysh.schema.render import help_text
from keysh.shell.completion.commands import command_declaration
from keysh.shell.completion.spot import spot_at_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from keysh.interp.state.state import State
    from keysh.shell.shell import Shell


MOST_HELP = 60  # columns beside a candidate


class KeyshCompleter(Completer):
    """Hands the question on."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        at = document.cursor_position
        for found in self._shell.complete(document.text, at):
            meta = shorten(found.help.partition("\n")[0], MOST_HELP)
            yield Completion(found.text, found.start - at, display_meta=meta or found.kind)


# Panel: the help of the command that the cursor is in, below the line.

HEIGHT = 16  # lines of the screen


def help_at(state: State, text: str, at: int) -> str:
    """The help of the command in which a place stands."""
    # The name may go on behind the cursor.
    end = at
    while end < len(text) and not text[end].isspace() and text[end] not in ";|&()":
        end += 1
    found = spot_at_end(text[:end])
    if found is None:
        return "no command here"
    name = found.command[0] if found.command else found.word.text
    command = command_declaration(state, name)
    if command is None:
        return f"{name}: no help is known" if name else "no command here"
    return help_text(command)
