"""pkill - send a signal to the processes of this shell that match a pattern."""

from __future__ import annotations

from keysh.builtins.kill import send_to
from keysh.builtins.pgrep.selection import USAGE_STATUS, ProcessSelection
from keysh.interp.state.call import UsageFailure
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import option_words
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.signal_names import signal_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Regex


def signal_option(word: str, count: int) -> str:
    """Return `--signal=NAME` for `-NAME`, such as -9 or -HUP."""
    name = word[1:]
    is_signal = word[:1] == "-" and name.isalnum() and signal_number(name) is not None
    return f"--signal={name}" if is_signal else ""


@command(
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False, legacy_form=signal_option),
)
def pkill(
    sh: Call,
    pattern: Regex | None = None,
    /,
    *,
    count: bool = False,
    euid: str | None = None,
    exact: bool = False,
    full: bool = False,
    ignore_case: bool = False,
    newest: bool = False,
    oldest: bool = False,
    parent: str | None = None,
    echo: bool = False,
    signal: str = "TERM",
) -> int:
    """Send a signal to the processes of this shell, its jobs, that match a pattern.

    pattern                an extended regular expression
    -c, --count            print only how many there are
    -u, --euid LIST        only processes of these users
    -x, --exact            the pattern must match the whole name
    -f, --full             match the whole command line, not the name
    -i, --ignore-case      match without regard to case
    -n, --newest           only the one that started last
    -o, --oldest           only the one that started first
    -P, --parent LIST      only processes with these parents
    -e, --echo             print what is killed
    --signal SIGNAL        the signal; also -SIGNAL as the first word, as in -HUP

    The shell itself is never signalled. If programs may run without restriction,
    the machine's pkill runs instead, which knows its processes.
    """
    words = [] if pattern is None else ["--", pattern]
    status = sh.run_hidden_program(["pkill", *option_words(sh.given), *words])
    if status is not None:
        return status
    number = signal_number(signal)
    if number is None:
        raise UsageFailure(f"invalid signal: '{signal}'")
    selection = ProcessSelection(pattern)
    selection.matches_arguments, selection.ignores_case = full, ignore_case
    selection.is_exact, selection.is_newest, selection.is_oldest = exact, newest, oldest
    selection.parents, selection.users = parent, euid
    state = state_of(sh)
    shell_pid = state.session.jobs.shell_pid
    processes = [process for process in selection.processes(sh) if process.pid != shell_pid]
    for process in processes:
        send_to(sh, state, number, str(process.pid))
        if echo:
            sh.out.write(f"{process.name} killed (pid {process.pid})\n")
    if count:
        sh.out.write(f"{len(processes)}\n")
    return 0 if processes else 1
