"""comm - compare two sorted files line by line."""

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

MAX_PREFIX_CHARACTERS = 1 << 20  # of a batch
AFTER_ALL_LINES = "\U0010ffff"  # sorts after every line of octets


@command(compatible="GNU coreutils 9.1", style=OptionStyle(unabbreviated="first second common"))
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
    """Compare two sorted files line by line.

    files ...                the two files, - for standard input
    -1, --first              suppress lines that are only in the first file
    -2, --second             suppress lines that are only in the second file
    -3, --common             suppress lines that are in both files
    --check-order            fail if a file is not sorted
    --nocheck-order          do not check that the files are sorted
    --output-delimiter TEXT  separate the columns with TEXT instead of a tab
    --total                  print the number of lines in each column at the end
    -z, --zero-terminated    lines end with NUL, not with a newline

    The columns hold lines only in the first file, only in the second, and in both.
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
    gap, terminator = (
        octets_of_text(delimiters[0]) if delimiters else "\t",
        "\0" if zero_terminated else "\n",
    )
    prefixes = ["", "" if first else gap, ("" if first else gap) + ("" if second else gap)]
    hidden = (first, second, common)
    merge = LineMerge(sh, files, order, terminator)
    merge.prefixes = [None if hidden[i] else prefix for i, prefix in enumerate(prefixes)]
    yield from map(text_of_octets, merge.chunks())
    if merge.failure:
        raise sh.fail(merge.failure)
    if total:
        yield text_of_octets(gap.strip("\0").join([*map(str, merge.counts), f"total{terminator}"]))
    if merge.is_disordered:
        sh.warn("input is not in sorted order")


class LineMerge:
    """A line-by-line merge of two sorted files."""

    __slots__ = (
        "_files", "_order", "_sh", "_terminator", "_warned", "counts", "failure", "is_disordered",
        "prefixes",
    )  # fmt: skip

    def __init__(self, sh: Call, files: tuple[str, ...], order: str, terminator: str) -> None:
        self._sh, self._files, self._order, self._terminator = sh, files, order, terminator
        self._warned = [False, False]
        # For lines only in the first file, only in the second, and in both: their prefix (None
        # suppresses them) and their number.
        self.prefixes: list[str | None] = ["", "", ""]
        self.counts = [0, 0, 0]
        self.is_disordered = False
        self.failure = ""  # why the output ends early

    def chunks(self) -> Iterator[str]:
        sides = [SortedInput(self._blocks(i), columns=1) for i in range(2)]
        # A long prefix stands before each line of a block: its lines are merged one by one.
        has_blocks = self._lines_per_batch == LINES_PER_BATCH
        for (olds,), (news,) in paired_blocks(*sides) if has_blocks else ():
            if merged := self._merged_blocks(olds, news):
                yield self._terminator.join(merged) + self._terminator
        yield from self._merged_lines(
            *[chain.from_iterable(lines for (lines,) in side.remaining_blocks()) for side in sides]
        )

    @property
    def _lines_per_batch(self) -> int:
        longest = max(len(prefix or "") for prefix in self.prefixes)
        return min(LINES_PER_BATCH, 1 + MAX_PREFIX_CHARACTERS // (longest + 1))

    def _merged_blocks(self, olds: list[str], news: list[str]) -> list[str]:
        """Merge two blocks of sorted lines."""
        only_old, only_new, both = self.prefixes
        output: list[str] = []
        pairs, remaining = 0, iter(news)
        new = next(remaining, AFTER_ALL_LINES)
        for old in olds:
            if old < new:
                if only_old is not None:
                    output.append(only_old + old)
                continue
            while new < old:
                if only_new is not None:
                    output.append(only_new + new)
                new = next(remaining, AFTER_ALL_LINES)
            if old == new:
                pairs += 1
                if both is not None:
                    output.append(both + old)
                new = next(remaining, AFTER_ALL_LINES)
            elif only_old is not None:
                output.append(only_old + old)
        if only_new is not None and new is not AFTER_ALL_LINES:
            output += [only_new + line for line in (new, *remaining)]
        self.counts[0] += len(olds) - pairs
        self.counts[1] += len(news) - pairs
        self.counts[2] += pairs
        return output

    def _merged_lines(self, olds: Iterator[str], news: Iterator[str]) -> Iterator[str]:
        """Merge lines one by one, whether or not they are sorted."""
        old, new = next(olds, AFTER_ALL_LINES), next(news, AFTER_ALL_LINES)
        before_old = before_new = ""  # the previous lines
        only_old, only_new, both = self.prefixes
        lines_per_batch = self._lines_per_batch
        output: list[str] = []
        first, second, paired = self.counts
        while not self.failure:
            if old == new:
                if old is AFTER_ALL_LINES:
                    break
                paired += 1
                if both is not None:
                    output.append(both + old)
                old_behind, new_behind = next(olds, AFTER_ALL_LINES), next(news, AFTER_ALL_LINES)
                if old_behind < old or old_behind is AFTER_ALL_LINES:
                    self._check_order(0, before_old, old, old_behind, first + second)
                if new_behind < new or new_behind is AFTER_ALL_LINES:
                    self._check_order(1, before_new, new, new_behind, first + second)
                before_old, old, before_new, new = old, old_behind, new, new_behind
            elif old < new:
                first += 1
                if only_old is not None:
                    output.append(only_old + old)
                following = next(olds, AFTER_ALL_LINES)
                if following < old or following is AFTER_ALL_LINES:
                    self._check_order(0, before_old, old, following, 1)
                before_old, old = old, following
            else:
                second += 1
                if only_new is not None:
                    output.append(only_new + new)
                following = next(news, AFTER_ALL_LINES)
                if following < new or following is AFTER_ALL_LINES:
                    self._check_order(1, before_new, new, following, 1)
                before_new, new = new, following
            if len(output) >= lines_per_batch:
                yield self._terminator.join(output) + self._terminator
                output.clear()
        if output:
            yield self._terminator.join(output) + self._terminator
        self.counts = [first, second, paired]

    def _check_order(self, i: int, previous: str, line: str, following: str, unpaired: int) -> None:
        """Check that `line`, which precedes `following`, is in order.

        Like GNU, compare the last two lines again at the end of the file, and unless asked for,
        check only after the first line without a pair.
        """
        if following is AFTER_ALL_LINES and line >= previous:
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
        """Yield a file's lines in blocks, without their ends."""
        name = self._files[i]
        sh = self._sh
        try:
            with InputFile(sh, name) as reader:
                for lines in bare_lines(reader.octets(), sh.check_size, self._terminator):
                    yield (lines,)
        except OSError as error:
            raise sh.fail(f"{message_name(name)}: {os_error_text(error)}") from None
