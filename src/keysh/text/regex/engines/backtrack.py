"""Match patterns with back references: try every path, within a budget, for the longest match.

No linear engine can do this. A path that was tried with the same groups is not tried again.
"""

from __future__ import annotations

from keysh.text.regex.engines.program import (
    ASSERT,
    CHARACTER,
    CLOSE,
    MATCH,
    OPEN,
    SPLIT,
    neighbour_kind,
)
from keysh.text.regex.regex_errors import RegexLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.engines.linear import Tick
    from keysh.text.regex.engines.pike import Slots
    from keysh.text.regex.engines.program import RegexProgram

MAX_TRIED_PATHS = 400_000
PATHS_PER_TICK = 1024
CHARACTERS_PER_PATH = 1 << 14  # comparing this many characters costs as much as a path


class Backtracker:
    """The search for one match. The budget covers all start positions."""

    __slots__ = ("_lower_text", "budget", "program", "text", "tick")

    def __init__(self, program: RegexProgram, text: str, tick: Tick | None = None) -> None:
        self.program, self.text, self.tick = program, text, tick
        self.budget = MAX_TRIED_PATHS
        self._lower_text = ""  # the text in lower case, if needed

    def longest_match(self, start: int, groups: int, is_inside: bool = False) -> Slots | None:
        """Return the groups of the longest match at a position; of several, the preferred one."""
        steps, text = self.program.steps, self.text
        best: Slots | None = None
        seen: set[tuple[int, int, Slots]] = set()
        todo = [(self.program.start, start, (-1,) * (2 * groups + 2))]
        while todo:
            path = todo.pop()
            if path in seen:
                continue
            self.spend()
            number, position, slots = path
            step = steps[number]
            kind = step[0]
            if kind == CHARACTER:
                if position < len(text) and step[1].contains(text[position]):
                    todo.append((step[2], position + 1, slots))
                continue
            seen.add(path)
            if kind == MATCH:
                if best is None or position > best[1]:
                    best = (start, position, *slots[2:])
                    if position == len(text):
                        return best
            elif kind == SPLIT:
                todo.append((step[2], position, slots))
                todo.append((step[1], position, slots))
            elif kind in (OPEN, CLOSE):
                slot = 2 * step[1] + (kind == CLOSE)
                todo.append((step[2], position, (*slots[:slot], position, *slots[slot + 1 :])))
            elif kind == ASSERT:
                left = neighbour_kind(text[position - 1]) if position else 3 * is_inside
                if step[1][left][neighbour_kind(text[position : position + 1])]:
                    todo.append((step[2], position, slots))
            else:
                end = self.reference_end(step[1], position, slots, step[3])
                if end >= 0:
                    todo.append((step[2], end, slots))
        return best

    def reference_end(self, group: int, position: int, slots: Slots, ignores_case: bool) -> int:
        """Return where a repeated group's text ends at a position; -1 if it is not repeated."""
        first, last = slots[2 * group : 2 * group + 2]
        if last < 0:
            return -1
        if ignores_case and not self._lower_text:
            self._lower_text = "".join([char.lower()[:1] for char in self.text])
        text = self._lower_text if ignores_case else self.text
        self.budget -= (last - first) // CHARACTERS_PER_PATH
        return position + last - first if text.startswith(text[first:last], position) else -1

    def spend(self) -> None:
        self.budget -= 1
        if self.budget % PATHS_PER_TICK == 0:
            if self.budget <= 0:
                raise RegexLimit
            if self.tick is not None:
                self.tick()
