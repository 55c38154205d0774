"""who - print who is logged in."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

# These options add the column IDLE.
IDLE_OPTIONS = {"dead", "login", "runlevel", "users"}
LONG_OPTIONS = {"boot", "process", "time", *IDLE_OPTIONS}  # add the column PID


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="mine"),
    ignored="--ips; --lookup",
)
def who(
    sh: Call,
    *words: str,
    all: bool = False,
    boot: bool = False,
    dead: bool = False,
    heading: bool = False,
    json: bool = False,
    login: bool = False,
    mine: bool = False,
    process: bool = False,
    count: bool = False,
    runlevel: bool = False,
    short: bool = False,
    time: bool = False,
    message: bool = False,
    users: bool = False,
) -> Iterator[str]:
    """Print who is logged in, which is nobody.

    words ...       ignored, as in `who am i`, or a file
    -a, --all       all information
    -b, --boot      the time of the last boot
    -d, --dead      dead processes
    -H, --heading   print column headings
    --json          print JSON lines, of which there are none
    -l, --login     login processes
    -m, --mine      only the user on standard input
    -p, --process   processes started by init
    -q, --count     only login names and their number
    -r, --runlevel  the current run level
    -s, --short     only name, line and time (default)
    -t, --time      the last change of the clock
    -T, -w, --message, --mesg, --writable
                    whether users accept messages
    -u, --users     idle times
    """
    del boot, login, mine, process, runlevel, time, users
    if len(words) > len(("am", "i")):
        raise UsageFailure(f"extra operand {quoted_name(words[2])}")
    if json:
        return
    if count:
        yield "\n# users=0\n"
        return
    if not heading:
        return
    options = {name for name, value in sh.given if value} | (LONG_OPTIONS if all else set())
    has_exit = dead or all
    is_long = bool(options & LONG_OPTIONS) and (has_exit or not short)
    yield "".join([
        "NAME       " if message or all else "NAME     ",
        "LINE         TIME            ",
        " IDLE  " if is_long and options & IDLE_OPTIONS else "",
        "        PID" if is_long else "",
        " COMMENT  EXIT\n" if has_exit else " COMMENT\n",
    ])  # fmt: skip
