"""exec - replace the shell with a command."""

from __future__ import annotations

from keysh.interp.engine.before_command import ask_host, perform_admitted
from keysh.interp.engine.dispatch import run_command, run_renamed_command
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE, Exit
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(
    refusals=Refusals(usage_status=2),
    style=OptionStyle(binds_by_key=False),
)
def exec_(
    sh: Call,
    *words: Raw,
    clean: bool = False,
    login: bool = False,
    name: str | None = None,
) -> None:
    """Run a command, ignoring functions, and exit the shell with its status.

    words ...        the command; without one, redirections become permanent
    -c, --clean      run it with an empty environment
    -l, --login      put a dash in front of the name that a program is told
    -a, --name NAME  the name that a program or a shell is told as its own: its $0

    The EXIT trap of the shell does not run.
    """
    if not words:
        return
    state = state_of(sh)
    if clean:
        state.replace_environment({})
    state.traps.pop("EXIT", None)
    span = state.span
    if not ask_host(state, words):
        raise Exit(STATUS_NOT_EXECUTABLE)
    try:
        own_name = text_of(words[0])
        shown_name = "-" * login + (own_name if name is None else name)

        def perform() -> int:
            if shown_name == own_name:
                return run_command(state, own_name, words[1:])
            return run_renamed_command(state, own_name, words[1:], shown_name)

        raise Exit(perform_admitted(state, span, perform))
    except RuntimeDiagnostic as problem:
        problem.is_final = True  # the shell ends in any case
        raise
