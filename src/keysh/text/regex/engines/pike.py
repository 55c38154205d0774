"""Find what groups match in linear time, by following all paths at once, preferred ones first.

Of two paths that reach the same step at the same position, only the preferred one continues. Of
those that reach the end of the match, the preferred one determines the groups.
"""

from __future__ import annotations

from keysh.text.regex.engines.program import (
    ASSERT,
    CHARACTER,
    LAST_NEWLINE,
    MATCH,
    NEWLINE,
    OPEN,
    SPLIT,
    neighbour_kind,
)
from keysh.text.regex.regex_errors import RegexLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.text.regex.engines.linear import Tick
    from keysh.text.regex.engines.program import RegexProgram, Step

    Slots: TypeAlias = tuple[int, ...]
    Thread: TypeAlias = tuple[int, Slots, Slots]  # a step, the groups, and the previous groups

MAX_THREAD_MOVES = 20_000_000  # in one match
MOVES_PER_TICK = 4096


class PikeEngine:
    """One match that starts at a known position."""

    __slots__ = ("end", "program", "start", "text", "moves")

    def __init__(self, program: RegexProgram, text: str, start: int, end: int = -1) -> None:
        self.program, self.text = program, text
        self.start, self.end, self.moves = start, end, 0

    def match_slots(self, groups: int, tick: Tick | None = None) -> Slots:
        """Return the start and end of each group, -1 for unmatched ones, starting with group 0."""
        threads = self.start_threads(groups)
        for index in range(self.start, self.end + 1):
            threads = self.follow_empty_steps(threads, index)
            if index < self.end:
                threads = self.advance(threads, index, tick)
        for step, slots, _ in threads:
            if self.program.steps[step][0] == MATCH:
                return (self.start, self.end, *slots[2:])
        raise AssertionError("a match with these bounds was found before")

    def first_match(self, groups: int, tick: Tick | None = None) -> Slots | None:
        """Return the groups of the match that Perl prefers, wherever it ends; None for none."""
        steps, slots_of_match = self.program.steps, None
        threads = self.start_threads(groups)
        for index in range(self.start, len(self.text) + 1):
            threads = self.follow_empty_steps(threads, index)
            for i, (step, slots, _) in enumerate(threads):
                if steps[step][0] == MATCH:
                    slots_of_match = (self.start, index, *slots[2:])
                    del threads[i:]
                    break
            if not threads or index == len(self.text):
                break
            threads = self.advance(threads, index, tick)
        return slots_of_match

    def start_threads(self, groups: int) -> list[Thread]:
        none = (-1,) * (2 * groups + 2)
        return [(self.program.start, none, none)]

    def advance(self, threads: list[Thread], position: int, tick: Tick | None) -> list[Thread]:
        """Return the threads that continue after the character at a position."""
        earlier_moves = self.moves
        self.moves += len(threads)
        if tick is not None and earlier_moves // MOVES_PER_TICK < self.moves // MOVES_PER_TICK:
            tick()
        if self.moves > MAX_THREAD_MOVES:
            raise RegexLimit
        char, steps = self.text[position], self.program.steps
        return [
            (steps[step][2], slots, before)
            for step, slots, before in threads
            if steps[step][0] == CHARACTER and steps[step][1].contains(char)
        ]

    def follow_empty_steps(self, threads: list[Thread], position: int) -> list[Thread]:
        """Follow steps that consume nothing; return the threads that wait for a character."""
        steps, text = self.program.steps, self.text
        left_kind = neighbour_kind(text[position - 1 : position]) if position else 0
        right_kind = neighbour_kind(text[position : position + 1])
        if right_kind == NEWLINE and position == len(text) - 1:
            right_kind = LAST_NEWLINE
        seen: set[int] = set()
        waiting: list[Thread] = []
        todo = threads[::-1]
        while todo:
            number, slots, previous = todo.pop()
            if number in seen:
                continue
            seen.add(number)
            step = steps[number]
            kind = step[0]
            if kind in (CHARACTER, MATCH):
                waiting.append((number, slots, previous))
            elif kind == SPLIT:
                todo.append((step[2], slots, previous))
                todo.append((step[1], slots, previous))
            elif kind == ASSERT:
                if step[1][left_kind][right_kind]:
                    todo.append((step[2], slots, previous))
            elif kind == OPEN:
                todo.append((step[2], start_group_slot(slots, step[1], position), previous))
            else:
                todo.append((step[2], *end_group_slot(slots, previous, step, position)))
        return waiting


def start_group_slot(slots: Slots, group: int, position: int) -> Slots:
    """Return the groups when one starts."""
    return (*slots[: 2 * group], position, -1, *slots[2 * group + 2 :])


def end_group_slot(slots: Slots, previous: Slots, step: Step, position: int) -> tuple[Slots, Slots]:
    """Return the groups when one ends, and as of the last end of a non-empty turn.

    As in the C library, another turn that matches nothing is undone.
    """
    _, group, _, is_optional = step
    start = 2 * group
    if slots[start] == position and is_optional and previous[start] >= 0:
        return previous, previous
    new_slots = (*slots[: start + 1], position, *slots[start + 2 :])
    return new_slots, (new_slots if slots[start] < position else previous)
