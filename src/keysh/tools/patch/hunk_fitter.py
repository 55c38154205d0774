"""Apply hunks to the lines of a file, with GNU patch's rules for offsets and fuzz."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.tools.patch.hunk import PatchHunk


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
        "_blanks_match", "_consumed_lines", "_lines", "_most_fuzz",
        "_offset", "_places", "_result", "_tick",
    )  # fmt: skip

    def __init__(
        self,
        lines: list[str],
        max_fuzz: int,
        blanks_match: bool,
        tick: Callable[[], None],
    ) -> None:
        self._lines, self._most_fuzz, self._tick = lines, max_fuzz, tick
        self._blanks_match = blanks_match
        self._result: list[str] = []
        self._consumed_lines = 0  # lines before the end of the last hunk
        self._offset = 0  # distance of the last hunk from its own line
        self._places: dict[str, list[int]] | None = None  # positions of each line, once needed

    def apply(self, hunk: PatchHunk) -> HunkFit:
        """Apply a hunk where it fits."""
        before, after = hunk.context_sizes()
        context = max(before, after)
        for fuzz in range(min(self._most_fuzz, context) + 1):
            head, tail = fuzz + before - context, fuzz + after - context
            position = self._find_place(hunk, head, tail)
            if position is None:
                continue
            head, tail = max(head, 0), max(tail, 0)
            start, line = position + head, position + 1 + self.line_shift
            self._result += self._lines[self._consumed_lines : start]
            marked = hunk.lines[head : len(hunk.lines) - tail]
            self._consumed_lines = start + sum(mark != "+" for mark, _ in marked)
            old_lines = iter(self._lines[start : self._consumed_lines])
            replaced = lines_as_in_file(marked, old_lines)
            self._result += [text for mark, text in replaced if mark != "-"]
            self._offset = position + 1 - hunk.old_start
            return HunkFit(line, fuzz, self._offset)
        return HunkFit(0)

    def has_different_line_end(self, hunk: PatchHunk, line: int) -> bool:
        """Whether the line ends of the hunk and of the file differ where the hunk starts."""
        if not (hunk.old_lines and self._lines):
            return False
        file_line = self._lines[min(line, len(self._lines)) - 1]
        return hunk.old_lines[0].endswith("\r\n") != file_line.endswith("\r\n")

    def seems_applied(self, hunk: PatchHunk) -> bool:
        """Whether the reversed hunk fits with less fuzz than the hunk itself."""
        inverse_hunk = hunk.inverse()
        before, after = hunk.context_sizes()
        for fuzz in range(min(self._most_fuzz, max(before, after)) + 1):
            if self._fits_with(hunk, fuzz):
                return False
            if self._fits_with(inverse_hunk, fuzz):
                return True
        return False

    def _fits_with(self, hunk: PatchHunk, fuzz: int) -> bool:
        before, after = hunk.context_sizes()
        extra = fuzz - max(before, after)
        return self._find_place(hunk, before + extra, after + extra) is not None

    def result_lines(self) -> list[str]:
        """Return all lines of the result; all but the last have a newline."""
        all_lines = [*self._result, *self._lines[self._consumed_lines :]]
        lines = [line if line.endswith("\n") else f"{line}\n" for line in all_lines]
        if lines:
            lines[-1] = all_lines[-1]
        return lines

    @property
    def line_shift(self) -> int:
        """The number of lines that the result is longer than the original so far."""
        return len(self._result) - self._consumed_lines

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
            position = count - len(old)
            return position if position >= 0 and self._fits(old, position, head, 0) else None
        expected = old[head : len(old) - tail]
        first, last = hunk.old_start - 1 + self._offset, count - len(old) + tail
        for position in self._candidate_places(expected, first, last, head):
            if self._fits(old, position, head, tail):
                return position
        return None

    def _candidate_places(
        self, expected: list[str], first: int, last: int, head: int
    ) -> Iterator[int]:
        """Yield the positions to try, nearest first: those where the hunk's rarest line is."""
        lowest = max(self._consumed_lines - head, 0)
        if lowest <= first <= last:
            yield first
        places: Sequence[int] = range(lowest, last + 1)
        shift = 0
        if expected and not self._blanks_match:
            position_lists = [self._positions_of(line) for line in expected]
            rarest = min(range(len(position_lists)), key=lambda i: len(position_lists[i]))
            shift, places = head + rarest, position_lists[rarest]
        above, below = bisect_right(places, first + shift), bisect_left(places, first + shift) - 1
        while above < len(places) or below >= 0:
            self._tick()
            ahead = places[above] - shift - first if above < len(places) else FARTHEST_DISTANCE
            behind = first + shift - places[below] if below >= 0 else FARTHEST_DISTANCE
            position = first + ahead if ahead <= behind else first - behind
            above, below = above + (ahead <= behind), below - (ahead > behind)
            if lowest <= position <= last:
                yield position

    def _positions_of(self, line: str) -> Sequence[int]:
        """Return the positions of a line in the file."""
        if self._places is None:
            self._places = {}
            for position, file_line in enumerate(self._lines):
                self._places.setdefault(file_line, []).append(position)
        return self._places.get(line, ())

    def _fits(self, old: list[str], position: int, head: int, tail: int) -> bool:
        """Whether the lines match at a position."""
        end = len(old) - tail
        if position + head < self._consumed_lines or position + end > len(self._lines):
            return False
        file_lines, expected = self._lines[position + head : position + end], old[head:end]
        if file_lines == expected or not self._blanks_match:
            return file_lines == expected
        return [line.split() for line in file_lines] == [line.split() for line in expected]


def lines_as_in_file(
    marked: Iterable[tuple[str, str]], file_lines: Iterator[str]
) -> Iterator[tuple[str, str]]:
    """Return the lines of a hunk, with context lines as the file has them."""
    for mark, text in marked:
        file_line = text if mark == "+" else next(file_lines)
        yield mark, file_line if mark == " " else text
