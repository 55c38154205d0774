"""ps - what this shell runs."""

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

BSD_LETTERS = set("axwfeh")  # that follow `-au` where they are no user's name
NONE_STATUS = 1  # the status where nothing is listed


@command(
    style=OptionStyle(
        unabbreviated=(
            "all everything full extra-full long jobs hierarchy terminal leaders command-name "
            "threads spids after without-flags with-columns wide ownerless"
        )
    )
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
    after: bool = False,
    sort: list[str] | None = None,
    headers: bool = False,
    no_headers: bool = False,
    columns: int = 0,
    rows: int = 0,
    wide: bool = False,
    json: bool = False,
) -> Iterator[str | dict[str, Any]]:
    """List what this shell runs: itself, and its jobs. Processes of the host are not seen.

    words ...                  letters as BSD has them, such as aux; or numbers of processes
    -A, --all                  everything, which is the default
    -e, --everything           the same
    -a, --terminal             the same
    -d, --leaders              all but the shell
    -x, --ownerless            everything
    -N, --deselect             all but what is asked for
    -C, --command-name LIST    the commands of these names
    -G, -g, --group, --Group LIST  those of these groups or sessions
    -p, -q, --pid, --quick-pid LIST  these numbers
    --ppid LIST                those that these have started
    -s, --sid LIST             those of these sessions
    -t, --tty LIST             those of these terminals, of which there is none
    -u, -U, --user, --User LIST  those of these users
    -f, --full                 more columns
    -F, --extra-full           still more
    -l, --long                 other columns
    -j, --jobs                 columns about sessions
    -y, --without-flags        with -l, memory and no flags
    -o, --format LIST          these columns, such as pid,user:12,comm=NAME
    -O, --with-columns LIST    the usual columns and these
    -H, --hierarchy            what was started below what started it
    --forest                   the same, drawn as a tree
    -L, --threads              with the number of the thread
    -T, --spids                the same in another column
    -m, --after                ignored
    --sort KEYS                in the order of these columns, those behind - backwards
    --headers                  ignored
    --no-headers, --no-heading, --no-headings, --noheader, --noheaders, --noheading, --noheadings
                               no headings
    --columns, --cols, --width NUM  ignored: lines are as long as they are
    --rows, --lines NUM        ignored
    -w, --wide                 ignored
    --json                     rows as JSON lines: pid, ppid, state, started, command
    -V, --version              print which keysh this is
    """
    del headers, columns, rows, wide, after, all, everything, ownerless
    try:
        if terminal and user and len(user) == 1 and set(user[0]) <= BSD_LETTERS:
            words, user = (f"au{user[0]}", *words), None  # `-aux` is `aux` where nobody is called x
        request = PsRequest(sh, words)
        request.select("pid", request.numbers(pid, "process ID list"))
        request.select("ppid", request.numbers(ppid, "process ID list"))
        request.select("session", request.numbers(sid, "session ID list"))
        request.select("group", request.owners(group, "group"))
        request.select("user", request.owners(user, "user"))
        request.select("name", request.values(command_name))
        request.select("tty", None if tty is None else [])
        letters = "".join(letter for letter, value in zip(
            "fFljy", (full, extra_full, long, jobs, without_flags), strict=True
        ) if value)  # fmt: skip
        shown = column_list(request, letters, format, with_columns, threads, spids)
        wanted, keys = [*parse_columns(shown)], [*sort_keys([*(sort or ()), *request.sorts])]
    except PsRefused as refused:
        sh.err.write(f"error: {refused}\nTry 'ps --help' for more information.\n")
        sh.status = NONE_STATUS
        return
    known = ColumnValues(sh)
    chosen = [
        process for process in list_processes(sh, state_of(sh))
        if request.wants(process) is not deselect and not (leaders and process.parent == INIT_PID)
    ]  # fmt: skip
    for key, is_backwards in reversed(keys):
        chosen.sort(key=partial(known.rank, key=key), reverse=is_backwards)
    if forest or hierarchy or request.is_forest:
        chosen = [*process_tree(chosen, is_drawn=not hierarchy)]
    sh.status = 0 if chosen else NONE_STATUS
    if json:
        yield from (process.row() for process in chosen)
        return
    yield from table_lines(chosen, wanted, known, not (no_headers or request.has_no_headings))


def column_list(
    request: PsRequest,
    letters: str,
    format: list[str] | None,
    more: list[str] | None,
    threads: bool,
    spids: bool,
) -> str:
    """The list of columns that the options mean."""
    formats = [*(format or ()), *request.formats]
    if formats:
        return ",".join(formats)
    if more:
        return f"pid,{','.join(more)},s,tname,time,args"
    letters = "F" if "F" in letters else "fj" if {"f", "j"} <= {*letters} else letters
    way = request.set_name() or letters
    shown = (
        COLUMN_SETS.get(way)
        or COLUMN_SETS[next((one for one in ("fl", "ly", *letters) if one in way), "")]
    )
    if threads and "f" in letters:
        shown = shown.replace("ppid,c", "ppid,lwp,c,nlwp")
    elif threads or spids:
        shown = shown.replace("pid,", f"pid,{'lwp' if threads else 'spid'},", 1)
    return shown


def sort_keys(texts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """What to sort by, and whether backwards; the first counts most."""
    for name in (part for text in texts for part in text.replace(",", " ").split()):
        try:
            yield next(parse_columns(name.lstrip("+-"))).key, name.startswith("-")
        except PsRefused:
            raise PsRefused("unknown sort specifier") from None


def process_tree(processes: Sequence[ProcessEntry], *, is_drawn: bool) -> Iterator[ProcessEntry]:
    """The processes, each behind the one that has started it, and drawn below it."""
    numbers = {process.pid for process in processes}
    waiting = [(one, "", "") for one in reversed(processes) if one.parent not in numbers]
    while waiting:
        process, first, below = waiting.pop()
        process.prefix = first
        yield process
        children = [one for one in processes if one.parent == process.pid and one is not process]
        for child in reversed(children):
            if not is_drawn:
                waiting.append((child, f"{below}  ", f"{below}  "))
                continue
            is_last = child is children[-1]
            waiting.append((child, f"{below} \\_ ", below + ("    " if is_last else " |  ")))
