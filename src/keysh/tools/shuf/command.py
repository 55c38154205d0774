"""shuf - lines in an order of chance."""

from __future__ import annotations

from contextlib import closing
from itertools import chain

from keysh.interp.state.call import CommandFailure, UsageFailure, os_error_text
from keysh.interp.streams.streams import writer_of
from keysh.schema.declare import OutputStyle, Refusals, command
from keysh.schema.number_types import NATURAL
from keysh.schema.types import UnfitValue
from keysh.text.chunks import bare_lines
from keysh.text.gnu_quoting import locale_quoted_text, message_name
from keysh.tools.shuf.drawing import RandomFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

MAX_SMALL_FILE_BYTES = 8 << 20  # bytes of a file
LINES_PER_CHUNK = 1024  # lines that are given out at once
MAX_SAMPLE_LINES, MAX_RANGE_NUMBER = (
    10_000_000,
    1 << 62,
)  # lines in one order, and the largest number of a range
SINGLE_USE_OPTIONS = {
    "input_range": "-i options",
    "output": "output files",
    "random_source": "random sources",
}


@command(
    output=OutputStyle(lines=True),
    refusals=Refusals(invalid_values={"head_count": "invalid line count"}),
)
def shuf(
    sh: Call,
    *words: Path,
    echo: bool = False,
    input_range: str | None = None,
    head_count: int | None = None,
    output: Path | None = None,
    random_source: Path | None = None,
    repeat: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    """Print lines in an order of chance, which the host or a file may have fixed.

    words ...                  the file to read, - for standard input
    -e, --echo                 the words are the lines
    -i, --input-range LO-HI    the numbers from LO to HI are the lines
    -n, --head-count COUNT     print no more than COUNT lines
    -o, --output FILE          write to FILE
    --random-source FILE       take the chance from the bytes of this file
    -r, --repeat               lines may come again, and with no COUNT do for ever
    -z, --zero-terminated      lines end with NUL, not with a newline
    """
    if head_count is not None and head_count < 0:
        raise sh.fail(f"invalid line count: '{head_count}'")
    if echo and input_range is not None:
        raise UsageFailure("cannot combine -e and -i options")
    most = 0 if input_range is not None else 1
    if not echo and len(words) > most:
        raise UsageFailure(f"extra operand {locale_quoted_text(words[most])}")
    for option, what in SINGLE_USE_OPTIONS.items():
        values = [value for name, value in sh.given if name == option]
        if len(values) > 1 and (option == "input_range" or len(set(values)) > 1):
            raise sh.fail(f"multiple {what} specified")
    end = "\0" if zero_terminated else "\n"
    with closing(LineShuffler(sh, head_count, repeat, random_source)) as order:
        lines: Sequence[object]
        if input_range is not None:
            lines = parse_range(sh, input_range)
        elif echo:
            lines = words
        else:
            lines = order.read_lines(words[0] if words else "-", end)
        if sh.status:
            return
        text = order.shuffled_chunks(lines, end)
        if output is None:
            yield from text
            return
        try:
            with sh.open(output, "w") as stream:
                writer_of(stream).writelines(text)
        except OSError as error:
            raise sh.fail(f"{message_name(output)}: {os_error_text(error)}") from None


def parse_range(sh: Call, text: str) -> range:
    """A range of numbers; it may be empty if the one end follows the other."""
    low, dash, high = text.partition("-")
    for end in (low, high) if dash else (text,):
        try:
            fits = dash and NATURAL.parse(end) < MAX_RANGE_NUMBER
        except UnfitValue as unfit:
            raise sh.fail(f"invalid input range: {locale_quoted_text(end)}{unfit.reason}") from None
        if not fits:
            raise sh.fail(f"invalid input range: {locale_quoted_text(end)}")
    if int(low) > int(high) + 1:
        raise sh.fail(f"invalid input range: {locale_quoted_text(text)}")
    return range(int(low), int(high) + 1)


class LineShuffler:
    """How lines are drawn: how many, whether they may come again, and by what chance."""

    __slots__ = ("_random_file", "_count", "_repeats", "_sh", "_source")

    def __init__(self, sh: Call, count: int | None, repeats: bool, source: str | None) -> None:
        self._sh, self._count, self._repeats, self._source = sh, count, repeats, source
        self._random_file: RandomFile | None = None

    def close(self) -> None:
        """Let go of the file of chance."""
        if self._random_file is not None:
            self._random_file.close()

    def read_lines(self, name: str, end: str) -> Sequence[str]:
        """The lines of the one input: all, or as many as are drawn of a text that may be long."""
        if self._count == 0:
            return ()
        sh = self._sh
        inputs = sh.inputs([name], reading="read error: {why}")
        batches = (batch for one in inputs for batch in bare_lines(one.chunks(), end))
        lines = chain.from_iterable(batches)
        if (
            self._count
            and self._source is not None
            and not (self._repeats or is_small_file(sh, name))
        ):
            drawing = self._open_random_file()
            return drawing.reservoir_sample(lines, self._count)
        return list(lines)

    def shuffled_chunks(self, lines: Sequence[object], end: str) -> Iterator[str]:
        """Lines by chance, in chunks."""
        sh, count = self._sh, self._count
        is_drawn = self._repeats or (bool(lines) and count != 0)
        chance = sh.random if self._source is None or not is_drawn else self._open_random_file()
        if not self._repeats:
            size = len(lines) if count is None else min(count, len(lines))
            if size > MAX_SAMPLE_LINES:
                raise sh.fail(f"more than {MAX_SAMPLE_LINES} lines in one order\nfix: fewer, by -n")
            found = chance.sample(lines, size)
            for at in range(0, size, LINES_PER_CHUNK):
                sh.tick()
                yield "".join([f"{line}{end}" for line in found[at : at + LINES_PER_CHUNK]])
            return
        if not lines and count != 0:
            raise sh.fail("no lines to repeat")
        left = count
        while left is None or left > 0:
            sh.tick()
            size = LINES_PER_CHUNK if left is None else min(LINES_PER_CHUNK, left)
            made: list[str] = []
            try:
                made.extend(f"{chance.choice(lines)}{end}" for _ in range(size))
            except CommandFailure:  # the bytes of the file have come to their end
                yield "".join(made)
                raise
            yield "".join(made)
            left = None if left is None else left - size

    def _open_random_file(self) -> RandomFile:
        """The chance that a file has; the same for all that is drawn."""
        if self._random_file is None:
            self._random_file = RandomFile(self._sh, self._source or "")
        return self._random_file


def is_small_file(sh: Call, name: str) -> bool:
    """Whether a file is so small that GNU's reads it as a whole before it draws a few lines."""
    if name == "-":
        return False
    try:
        stat = sh.fs.stat(sh.path(name), follow=True)
    except OSError:  # that is told of where the file is opened
        return True
    return stat.is_file and stat.size <= MAX_SMALL_FILE_BYTES
