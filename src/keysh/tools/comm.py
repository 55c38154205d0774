"""comm - the lines that two sorted files have in common, and those they have not."""

from __future__ import annotations

from itertools import chain

from keysh.gnu.input_files import InputFile
from keysh.gnu.sorted_files import SortedInput, paired_blocks
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import LINES_PER_BATCH, bare_lines, octets_of_text, text_of_octets
from keysh.text.gnu_quoting import locale_quoted_text, message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.gnu.sorted_files import Block
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

AFTER_ALL_LINES = "\U0010ffff"  # behind every line of octets


@command(style=OptionStyle(unabbreviated="first second common"))
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
        after = f" after {locale_quoted_text(files[0])}" if files else ""
        raise UsageFailure(f"missing operand{after}")
    if len(files) > 2:
        raise UsageFailure(f"extra operand {locale_quoted_text(files[2])}")
    orders = [name for name, _ in sh.given if name.endswith("check_order")]
    order = orders[-1] if orders else ""
    delimiters = [value or "\0" for name, value in sh.given if name == "output_delimiter"]
    if len(set(delimiters)) > 1:
        raise sh.fail("multiple output delimiters specified")
    gap, end = (
        octets_of_text(delimiters[0]) if delimiters else "\t",
        "\0" if zero_terminated else "\n",
    )
    heads = ["", "" if first else gap, ("" if first else gap) + ("" if second else gap)]
    hidden = (first, second, common)
    merge = LineMerge(sh, files, order, end)
    merge.prefixes = [None if hidden[i] else head for i, head in enumerate(heads)]
    yield from map(text_of_octets, merge.chunks())
    if merge.failure:
        raise sh.fail(merge.failure)
    if total:
        yield text_of_octets(gap.strip("\0").join([*map(str, merge.counts), f"total{end}"]))
    if merge.is_disordered:
        sh.warn("input is not in sorted order")


class LineMerge:
    """Two sorted files, read together."""

    __slots__ = (
        "_end", "_files", "_order", "_sh", "_warned", "counts", "failure", "prefixes", "is_disordered",
    )  # fmt: skip

    def __init__(self, sh: Call, files: tuple[str, ...], order: str, end: str) -> None:
        self._sh, self._files, self._order, self._end = sh, files, order, end
        self._warned = [False, False]
        # By where a line is, only in the first file, only in the second, in both: what stands
        # before it, None for lines that are not printed; and how many there are.
        self.prefixes: list[str | None] = ["", "", ""]
        self.counts = [0, 0, 0]
        self.is_disordered = False
        self.failure = ""  # why the lines end early

    def chunks(self) -> Iterator[str]:
        """What is printed of the lines."""
        sides = [SortedInput(self._blocks(i), columns=1) for i in range(2)]
        for (olds,), (news,) in paired_blocks(*sides):
            if found := self._merged_blocks(olds, news):
                yield self._end.join(found) + self._end
        yield from self._merged_lines(
            *[chain.from_iterable(lines for (lines,) in side.remaining_blocks()) for side in sides]
        )

    def _merged_blocks(self, olds: list[str], news: list[str]) -> list[str]:
        """What is printed of lines that are in order."""
        only_old, only_new, both = self.prefixes
        made: list[str] = []
        pairs, left = 0, iter(news)
        new = next(left, AFTER_ALL_LINES)
        for old in olds:
            if old < new:
                if only_old is not None:
                    made.append(only_old + old)
                continue
            while new < old:
                if only_new is not None:
                    made.append(only_new + new)
                new = next(left, AFTER_ALL_LINES)
            if old == new:
                pairs += 1
                if both is not None:
                    made.append(both + old)
                new = next(left, AFTER_ALL_LINES)
            elif only_old is not None:
                made.append(only_old + old)
        if only_new is not None and new is not AFTER_ALL_LINES:
            made += [only_new + line for line in (new, *left)]
        self.counts[0] += len(olds) - pairs
        self.counts[1] += len(news) - pairs
        self.counts[2] += pairs
        return made

    def _merged_lines(self, olds: Iterator[str], news: Iterator[str]) -> Iterator[str]:
        """What is printed of lines in any order, which are compared one by one."""
        old, new = next(olds, AFTER_ALL_LINES), next(news, AFTER_ALL_LINES)
        before_old = before_new = ""  # the lines before these
        only_old, only_new, both = self.prefixes
        made: list[str] = []
        first, second, paired = self.counts
        while not self.failure:
            if old == new:
                if old is AFTER_ALL_LINES:
                    break
                paired += 1
                if both is not None:
                    made.append(both + old)
                old_behind, new_behind = next(olds, AFTER_ALL_LINES), next(news, AFTER_ALL_LINES)
                if old_behind < old or old_behind is AFTER_ALL_LINES:
                    self._check_order(0, before_old, old, old_behind, first + second)
                if new_behind < new or new_behind is AFTER_ALL_LINES:
                    self._check_order(1, before_new, new, new_behind, first + second)
                before_old, old, before_new, new = old, old_behind, new, new_behind
            elif old < new:
                first += 1
                if only_old is not None:
                    made.append(only_old + old)
                behind = next(olds, AFTER_ALL_LINES)
                if behind < old or behind is AFTER_ALL_LINES:
                    self._check_order(0, before_old, old, behind, 1)
                before_old, old = old, behind
            else:
                second += 1
                if only_new is not None:
                    made.append(only_new + new)
                behind = next(news, AFTER_ALL_LINES)
                if behind < new or behind is AFTER_ALL_LINES:
                    self._check_order(1, before_new, new, behind, 1)
                before_new, new = new, behind
            if len(made) == LINES_PER_BATCH:
                yield self._end.join(made) + self._end
                made.clear()
        if made:
            yield self._end.join(made) + self._end
        self.counts = [first, second, paired]

    def _check_order(self, i: int, before: str, line: str, behind: str, unpaired: int) -> None:
        """See whether a line is out of order that stands behind a greater one, or comes last.

        At the end, GNU's looks at the last two again; and it minds only once a line has had no
        pair, unless it is asked to.
        """
        if behind is AFTER_ALL_LINES and line >= before:
            return
        is_checked = self._order == "check_order" or (not self._order and unpaired)
        if not is_checked or self._warned[i]:
            return
        message = f"file {i + 1} is not in sorted order"
        if self._order:
            self.failure = self.failure or message
        else:
            self._sh.warn(message)
            self._warned[i] = self.is_disordered = True

    def _blocks(self, i: int) -> Iterator[Block]:
        """The lines of a file in blocks, without their ends."""
        name = self._files[i]
        sh = self._sh
        try:
            with InputFile(sh, name) as reader:
                for found in bare_lines(sh.ticking(reader.octets()), self._end):
                    yield (found,)
        except OSError as error:
            raise sh.fail(f"{message_name(name)}: {os_error_text(error)}") from None
