"""pgrep - list the processes of this shell that match a pattern."""

from __future__ import annotations

from keysh.builtins.pgrep.selection import USAGE_STATUS, ProcessSelection
from keysh.schema.arguments import option_words
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Regex


@command(
    output=OutputStyle(lines=True),
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False),
)
def pgrep(
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
    delimiter: str = "\n",
    inverse: bool = False,
    list_full: bool = False,
    list_name: bool = False,
) -> int:
    """List the processes of this shell, itself and its jobs, that match a pattern.

    pattern                an extended regular expression
    -c, --count            print only how many there are
    -u, --euid LIST        only processes of these users
    -x, --exact            the pattern must match the whole name
    -f, --full             match the whole command line, not the name
    -i, --ignore-case      match without regard to case
    -n, --newest           only the one that started last
    -o, --oldest           only the one that started first
    -P, --parent LIST      only processes with these parents
    -d, --delimiter TEXT   print TEXT between the numbers
    -v, --inverse          the processes that do not match
    -a, --list-full        print the command line too
    -l, --list-name        print the name too

    If programs may run without restriction, the machine's pgrep runs instead, which
    knows its processes.
    """
    words = [] if pattern is None else ["--", pattern]
    status = sh.run_hidden_program(["pgrep", *option_words(sh.given), *words])
    if status is not None:
        return status
    selection = ProcessSelection(pattern)
    selection.matches_arguments, selection.ignores_case = full, ignore_case
    selection.is_exact, selection.is_newest, selection.is_oldest = exact, newest, oldest
    selection.parents, selection.users = parent, euid
    selection.is_inverse = inverse
    processes = selection.processes(sh)
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
