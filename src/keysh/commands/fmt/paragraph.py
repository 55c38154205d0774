"""Paragraphs: words, and where lines break best between them, as GNU's fmt sees it.

Each line costs the square of how far it is from the goal, and more or less by the word it ends
with. The best breaks are found from the last word back to the first.
"""

from __future__ import annotations

from itertools import accumulate
from operator import add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LINE = 70**2  # what a line costs in itself
SENTENCE, NO_BREAK, PAREN, PUNCT = 50**2, 600**2, 40**2, 40**2
WIDOW, ORPHAN = 200**2, 150**2
SHORT = 10**2  # times the square of the columns that a line is off the goal
RAGGED = SHORT // 2  # times the square of the columns that it differs from the next line by
CREDIT = 3**2  # how much cheaper a later break must be, where a long paragraph is cut
OPENING, CLOSING, PERIOD = "(['`\"", ")]'\"", ".?!"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
FAR = 1 << 62
TURNS = 64  # words that are dealt with without a pause
# Kinds of words: what opens a parenthesis, ends with a mark, ends as a sentence does, and ends one.
OPENS, MARKED, PERIOD_ENDED, FINAL = 1, 2, 4, 8


def kinds_of(words: list[str]) -> list[int]:
    """What each word says of a break before or behind it; most say nothing."""
    return [0 if word.isalnum() else kind_of(word) for word in words]


def kind_of(word: str) -> int:
    """The same of a word that is not all letters and digits."""
    bare = word[0] + word[1:].rstrip(CLOSING)
    return (
        OPENS * (word[0] in OPENING)
        | MARKED * (word[-1] in PUNCTUATION)
        | PERIOD_ENDED * (bare[-1] in PERIOD)
    )


class Paragraph:
    """The words of a paragraph, the blanks behind each, and its kind.

    Once it is arranged, `afters` has for each word which one stands behind the line that it begins,
    and `widths` how wide that line is.
    """

    __slots__ = (
        "_costs", "_goal", "_tick", "_width", "afters", "kinds", "spaces", "widths", "words",
    )  # fmt: skip

    def __init__(self, width: int, goal: int, tick: Callable[[], None]) -> None:
        self._width, self._goal, self._tick = width, goal, tick
        self.words: list[str] = []
        self.spaces: list[int] = []
        self.kinds: list[int] = []
        # Of the best lines from each word on, and from behind the last.
        self._costs: list[int] = []
        self.afters: list[int] = []
        self.widths: list[int] = []

    def add(self, words: list[str], spaces: list[int], kinds: list[int]) -> None:
        """Add words at the end."""
        self.words += words
        self.spaces += spaces
        self.kinds += kinds

    def drop(self, count: int) -> None:
        """Forget the first words."""
        del self.words[:count], self.spaces[:count], self.kinds[:count]

    def arrange(self, first: int, other: int, last_line: int) -> None:
        """Find the best breaks: with the indents, and the width of the line before, if any."""
        goal, limit, count = self._goal, self._width, len(self.words)
        # Where each word begins and ends, were all on one line.
        sizes = list(map(len, self.words))
        begins = list(accumulate(map(add, sizes, self.spaces), initial=0))
        ends = list(map(add, begins, sizes))
        bases = self._base_costs(sizes)
        costs, afters, widths = [0] * (count + 1), [count] * (count + 1), [0] * (count + 1)
        far = count  # the word behind the longest line that begins here
        for start in range(count - 1, -1, -1):
            if not start % TURNS:
                self._tick()
            shift = (other if start else first) - begins[start]
            if not start:
                far = count
            while ends[far - 1] + shift >= limit and far > start + 1:
                far -= 1
            least = min(costs[start + 1 : far + 1])
            best, after, line = FAR, count, 0
            # From the longest line to shorter ones, until these cost too much in any case.
            for at in range(far, start, -1):
                width = ends[at - 1] + shift
                cost = costs[at]
                if at < count:  # the last line costs nothing
                    missing = goal - width
                    uneven = SHORT * missing * missing
                    if least + uneven > best and missing > 0:
                        break
                    cost += uneven
                    if afters[at] < count:
                        difference = width - widths[at]
                        cost += RAGGED * difference * difference
                if not start and last_line > 0:
                    cost += RAGGED * (width - last_line) ** 2
                if cost <= best:
                    best, after, line = cost, at, width
            costs[start] = best + bases[start]
            afters[start], widths[start] = after, line
        self._costs, self.afters, self.widths = costs, afters, widths

    def cut(self) -> int:
        """Where to end what is printed of a paragraph that is too long to be held."""
        costs, afters, count = self._costs, self.afters, len(self.words)
        best, found, at = FAR, count, afters[0]
        while at < count:
            behind = afters[at]
            cost = costs[at] - costs[behind]
            if cost < best:
                best, found = cost, at
            if best <= FAR - CREDIT:
                best += CREDIT
            at = behind
        return found

    def _base_costs(self, sizes: list[int]) -> list[int]:
        """What it costs to begin a line with each word."""
        kinds, count = self.kinds, len(sizes)
        costs = [LINE] * (count + 2)
        for at in [at for at, kind in enumerate(kinds) if kind]:
            kind = kinds[at]
            if kind & OPENS:
                costs[at] -= PAREN
            elif kind & FINAL:
                costs[at] += ORPHAN // (sizes[at] + 2)
            if kind & PERIOD_ENDED:
                costs[at + 1] += -SENTENCE if kind & FINAL else NO_BREAK
            elif kind & MARKED:
                costs[at + 1] -= PUNCT
            is_widow = kind & FINAL and at + 1 < count
            if is_widow and not kinds[at + 1] & (PERIOD_ENDED | MARKED):
                costs[at + 2] += WIDOW // (sizes[at + 1] + 2)
        return costs
