"""Long work in slices, with a tick after each: what native code does at once holds all threads."""

from __future__ import annotations

import re
from heapq import merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    T = TypeVar("T")

ITEMS_PER_TICK = 1024
MAX_SORTED_AT_ONCE = 100_000  # items; of floats, `sort` takes 50 ms
MAX_SLICE_CHARACTERS = 1 << 20
BLANK_PATTERN, WORD_PATTERN = re.compile("[ \t\n]"), re.compile("[^ \t\n]+")


def with_ticks(items: Iterable[T], tick: Callable[[], object]) -> Iterator[T]:
    """Yield the items unchanged, and call `tick` now and then."""
    for number, item in enumerate(items, 1):
        if not number % ITEMS_PER_TICK:
            tick()
        yield item


def sorted_in_slices(
    items: Iterable[T],
    tick: Callable[[], object],
    key: Callable[[T], Any] | None = None,
    *,
    reverse: bool = False,
) -> list[T]:
    """Return the items as `sorted` does, for any number of them."""
    everything = [*items]
    if len(everything) <= MAX_SORTED_AT_ONCE:
        everything.sort(key=key, reverse=reverse)
        return everything
    slices: list[list[T]] = []
    for start in range(0, len(everything), MAX_SORTED_AT_ONCE):
        tick()
        part = everything[start : start + MAX_SORTED_AT_ONCE]
        part.sort(key=key, reverse=reverse)
        slices.append(part)
    ordered: Iterator[T] = merge(*slices, key=key, reverse=reverse)  # type: ignore[arg-type]
    return [*with_ticks(ordered, tick)]


def split_in_slices(text: str, separator: str | None, tick: Callable[[], object]) -> list[str]:
    """Split a text at a character; at blanks if it is None; into characters if it is empty."""
    pieces: list[str] = []
    start, size = 0, len(text)
    while size - start > MAX_SLICE_CHARACTERS:
        tick()
        end = start + MAX_SLICE_CHARACTERS
        if separator is None:
            blank = BLANK_PATTERN.search(text, end)
            end = blank.start() if blank is not None else -1
        elif separator:
            end = text.find(separator, end)
        if end < 0:
            break
        pieces += split_slice(text[start:end], separator)
        start = end + (1 if separator is None else len(separator))
    pieces += split_slice(text[start:], separator)
    return pieces


def split_slice(text: str, separator: str | None) -> list[str]:
    """Split a text that is short enough for one step."""
    if separator is None:
        return WORD_PATTERN.findall(text)
    return text.split(separator) if separator else [*text]
