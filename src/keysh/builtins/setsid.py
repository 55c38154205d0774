"""setsid - run a command in a new session."""

from __future__ import annotations

from keysh.interp.engine.background import start_job
from keysh.interp.state.call import Call, UsageFailure
from keysh.interp.state.state_of_call import state_of
from keysh.interp.streams.streams import Reader
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw


@command(compatible="util-linux 2.38.1", style=OptionStyle(binds_by_key=False))
def setsid(
    sh: Call, *words: Raw, ctty: bool = False, fork: bool = False, wait: bool = False
) -> int:
    """Run a command in a new session.

    words ...    the command and its arguments
    -c, --ctty   ignored: there is no terminal to control
    -f, --fork   do not wait for the command
    -w, --wait   wait for the command and exit with its status (default)

    keysh's own commands belong to no session; -f runs one as a job that the shell
    does not list. A real program is started by the machine's setsid, unless the
    host restricts which programs may run.
    """
    if not words:
        raise UsageFailure("no command specified")
    if sh.is_program(raw_texts(words[:1])[0]):
        options = [name for name, is_set in (("-c", ctty), ("-f", fork), ("-w", wait)) if is_set]
        status = sh.run_hidden_program(["setsid", *options, *words])
        if status is not None:
            return status
    if not fork:
        return sh.run(words, launch_error="setsid: failed to execute {name}")

    def body(child: State) -> int:
        return Call(sh.name, child, Reader(()), child.out, child.err).run(words)

    job = start_job(state_of(sh), body, " ".join(raw_texts(words)))
    job.is_disowned = True
    return 0
