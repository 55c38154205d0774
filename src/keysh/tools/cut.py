"""cut - select parts of each line."""

from __future__ import annotations

import re
from itertools import chain, repeat
from operator import itemgetter

from keysh.gnu.ranges import FIELD_MESSAGES, OPEN_END, POSITION_MESSAGES, ranges_of
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import command
from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS, split_in_slices
from keysh.text.chunks import batch_lines, chunk_of, octets_of_text, text_of_octets, whole_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from keysh.gnu.ranges import Ranges
    from keysh.interp.state.call import Call
    from keysh.schema.arguments import Work
    from keysh.schema.types import Path
    from keysh.text.chunks import LineBlock

    Cut = Callable[[list[str]], list[str]]

MAX_BLOCK_GLUE_CHARACTERS = 16  # a longer one makes blocks grow: lines are cut one by one
MAX_PICKED_FIELD = 256  # highest field that `itemgetter` picks; every line must have it
MIN_GAP_CHARACTERS = 2048  # below this, cutting a text as a whole does not pay
MAX_GAP_FIELD = 32  # fields in the pattern of a gap
MAX_COLUMN_RANGES = 8  # ranges cut as columns
MAX_FAILED_BLOCKS = 8  # blocks with short lines before the fast way is given up


def cut_whole(sh: Call, *files: Path, whole: bool = False, **options: Any) -> Work | None:
    """Return how to cut a whole text of standard input."""
    plan = None if files else CutPlan(**options)
    if plan is None or plan.cuts_lines or len(plan.glue) > MAX_BLOCK_GLUE_CHARACTERS:
        return None

    def cut_text(text: str, tick: Callable[[], object]) -> tuple[str, int]:
        tick()
        return text_of_octets(plan.cut_text(octets_of_text(text))) if text else "", 0

    return cut_text


@command(compatible="GNU coreutils 9.1", whole=cut_whole, ignored="-n")
def cut(
    sh: Call,
    *files: Path,
    bytes: list[str] | None = None,
    characters: list[str] | None = None,
    delimiter: str | None = None,
    fields: list[str] | None = None,
    complement: bool = False,
    only_delimited: bool = False,
    output_delimiter: str | None = None,
    zero_terminated: bool = False,
) -> Iterator[str | LineBlock]:
    """Print selected parts of each line.

    files ...                files to read, - for standard input
    -b, --bytes LIST         select these bytes
    -c, --characters LIST    same as -b, as in GNU
    -d, --delimiter CHAR     field delimiter; a tab by default
    -f, --fields LIST        select these fields; print lines without a delimiter
                             whole
    --complement             select everything except LIST
    -s, --only-delimited     skip lines without a delimiter
    --output-delimiter TEXT  print TEXT between the selected fields or ranges
    -z, --zero-terminated    lines end with NUL, not with a newline

    LIST is comma-separated numbers and ranges, counted from 1: 1,3-5,7-
    """
    plan = CutPlan(
        bytes, characters, delimiter, fields, complement, only_delimited, output_delimiter,
        zero_terminated, sh.tick,
    )  # fmt: skip
    terminator = plan.terminator
    if plan.cuts_lines:
        for source in sh.inputs(files):
            parts = map(octets_of_text, source.lines(terminator))
            field_lines = lines_as_fields(parts, plan.ranges, terminator, plan.glue, only_delimited)
            yield from map(text_of_octets, batch_lines(field_lines))
        return
    for source in sh.inputs(files):
        if plan.gap is None:
            cuts = plan.selected_parts(source.bare_lines(terminator), sh.check_size)
        else:
            cuts = map(plan.cut_text, whole_lines(source.octets(), sh.check_size, terminator))
        yield from (chunk_of(piece, terminator) for piece in cuts if piece)


