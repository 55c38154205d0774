"""Paragraphs: words, and where lines break best between them, as GNU's fmt sees it.

Each line costs the square of how far it is from the goal, and more or less by the word it ends
with. The best breaks are found from the last word back to the first.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

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


class Word:
    """A word, the blanks behind it, and what it says of a break before or behind it."""

    __slots__ = (
        "after", "cost", "is_final", "is_opening", "is_period", "is_punct", "line", "space", "text",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        if text.isalnum():  # most words tell nothing
            self.is_opening = self.is_punct = self.is_period = False
        else:
            self.is_opening, self.is_punct = text[0] in OPENING, text[-1] in PUNCTUATION
            bare = text[0] + text[1:].rstrip(CLOSING)
            self.is_period = bare[-1] in PERIOD
        self.is_final = False  # ends a sentence
        self.space = 1
        self.cost = 0  # of the best lines from here on
        self.after, self.line = 0, 0  # the index of the word behind the line, the line's width


class Paragraph:
    """The words of a paragraph."""

    __slots__ = ("_goal", "_tick", "_width", "words")

    def __init__(self, width: int, goal: int, tick: Callable[[], None]) -> None:
        self._width, self._goal, self._tick = width, goal, tick
        self.words: list[Word] = []

    def arrange(self, first: int, other: int, last_line: int) -> None:
        """Find the best breaks: with the indents, and the width of the line before, if any."""
        words, goal = self.words, self._goal
        count = len(words)
        # Where each word ends, were all on one line.
        ends = list(accumulate([len(word.text) + word.space for word in words]))
        ends = [end - word.space for end, word in zip(ends, words, strict=True)]
        # For each word and what is behind the last: the cost of the best lines from there on, the
        # word behind the first of these, and how wide that is.
        costs, afters, lines = [0] * (count + 1), [count] * (count + 1), [0] * (count + 1)
        for start in range(count - 1, -1, -1):
            if not start % TURNS:
                self._tick()
            # How much wider the line is than where its last word ends.
            shift = (other if start else first) + len(words[start].text) - ends[start]
            far = bisect_left(ends, self._width - shift, start + 1)
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
                        difference = width - lines[at]
                        cost += RAGGED * difference * difference
                if not start and last_line > 0:
                    cost += RAGGED * (width - last_line) ** 2
                if cost <= best:
                    best, after, line = cost, at, width
            costs[start] = best + self._base_cost(start)
            afters[start], lines[start] = after, line
        for at, word in enumerate(words):
            word.cost, word.after, word.line = costs[at], afters[at], lines[at]

    def cut(self) -> int:
        """Where to end what is printed of a paragraph that is too long to be held."""
        words, best, found = self.words, FAR, len(self.words)
        at = words[0].after
        while at < len(words):
            behind = words[at].after
            cost = words[at].cost - (words[behind].cost if behind < len(words) else 0)
            if cost < best:
                best, found = cost, at
            if best <= FAR - CREDIT:
                best += CREDIT
            at = behind
        return found

    def _base_cost(self, start: int) -> int:
        """What it costs to begin a line with a word."""
        words, cost = self.words, LINE
        word = words[start]
        if start:
            before = words[start - 1]
            if before.is_period:
                cost += -SENTENCE if before.is_final else NO_BREAK
            elif before.is_punct:
                cost -= PUNCT
            elif start > 1 and words[start - 2].is_final:
                cost += WIDOW // (len(before.text) + 2)
        if word.is_opening:
            cost -= PAREN
        elif word.is_final:
            cost += ORPHAN // (len(word.text) + 2)
        return cost
