"""Paragraphs: words, and where lines break best between them, as GNU's fmt sees it.

Each line costs the square of how far it is from the goal, and more or less by the word it ends
with. The best breaks are found from the last word back to the first.
"""

from __future__ import annotations

import re
from itertools import accumulate, compress
from operator import add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

LINE_COST = 70**2  # what a line costs in itself
SENTENCE_BONUS, NO_BREAK_COST, PAREN_BONUS, PUNCT_BONUS = 50**2, 600**2, 40**2, 40**2
WIDOW_COST, ORPHAN_COST = 200**2, 150**2
SHORT_COST = 10**2  # times the square of the columns that a line is off the goal
RAGGED_COST = (
    SHORT_COST // 2
)  # times the square of the columns that it differs from the next line by
CUT_CREDIT = 3**2  # how much cheaper a later break must be, where a long paragraph is cut
OPENING, CLOSING, PERIOD = "\0(['`\"", "\0)]'\"", "\0.?!"  # NUL is the end of each, so in it
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
WORD_PATTERN = re.compile("[^ ][^ \r\v\f]*")
WORD_BREAKS = "\r\v\f"  # each begins a word, without a blank before it
INFINITE_COST = 1 << 62
WORDS_PER_TICK = 16  # words that are dealt with without a pause
MAX_WORDS, MAX_CHARACTERS = 998, 5000  # that are arranged at once
MAX_CACHED_COSTS = 1 << 19  # costs that are remembered
# Kinds of words: what opens a parenthesis, ends with a mark, ends as a sentence does, and ends one.
OPENS_PAREN, PUNCTUATED, PERIOD_ENDED, SENTENCE_END = 1, 2, 4, 8


def word_kind(word: str) -> int:
    """What a word says of a break before or behind it; one of letters and digits, nothing."""
    bare = word[0] + word[1:].rstrip(CLOSING)
    return (
        OPENS_PAREN * (word[0] in OPENING)
        | PUNCTUATED * (word[-1] in PUNCTUATION)
        | PERIOD_ENDED * (bare[-1] in PERIOD)
    )


def ends_sentence(text: str) -> bool:
    """Whether the last word of a text ends as a sentence does."""
    return not text[-1].isalnum() and word_kind(WORD_PATTERN.findall(text)[-1]) & PERIOD_ENDED > 0


def has_word_breaks(text: str) -> bool:
    """Whether words may stand side by side."""
    return any(map(text.__contains__, WORD_BREAKS))


def word_count(text: str) -> int:
    """How many words there are in a text that begins with one."""
    if has_word_breaks(text):
        return len(WORD_PATTERN.findall(text))
    if "  " in text:
        return len(list(filter(None, text.split(" "))))
    return text.count(" ") + (text[-1] != " ")


class CostTable(dict[int, list[int]]):
    """What lines cost by their width: it is to be less than a limit, and best as wide as a goal.

    For widths below the limit there are tables: `uneven` of what being off the goal costs, `short`
    of the same where a wider line costs nothing, so that it falls with the width; and by the width
    of the next line, where that is not the last, what a line costs before it.
    """

    __slots__ = ("goal", "limit", "short", "uneven")

    def __init__(self, limit: int, goal: int) -> None:
        self.limit, self.goal = limit, goal
        self.uneven = [SHORT_COST * (goal - width) ** 2 for width in range(limit)]
        self.short = [*self.uneven[:goal], *[0] * (limit - goal)]

    def __missing__(self, following: int) -> list[int]:
        if len(self) * self.limit > MAX_CACHED_COSTS:
            self.clear()
        made = self[following] = [
            cost + RAGGED_COST * (width - following) ** 2 for width, cost in enumerate(self.uneven)
        ]
        return made


