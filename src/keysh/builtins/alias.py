"""alias - define or show aliases."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.builtin_operations.all_meanings import alias_line
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw

FORBIDDEN_NAME_CHARACTERS = "/$`=|&;()<> \t\n\"'\\"


@command(refusals=Refusals(usage_status=2), style=OptionStyle(binds_by_key=False))
def alias(sh: Call, *words: Raw, print: bool = False) -> None:
    """Define or show aliases.

    words ...    NAME=TEXT to define, NAME to show; without words show all
    -p, --print  show all aliases

    TEXT is the beginning of one command: words, assignments and redirections.
    """
    state = state_of(sh)
    if print or not words:
        for name in sorted(state.aliases):
            sh.out.write(f"{alias_line(name, state.aliases[name])}\n")
    for word in raw_texts(words):
        name, equals, text = word.partition("=")
        if equals and name:
            define_alias(sh, state, name, text)
        elif word in state.aliases:
            sh.out.write(f"{alias_line(word, state.aliases[word])}\n")
        else:
            sh.warn(f"{word}: not found")


def define_alias(sh: Call, state: State, name: str, text: str) -> None:
    """Define an alias, or report why its text is invalid."""
    if any(char in FORBIDDEN_NAME_CHARACTERS for char in name):
        sh.warn(f"`{name}': invalid alias name")
        return
    if state.dialect is not BASH:
        try:
            state.compiler.alias(text, state)
        except ScriptError as error:
            sh.err.write(f"{error}\n")
            sh.status = 1
            return
    state.aliases[name] = text
