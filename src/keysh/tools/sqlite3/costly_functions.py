"""Functions of SQLite that take the product of their arguments' lengths, and cannot be stopped.

`printf` counts to each width, even when its text is too long already, so that it becomes NULL.
`trim` looks for each character in all that are to be removed, `json_patch` for each key in all.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import Any

MAX_KEY_PAIRS = 50_000_000  # that json_patch compares: 0.1 s
CHARACTERS_PER_TICK = 50_000

# Flags, width, precision and type of a conversion of printf.
CONVERSION = re.compile(r"%[-+ #0,!]*(\*|\d*)(?:\.(\*|\d*))?l{0,2}(.?)", re.DOTALL)
# A format without this needs no closer look: the widths of 200 characters are below 100,000.
WIDE_FORMAT = re.compile(r"\*|\d{4}|.{200}", re.DOTALL)
LEADING_INTEGER = re.compile(r"\s*([-+]?\d{1,18})")
SIDES = {"trim": (True, True), "ltrim": (True, False), "rtrim": (False, True)}


def limit_costly_functions(
    connection: sqlite3.Connection,
    helper: sqlite3.Connection,
    text_of: Callable[[Any], str],
    max_bytes: int,
    tick: Callable[[], None],
) -> None:
    """Replace the functions of a connection. `helper` is one with SQLite's own."""

    def printf(*values: Any) -> Any:
        if values and values[0] is not None:
            form = text_of(values[0])
            if WIDE_FORMAT.search(form) and width_of(form, values[1:]) > max_bytes:
                return None
        marks = ", ".join("?" * len(values))
        return helper.execute(f"SELECT printf({marks})", values).fetchone()[0]

    def json_patch(target: Any, patch: Any) -> Any:
        if target is not None and patch is not None:
            pairs = (text_of(target).count(":") + 1) * text_of(patch).count(":")
            if pairs > MAX_KEY_PAIRS:
                raise OverflowError  # "string or blob too big"
        return helper.execute("SELECT json_patch(?, ?)", (target, patch)).fetchone()[0]

    for name in ("printf", "format"):
        connection.create_function(name, -1, printf, deterministic=True)
    for name in SIDES:
        connection.create_function(name, 2, trimmer(name, text_of, tick), deterministic=True)
    connection.create_function("json_patch", 2, json_patch, deterministic=True)


def trimmer(
    side: str, text_of: Callable[[Any], str], tick: Callable[[], None]
) -> Callable[[Any, Any], Any]:
    """Return the function that removes characters from one side, or from both."""
    from_start, from_end = SIDES[side]

    def trim(whole: Any, characters: Any) -> Any:
        if whole is None or characters is None:
            return None
        text = text_of(whole)
        removed = frozenset(text_of(characters).partition("\0")[0])
        start, end = 0, len(text)
        while from_start and start < end and text[start] in removed:
            start += 1
            if start % CHARACTERS_PER_TICK == 0:
                tick()
        while from_end and end > start and text[end - 1] in removed:
            end -= 1
            if end % CHARACTERS_PER_TICK == 0:
                tick()
        return text[start:end]

    return trim


def width_of(form: str, values: tuple[Any, ...]) -> int:
    """Return the sum of all widths and precisions in a format of printf."""
    total, rest = 0, iter(values)
    for width, precision, kind in CONVERSION.findall(form):
        for number in (width, precision):
            total += abs(integer_of(next(rest, 0))) if number == "*" else int(number[:18] or 0)
        if kind not in ("%", ""):
            next(rest, None)
    return total


def integer_of(value: Any) -> int:
    """Return a value as SQLite converts it to a whole number."""
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if abs(value) < 1e18 else 1 << 62
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    found = LEADING_INTEGER.match(value or "")
    return int(found[1]) if found else 0