class CutPlan:
    """How to cut lines, by the options of a call."""

    __slots__ = ("cuts_lines", "gap", "glue", "mark", "ranges", "select", "terminator")

    def __init__(
        self,
        bytes: list[str] | None = None,
        characters: list[str] | None = None,
        delimiter: str | None = None,
        fields: list[str] | None = None,
        complement: bool = False,
        only_delimited: bool = False,
        output_delimiter: str | None = None,
        zero_terminated: bool = False,
        tick: Callable[[], object] = int,
    ) -> None:
        lists = [*(bytes or []), *(characters or []), *(fields or [])]
        check_options(lists, delimiter, takes_fields=bool(fields), only_delimited=only_delimited)
        self.ranges = ranges_of(
            lists[0], FIELD_MESSAGES if fields else POSITION_MESSAGES, is_complement=complement
        )
        mark = "\t" if delimiter is None else octets_of_text(delimiter) or "\0"
        between = None if output_delimiter is None else octets_of_text(output_delimiter)
        self.terminator = "\0" if zero_terminated else "\n"
        self.mark = mark if fields else ""  # what separates fields
        self.glue = mark if between is None else between
        self.cuts_lines = bool(fields) and mark == self.terminator  # the fields are the lines
        self.gap: GapRemover | None = None
        self.select: Cut
        if fields:
            self.select = field_cutter(self.ranges, mark, self.glue, only_delimited, tick)
            if self.glue == mark and (gap_ends := find_gap(self.ranges)):
                self.gap = GapRemover(mark, self.terminator, *gap_ends)
        else:
            self.select = byte_cutter(self.ranges, between or "")

    def selected_parts(
        self, blocks: Iterable[list[str]], check_size: Callable[[int], None]
    ) -> Iterator[str | list[str]]:
        """Yield the selected parts of the lines of each block."""
        if len(self.glue) <= MAX_BLOCK_GLUE_CHARACTERS:
            yield from map(self.select, blocks)
            return
        most = (
            sum(last - first + 1 for first, last in self.ranges) if self.mark else len(self.ranges)
        )
        for line in chain.from_iterable(blocks):
            joints = min(line.count(self.mark) if self.mark else len(line), most)
            check_size(len(line) + joints * len(self.glue))
            yield self.select([line])

    def cut_text(self, text: str) -> str:
        """Return the selected parts of all lines of a text in octets."""
        terminator = self.terminator
        text = text if text[-1:] == terminator else text + terminator
        if self.gap is not None and (closed := self.gap.without_gap(text)) is not None:
            return closed
        parts = self.select(text[:-1].split(terminator))
        return terminator.join(parts) + terminator if parts else ""


def check_options(
    lists: list[str], delimiter: str | None, *, takes_fields: bool, only_delimited: bool
) -> None:
    """Refuse invalid combinations of options."""
    if len(lists) > 1:
        raise UsageFailure("only one list may be specified")
    if delimiter is not None and len(octets_of_text(delimiter)) > 1:
        raise UsageFailure("the delimiter must be a single character")
    if not lists:
        message = "you must specify a list of bytes, characters, or fields"
        raise UsageFailure(message)
    if not takes_fields and delimiter is not None:
        message = "an input delimiter may be specified only when operating on fields"
        raise UsageFailure(message)
    if not takes_fields and only_delimited:
        message = "suppressing non-delimited lines makes sense\n\tonly when operating on fields"
        raise UsageFailure(message)


def field_cutter(
    ranges: Ranges, mark: str, glue: str, only_delimited: bool, tick: Callable[[], object]
) -> Cut:
    """Return the function that selects fields from lines."""
    if ranges and ranges[-1][1] == OPEN_END and glue == mark:
        # The rest of the line counts as one field.
        ranges = [*ranges[:-1], (ranges[-1][0], ranges[-1][0])]
        splits = ranges[-1][0] - 1
    else:
        splits = ranges[-1][1] if ranges else 1
    splits = min(splits, 1 << 31)
    slices = [slice(first - 1, last) for first, last in ranges]
    indexes = (
        [at for part_slice in slices for at in range(part_slice.start, part_slice.stop)]
        if splits <= MAX_PICKED_FIELD
        else []
    )
    take = itemgetter(*indexes) if indexes else None
    failures = 0  # blocks with short lines

    def cut(lines: list[str]) -> list[str]:
        nonlocal failures
        if only_delimited:
            lines = [line for line in lines if mark in line]
        if take and failures < MAX_FAILED_BLOCKS:
            rows = map(str.split, lines, repeat(mark), repeat(splits))
            try:
                picked = map(take, rows)
                return list(map(glue.join, picked) if len(indexes) > 1 else picked)
            except IndexError:
                failures += 1
        return [
            glue.join([part for piece in slices for part in split(line)[piece]])
            if mark in line else line
            for line in lines
        ]  # fmt: skip

    def split(line: str) -> list[str]:
        if len(line) <= MAX_SLICE_CHARACTERS or splits <= MAX_PICKED_FIELD:
            return line.split(mark, splits)
        parts = split_in_slices(line, mark, tick)
        if len(parts) > splits:
            parts[splits:] = [mark.join(parts[splits:])]
        return parts

    return cut


