"""bash - run a script of bash in a separate shell."""

from __future__ import annotations

from keysh.builtins.keysh import run_shell
from keysh.diagnostics.dialect import BASH
from keysh.interp.engine.dispatch import program_arguments
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import words_for_function
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command
def bash(sh: Call, *words: Raw) -> int:
    """Run a script of bash in a separate shell that changes nothing in this one.

    words ...  options, then -c TEXT with $0 and the arguments, or a file and its
               arguments; without either the script is standard input

    Where real programs run, this is the real bash; elsewhere keysh runs the
    script as bash 5.2 does. The script sees exported variables.
    """
    state = state_of(sh)
    programs = state.session.programs
    path = None if programs is None else programs.find(state, sh.name)
    if programs is None or path is None:
        return run_shell(sh, words, BASH)
    return programs.run(state, sh, [sh.name, *program_arguments(words_for_function(words))], path)
