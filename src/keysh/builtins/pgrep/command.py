"""pgrep - list the processes of this shell that match a pattern."""

from __future__ import annotations

from keysh.builtins.pgrep.selection import (
    IGNORED_OPTIONS,
    REFUSED_OPTIONS,
    SELECTION_HELP,
    USAGE_STATUS,
    machine_status,
    selected_processes,
)
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Regex


def pgrep(
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
    delimiter: str = "\n",
    inverse: bool = False,
    list_full: bool = False,
    list_name: bool = False,
) -> int:
    """List processes; the help is set below, with the options that pkill has too."""
    del euid, uid, exact, full, ignore_case, newest, oldest, older, parent, pidfile, inverse
    status = machine_status(sh, pattern)
    if status is not None:
        return status
    processes = selected_processes(sh, pattern)
    if count:
        sh.out.write(f"{len(processes)}\n")
    elif processes:
        lines = [
            f"{process.pid} {process.args}" if list_full
            else f"{process.pid} {process.name}" if list_name
            else str(process.pid)
            for process in processes
        ]  # fmt: skip
        sh.out.write(f"{delimiter.join(lines)}\n")
    return 0 if processes else 1


pgrep.__doc__ = f"""List the processes of this shell, itself and its jobs, that match a pattern.

    {SELECTION_HELP}
    -d, --delimiter TEXT   print TEXT between the numbers
    -v, --inverse          the processes that do not match
    -a, --list-full        print the command line too
    -l, --list-name        print the name too

    If programs may run without restriction, the machine's pgrep runs instead, which
    knows its processes.
    """
command(
    compatible="procps 4.0.2",
    output=OutputStyle(lines=True),
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False),
    ignored=f"{IGNORED_OPTIONS}; -w, --lightweight",
    refused=REFUSED_OPTIONS,
)(pgrep)
