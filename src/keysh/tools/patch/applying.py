"""Apply hunks to the lines of a file, with GNU patch's rules for offsets and fuzz."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.tools.patch.hunk import PatchHunk


# Both versions of what a hunk changes, each between the conditions of C's preprocessor.

ELSE, END = "#else\n", "#endif\n"


def between_conditions(
    marked: Sequence[tuple[str, str]], only_old: str, only_new: str
) -> list[str]:
    """The lines of a hunk; the conditions stand before what only one of the versions has."""
    made: list[str] = []
    at = 0
    while at < len(marked):
        if marked[at][0] == " ":
            made.append(marked[at][1])
            at += 1
            continue
        end = at
        while end < len(marked) and marked[end][0] != " ":
            end += 1
        old = [text for mark, text in marked[at:end] if mark == "-"]
        new = [text for mark, text in marked[at:end] if mark == "+"]
        if old:
            made += [only_old, *old]
        if new:
            made += [ELSE if old else only_new, *new]
        made.append(END)
        at = end
    return made


FARTHEST_DISTANCE = 1 << 60  # farther than any line


class HunkFit:
    """Where a hunk fits: the line of the result, the fuzz, and the distance from its own line.

    The line is 0 if the hunk fits nowhere.
    """

    __slots__ = ("fuzz", "line", "offset")

    def __init__(self, line: int, fuzz: int = 0, offset: int = 0) -> None:
        self.line, self.fuzz, self.offset = line, fuzz, offset


class PatchTarget:
    """The lines of a file, to which hunks are applied in order."""

    __slots__ = (
        "_blanks_match", "_conditions", "_consumed_lines", "_extra", "_lines", "_most_fuzz",
        "_offset", "_places", "_result", "_tick",
    )  # fmt: skip

    def __init__(
        self,
        lines: list[str],
        most_fuzz: int,
        blanks_match: bool,
        tick: Callable[[], None],
        conditions: tuple[str, str] | None = None,
    ) -> None:
        self._lines, self._most_fuzz, self._tick = lines, most_fuzz, tick
        self._blanks_match, self._conditions = blanks_match, conditions
        self._result: list[str] = []
        self._consumed_lines = 0  # lines before the end of the last hunk
        self._extra = 0  # lines of the result that would not be there without conditions
        self._offset = 0  # distance of the last hunk from its own line
        self._places: dict[str, list[int]] | None = None  # positions of each line, once needed

    def apply(self, hunk: PatchHunk) -> HunkFit:
        """Apply a hunk where it fits."""
        before, behind = hunk.context_sizes()
        context = max(before, behind)
        for fuzz in range(min(self._most_fuzz, context) + 1):
            head, tail = fuzz + before - context, fuzz + behind - context
            at = self._find_place(hunk, head, tail)
            if at is None:
                continue
            head, tail = max(head, 0), max(tail, 0)
            start, line = at + head, at + 1 + self.line_shift
            self._result += self._lines[self._consumed_lines : start]
            marked = hunk.lines[head : len(hunk.lines) - tail]
            self._consumed_lines = start + sum(mark != "+" for mark, _ in marked)
            there = iter(self._lines[start : self._consumed_lines])
            made = list(lines_as_in_file(marked, there))
            plain = [text for mark, text in made if mark != "-"]
            if self._conditions is not None:
                both = between_conditions(made, *self._conditions)
                self._extra += len(both) - len(plain)
                plain = both
            self._result += plain
            self._offset = at + 1 - hunk.old_start
            return HunkFit(line, fuzz, self._offset)
        return HunkFit(0)

    def has_different_line_end(self, hunk: PatchHunk, line: int) -> bool:
        """Whether the first line that a hunk looks for has another line end than the file's line."""
        if not (hunk.old_lines and self._lines):
            return False
        there = self._lines[min(line, len(self._lines)) - 1]
        return hunk.old_lines[0].endswith("\r\n") != there.endswith("\r\n")

    def seems_applied(self, hunk: PatchHunk) -> bool:
        """Whether the reversed hunk fits with less fuzz than the hunk itself."""
        turned = hunk.inverse()
        before, behind = hunk.context_sizes()
        for fuzz in range(min(self._most_fuzz, max(before, behind)) + 1):
            if self._fits_with(hunk, fuzz):
                return False
            if self._fits_with(turned, fuzz):
                return True
        return False

    def _fits_with(self, hunk: PatchHunk, fuzz: int) -> bool:
        before, behind = hunk.context_sizes()
        spared = fuzz - max(before, behind)
        return self._find_place(hunk, before + spared, behind + spared) is not None

    def result_lines(self) -> list[str]:
        """Return all lines of the result; all but the last have a newline."""
        whole = [*self._result, *self._lines[self._consumed_lines :]]
        lines = [line if line.endswith("\n") else f"{line}\n" for line in whole]
        if lines:
            lines[-1] = whole[-1]
        return lines

    @property
    def line_shift(self) -> int:
        """The number of lines that the result is longer than the original so far."""
        return len(self._result) - self._extra - self._consumed_lines

    def _find_place(self, hunk: PatchHunk, head: int, tail: int) -> int | None:
        """Return the position of a hunk without its first `head` and last `tail` lines, or None.

        A hunk with less context at one side must be at that end of the file.
        """
        old, count = hunk.old_lines, len(self._lines)
        if not old:  # an empty hunk fits anywhere
            return max(hunk.old_start - 1 + self._offset, self._consumed_lines)
        if head < 0 and hunk.old_start <= 1:
            if tail < 0 and len(old) != count:
                return None
            return 0 if self._fits(old, 0, 0, max(tail, 0)) else None
        head = max(head, 0)
        if tail < 0:
            at = count - len(old)
            return at if at >= 0 and self._fits(old, at, head, 0) else None
        wanted = old[head : len(old) - tail]
        first, last = hunk.old_start - 1 + self._offset, count - len(old) + tail
        for at in self._candidate_places(wanted, first, last, head):
            if self._fits(old, at, head, tail):
                return at
        return None

    def _candidate_places(
        self, wanted: list[str], first: int, last: int, head: int
    ) -> Iterator[int]:
        """Yield the positions to try, nearest first: those where the hunk's rarest line is."""
        least = max(self._consumed_lines - head, 0)
        if least <= first <= last:
            yield first
        places: Sequence[int] = range(least, last + 1)
        shift = 0
        if wanted and not self._blanks_match:
            found = [self._positions_of(line) for line in wanted]
            rarest = min(range(len(found)), key=lambda i: len(found[i]))
            shift, places = head + rarest, found[rarest]
        above, below = bisect_right(places, first + shift), bisect_left(places, first + shift) - 1
        while above < len(places) or below >= 0:
            self._tick()
            ahead = places[above] - shift - first if above < len(places) else FARTHEST_DISTANCE
            behind = first + shift - places[below] if below >= 0 else FARTHEST_DISTANCE
            at = first + ahead if ahead <= behind else first - behind
            above, below = above + (ahead <= behind), below - (ahead > behind)
            if least <= at <= last:
                yield at

    def _positions_of(self, line: str) -> Sequence[int]:
        """Return the positions of a line in the file."""
        if self._places is None:
            self._places = {}
            for at, one in enumerate(self._lines):
                self._places.setdefault(one, []).append(at)
        return self._places.get(line, ())

    def _fits(self, old: list[str], at: int, head: int, tail: int) -> bool:
        """Whether the lines match at a position."""
        end = len(old) - tail
        if at + head < self._consumed_lines or at + end > len(self._lines):
            return False
        there, wanted = self._lines[at + head : at + end], old[head:end]
        if there == wanted or not self._blanks_match:
            return there == wanted
        return [line.split() for line in there] == [line.split() for line in wanted]


def lines_as_in_file(
    marked: Iterable[tuple[str, str]], there: Iterator[str]
) -> Iterator[tuple[str, str]]:
    """Return the lines of a hunk, with context lines as the file has them."""
    for mark, text in marked:
        own = text if mark == "+" else next(there)
        yield mark, own if mark == " " else text
