"""comm - the lines that two sorted files have in common, and those they have not."""

from __future__ import annotations

from keysh.runtime.call import quoted, shown, why
from keysh.runtime.streams import reader_of
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.text.lines import bare_lines, batches
from keysh.text.octets import from_octets, octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

END = "\U0010ffff"  # behind every line of octets


@command
def comm(
    sh: Call,
    *files: Path,
    first: bool = False,
    second: bool = False,
    common: bool = False,
    check_order: bool = False,
    nocheck_order: bool = False,
    output_delimiter: str | None = None,
    total: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    r"""Print the lines of two sorted files in columns: only in the first, the second, in both.

    files ...                  the two files, - for standard input
    -1, --first                without the lines only in the first
    -2, --second               without the lines only in the second
    -3, --common               without the lines in both
    --check-order              stop where a file is not sorted
    --nocheck-order            do not look whether the files are sorted
    --output-delimiter TEXT    what stands between the columns; a tab without it
    --total                    print how many lines there are of each kind, at the end
    -z, --zero-terminated      lines end with NUL, not with a newline
    """
    if len(files) < 2:
        after = f" after {quoted(files[0])}" if files else ""
        raise Misuse("E304", -1, f"missing operand{after}")
    if len(files) > 2:
        raise Misuse("E305", 2, f"extra operand {quoted(files[2])}")
    orders = [name for name, _ in sh.given if name.endswith("check_order")]
    order = orders[-1] if orders else ""
    delimiters = [value or "\0" for name, value in sh.given if name == "output_delimiter"]
    if len(set(delimiters)) > 1:
        raise sh.fail("multiple output delimiters specified")
    gap, end = octets(delimiters[0]) if delimiters else "\t", "\0" if zero_terminated else "\n"
    merge = Merge(sh, files, order, end)
    counts = [0, 0, 0]
    hidden = (first, second, common)
    heads = ["", "" if first else gap, ("" if first else gap) + ("" if second else gap)]

    def shown_lines() -> Iterator[str]:
        for kind, line in merge.lines():
            counts[kind] += 1
            if not hidden[kind]:
                yield heads[kind] + line + end
        if total and not merge.failure:
            yield gap.strip("\0").join([*map(str, counts), f"total{end}"])

    yield from map(from_octets, batches(shown_lines()))
    if merge.failure:
        raise sh.fail(merge.failure)
    if merge.is_disordered:
        sh.warn("input is not in sorted order")


class Merge:
    """Two sorted files, read together."""

    __slots__ = ("_end", "_files", "_last", "_order", "_sh", "_told", "failure", "is_disordered")

    def __init__(self, sh: Call, files: tuple[str, ...], order: str, end: str) -> None:
        self._sh, self._files, self._order, self._end = sh, files, order, end
        self._told = [False, False]
        self._last = ["", ""]  # of each file, the line before the one before
        self.is_disordered = False
        self.failure = ""  # why the lines end early

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line and where it is: 0 in the first, 1 in the second, 2 in both."""
        sides = [self._side(i) for i in range(2)]
        old, new = (next(side, END) for side in sides)
        is_paired = True  # GNU's checks the order only once a line has had no pair
        while (old != END or new != END) and not self.failure:
            if old == new:
                yield 2, old
                old, new = (
                    self._next(i, side, line, is_paired)
                    for i, (side, line) in enumerate(zip(sides, (old, new), strict=True))
                )
            elif old < new:
                is_paired = False
                yield 0, old
                old = self._next(0, sides[0], old, is_paired)
            else:
                is_paired = False
                yield 1, new
                new = self._next(1, sides[1], new, is_paired)

    def _next(self, i: int, side: Iterator[str], before: str, is_paired: bool) -> str:
        """The next line of a side, which is to stand behind the one before."""
        line = next(side, END)
        earlier, self._last[i] = self._last[i], before
        if line == END:  # GNU's looks at the last two again
            before, now = earlier, before
        else:
            now = line
        is_checked = self._order == "check_order" or (not self._order and not is_paired)
        if is_checked and now < before and not self._told[i]:
            message = f"file {i + 1} is not in sorted order"
            if self._order:
                self.failure = self.failure or message
                return line
            self._sh.warn(message)
            self._told[i] = self.is_disordered = True
        return line

    def _side(self, i: int) -> Iterator[str]:
        """The lines of a file, without their ends."""
        name = self._files[i]
        sh = self._sh
        try:
            reader = sh.stdin if name == "-" else reader_of(sh.open(name))
            try:
                for found in bare_lines(map(octets, reader.chunks()), self._end):
                    sh.tick()
                    yield from found
            finally:
                if reader is not sh.stdin:
                    reader.close()
        except OSError as error:
            raise sh.fail(f"{shown(name)}: {why(error)}") from None
