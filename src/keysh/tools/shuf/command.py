"""shuf - shuffle lines."""

from __future__ import annotations

from contextlib import closing
from itertools import chain, islice

from keysh.interp.state.call import CommandFailure, UsageFailure, os_error_text
from keysh.interp.streams.streams import writer_of
from keysh.schema.declare import OutputStyle, Refusals, command
from keysh.schema.number_types import NATURAL
from keysh.schema.types import UnfitValue
from keysh.text.chunks import bare_lines
from keysh.text.gnu_quoting import locale_quoted_text, message_name
from keysh.tools.shuf.random_choice import RandomFile, random_sample

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

MAX_SMALL_FILE_BYTES = 8 << 20  # GNU shuf loads a file of this size whole
LINES_PER_CHUNK = 1024  # lines
DRAWN_LINE_BYTES = 40  # of memory, for a number and its place in a list
# How many lines are shuffled at once, and the end of a range.
MAX_SAMPLE_LINES, MAX_RANGE_NUMBER = 10_000_000, 1 << 62
SINGLE_USE_OPTIONS = {
    "input_range": "-i options",
    "output": "output files",
    "random_source": "random sources",
}


@command(
    compatible="GNU coreutils 9.1",
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
    """Print lines in random order.

    words ...                the file to read, - for standard input
    -e, --echo               treat each operand as a line
    -i, --input-range LO-HI  treat each number from LO to HI as a line
    -n, --head-count COUNT   print at most COUNT lines
    -o, --output FILE        write to FILE instead of standard output
    --random-source FILE     take random bytes from FILE
    -r, --repeat             lines may repeat; without -n, forever
    -z, --zero-terminated    lines end with NUL, not with a newline

    The host or --random-source can make the order reproducible.
    """
    if head_count is not None and head_count < 0:
        raise sh.fail(f"invalid line count: '{head_count}'")
    if echo and input_range is not None:
        raise UsageFailure("cannot combine -e and -i options")
    max_operands = 0 if input_range is not None else 1
    if not echo and len(words) > max_operands:
        raise UsageFailure(f"extra operand {locale_quoted_text(words[max_operands])}")
    for option, description in SINGLE_USE_OPTIONS.items():
        values = [value for name, value in sh.given if name == option]
        if len(values) > 1 and (option == "input_range" or len(set(values)) > 1):
            raise sh.fail(f"multiple {description} specified")
    terminator = "\0" if zero_terminated else "\n"
    with closing(LineShuffler(sh, head_count, repeat, random_source)) as shuffler:
        lines: Sequence[object]
        if input_range is not None:
            lines = parse_range(sh, input_range)
        elif echo:
            lines = words
        else:
            lines = shuffler.read_lines(words[0] if words else "-", terminator)
        if sh.status:
            return
        text = shuffler.shuffled_chunks(lines, terminator)
        if output is None:
            yield from text
            return
        try:
            with sh.open(output, "w") as stream:
                writer_of(stream).writelines(text)
        except OSError as error:
            raise sh.fail(f"{message_name(output)}: {os_error_text(error)}") from None


def parse_range(sh: Call, text: str) -> range:
    """Parse LO-HI; the range may be empty if HI is LO-1."""
    low, dash, high = text.partition("-")
    for bound in (low, high) if dash else (text,):
        try:
            fits = dash and NATURAL.parse(bound) < MAX_RANGE_NUMBER
        except UnfitValue as unfit:
            raise sh.fail(
                f"invalid input range: {locale_quoted_text(bound)}{unfit.reason}"
            ) from None
        if not fits:
            raise sh.fail(f"invalid input range: {locale_quoted_text(bound)}")
    if int(low) > int(high) + 1:
        raise sh.fail(f"invalid input range: {locale_quoted_text(text)}")
    return range(int(low), int(high) + 1)


class LineShuffler:
    """Draws lines: how many, with repetition or not, from which random source."""

    __slots__ = ("_count", "_random_file", "_repeats", "_sh", "_source")

    def __init__(self, sh: Call, count: int | None, repeats: bool, source: str | None) -> None:
        self._sh, self._count, self._repeats, self._source = sh, count, repeats, source
        self._random_file: RandomFile | None = None

    def close(self) -> None:
        """Close the random source."""
        if self._random_file is not None:
            self._random_file.close()

    def read_lines(self, name: str, terminator: str) -> Sequence[str]:
        """Read the input; of a long one with a random source only a sample."""
        if self._count == 0:
            return ()
        sh = self._sh
        inputs = sh.inputs([name], reading="read error: {why}")
        batches = (
            batch
            for source in inputs
            for batch in bare_lines(source.chunks(), sh.check_size, terminator)
        )
        lines = chain.from_iterable(batches)
        if (
            self._count
            and self._source is not None
            and not (self._repeats or is_small_file(sh, name))
        ):
            random_file = self._open_random_file()
            return random_file.reservoir_sample(lines, self._count)
        return list(lines)

    def shuffled_chunks(self, lines: Sequence[object], terminator: str) -> Iterator[str]:
        """Yield the drawn lines in chunks."""
        sh, count = self._sh, self._count
        is_drawn = self._repeats or (bool(lines) and count != 0)
        random_source = (
            sh.random if self._source is None or not is_drawn else self._open_random_file()
        )
        if not self._repeats:
            size = len(lines) if count is None else min(count, len(lines))
            if size > MAX_SAMPLE_LINES:
                raise sh.fail(
                    f"more than {MAX_SAMPLE_LINES} lines to shuffle\nfix: draw fewer with -n"
                )
            sh.reserve(size * DRAWN_LINE_BYTES)
            sample = (
                random_source.sample(lines, size)
                if isinstance(random_source, RandomFile)
                else random_sample(random_source, lines, size)
            )
            while drawn := [f"{line}{terminator}" for line in islice(sample, LINES_PER_CHUNK)]:
                sh.tick()
                yield "".join(drawn)
            return
        if not lines and count != 0:
            raise sh.fail("no lines to repeat")
        remaining = count
        while remaining is None or remaining > 0:
            sh.tick()
            size = LINES_PER_CHUNK if remaining is None else min(LINES_PER_CHUNK, remaining)
            output: list[str] = []
            try:
                output.extend(f"{random_source.choice(lines)}{terminator}" for _ in range(size))
            except CommandFailure:  # the random source is exhausted
                yield "".join(output)
                raise
            yield "".join(output)
            remaining = None if remaining is None else remaining - size

    def _open_random_file(self) -> RandomFile:
        """Open --random-source once for all draws."""
        if self._random_file is None:
            self._random_file = RandomFile(self._sh, self._source or "")
        return self._random_file


def is_small_file(sh: Call, name: str) -> bool:
    """Tell whether GNU shuf would load the file whole before drawing a few lines."""
    if name == "-":
        return False
    try:
        stat = sh.fs.stat(sh.path(name), follow=True)
    except OSError:  # reported when the file is opened
        return True
    return stat.is_file and stat.size <= MAX_SMALL_FILE_BYTES
