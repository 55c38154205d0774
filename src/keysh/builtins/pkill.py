"""pkill - send a signal to the processes of this shell that match a pattern."""

from __future__ import annotations

from keysh.builtins.kill import send_to
from keysh.builtins.pgrep.selection import (
    IGNORED_OPTIONS,
    REFUSED_OPTIONS,
    SELECTION_HELP,
    USAGE_STATUS,
    machine_status,
    selected_processes,
)
from keysh.interp.state.call import UsageFailure
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.signal_names import signal_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Regex


def signal_option(word: str, count: int) -> str:
    """Return `--signal=NAME` for `-NAME`, such as -9 or -HUP."""
    name = word[1:]
    is_signal = word[:1] == "-" and name.isalnum() and signal_number(name) is not None
    return f"--signal={name}" if is_signal else ""


def pkill(
    sh: Call,
    pattern: Regex | None = None,
    /,
    *,
    count: bool = False,
    euid: str | None = None,
    uid: str | None = None,
    exact: bool = False,
    full: bool = False,
    ignore_case: bool = False,
    newest: bool = False,
    oldest: bool = False,
    older: int | None = None,
    parent: str | None = None,
    pidfile: Path | None = None,
    echo: bool = False,
    signal: str = "TERM",
) -> int:
    """Send a signal to processes; the help is set below, with the options that pgrep has too."""
    del euid, uid, exact, full, ignore_case, newest, oldest, older, parent, pidfile
    status = machine_status(sh, pattern)
    if status is not None:
        return status
    number = signal_number(signal)
    if number is None:
        raise UsageFailure(f"invalid signal: '{signal}'")
    state = state_of(sh)
    shell_pid = state.session.jobs.shell_pid
    selected = selected_processes(sh, pattern)
    processes = [process for process in selected if process.pid != shell_pid]
    for process in processes:
        send_to(sh, state, number, str(process.pid))
        if echo:
            sh.out.write(f"{process.name} killed (pid {process.pid})\n")
    if count:
        sh.out.write(f"{len(processes)}\n")
    return 0 if processes else 1


pkill.__doc__ = f"""Send a signal to the processes of this shell, its jobs, that match a pattern.

    {SELECTION_HELP}
    -e, --echo             print what is killed
    --signal SIGNAL        the signal; also -SIGNAL as the first word, as in -HUP

    The shell itself is never signalled. If programs may run without restriction,
    the machine's pkill runs instead, which knows its processes.
    """
command(
    compatible="procps 4.0.2",
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False, legacy_form=signal_option),
    ignored=IGNORED_OPTIONS,
    refused=f"{REFUSED_OPTIONS}; -q, --queue VALUE  signals carry no values",
)(pkill)
