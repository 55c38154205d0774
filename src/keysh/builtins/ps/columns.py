"""The columns of `ps`, and the sets of columns that its options select."""

from __future__ import annotations

from keysh.builtins.ps.request import PsRefused
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.builtins.ps.process import ColumnValues, ProcessEntry

PID_WIDTH = 7  # digits of the largest process ID
# By name: the heading, the width (negative if left-justified) and the key of ColumnValues.
COLUMN_SPECS: dict[str, tuple[str, int, str]] = {
    "%cpu": ("%CPU", 4, "percent"), "%mem": ("%MEM", 4, "percent"), "addr": ("ADDR SZ", 7, "wide"),
    "args": ("COMMAND", -27, "args"), "bsdstart": ("START", 6, "bsdstart"),
    "bsdtime": ("TIME", 6, "bsdtime"), "c": ("C", 2, "zero"), "cls": ("CLS", 3, "class"),
    "cmd": ("CMD", -27, "args"), "comm": ("COMMAND", -15, "comm"), "drs": ("DRS", 5, "zero"),
    "egid": ("EGID", 5, "uid"), "egroup": ("EGROUP", -8, "user"), "etime": ("ELAPSED", 11, "etime"),
    "etimes": ("ELAPSED", 7, "etimes"), "euid": ("EUID", 5, "uid"), "euser": ("EUSER", -8, "user"),
    "exe": ("EXE", -27, "none"), "f": ("F", 1, "zero"), "fname": ("COMMAND", -8, "comm"),
    "gid": ("GID", 5, "uid"), "group": ("GROUP", -8, "user"), "lstart": ("STARTED", 24, "lstart"),
    "lwp": ("LWP", PID_WIDTH, "pid"), "maj_flt": ("MAJFL", 6, "zero"),
    "majflt": ("MAJFLT", 6, "zero"), "min_flt": ("MINFL", 6, "zero"),
    "minflt": ("MINFLT", 6, "zero"), "ni": ("NI", 3, "nice"), "nlwp": ("NLWP", 4, "one"),
    "opri": ("PRI", 3, "usual"), "pgid": ("PGID", PID_WIDTH, "pgid"),
    "pgrp": ("PGRP", PID_WIDTH, "pgid"), "pid": ("PID", PID_WIDTH, "pid"),
    "policy": ("POL", 3, "class"), "ppid": ("PPID", PID_WIDTH, "ppid"), "pri": ("PRI", 3, "raised"),
    "priority": ("PRI", 3, "even"), "psr": ("PSR", 3, "zero"), "rgid": ("RGID", 5, "uid"),
    "rgroup": ("RGROUP", -8, "user"), "rss": ("RSS", 5, "zero"), "rsz": ("RSZ", 5, "zero"),
    "rtprio": ("RTPRIO", 6, "none"), "ruid": ("RUID", 5, "uid"), "ruser": ("RUSER", -8, "user"),
    "s": ("S", -1, "state"), "sess": ("SESS", PID_WIDTH, "sid"), "sid": ("SID", PID_WIDTH, "sid"),
    "size": ("SIZE", 5, "zero"), "spid": ("SPID", PID_WIDTH, "pid"),
    "start": ("STARTED", 8, "start"), "start_time": ("START", 5, "stime"),
    "stat": ("STAT", -4, "stat"), "stime": ("STIME", 5, "stime"), "suid": ("SUID", 5, "uid"),
    "suser": ("SUSER", -8, "user"), "svuid": ("SVUID", 5, "uid"), "svuser": ("SVUSER", -8, "user"),
    "sz": ("SZ", 5, "zero"), "tgid": ("TGID", PID_WIDTH, "pid"), "thcount": ("THCNT", 5, "one"),
    "tid": ("TID", PID_WIDTH, "pid"), "time": ("TIME", 8, "time"), "times": ("TIME", 8, "zero"),
    "tname": ("TTY", -8, "tty"), "tpgid": ("TPGID", PID_WIDTH, "no"), "trs": ("TRS", 4, "zero"),
    "tt": ("TT", -8, "tty"), "ucmd": ("CMD", -15, "comm"), "uid": ("UID", 5, "uid"),
    "user": ("USER", -8, "user"), "vsz": ("VSZ", 6, "zero"), "wchan": ("WCHAN", -6, "none"),
}  # fmt: skip
COLUMN_ALIASES = {
    "pcpu": "%cpu", "pmem": "%mem", "command": "args", "class": "cls", "cputime": "time",
    "cputimes": "times", "flag": "f", "flags": "f", "nice": "ni", "rssize": "rss", "vsize": "vsz",
    "session": "sess", "state": "s", "tty": "tt",
    "ucomm": "comm", "uname": "user", "longtname": "tname",
}  # fmt: skip
# `=` precedes a heading.
COLUMN_SETS = {
    "": "pid,tname,time,ucmd",
    "f": "user=UID,pid,ppid,c,stime,tname,time,cmd",
    "F": "user=UID,pid,ppid,c,sz,rss,psr,stime,tname,time,cmd",
    "l": "f,s,uid,pid,ppid,c,opri,ni,addr,wchan,tname,time,ucmd",
    "fl": "f,s,user=UID,pid,ppid,c,opri,ni,addr,wchan,stime,tname,time,cmd",
    "ly": "s,uid,pid,ppid,c,opri,ni,rss,sz,wchan,tname,time,ucmd",
    "j": "pid,pgid,sid,tname,time,ucmd",
    "fj": "user=UID,pid,ppid,pgid,sid,c,stime,tname,time,cmd",
    "bsd": "pid,tname,stat,bsdtime,args",
    "bsd u": "user,pid,%cpu,%mem,vsz,rss,tname,stat,start_time,bsdtime,args",
    "bsd l": "f,uid,pid,ppid,priority,ni,vsz,rss,wchan,stat,tname,bsdtime,args",
    "bsd j": "ppid,pid,pgid,sid,tname,tpgid,stat,uid,bsdtime,args",
    "bsd v": "pid,tname,stat,bsdtime,maj_flt,trs:5,drs,rss,%mem,args",
}


