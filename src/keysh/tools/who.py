"""who - who has logged in, and since when."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

IDLE_OPTIONS = {
    "dead",
    "login",
    "runlevel",
    "users",
}  # what is shown with how long nothing was typed
LONG_OPTIONS = {"boot", "process", "time", *IDLE_OPTIONS}  # and with a process


@command(style=OptionStyle(unabbreviated="mine"))
def who(
    sh: Call,
    *words: str,
    all: bool = False,
    boot: bool = False,
    dead: bool = False,
    heading: bool = False,
    ips: bool = False,
    json: bool = False,
    login: bool = False,
    lookup: bool = False,
    mine: bool = False,
    process: bool = False,
    count: bool = False,
    runlevel: bool = False,
    short: bool = False,
    time: bool = False,
    message: bool = False,
    users: bool = False,
) -> Iterator[str]:
    """Print who has logged in: nobody does, in a shell inside a program.

    words ...                          ignored, as in `who am i`, or a file
    -a, --all                          everything that can be told
    -b, --boot                         when the machine has begun
    -d, --dead                         processes that have ended
    -H, --heading                      print a line of headings
    --ips                              ignored
    --json                             rows as JSON lines, of which there are none
    -l, --login                        where somebody could log in
    --lookup                           ignored
    -m, --mine                         only who types here
    -p, --process                      processes of the machine's first one
    -q, --count                        only names, and how many
    -r, --runlevel                     what the machine runs
    -s, --short                        only names, terminals and times
    -t, --time                         when the clock was set
    -T, -w, --message, --mesg, --writable  whether a message can be written to them
    -u, --users                        how long they have not typed, too
    """
    del boot, ips, login, lookup, mine, process, runlevel, time, users
    if len(words) > len(("am", "i")):
        raise UsageFailure(f"extra operand {quoted_name(words[2])}")
    if json:
        return
    if count:
        yield "\n# users=0\n"
        return
    if not heading:
        return
    asked = {name for name, value in sh.given if value} | (LONG_OPTIONS if all else set())
    exits = dead or all
    is_long = bool(asked & LONG_OPTIONS) and (exits or not short)
    yield "".join([
        "NAME       " if message or all else "NAME     ",
        "LINE         TIME            ",
        " IDLE  " if is_long and asked & IDLE_OPTIONS else "",
        "        PID" if is_long else "",
        " COMMENT  EXIT\n" if exits else " COMMENT\n",
    ])  # fmt: skip
