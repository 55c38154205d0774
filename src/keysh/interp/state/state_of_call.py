"""Access of the builtins to the state behind a Call."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.state.state import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call, CommandFailure
    from keysh.interp.state.call_state import CallState


def state_of(sh: Call) -> State:
    """Return the state; fail if the command was called without a shell."""
    found: object = sh._state
    if isinstance(found, State):
        return found
    raise sh.fail("works only inside a shell")


def call_state(sh: Call) -> CallState:
    """Return what stands behind the call, perhaps no shell."""
    return sh._state


def variable_path(sh: Call, text: str) -> tuple[str, Sequence[object]]:
    """Parse `x` or `u[k]` into the variable and its subscripts."""
    if text.isidentifier() and text.isascii():
        return text, ()
    if "[" not in text or not text.partition("[")[0].isidentifier():
        raise invalid_identifier(sh, text)
    state = state_of(sh)
    try:
        name, keys = state.compiler.path(text, state)(state)
    except (ScriptError, ValueError):
        raise invalid_identifier(sh, text) from None
    return name, keys


def invalid_identifier(sh: Call, text: str) -> CommandFailure:
    """Return the error for text that does not name a variable."""
    return sh.fail(f"`{text}': not a valid identifier")