class PsColumn:
    """One column: its heading, width, alignment and value key."""

    __slots__ = ("heading", "is_left", "key", "width")

    def __init__(self, name: str, heading: str | None, width: int) -> None:
        spec = COLUMN_SPECS.get(COLUMN_ALIASES.get(name, name))
        if spec is None:
            raise PsRefused(f'unknown user-defined format specifier "{name}"')
        self.heading, default_width, self.key = spec
        if heading is not None:
            self.heading = heading
        self.is_left = default_width < 0
        self.width = width or max(abs(default_width), len(self.heading))


def parse_columns(text: str) -> Iterator[PsColumn]:
    """Parse a list such as `pid,user:12,comm=NAME`; raises PsRefused.

    A heading after the last column extends to the end of the list, commas included.
    """
    names, equals, heading = text.partition("=")
    parts = [part for part in names.replace(",", " ").split(" ") if part]
    if not parts:
        raise PsRefused("improper list")
    rest = ""
    if equals and "," in heading and all(is_column_name(part) for part in heading.split(",")[1:]):
        heading, _, rest = heading.partition(",")
    for index, part in enumerate(parts):
        name, _, width = part.partition(":")
        is_last = index == len(parts) - 1
        column_width = int(width) if is_digits(width) and len(width) < 7 else 0
        yield PsColumn(name, heading if equals and is_last else None, column_width)
    if rest:
        yield from parse_columns(rest)


def is_column_name(text: str) -> bool:
    """Tell whether a part after a comma names another column."""
    name = text.partition("=")[0].partition(":")[0]
    return COLUMN_ALIASES.get(name, name) in COLUMN_SPECS


def table_lines(
    processes: Sequence[ProcessEntry],
    columns: Sequence[PsColumn],
    column_values: ColumnValues,
    has_header: bool,
) -> Iterator[str]:
    if has_header and any(column.heading for column in columns):
        yield table_line(columns, [column.heading for column in columns])
    for process in processes:
        yield table_line(
            columns, [str(column_values.value(process, column.key)) for column in columns]
        )


def table_line(columns: Sequence[PsColumn], cells: Sequence[str]) -> str:
    """Format one line; a left-justified last column is not padded."""
    last = len(columns) - 1
    pieces = [
        (cell if index == last else cell.ljust(column.width))
        if column.is_left
        else cell.rjust(column.width)
        for index, (column, cell) in enumerate(zip(columns, cells, strict=True))
    ]
    return " ".join(pieces) + "\n"
