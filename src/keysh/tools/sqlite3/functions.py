"""Functions that replace SQLite's own: of time and chance, and those that take too long.

A host may fix the time and seed the random numbers of a shell. `instr` and `replace` of SQLite
compare every position, for up to the product of both lengths, and cannot be stopped.
"""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.tools.sqlite3.costly_functions import limit_costly_functions

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import Any

    from keysh.interp.state.call import Call

TIME_FUNCTIONS = ("date", "time", "datetime", "julianday", "unixepoch", "strftime")
CURRENT_TIMES = {
    "current_date": "%Y-%m-%d", "current_time": "%H:%M:%S", "current_timestamp": "%Y-%m-%d %H:%M:%S"
}  # fmt: skip


def replace_functions(
    connection: sqlite3.Connection, helper: sqlite3.Connection, sh: Call, max_bytes: int
) -> None:
    """Replace the functions of a connection. `helper` is one with SQLite's own."""
    text_of, random = text_converter(helper), sh.random

    def instr(whole: Any, part: Any) -> int | None:
        if whole is None or part is None:
            return None
        if isinstance(whole, bytes) and isinstance(part, bytes):
            return whole.find(part) + 1
        return text_of(whole).find(text_of(part)) + 1

    def replace(whole: Any, old: Any, new: Any) -> Any:
        if whole is None or old is None or new is None:
            return None
        text, before = text_of(whole), text_of(old)
        if not before:
            return whole
        after = text_of(new)
        data = bytes_of_text(text)
        growth = len(bytes_of_text(after)) - len(bytes_of_text(before))
        if len(data) + text.count(before) * growth > max_bytes:
            raise OverflowError  # "string or blob too big"
        return text.replace(before, after)

    def random_blob(size: Any) -> bytes:
        count = max(int(size or 0), 1) if isinstance(size, int | float) else 1
        if count > max_bytes:
            raise OverflowError  # "string or blob too big"
        return random.randbytes(count)

    limit_costly_functions(connection, helper, text_of, max_bytes, sh.tick)
    connection.create_function("instr", 2, instr, deterministic=True)
    connection.create_function("replace", 3, replace, deterministic=True)
    connection.create_function("random", 0, lambda: random.getrandbits(64) - (1 << 63))
    connection.create_function("randomblob", 1, random_blob)
    if not sh.has_real_clock:
        replace_clock(connection, helper, sh)


def text_converter(helper: sqlite3.Connection) -> Callable[[Any], str]:
    """Return the function that converts a value to text as SQLite does."""

    def text_of(value: Any) -> str:
        if isinstance(value, bytes):
            return text_of_bytes(value)
        if isinstance(value, str):
            return value
        return str(helper.execute("SELECT CAST(? AS TEXT)", (value,)).fetchone()[0])

    return text_of


def replace_clock(connection: sqlite3.Connection, helper: sqlite3.Connection, sh: Call) -> None:
    """Replace the functions of time by those that read the clock of the shell."""

    def now() -> str:
        return format_moment("%Y-%m-%d %H:%M:%S.%3N", Moment(sh.now(), UTC_ZONE))

    def time_function(name: str) -> Callable[..., Any]:
        own_arguments = 1 if name == "strftime" else 0  # those before the time

        def call(*values: Any) -> Any:
            times = list(values)
            if len(times) == own_arguments:
                times.append("now")
            times = [
                now() if isinstance(each, str) and each.lower() == "now" else each for each in times
            ]
            marks = ", ".join("?" * len(times))
            return helper.execute(f"SELECT {name}({marks})", times).fetchone()[0]

        return call

    for name in TIME_FUNCTIONS:
        connection.create_function(name, -1, time_function(name), deterministic=True)
    for name, form in CURRENT_TIMES.items():
        connection.create_function(
            name, 0, lambda form=form: format_moment(form, Moment(sh.now(), UTC_ZONE))
        )
