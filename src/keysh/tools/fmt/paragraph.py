"""Choose the line breaks of a paragraph as GNU fmt does.

Each line costs the square of its distance from the goal, plus or minus something for the word it
ends with. The cheapest breaks are found from the last word back to the first.
"""

from __future__ import annotations

import re
from itertools import accumulate, compress
from operator import add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

LINE_COST = 70**2  # base cost of a line
SENTENCE_BONUS, NO_BREAK_COST, PAREN_BONUS, PUNCT_BONUS = 50**2, 600**2, 40**2, 40**2
WIDOW_COST, ORPHAN_COST = 200**2, 150**2
SHORT_COST = 10**2  # per squared column off the goal
RAGGED_COST = SHORT_COST // 2  # per squared column of difference from the next line
CUT_CREDIT = 3**2  # by which a later break must be cheaper where a long paragraph is cut
# C's strchr finds NUL in every string.
OPENING, CLOSING, PERIOD = "\0(['`\"", "\0)]'\"", "\0.?!"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
WORD_PATTERN = re.compile("[^ ][^ \r\v\f]*")
WORD_BREAKS = "\r\v\f"  # each begins a word even without a blank before it
INFINITE_COST = 1 << 62
WORDS_PER_TICK = 16  # words handled between two ticks
MAX_WORDS, MAX_CHARACTERS = 998, 5000  # filled at once
MAX_SPLIT_CHARACTERS = 1 << 16  # split at each blank
MAX_CACHED_COSTS = 1 << 19  # numbers kept in a CostTable
# Bits of a word's kind. PERIOD_ENDED words look like the end of a sentence, SENTENCE_END words are.
OPENS_PAREN, PUNCTUATED, PERIOD_ENDED, SENTENCE_END = 1, 2, 4, 8


def word_kind(word: str) -> int:
    """Classify a word by its first and last characters."""
    bare = word[0] + word[1:].rstrip(CLOSING)
    return (
        OPENS_PAREN * (word[0] in OPENING)
        | PUNCTUATED * (word[-1] in PUNCTUATION)
        | PERIOD_ENDED * (bare[-1] in PERIOD)
    )


def last_word(text: str) -> str:
    """Return the last word of a string that ends with one."""
    start = text.rfind(" ") + 1
    return WORD_PATTERN.findall(text, start)[-1]


def ends_sentence(text: str) -> bool:
    """Tell whether the last word of a string ends like a sentence."""
    return not text[-1].isalnum() and word_kind(last_word(text)) & PERIOD_ENDED > 0


def has_word_breaks(text: str) -> bool:
    """Tell whether words may touch without a blank between them."""
    return any(map(text.__contains__, WORD_BREAKS))


def word_count(text: str) -> int:
    """Count the words of a string that begins with one."""
    if has_word_breaks(text) or len(text) > MAX_SPLIT_CHARACTERS:
        return len(WORD_PATTERN.findall(text))
    if "  " in text:
        return len(list(filter(None, text.split(" "))))
    return text.count(" ") + (text[-1] != " ")


class CostTable(dict[int, list[int]]):
    """What lines cost by their width, which must be below `limit` and is best at `goal`.

    There are lists for widths below the limit: `uneven` holds the cost of being off the goal;
    `short` is the same but 0 from the goal on, so it never increases; and the item for each width
    of the next line holds the cost of the line before it.
    """

    __slots__ = ("goal", "limit", "short", "uneven")

    def __init__(self, limit: int, goal: int) -> None:
        self.limit, self.goal = limit, goal
        self.uneven = [SHORT_COST * (goal - width) ** 2 for width in range(limit)]
        self.short = [*self.uneven[:goal], *[0] * (limit - goal)]

    def __missing__(self, following: int) -> list[int]:
        if len(self) * self.limit > MAX_CACHED_COSTS:
            self.clear()
        costs = self[following] = [
            cost + RAGGED_COST * (width - following) ** 2 for width, cost in enumerate(self.uneven)
        ]
        return costs


