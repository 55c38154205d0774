"""exec - run a command in place of the shell."""

from __future__ import annotations

from keysh.runtime.dispatch import NOT_ALLOWED, run_command
from keysh.runtime.failing import is_allowed
from keysh.runtime.own import state_of
from keysh.runtime.problem import Problem
from keysh.runtime.signals import Exit
from keysh.schema.declare import command
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.schema.types import Raw


@command(usage=2, names=False)
def exec_(
    sh: Call, *words: Raw, clean: bool = False, login: bool = False, name: str | None = None
) -> None:
    """Run a command in place of the shell, which ends with it. A function is not meant.

    words ...        the command; without one, redirections stay as they are
    -c, --clean      with an empty environment
    -l, --login      ignored
    -a, --name NAME  ignored

    The shell's EXIT trap does not run.
    """
    if not words:
        return
    state = state_of(sh)
    if clean:
        state.replace_environment({})
    state.traps.pop("EXIT", None)
    if not is_allowed(state, words):
        raise Exit(NOT_ALLOWED)
    try:
        raise Exit(run_command(state, text_of(words[0]), words[1:]))
    except Problem as problem:
        problem.is_final = True  # the shell ends, whatever the command came to
        raise
