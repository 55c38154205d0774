"""The limits of a run, as the functions of values ask for them, and the size of a value as JSON.

Values share their parts, so a value of a few parts may be a text of any length: each turn of
`reduce range(60) as $i (0; [., .])` doubles it. What walks through a value measures it first.
"""

from __future__ import annotations

from itertools import islice

from keysh.text.bounds.text_size import joined_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

TURNS_PER_TICK = 64
FREE_CHARACTERS = 4096  # shorter texts and arrays of fewer items need no question
MAX_FREE_ITEMS = 512
ITEM_BYTES = 8
ITEMS_PER_STEP = 1024
LONG_KINDS = frozenset((str, list, dict))  # of values that may be large


class JqBounds:
    """What a run allows."""

    __slots__ = ("_turns", "check_size", "makes_small_values", "tick")

    def __init__(self, tick: Callable[[], None], check_size: Callable[[int], None]) -> None:
        self.tick, self.check_size = tick, check_size
        self._turns = TURNS_PER_TICK
        self.makes_small_values = False  # whether no value of the program can be large

    def is_small(self, value: Any) -> bool:
        """Whether an array or an object can be walked through without a question."""
        return self.makes_small_values or is_small(value)

    def turn(self) -> None:
        """Count a step of the program; tick now and then."""
        self._turns -= 1
        if self._turns < 0:
            self._turns = TURNS_PER_TICK
            self.tick()

    def check_texts(self, texts: Sequence[str]) -> None:
        """Stop the run if these texts are too large together."""
        if sum(map(len, texts)) > FREE_CHARACTERS:
            self.tick()
            self.check_size(joined_bytes(texts))

    def check_length(self, count: int) -> None:
        """Stop the run if a text of `count` ASCII characters is too large."""
        self.tick()
        self.check_size(count)

    def check_items(self, count: int) -> None:
        """Stop the run if an array of `count` items is too large."""
        if count > FREE_CHARACTERS:
            self.tick()
            self.check_size(count * ITEM_BYTES)

    def json_size(self, value: Any) -> int:
        """Return about how many bytes a value is as JSON; stop the run if that is too much."""
        size = 0
        iterators = [iter((value,))]
        while iterators:
            items = [*islice(iterators[-1], ITEMS_PER_STEP)]
            if not items:
                iterators.pop()
                continue
            if len(iterators) > 1:
                self.turn()
            size += 2 * len(items)
            for position, item in enumerate(items):
                kind = item.__class__
                if kind is str:
                    size += len(item)
                elif kind is list or kind is dict:
                    if kind is dict:
                        size += sum(map(len, item)) + 3 * len(item)
                    if position + 1 < len(items):
                        iterators.append(iter(items[position + 1 :]))
                    iterators.append(iter(item if kind is list else item.values()))
                    break
            self.check_size(size)
        return size


def is_small(value: Any) -> bool:
    """Whether an array or an object has few parts, and short ones."""
    room = MAX_FREE_ITEMS
    waiting = [value]
    while waiting:
        container = waiting.pop()
        room -= len(container) + 1
        if room < 0:
            return False
        if container.__class__ is dict:
            if sum(map(len, container)) > FREE_CHARACTERS:
                return False
            container = container.values()
        if {*map(type, container)}.isdisjoint(LONG_KINDS):
            continue
        for item in container:
            kind = item.__class__
            if kind is str:
                if len(item) > FREE_CHARACTERS:
                    return False
            elif kind is list or kind is dict:
                waiting.append(item)
    return True
