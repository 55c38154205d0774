"""Search the lines of a string, each on its own.

The fastest of three ways is used: search the text as a whole and extract the line around each
match; or split all lines and test each; or split nothing, because a needle that every match
contains does not occur.
"""

from __future__ import annotations

from itertools import compress, islice
from operator import methodcaller, not_

from keysh.text.chunks import text_of_octets
from keysh.text.regex.analysis.lower_case_search import lower_ascii

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.text.regex.engines.linear import Tick
    from keysh.text.regex.regex import Regex

# A sample of matches shows their density. If at least one line in four matches, splitting all
# lines is faster than searching the bounds of those that match.
SAMPLE_MATCHES, DENSE_RATIO = 32, 4
MATCH_END = methodcaller("end")
MIN_COMPILE_CHARACTERS = 2048  # in shorter texts, splitting is faster than compiling a pattern


def select_lines(regex: Regex, text: str, tick: Tick | None = None, *, keeps: bool = True) -> str:
    """Return the lines that match, or with `keeps` false the others, unchanged.

    The last line may lack a newline.
    """
    last_line_start = text.rfind("\n") + 1
    selected_lines = (
        LineSearch(regex, text[:last_line_start], tick).select(keeps=keeps)
        if last_line_start
        else ""
    )
    last = text[last_line_start:]
    return (
        f"{selected_lines}{last}" if last and regex.is_in(last, tick) == keeps else selected_lines
    )


def searchable_text(text: str) -> str:
    """Return a string in lower case; the text itself if it has no upper-case ASCII letters."""
    lower = lower_ascii(text)
    return text if lower == text else lower


