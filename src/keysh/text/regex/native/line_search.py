"""The lines of a text that hold a match, each line matched as a text of its own.

Three ways lead there, whichever is quickest: the text is looked through as a whole, and where a
match is, the line around it is cut; or all lines are cut, and each is looked at; or a needle that
every match holds is nowhere, and nothing is cut.
"""

from __future__ import annotations

from itertools import compress, islice
from operator import methodcaller, not_

from keysh.text.chunks import from_octets
from keysh.text.regex.analysis.case_folding import in_small_letters

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.text.regex.engines.linear import Tick
    from keysh.text.regex.regex import Regex

# So many matches tell how dense they are: where at least one line in so many has one, it is quicker
# to cut all lines than to look for the bounds of those that match.
SAMPLE, DENSE = 32, 4
END = methodcaller("end")
FEW = 2048  # characters of a text that is cut into lines before a pattern would be made


def selected(regex: Regex, text: str, tick: Tick | None = None, *, keeps: bool = True) -> str:
    """The lines of a text that hold a match, or the others, as they are.

    The last line may have no newline.
    """
    border = text.rfind("\n") + 1
    made = Block(regex, text[:border], tick).selected(keeps=keeps) if border else ""
    last = text[border:]
    return f"{made}{last}" if last and regex.is_in(last, tick) == keeps else made


def looked_at(text: str) -> str:
    """A text in small letters; the text itself where it has no capitals."""
    small = in_small_letters(text)
    return text if small == text else small


