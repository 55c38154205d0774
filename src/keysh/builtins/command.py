"""command - run a command, or describe names."""

from __future__ import annotations

from keysh.interp.builtin_operations.all_meanings import (
    ALIAS,
    FILES,
    FUNCTION,
    alias_line,
    first_meaning,
    meaning_text,
)
from keysh.interp.engine.before_command import ask_host, perform_admitted
from keysh.interp.engine.dispatch import run_command
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE
from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.declare_output import function_text
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals
from keysh.schema.declare import command as declared
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw


@declared(
    refusals=Refusals(usage_status=2),
    style=OptionStyle(binds_by_key=False),
    ignored="-p, --path",
)
def command(sh: Call, *words: Raw, verbose: bool = False, very_verbose: bool = False) -> int:
    """Run a command, ignoring functions; or describe names.

    words ...           the command and its arguments, or the names
    -v, --verbose       print the path or name that each command is run by
    -V, --very-verbose  describe each command
    """
    state = state_of(sh)
    if not words:
        return 0
    if not (verbose or very_verbose):
        span = state.span
        if not ask_host(state, words):
            return STATUS_NOT_EXECUTABLE
        name = text_of(words[0])
        return perform_admitted(state, span, lambda: run_command(state, name, words[1:]))
    is_found = False
    for name in raw_texts(words):
        meaning = first_meaning(state, name)
        if meaning is not None:
            is_found = True
            sh.out.write((meaning_line if very_verbose else invocation_line)(state, name, *meaning))
        elif very_verbose:
            sh.complain(f"command: {name}: not found")
    return 0 if is_found else 1


def invocation_line(state: State, name: str, kind: str, detail: str) -> str:
    """Return what `command -v` prints."""
    line = alias_line(name, detail) if kind == ALIAS else detail if kind in FILES else name
    return f"{line}\n"


def meaning_line(state: State, name: str, kind: str, detail: str) -> str:
    """Describe a meaning; a function is followed by its source."""
    line = f"{meaning_text(name, kind, detail)}\n"
    return line + function_text(state.functions[name]) if kind == FUNCTION else line