class Paragraph:
    """The words of a paragraph, with the blanks behind them; and once it is arranged, its lines."""

    __slots__ = (
        "_line_ends", "_word_starts", "_costs", "_count", "_indent", "_scale", "_size", "_word_ends", "_text",
        "_texts", "_tick",
    )  # fmt: skip

    def __init__(self, scale: CostTable, tick: Callable[[], None]) -> None:
        self._scale, self._tick = scale, tick
        self._texts: list[str] = []
        self._count = self._size = 0  # of the words, and of their octets
        self._text = ""
        self._indent = 0  # of lines behind the first
        # Where words begin, and the next one would; and from the second on, where words end.
        self._word_starts: list[int] = []
        self._word_ends: list[int] = []
        # Of the best lines from each word on, and from behind the last: what they cost, and the
        # word behind the first of them.
        self._costs: list[int] = []
        self._line_ends: list[int] = []

    def add(self, text: str) -> bool:
        """Add a text at the end; whether there is room for its words, as there is for the first."""
        count, size = self._count + word_count(text), self._size + len(text) - text.count(" ")
        if count > 1 and (count > MAX_WORDS or size > MAX_CHARACTERS):
            return False
        self._texts.append(text)
        self._count, self._size = count, size
        return True

    def drop(self, count: int) -> None:
        """Forget the first words."""
        rest = self._text[self._word_starts[count] :]
        self._texts = [rest]
        self._count -= count
        self._size = len(rest) - rest.count(" ")

    def single_line(self, indent: int) -> str:
        """All words as one line with that indent, if it is narrow enough: no lines cost less."""
        text = "".join(self._texts).rstrip(" ")
        return text if indent + len(text) < self._scale.limit else ""

    def find_breaks(self, first: int, other: int, before: int, is_whole: bool) -> None:
        """Find the best breaks: with the indents, and the width of the line before, if any."""
        bases = self._base_costs(self._kinds(self._measure(other), is_whole))
        begins, stops, scale = self._word_starts, self._word_ends, self._scale
        limit, short, uneven = scale.limit, scale.short, scale.uneven
        count = far = self._count  # far is the word behind the longest line that begins at a word
        self._costs = costs = [0] * (count + 1)
        self._line_ends = afters = [count] * (count + 1)
        # What a line before each word costs, by its width: nothing, if it is the last.
        rows = [[0] * limit] * (count + 1)
        for top in range(count, 1, -WORDS_PER_TICK):
            self._tick()
            # No word before these costs less, for to begin a line with one costs something.
            least = min(costs[top : far + 1])
            for start in range(top - 1, max(top - 1 - WORDS_PER_TICK, 0), -1):
                begin = begins[start] - other
                width = stops[far] - begin
                while width >= limit and far > start + 1:
                    far -= 1
                    width = stops[far] - begin
                after = at = far
                best = costs[at] + (rows[at][width] if width < limit else self._cost(at, width))
                at -= 1
                width = stops[at] - begin
                # Shorter and shorter lines, until these cost too much in any case.
                while at > start and short[width] <= best - least:
                    cost = costs[at] + rows[at][width]
                    if cost <= best:
                        best, after = cost, at
                    at -= 1
                    width = stops[at] - begin
                costs[start] = best = best + bases[start]
                afters[start] = after
                rows[start] = scale[stops[after] - begin] if after < count else uneven
        self._find_first_break(first, before)

    def _find_first_break(self, indent: int, before: int) -> None:
        """Find the end of the first line."""
        limit, best = self._scale.limit, INFINITE_COST
        for at, stop in enumerate(self._word_ends[1:], 1):
            width = indent + stop
            if width >= limit and at > 1:
                break
            cost = self._costs[at] + self._cost(at, width)
            if before > 0:
                cost += RAGGED_COST * (width - before) ** 2
            if cost < best:
                best, self._line_ends[0] = cost, at

    def _cost(self, at: int, width: int) -> int:
        """What a line of that width costs before a word that begins the next one."""
        if at == self._count:
            return 0
        cost = SHORT_COST * (self._scale.goal - width) ** 2
        after = self._line_ends[at]
        if after < self._count:
            following = self._word_ends[after] - self._word_starts[at] + self._indent
            cost += RAGGED_COST * (width - following) ** 2
        return cost

    def lines(self, count: int | None) -> Iterator[str]:
        """The lines, of the first words only where a number is given, without their indents."""
        begins, stops, afters, text, at = (
            self._word_starts,
            self._word_ends,
            self._line_ends,
            self._text,
            0,
        )
        count = self._count if count is None else count
        while at < count:
            after = afters[at]
            yield text[begins[at] : stops[after]]
            at = after

    def cut_point(self) -> int:
        """Where to end what is printed of a paragraph that is too long to be held."""
        costs, afters, count = self._costs, self._line_ends, self._count
        best, found, at = INFINITE_COST, count, afters[0]
        while at < count:
            behind = afters[at]
            cost = costs[at] - costs[behind]
            if cost < best:
                best, found = cost, at
            if best <= INFINITE_COST - CUT_CREDIT:
                best += CUT_CREDIT
            at = behind
        return found

    def _measure(self, indent: int) -> list[str]:
        """Find where words begin and end; the words."""
        self._indent, self._text = indent, "".join(self._texts)
        text = self._text
        if has_word_breaks(text):
            found = list(WORD_PATTERN.finditer(text))
            self._word_starts = [*(word.start() for word in found), len(text)]
            self._word_ends = [0, *(word.end() for word in found)]
            return [word[0] for word in found]
        pieces = text.split(" ")  # of several blanks some are empty
        sizes = list(map(len, pieces))
        begins = list(accumulate(map((1).__add__, sizes), initial=0))
        self._word_starts = [*compress(begins, pieces), len(text)]
        self._word_ends = [0, *compress(map(add, begins, sizes), pieces)]
        return list(filter(None, pieces))

    def _base_costs(self, kinds: Mapping[int, int]) -> list[int]:
        """What it costs to begin a line with each word."""
        costs = [LINE_COST] * (self._count + 2)
        for at, kind in kinds.items():
            size = self._word_ends[at + 1] - self._word_starts[at]
            if kind & OPENS_PAREN:
                costs[at] -= PAREN_BONUS
            elif kind & SENTENCE_END:
                costs[at] += ORPHAN_COST // (size + 2)
            if kind & PERIOD_ENDED:
                costs[at + 1] += -SENTENCE_BONUS if kind & SENTENCE_END else NO_BREAK_COST
            elif kind & PUNCTUATED:
                costs[at + 1] -= PUNCT_BONUS
            is_widow = kind & SENTENCE_END and at + 1 < self._count
            if is_widow and not kinds.get(at + 1, 0) & (PERIOD_ENDED | PUNCTUATED):
                next_size = self._word_ends[at + 2] - self._word_starts[at + 1]
                costs[at + 2] += WIDOW_COST // (next_size + 2)
        return costs

    def _kinds(self, words: Iterable[str], is_whole: bool) -> dict[int, int]:
        """The kinds of words that have any; a sentence ends before two blanks, and at the end."""
        begins, stops, last = self._word_starts, self._word_ends, self._count - 1
        kinds = {at: word_kind(word) for at, word in enumerate(words) if not word.isalnum()}
        for at, kind in kinds.items():
            if kind & PERIOD_ENDED and begins[at + 1] - stops[at + 1] > 1:
                kinds[at] |= SENTENCE_END
        if is_whole:
            kinds[last] = kinds.get(last, 0) | PERIOD_ENDED | SENTENCE_END
        return kinds