class LineSearch:
    """A string of lines that all end with a newline.

    `is_dense` means that enough lines match for all to be split at once; the previous block's value
    is a good guess. With `is_octets` the text is octets: needles can be searched in them, and a
    line is decoded only if they do not decide.
    """

    __slots__ = (
        "_finder", "_is_octets", "_needle_texts", "_regex", "_searched_text", "_tester", "_text",
        "_tick", "is_dense",
    )  # fmt: skip

    def __init__(
        self,
        regex: Regex,
        text: str,
        tick: Tick | None = None,
        *,
        is_dense: bool = False,
        is_octets: bool = False,
    ) -> None:
        self._regex, self._text, self._tick, self.is_dense = regex, text, tick, is_dense
        self._is_octets = is_octets
        folded = regex.tester.folded_for(text)
        # The text to search; it has the same length.
        self._searched_text = text if folded is None else searchable_text(text)
        self._tester = tester = folded or regex.tester
        self._needle_texts = () if tester.needles is None else tester.needles.texts
        # Finds the matching lines one after another, if that is worthwhile.
        self._finder: re.Pattern[str] | None = None
        if self._prefers_each_line or (is_octets and not self.needles_decide):
            return
        if not tester.native.is_cheap_by_line(self._searched_text):
            return
        self._finder = tester.line_end_pattern(self._searched_text)

    @property
    def _prefers_each_line(self) -> bool:
        """Whether testing each line is faster."""
        if self.needles_decide:
            return len(self._needle_texts) > 1 or len(self._text) < MIN_COMPILE_CHARACTERS
        return self._tester.whole_lines is not None

    @property
    def needles_decide(self) -> bool:
        """Whether every line with a needle matches."""
        needles = self._tester.needles
        return needles is not None and needles.is_exact

    @property
    def has_no_match(self) -> bool:
        """Whether it is evident that no line matches."""
        if len(self._needle_texts) == 1:
            return self._needle_texts[0] not in self._searched_text
        if self._needle_texts:
            return not any(one in self._searched_text for one in self._needle_texts)
        return self._finder is not None and self._finder.search(self._searched_text) is None

    def select(self, *, keeps: bool) -> str:
        """Return the lines that match, or the others, with newlines."""
        selected = self.select_chunk(keeps=keeps)
        return selected if isinstance(selected, str) else "\n".join([*selected, ""])

    def select_chunk(self, *, keeps: bool) -> str | list[str]:
        """Return the same; as a list without newlines if the lines were split."""
        text, finder, tester = self._text, self._finder, self._tester
        if tester.matches_everywhere or self.has_no_match:
            return text if keeps == tester.matches_everywhere else ""
        if finder is None:
            if self.needles_decide and text.find("\n") == len(text) - 1:  # it is one line
                return text if keeps else ""
            return self._select_each(keeps=keeps)
        ends = self._ends(finder)
        ends_found: list[int] = []
        # Ignoring case, both texts would have to be split.
        if self._searched_text is text:
            ends_found += islice(ends, 0 if self.is_dense else SAMPLE_MATCHES)
            is_sample = len(ends_found) == SAMPLE_MATCHES
            if self.is_dense or (
                is_sample and text.count("\n", 0, ends_found[-1]) < DENSE_RATIO * SAMPLE_MATCHES
            ):
                return self._select_each(keeps=keeps)
        ends_found += ends
        rfind = text.rfind
        if keeps:
            return "".join([text[rfind("\n", 0, end) + 1 : end + 1] for end in ends_found])
        starts = [rfind("\n", 0, end) + 1 for end in ends_found]
        gap_starts = [0, *[end + 1 for end in ends_found]]
        gaps = zip(gap_starts, [*starts, len(text)], strict=True)
        return "".join([text[start:end] for start, end in gaps])

    def _ends(self, finder: re.Pattern[str]) -> Iterable[int]:
        """Return the ends of matching lines, without their newlines."""
        if not self._tester.is_nullable:  # then no match is at the end of the previous line
            return map(MATCH_END, finder.finditer(self._searched_text))
        return self._ends_of_nullable(finder)

    def _ends_of_nullable(self, finder: re.Pattern[str]) -> Iterator[int]:
        done = -1
        for found in finder.finditer(self._searched_text):
            place, end = found.span()
            if place > done and place < len(self._text):
                yield end
                done = end

    def _select_each(self, *, keeps: bool) -> list[str]:
        """Return the lines that match, or the others, by testing each line."""
        lines = self._text.split("\n")
        lines.pop()
        is_one = self.needles_decide and len(self._needle_texts) == 1
        if is_one and self._searched_text is self._text:  # the most frequent case
            needle = self._needle_texts[0]
            if keeps:
                selected = [line for line in lines if needle in line]
            else:
                selected = [line for line in lines if needle not in line]
        else:
            found = self._flags_of_each(lines)
            selected = list(compress(lines, found if keeps else map(not_, found)))
        matched = len(selected) if keeps else len(lines) - len(selected)
        self.is_dense = matched * DENSE_RATIO >= len(lines)
        return selected

    def count(self) -> int:
        """Return the number of matching lines."""
        if self._tester.matches_everywhere:
            return self._text.count("\n")
        if self.has_no_match:
            return 0
        if self._finder is not None and not self._tester.is_nullable:
            return len(self._tester.count_pattern(self._searched_text).findall(self._searched_text))
        return sum(map(bool, self.flags(self._text.split("\n")[:-1])))

    def flags(self, lines: list[str]) -> Sequence[object]:
        """Return for each line a value that is true if the line matches."""
        if self._tester.matches_everywhere or self.has_no_match:
            return [self._tester.matches_everywhere] * len(lines)
        if self._finder is None or self._needle_texts:
            return self._flags_of_each(lines)
        text, line_flags, number, position = self._text, [False] * len(lines), 0, 0
        budget = len(lines) // DENSE_RATIO
        for match in self._finder.finditer(self._searched_text):
            place, end = match.span()
            if place < position or place == len(text):
                continue
            number += text.count("\n", position, place)
            line_flags[number] = True
            number, position, budget = number + 1, end + 1, budget - 1
            if budget < 0:
                return self._flags_of_each(lines)
        return line_flags

    def _flags_of_each(self, lines: list[str]) -> Sequence[object]:
        """Return the flags by testing each line."""
        tester = self._tester
        if tester.whole_lines is not None:
            return [line in tester.whole_lines for line in lines]
        if self._searched_text is not self._text:
            lines = self._searched_text.split("\n")
            lines.pop()
        texts = self._needle_texts
        if not self.needles_decide:
            return self._search_needle_lines(lines)
        if len(texts) == 1:
            (needle,) = texts
            return [needle in line for line in lines]
        if len(texts) == 2:
            first, second = texts
            return [first in line or second in line for line in lines]
        first, second, third, fourth = (*texts, texts[-1])[:4]
        return [
            first in line or second in line or third in line or fourth in line for line in lines
        ]

    def _search_needle_lines(self, lines: list[str]) -> Sequence[object]:
        """Return the flags by searching each line that contains a needle."""
        matches, texts, sure = self._line_test(), self._needle_texts, self._tester.sufficient_text
        if len(texts) == 1:
            (needle,) = texts
            if sure is not None:
                return [needle in line and (sure in line or matches(line)) for line in lines]
            return [needle in line and matches(line) for line in lines]
        if not texts:
            return [matches(line) for line in lines]
        return [any(map(line.__contains__, texts)) and matches(line) for line in lines]

    def _line_test(self) -> Callable[[str], object]:
        """Return a function that is true for a matching line."""
        regex, tick = self._regex, self._tick
        if not self._tester.native.is_cheap_by_line(self._searched_text):
            return lambda line: regex.is_in(text_of_octets(line) if self._is_octets else line, tick)
        search = self._tester.line_pattern(self._searched_text).search
        if not self._is_octets:
            return search
        return lambda line: search(line if line.isascii() else text_of_octets(line))