def lines_as_fields(
    lines: Iterable[str], ranges: Ranges, terminator: str, glue: str, only_delimited: bool
) -> Iterator[str]:
    """Select fields of a file whose line end is also the delimiter: lines are fields."""
    joint, remaining = "", iter(ranges)
    first, last = next(remaining, (OPEN_END, OPEN_END))
    number = 0
    for number, line in enumerate(lines, 1):
        field = line.removesuffix(terminator)
        if number == 1 and field == line:  # the file has no delimiter
            if not only_delimited:
                yield f"{line}{terminator}"
            return
        if number > last:
            first, last = next(remaining, (OPEN_END, OPEN_END))
        if number >= first:
            yield f"{joint}{field}"
            joint = glue
    if number:
        yield terminator


def find_gap(ranges: Ranges) -> tuple[int, int] | None:
    """Return where the one run of fields that is left out begins and ends, from 0."""
    match ranges:
        case [(1, at), (following, last)] if last == OPEN_END and following <= MAX_GAP_FIELD:
            return at, following - 1
    return None


class GapRemover:
    """Cuts a run of inner fields out of many lines at once, if every line has these fields.

    A pattern matches the gap and captures all up to the gap of the next line. It works on `bytes`,
    which are cut faster than a `str`.
    """

    __slots__ = ("_failures", "_mark", "_pattern", "_start", "_terminator")

    def __init__(self, mark: str, terminator: str, start: int, stop: int) -> None:
        self._mark, self._terminator, self._start = (
            mark.encode("latin-1"),
            terminator.encode("latin-1"),
            start,
        )
        self._pattern = gap_pattern(self._mark, self._terminator, start, stop)
        self._failures = 0  # blocks with lines without the gap

    def without_gap(self, text: str) -> str | None:
        """Return the lines without the gap, or None if a line may lack it."""
        if self._failures == MAX_FAILED_BLOCKS or len(text) < MIN_GAP_CHARACTERS:
            return None
        data = text.encode("latin-1")
        first = self._mark.join(data.split(self._mark, self._start)[: self._start])
        padding = self._mark * (self._start - 1)  # stands for the fields of a next line
        pieces = self._pattern.findall(data + padding, len(first))
        # One piece for each line end, so no gap has swallowed a line end.
        if len(pieces) != data.count(self._terminator):
            self._failures += 1
            return None
        return b"".join([first, *pieces]).removesuffix(padding).decode("latin-1")


def gap_pattern(mark: bytes, terminator: bytes, start: int, stop: int) -> re.Pattern[bytes]:
    """Match a gap and capture the text from there to the next gap."""
    mark, terminator = re.escape(mark), re.escape(terminator)
    field = b"[^%b]*" % mark
    gap, rest = (mark + field) * (stop - start), b"%b[^%b]*%b" % (mark, terminator, terminator)
    return re.compile(gap + b"(" + rest + (field + mark) * (start - 1) + field + b")")


def byte_cutter(ranges: Ranges, glue: str) -> Cut:
    """Return the function that selects bytes from lines."""
    slices = [slice(first - 1, last) for first, last in ranges]
    if len(slices) == 1:
        piece = slices[0]
        return lambda lines: [line[piece] for line in lines]
    if not glue and 0 < len(slices) <= MAX_COLUMN_RANGES:
        return lambda lines: list(
            map("".join, zip(*[[line[piece] for line in lines] for piece in slices], strict=True))
        )

    def cut_line(text: str) -> str:
        return glue.join([text[piece] for piece in slices if piece.start < len(text)])

    return lambda lines: [cut_line(line) for line in lines]
