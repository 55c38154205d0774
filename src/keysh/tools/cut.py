"""cut - parts of each line."""

from __future__ import annotations

import re
from itertools import repeat
from operator import itemgetter

from keysh.gnu.ranges import FIELD_MESSAGES, OPEN_END, POSITION_MESSAGES, ranges_of
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import batch_lines, chunk_of, octets_of_text, text_of_octets, whole_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.gnu.ranges import Ranges
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.text.chunks import LineBlock

    Cut = Callable[[list[str]], list[str]]

MAX_PICKED_FIELD = 256  # the last field of those that are all taken at once, which no line may lack
MIN_GAP_CHARACTERS = 2048  # characters at least of a text that is cut as a whole
MAX_GAP_FIELD = 32  # the last field before which a gap is cut out of a text as a whole
MAX_COLUMN_RANGES = 8  # ranges that are taken as columns
MAX_FAILED_BLOCKS = 8  # blocks with lines that lack fields, until that is not tried again


@command(style=OptionStyle(unabbreviated="whole"))
def cut(
    sh: Call,
    *files: Path,
    bytes: list[str] | None = None,
    characters: list[str] | None = None,
    delimiter: str | None = None,
    fields: list[str] | None = None,
    whole: bool = False,
    complement: bool = False,
    only_delimited: bool = False,
    output_delimiter: str | None = None,
    zero_terminated: bool = False,
) -> Iterator[str | LineBlock]:
    """Print parts of each line.

    files ...                  files to read, - for standard input
    -b, --bytes LIST           these bytes
    -c, --characters LIST      the same, as GNU has it
    -d, --delimiter CHAR       what ends a field; a tab without it
    -f, --fields LIST          these fields; of a line with no delimiter, the whole
    -n, --whole                ignored
    --complement               all but those listed
    -s, --only-delimited       leave out lines with no delimiter
    --output-delimiter TEXT    what to print between fields, or between ranges
    -z, --zero-terminated      lines end with NUL, not with a newline

    A LIST is numbers and ranges with commas between them: 1,3-5,7- counts from 1.
    """
    lists = [*(bytes or []), *(characters or []), *(fields or [])]
    check_options(lists, delimiter, takes_fields=bool(fields), only_delimited=only_delimited)
    ranges = ranges_of(
        lists[0], FIELD_MESSAGES if fields else POSITION_MESSAGES, is_complement=complement
    )
    mark = "\t" if delimiter is None else octets_of_text(delimiter) or "\0"
    between = None if output_delimiter is None else octets_of_text(output_delimiter)
    end = "\0" if zero_terminated else "\n"
    gap = None
    if fields:
        glue = mark if between is None else between
        work = field_cutter(ranges, mark, glue, only_delimited)
        if glue == mark and (places := find_gap(ranges)):
            gap = GapRemover(mark, end, *places)
    else:
        work = byte_cutter(ranges, between or "")

    def made(text: str) -> str:
        text = text if text[-1:] == end else text + end
        if gap is not None and (found := gap.without_gap(text)) is not None:
            return found
        parts = work(text[:-1].split(end))
        return end.join(parts) + end if parts else ""

    def of_whole(text: str, tick: Callable[[], object]) -> tuple[str, int]:
        tick()
        return text_of_octets(made(octets_of_text(text))) if text else "", 0

    if fields and mark == end:
        for source in sh.inputs(files):
            parts = map(octets_of_text, source.lines(end))
            found = lines_as_fields(parts, ranges, end, glue, only_delimited)
            yield from map(text_of_octets, batch_lines(found))
        return
    if not files:
        sh.remember(of_whole)
    for source in sh.inputs(files):
        if gap is None:
            cuts: Iterator[str | list[str]] = map(work, source.bare_lines(end))
        else:
            cuts = map(made, whole_lines(source.octets(), end))
        yield from (chunk_of(one, end) for one in cuts if one)


def check_options(
    lists: list[str], delimiter: str | None, *, takes_fields: bool, only_delimited: bool
) -> None:
    """Refuse options that do not go together."""
    if len(lists) > 1:
        raise UsageFailure("only one list may be specified")
    if delimiter is not None and len(octets_of_text(delimiter)) > 1:
        raise UsageFailure("the delimiter must be a single character")
    if not lists:
        says = "you must specify a list of bytes, characters, or fields"
        raise UsageFailure(says)
    if not takes_fields and delimiter is not None:
        says = "an input delimiter may be specified only when operating on fields"
        raise UsageFailure(says)
    if not takes_fields and only_delimited:
        says = "suppressing non-delimited lines makes sense\n\tonly when operating on fields"
        raise UsageFailure(says)


