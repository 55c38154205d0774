"""ps - list the processes of this shell."""

from __future__ import annotations

from functools import partial

from keysh.builtins.ps.columns import COLUMN_SETS, parse_columns, table_lines
from keysh.builtins.ps.process import INIT_PID, ColumnValues, list_processes
from keysh.builtins.ps.request import PsRefused, PsRequest
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from keysh.builtins.ps.process import ProcessEntry
    from keysh.interp.state.call import Call

BSD_LETTERS = set("axwfeh")  # that may follow `-au` unless they name a user
NONE_STATUS = 1  # nothing was listed


@command(
    compatible="procps 4.0.2",
    style=OptionStyle(
        unabbreviated=(
            "all everything full extra-full long jobs hierarchy terminal leaders command-name "
            "threads spids after without-flags with-columns wide ownerless"
        )
    ),
    ignored=(
        "-m, --after; --headers; --columns, --cols, --width NUM; --rows, --lines NUM; -w, --wide"
    ),
)
def ps(
    sh: Call,
    *words: str,
    all: bool = False,
    everything: bool = False,
    terminal: bool = False,
    leaders: bool = False,
    ownerless: bool = False,
    deselect: bool = False,
    command_name: list[str] | None = None,
    group: list[str] | None = None,
    pid: list[str] | None = None,
    ppid: list[str] | None = None,
    sid: list[str] | None = None,
    tty: list[str] | None = None,
    user: list[str] | None = None,
    full: bool = False,
    extra_full: bool = False,
    long: bool = False,
    jobs: bool = False,
    without_flags: bool = False,
    format: list[str] | None = None,
    with_columns: list[str] | None = None,
    hierarchy: bool = False,
    forest: bool = False,
    threads: bool = False,
    spids: bool = False,
    sort: list[str] | None = None,
    no_headers: bool = False,
    json: bool = False,
) -> Iterator[str | dict[str, Any]]:
    """List the processes of this shell: itself and its jobs, never those of the host.

    words ...                    BSD-style letters such as aux, or process IDs
    -A, --all                    all processes (default)
    -e, --everything             same as -A
    -a, --terminal               same as -A
    -d, --leaders                all processes except the shell
    -x, --ownerless              same as -A
    -N, --deselect               invert the selection
    -C, --command-name LIST      select by command name
    -G, -g, --group, --Group LIST
                                 select by group or session
    -p, -q, --pid, --quick-pid LIST
                                 select by process ID
    --ppid LIST                  select by parent process ID
    -s, --sid LIST               select by session ID
    -t, --tty LIST               select by terminal, of which there is none
    -u, -U, --user, --User LIST  select by user
    -f, --full                   full format
    -F, --extra-full             extra full format
    -l, --long                   long format
    -j, --jobs                   jobs format
    -y, --without-flags          with -l, show rss instead of flags
    -o, --format LIST            print these columns: pid,user:12,comm=NAME
    -O, --with-columns LIST      print the default columns and these
    -H, --hierarchy              indent child processes below their parents
    --forest                     like -H, drawn as a tree
    -L, --threads                show thread IDs in column LWP
    -T, --spids                  show thread IDs in column SPID
    --sort KEYS                  sort by these columns, in descending order after -
    --no-headers, --no-heading, --no-headings, --noheader, --noheaders, --noheading, --noheadings
                                 print no header
    --json                       print JSON lines: pid, ppid, state, started,
                                 command
    -V, --version                print the version of keysh

    Lines are never cut.
    """
    del all, everything, ownerless
    try:
        if terminal and user and len(user) == 1 and set(user[0]) <= BSD_LETTERS:
            # `-aux` means `aux` unless there is a user x.
            words, user = (f"au{user[0]}", *words), None
        request = PsRequest(sh, words)
        request.select("pid", request.numbers(pid, "process ID list"))
        request.select("ppid", request.numbers(ppid, "process ID list"))
        request.select("session", request.numbers(sid, "session ID list"))
        request.select("group", request.owners(group, "group"))
        request.select("user", request.owners(user, "user"))
        request.select("name", request.values(command_name))
        request.select("tty", None if tty is None else [])
        if without_flags and not long:
            raise PsRefused("modifier -y without format -l makes no sense")
        letters = "".join(letter for letter, value in zip(
            "fFljy", (full, extra_full, long, jobs, without_flags), strict=True
        ) if value)  # fmt: skip
        column_names = column_list(request, letters, format, with_columns, threads, spids)
        table_columns, sort_by = (
            [*parse_columns(column_names)],
            [*sort_keys([*(sort or ()), *request.sorts])],
        )
    except PsRefused as refused:
        sh.complain(f"error: {refused}\nTry 'ps --help' for more information.")
        sh.status = NONE_STATUS
        return
    column_values = ColumnValues(sh)
    processes = [
        process for process in list_processes(sh, state_of(sh))
        if request.wants(process) is not deselect and not (leaders and process.parent == INIT_PID)
    ]  # fmt: skip
    for key, is_backwards in reversed(sort_by):
        processes.sort(key=partial(column_values.rank, key=key), reverse=is_backwards)
    if forest or hierarchy or request.is_forest:
        processes = [*process_tree(processes, is_drawn=not hierarchy)]
    sh.status = 0 if processes else NONE_STATUS
    if json:
        yield from (process.row() for process in processes)
        return
    yield from table_lines(
        processes, table_columns, column_values, not (no_headers or request.has_no_headings)
    )


def column_list(
    request: PsRequest,
    letters: str,
    format: list[str] | None,
    more: list[str] | None,
    threads: bool,
    spids: bool,
) -> str:
    """Return the columns that the options select, separated by commas."""
    formats = [*(format or ()), *request.formats]
    if formats:
        return ",".join(formats)
    if more:
        return f"pid,{','.join(more)},s,tname,time,args"
    letters = "F" if "F" in letters else "fj" if {"f", "j"} <= {*letters} else letters
    set_name = request.set_name() or letters
    names = (
        COLUMN_SETS.get(set_name)
        or COLUMN_SETS[
            next(
                (
                    option_letters
                    for option_letters in ("fl", "ly", *letters)
                    if option_letters in set_name
                ),
                "",
            )
        ]
    )
    if threads and "f" in letters:
        names = names.replace("ppid,c", "ppid,lwp,c,nlwp")
    elif threads or spids:
        names = names.replace("pid,", f"pid,{'lwp' if threads else 'spid'},", 1)
    return names


def sort_keys(texts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the columns to sort by, most significant first, and whether descending."""
    for name in (key for text in texts for key in text.replace(",", " ").split()):
        try:
            yield next(parse_columns(name.lstrip("+-"))).key, name.startswith("-")
        except PsRefused:
            raise PsRefused("unknown sort specifier") from None


def process_tree(processes: Sequence[ProcessEntry], *, is_drawn: bool) -> Iterator[ProcessEntry]:
    """Yield each process after its parent; the prefix indents or draws it."""
    numbers = {process.pid for process in processes}
    waiting = [
        (process_below, "", "")
        for process_below in reversed(processes)
        if process_below.parent not in numbers
    ]
    while waiting:
        process, prefix, indent = waiting.pop()
        process.prefix = prefix
        yield process
        children = [
            process_below
            for process_below in processes
            if process_below.parent == process.pid and process_below is not process
        ]
        for child in reversed(children):
            if not is_drawn:
                waiting.append((child, f"{indent}  ", f"{indent}  "))
                continue
            is_last = child is children[-1]
            waiting.append((child, f"{indent} \\_ ", indent + ("    " if is_last else " |  ")))
