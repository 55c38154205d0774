"""Tab stops: lists such as `4`, `2,8,20`, `2,/4` and `2,+4`, for expand and unexpand."""

from __future__ import annotations

import re
from itertools import pairwise

from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call

DEFAULT_TAB_WIDTH = 8
STOP_SEPARATORS = re.compile(r"[, \t\n]+")
MAX_TAB_STOP = 1 << 16  # limits how far one tab can expand


class TabStops:
    """The columns of tab stops, counted from 0.

    `every` is the distance between stops after the last one listed, counted from it or from the
    start of the line.
    """

    __slots__ = ("_from_last", "every", "stops")

    def __init__(self, stops: list[int], every: int, *, from_last: bool = False) -> None:
        self.stops, self.every, self._from_last = stops, every, from_last

    def next_stop(self, column: int) -> int:
        """Return the first stop after a column, or -1."""
        for stop in self.stops:
            if stop > column:
                return stop
        if not self.every:
            return -1
        base = self.stops[-1] if self._from_last and self.stops else 0
        return column + self.every - (column - base) % self.every


def parse_tab_stops(sh: Call, texts: Sequence[str]) -> TabStops:
    """Return the stops of all lists."""
    stops: list[int] = []
    every = {"/": 0, "+": 0}
    for text in texts:
        mark = ""  # holds for all numbers that follow
        for part in filter(None, STOP_SEPARATORS.split(text)):
            mark = part[0] if part[0] in every else mark
            digits = part.removeprefix(mark)
            if not digits:
                continue
            if not is_digits(digits):
                refuse_stop(sh, digits)
            value = int(digits.lstrip("0")[:21] or 0)
            if value > MAX_TAB_STOP:
                raise sh.fail(f"tab stop is too large {locale_quoted_text(digits)}")
            if mark and every[mark]:
                raise sh.fail(f"'{mark}' specifier only allowed with the last value")
            if mark:
                every[mark] = value
            else:
                stops.append(value)
    if 0 in stops:
        raise sh.fail("tab size cannot be 0")
    if any(one >= two for one, two in pairwise(stops)):
        raise sh.fail("tab sizes must be ascending")
    if every["/"] and every["+"]:
        raise sh.fail("'/' specifier is mutually exclusive with '+'")
    if len(stops) == 1 and not any(every.values()):
        return TabStops([], stops[0])
    if not stops and not any(every.values()):
        return TabStops([], DEFAULT_TAB_WIDTH)
    return TabStops(stops, every["/"] or every["+"], from_last=bool(every["+"]))


def refuse_stop(sh: Call, digits: str) -> None:
    """Raise the failure for an invalid tab stop."""
    invalid = digits.lstrip("0123456789")
    if invalid[:1] in ("/", "+"):
        message = f"{locale_quoted_text(invalid[0])} specifier not at start of number"
        raise sh.fail(f"{message}: {locale_quoted_text(invalid)}")
    raise sh.fail(f"tab size contains invalid character(s): {locale_quoted_text(invalid)}")