def field_cutter(ranges: Ranges, mark: str, glue: str, only_delimited: bool) -> Cut:
    """What takes fields out of lines."""
    if ranges and ranges[-1][1] == OPEN_END and glue == mark:
        # The rest of the line is taken as one field.
        ranges = [*ranges[:-1], (ranges[-1][0], ranges[-1][0])]
        most = ranges[-1][0] - 1
    else:
        most = ranges[-1][1] if ranges else 1
    most = min(most, 1 << 31)
    slices = [slice(first - 1, last) for first, last in ranges]
    places = (
        [at for one in slices for at in range(one.start, one.stop)]
        if most <= MAX_PICKED_FIELD
        else []
    )
    take = itemgetter(*places) if places else None
    failures = 0  # blocks of lines that had too few fields

    def cut(lines: list[str]) -> list[str]:
        nonlocal failures
        if only_delimited:
            lines = [line for line in lines if mark in line]
        if take and failures < MAX_FAILED_BLOCKS:
            rows = map(str.split, lines, repeat(mark), repeat(most))
            try:
                found = map(take, rows)
                return list(map(glue.join, found) if len(places) > 1 else found)
            except IndexError:
                failures += 1
        return [
            glue.join([part for piece in slices for part in line.split(mark, most)[piece]])
            if mark in line else line
            for line in lines
        ]  # fmt: skip

    return cut


def lines_as_fields(
    lines: Iterable[str], ranges: Ranges, end: str, glue: str, only_delimited: bool
) -> Iterator[str]:
    """What is taken of a file in which the end of a line ends a field: these lines."""
    joint, left = "", iter(ranges)
    first, last = next(left, (OPEN_END, OPEN_END))
    number = 0
    for number, line in enumerate(lines, 1):
        field = line.removesuffix(end)
        if number == 1 and field == line:  # no delimiter is in the file
            if not only_delimited:
                yield f"{line}{end}"
            return
        if number > last:
            first, last = next(left, (OPEN_END, OPEN_END))
        if number >= first:
            yield f"{joint}{field}"
            joint = glue
    if number:
        yield end


def find_gap(ranges: Ranges) -> tuple[int, int] | None:
    """Where a gap begins and ends, from 0 on, where nothing else of a line is left out."""
    match ranges:
        case [(1, at), (following, last)] if last == OPEN_END and following <= MAX_GAP_FIELD:
            return at, following - 1
    return None


class GapRemover:
    """What leaves inner fields out of lines that all have them, without a look at each line.

    A pattern finds the gap and keeps all from its end to the next line's, in `bytes`, which are cut
    faster than a `str`.
    """

    __slots__ = ("_at", "_end", "_failures", "_mark", "_pattern")

    def __init__(self, mark: str, end: str, at: int, to: int) -> None:
        self._mark, self._end, self._at = mark.encode("latin-1"), end.encode("latin-1"), at
        self._pattern = gap_pattern(self._mark, self._end, at, to)
        self._failures = 0  # blocks with lines that lack the gap

    def without_gap(self, text: str) -> str | None:
        """Lines, each with its end, without the gap; None where one of them may lack it."""
        if self._failures == MAX_FAILED_BLOCKS or len(text) < MIN_GAP_CHARACTERS:
            return None
        data = text.encode("latin-1")
        first = self._mark.join(data.split(self._mark, self._at)[: self._at])
        padding = self._mark * (self._at - 1)  # the fields behind the last line
        kept = self._pattern.findall(data + padding, len(first))
        # As many as lines, and an end in each: so none is in what is left out.
        if len(kept) != data.count(self._end):
            self._failures += 1
            return None
        return b"".join([first, *kept]).removesuffix(padding).decode("latin-1")


def gap_pattern(mark: bytes, end: bytes, at: int, to: int) -> re.Pattern[bytes]:
    """What finds the fields from one to another, and keeps what is from there to the next ones."""
    mark, end = re.escape(mark), re.escape(end)
    field = b"[^%b]*" % mark
    gap, rest = (mark + field) * (to - at), b"%b[^%b]*%b" % (mark, end, end)
    return re.compile(gap + b"(" + rest + (field + mark) * (at - 1) + field + b")")


def byte_cutter(ranges: Ranges, glue: str) -> Cut:
    """What takes bytes out of lines; between ranges stands what glues them."""
    slices = [slice(first - 1, last) for first, last in ranges]
    if len(slices) == 1:
        piece = slices[0]
        return lambda lines: [line[piece] for line in lines]
    if not glue and 0 < len(slices) <= MAX_COLUMN_RANGES:
        return lambda lines: list(
            map("".join, zip(*[[line[piece] for line in lines] for piece in slices], strict=True))
        )

    def one(line: str) -> str:
        return glue.join([line[piece] for piece in slices if piece.start < len(line)])

    return lambda lines: [one(line) for line in lines]