class Block:
    """A text of lines that all have their newline.

    `is_dense` says whether so many of them hold a match that all are cut at once; of the block
    before it is a good guess. With `is_octets`, needles stand in the octets of a line as they do in
    its text, which is looked at only where they do not tell all.
    """

    __slots__ = (
        "_finder", "_is_octets", "_looked", "_regex", "_tester", "_text", "_texts", "_tick",
        "is_dense",
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
        # What is searched; it is as long as the text.
        self._looked = text if folded is None else looked_at(text)
        self._tester = tester = folded or regex.tester
        self._texts = () if tester.needles is None else tester.needles.texts
        # What finds the lines with a match one after the other, if that is worth it.
        self._finder: re.Pattern[str] | None = None
        if self._is_each_quicker or (is_octets and not self.is_told):
            return
        if not tester.native.is_cheap_by_line(self._looked):
            return
        self._finder = tester.to_end_of_line(self._looked)

    @property
    def _is_each_quicker(self) -> bool:
        """Whether it is quicker to look at each line."""
        if self.is_told:
            return len(self._texts) > 1 or len(self._text) < FEW
        return self._tester.lines is not None

    @property
    def is_told(self) -> bool:
        """Whether a line has a match wherever it has a needle."""
        needles = self._tester.needles
        return needles is not None and needles.is_exact

    @property
    def has_none(self) -> bool:
        """Whether it is plain to see that no line holds a match."""
        if len(self._texts) == 1:
            return self._texts[0] not in self._looked
        if self._texts:
            return not any(one in self._looked for one in self._texts)
        return self._finder is not None and self._finder.search(self._looked) is None

    def selected(self, *, keeps: bool) -> str:
        """The lines that hold a match, or the others, with their newlines."""
        found = self.found(keeps=keeps)
        return found if isinstance(found, str) else "\n".join([*found, ""])

    def found(self, *, keeps: bool) -> str | list[str]:
        """What `selected` gives; where the lines have been cut, these without their newlines."""
        text, finder, tester = self._text, self._finder, self._tester
        if tester.is_everywhere or self.has_none:
            return text if keeps == tester.is_everywhere else ""
        if finder is None:
            if self.is_told and text.find("\n") == len(text) - 1:  # it is one line
                return text if keeps else ""
            return self._of_each(keeps=keeps)
        ends = self._ends(finder)
        found: list[int] = []
        if self._looked is text:  # where sizes do not matter, all lines would have to be cut twice
            found += islice(ends, 0 if self.is_dense else SAMPLE)
            is_sample = len(found) == SAMPLE
            if self.is_dense or (is_sample and text.count("\n", 0, found[-1]) < DENSE * SAMPLE):
                return self._of_each(keeps=keeps)
        found += ends
        rfind = text.rfind
        if keeps:
            return "".join([text[rfind("\n", 0, end) + 1 : end + 1] for end in found])
        starts = [rfind("\n", 0, end) + 1 for end in found]
        behind = [0, *[end + 1 for end in found]]
        gaps = zip(behind, [*starts, len(text)], strict=True)
        return "".join([text[start:end] for start, end in gaps])

    def _ends(self, finder: re.Pattern[str]) -> Iterable[int]:
        """Where the lines with a match end, without their newlines."""
        if not self._tester.is_nullable:  # no match is at the end of a line that is done with
            return map(END, finder.finditer(self._looked))
        return self._ends_of_nullable(finder)

    def _ends_of_nullable(self, finder: re.Pattern[str]) -> Iterator[int]:
        done = -1
        for found in finder.finditer(self._looked):
            place, end = found.span()
            if place > done and place < len(self._text):
                yield end
                done = end

    def _of_each(self, *, keeps: bool) -> list[str]:
        """The lines that hold a match, or the others, by a look at each line."""
        lines = self._text.split("\n")
        lines.pop()
        is_one = self.is_told and len(self._texts) == 1
        if is_one and self._looked is self._text:  # the most frequent case, in one go
            needle = self._texts[0]
            if keeps:
                kept = [line for line in lines if needle in line]
            else:
                kept = [line for line in lines if needle not in line]
        else:
            found = self._flags_of_each(lines)
            kept = list(compress(lines, found if keeps else map(not_, found)))
        matched = len(kept) if keeps else len(lines) - len(kept)
        self.is_dense = matched * DENSE >= len(lines)
        return kept

    def count(self) -> int:
        """How many lines hold a match."""
        if self._tester.is_everywhere:
            return self._text.count("\n")
        if self.has_none:
            return 0
        if self._finder is not None and not self._tester.is_nullable:
            return len(self._tester.counting(self._looked).findall(self._looked))
        return sum(map(bool, self.flags(self._text.split("\n")[:-1])))

    def flags(self, lines: list[str]) -> Sequence[object]:
        """For each line of the text something that is true where it holds a match."""
        if self._tester.is_everywhere or self.has_none:
            return [self._tester.is_everywhere] * len(lines)
        if self._finder is None or self._texts:
            return self._flags_of_each(lines)
        text, found, number, at = self._text, [False] * len(lines), 0, 0
        left = len(lines) // DENSE
        for match in self._finder.finditer(self._looked):
            place, end = match.span()
            if place < at or place == len(text):
                continue
            number += text.count("\n", at, place)
            found[number] = True
            number, at, left = number + 1, end + 1, left - 1
            if left < 0:
                return self._flags_of_each(lines)
        return found

    def _flags_of_each(self, lines: list[str]) -> Sequence[object]:
        """What `flags` gives, by a look at each line."""
        tester = self._tester
        if tester.lines is not None:
            return [line in tester.lines for line in lines]
        if self._looked is not self._text:
            lines = self._looked.split("\n")
            lines.pop()
        texts = self._texts
        if not self.is_told:
            return self._held_of_each(lines)
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

    def _held_of_each(self, lines: list[str]) -> Sequence[object]:
        """What `flags` gives where no needle tells all: a line that has one is searched."""
        holds, texts, sure = self._holding(), self._texts, self._tester.sure
        if len(texts) == 1:
            (needle,) = texts
            if sure is not None:
                return [needle in line and (sure in line or holds(line)) for line in lines]
            return [needle in line and holds(line) for line in lines]
        if not texts:
            return [holds(line) for line in lines]
        return [any(map(line.__contains__, texts)) and holds(line) for line in lines]

    def _holding(self) -> Callable[[str], object]:
        """What is true of a line that holds a match."""
        regex, tick = self._regex, self._tick
        if not self._tester.native.is_cheap_by_line(self._looked):
            return lambda line: regex.is_in(from_octets(line) if self._is_octets else line, tick)
        search = self._tester.in_line(self._looked).search
        if not self._is_octets:
            return search
        return lambda line: search(line if line.isascii() else from_octets(line))
