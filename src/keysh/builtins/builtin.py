"""builtin - run a builtin command."""

from __future__ import annotations

from keysh.interp.engine.before_command import ask_host, perform_admitted
from keysh.interp.engine.dispatch import run_builtin
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import command
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command
def builtin(sh: Call, *words: Raw) -> int:
    """Run a builtin even if a function, script or program has the same name.

    words ...  the command and its arguments
    """
    if words and text_of(words[0]) == "--":
        words = words[1:]
    if not words:
        return 0
    state, name = state_of(sh), text_of(words[0])
    if name[:1] == "-" and len(name) > 1:
        sh.warn(f"{name[:2]}: invalid option")
        raise sh.fail("usage: builtin [shell-builtin [arg ...]]", 2)
    found = state.session.registry.command_named(name)
    if found is None or (
        state.dialect.finds_tools_on_path and state.session.registry.is_program(name)
    ):
        raise sh.fail(f"{name}: not a shell builtin")
    span = state.span
    if not ask_host(state, words):
        return STATUS_NOT_EXECUTABLE
    return perform_admitted(state, span, lambda: run_builtin(state, name, found, words[1:]))
