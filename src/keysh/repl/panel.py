"""Panel: the help of the command that the cursor is in, below the line."""

from __future__ import annotations

from keysh.completion.commands import declaration
from keysh.completion.spot import spot
from keysh.schema.render import help_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.state import State

HEIGHT = 16  # lines of the screen


def help_at(state: State, text: str, at: int) -> str:
    """The help of the command in which a place stands."""
    # The name may go on behind the cursor.
    end = at
    while end < len(text) and not text[end].isspace() and text[end] not in ";|&()":
        end += 1
    found = spot(text[:end])
    if found is None:
        return "no command here"
    name = found.command[0] if found.command else found.word.text
    command = declaration(state, name)
    if command is None:
        return f"{name}: no help is known" if name else "no command here"
    return help_text(command)