class Paragraph:
    """The words of a paragraph with the blanks after them, and later its line breaks."""

    __slots__ = (
        "_costs", "_count", "_indent", "_line_ends", "_scale", "_size", "_text", "_texts", "_tick",
        "_word_ends", "_word_starts",
    )  # fmt: skip

    def __init__(self, scale: CostTable, tick: Callable[[], None]) -> None:
        self._scale, self._tick = scale, tick
        self._texts: list[str] = []
        self._count = self._size = 0  # of words, and of octets
        self._text = ""
        self._indent = 0  # of all lines but the first
        # The starts of the words and of a further one; the ends of the words, from index 1 on.
        self._word_starts: list[int] = []
        self._word_ends: list[int] = []
        # For the best lines from each word on, and from the end: their cost, and the word after the
        # first of them.
        self._costs: list[int] = []
        self._line_ends: list[int] = []

    def add(self, text: str) -> bool:
        """Append a string; return False if there is no room, which a first word always has."""
        size = self._size + len(text) - text.count(" ")
        if size > MAX_CHARACTERS and (self._count or " " in text.rstrip(" ")):
            return False  # so that few words are counted
        count = self._count + word_count(text)
        if count > 1 and (count > MAX_WORDS or size > MAX_CHARACTERS):
            return False
        self._texts.append(text)
        self._count, self._size = count, size
        return True

    def drop(self, count: int) -> None:
        rest = self._text[self._word_starts[count] :]
        self._texts = [rest]
        self._count -= count
        self._size = len(rest) - rest.count(" ")

    def single_line(self, indent: int) -> str:
        """Return all words as one line if it fits, which is always cheapest, else ""."""
        text = "".join(self._texts).rstrip(" ")
        return text if indent + len(text) < self._scale.limit else ""

    def find_breaks(
        self, first_indent: int, other_indent: int, previous_width: int, is_whole: bool
    ) -> None:
        """Find the cheapest breaks; `previous_width` is that of the line before, or 0."""
        bases = self._base_costs(self._kinds(self._measure(other_indent), is_whole))
        begins, stops, scale = self._word_starts, self._word_ends, self._scale
        limit, short, uneven = scale.limit, scale.short, scale.uneven
        count = far = self._count  # far is the word after the longest line that begins at `start`
        self._costs = costs = [0] * (count + 1)
        self._line_ends = afters = [count] * (count + 1)
        # The cost of a line before each word by its width; the last line costs nothing.
        rows = [[0] * limit] * (count + 1)
        for top in range(count, 1, -WORDS_PER_TICK):
            self._tick()
            # No earlier word costs less, because each line adds to the cost.
            lowest_cost = min(costs[top : far + 1])
            for start in range(top - 1, max(top - 1 - WORDS_PER_TICK, 0), -1):
                begin = begins[start] - other_indent
                width = stops[far] - begin
                while width >= limit and far > start + 1:
                    far -= 1
                    width = stops[far] - begin
                after = word = far
                best = costs[word] + (
                    rows[word][width] if width < limit else self._cost(word, width)
                )
                word -= 1
                width = stops[word] - begin
                # Try shorter lines until they cannot be cheaper.
                while word > start and short[width] <= best - lowest_cost:
                    cost = costs[word] + rows[word][width]
                    if cost <= best:
                        best, after = cost, word
                    word -= 1
                    width = stops[word] - begin
                costs[start] = best = best + bases[start]
                afters[start] = after
                rows[start] = scale[stops[after] - begin] if after < count else uneven
        self._find_first_break(first_indent, previous_width)

    def _find_first_break(self, indent: int, previous_width: int) -> None:
        """Find the end of the first line, which has its own indent."""
        limit, best = self._scale.limit, INFINITE_COST
        for word, stop in enumerate(self._word_ends[1:], 1):
            width = indent + stop
            if width >= limit and word > 1:
                break
            cost = self._costs[word] + self._cost(word, width)
            if previous_width > 0:
                cost += RAGGED_COST * (width - previous_width) ** 2
            if cost < best:
                best, self._line_ends[0] = cost, word

    def _cost(self, word: int, width: int) -> int:
        """Return the cost of a line of `width` before the given word."""
        if word == self._count:
            return 0
        cost = SHORT_COST * (self._scale.goal - width) ** 2
        after = self._line_ends[word]
        if after < self._count:
            following = self._word_ends[after] - self._word_starts[word] + self._indent
            cost += RAGGED_COST * (width - following) ** 2
        return cost

    def lines(self, count: int | None) -> Iterator[str]:
        """Yield the lines without indents, as far as `count` words."""
        begins, stops, afters, text, word = (
            self._word_starts,
            self._word_ends,
            self._line_ends,
            self._text,
            0,
        )
        count = self._count if count is None else count
        while word < count:
            after = afters[word]
            yield text[begins[word] : stops[after]]
            word = after

    def cut_point(self) -> int:
        """Return the word at which an overlong paragraph is cut."""
        costs, afters, count = self._costs, self._line_ends, self._count
        best, best_word, word = INFINITE_COST, count, afters[0]
        while word < count:
            next_word = afters[word]
            cost = costs[word] - costs[next_word]
            if cost < best:
                best, best_word = cost, word
            if best <= INFINITE_COST - CUT_CREDIT:
                best += CUT_CREDIT
            word = next_word
        return best_word

    def _measure(self, indent: int) -> list[str]:
        """Find where words begin and end; return the words."""
        self._indent, self._text = indent, "".join(self._texts)
        text = self._text
        if has_word_breaks(text):
            matches = list(WORD_PATTERN.finditer(text))
            self._word_starts = [*(word.start() for word in matches), len(text)]
            self._word_ends = [0, *(word.end() for word in matches)]
            return [word[0] for word in matches]
        pieces = text.split(" ")  # consecutive blanks give empty ones
        sizes = list(map(len, pieces))
        begins = list(accumulate(map((1).__add__, sizes), initial=0))
        self._word_starts = [*compress(begins, pieces), len(text)]
        self._word_ends = [0, *compress(map(add, begins, sizes), pieces)]
        return list(filter(None, pieces))

    def _base_costs(self, kinds: Mapping[int, int]) -> list[int]:
        """Return what it costs to begin a line with each word."""
        costs = [LINE_COST] * (self._count + 2)
        for index, kind in kinds.items():
            size = self._word_ends[index + 1] - self._word_starts[index]
            if kind & OPENS_PAREN:
                costs[index] -= PAREN_BONUS
            elif kind & SENTENCE_END:
                costs[index] += ORPHAN_COST // (size + 2)
            if kind & PERIOD_ENDED:
                costs[index + 1] += -SENTENCE_BONUS if kind & SENTENCE_END else NO_BREAK_COST
            elif kind & PUNCTUATED:
                costs[index + 1] -= PUNCT_BONUS
            is_widow = kind & SENTENCE_END and index + 1 < self._count
            if is_widow and not kinds.get(index + 1, 0) & (PERIOD_ENDED | PUNCTUATED):
                next_size = self._word_ends[index + 2] - self._word_starts[index + 1]
                costs[index + 2] += WIDOW_COST // (next_size + 2)
        return costs

    def _kinds(self, words: Iterable[str], is_whole: bool) -> dict[int, int]:
        """Classify words; a sentence ends before two blanks and at the end of the paragraph."""
        begins, stops, last = self._word_starts, self._word_ends, self._count - 1
        kinds = {index: word_kind(word) for index, word in enumerate(words) if not word.isalnum()}
        for index, kind in kinds.items():
            if kind & PERIOD_ENDED and begins[index + 1] - stops[index + 1] > 1:
                kinds[index] |= SENTENCE_END
        if is_whole:
            kinds[last] = kinds.get(last, 0) | PERIOD_ENDED | SENTENCE_END
        return kinds
