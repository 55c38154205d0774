"""Broken: what `--stream` knows of a value before the place where it turns out to be none."""

from __future__ import annotations

import re
from collections import deque

from keysh.commands.jq.collection import stream_events
from keysh.commands.jq.reader import Documents, JqParseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.commands.jq.code import Value

STRING_OR_MARK = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{},]', re.DOTALL)
LAST = 16  # ends of items that are looked at
CLOSING = {"[": "]", "{": "}"}


def events_before_error(text: str) -> list[Value]:
    """The events of the beginning of a value: each is told where a comma or a bracket ends it."""
    for end, closing in reversed(deque(beginnings(text), LAST)):
        try:
            events = [event for value in Documents([text[:end] + closing])
                      for event in stream_events(value)]  # fmt: skip
        except JqParseError:  # an object that has a value where a key should be
            continue
        return events[: len(events) - len(closing)]  # the others tell of ends that are not there
    return []


def beginnings(text: str) -> Iterator[tuple[int, str]]:
    """The end of each item, and what would close the arrays and objects there."""
    open_ones: list[str] = []
    for match in STRING_OR_MARK.finditer(text):
        mark = match[0]
        if mark in CLOSING:
            open_ones.append(CLOSING[mark])
        elif mark[0] != '"' and open_ones:
            if mark != ",":
                open_ones.pop()
            yield match.end() - (mark == ","), "".join(reversed(open_ones))
