"""shuf - lines in an order of chance."""

from __future__ import annotations

from keysh.runtime.call import quoted, shown, why
from keysh.runtime.streams import writer_of
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.text.lines import bare_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.runtime.call import Call
    from keysh.schema.types import Path, Size

BATCH = 1024  # lines that are given out at once


@command(lines=True, invalid={"head_count": "invalid line count"})
def shuf(
    sh: Call,
    *words: Path,
    echo: bool = False,
    input_range: str | None = None,
    head_count: Size | None = None,
    output: Path | None = None,
    repeat: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    """Print lines in an order of chance, which the host may have fixed.

    words ...                  the file to read, - for standard input
    -e, --echo                 the words are the lines
    -i, --input-range LO-HI    the numbers from LO to HI are the lines
    -n, --head-count COUNT     print no more than COUNT lines
    -o, --output FILE          write to FILE
    -r, --repeat               lines may come again, and with no COUNT do for ever
    -z, --zero-terminated      lines end with NUL, not with a newline
    """
    if echo and input_range is not None:
        raise Misuse("E303", -1, "cannot combine -e and -i options")
    most = 0 if input_range is not None else 1
    if not echo and len(words) > most:
        raise Misuse("E305", most, f"extra operand {quoted(words[most])}")
    end = "\0" if zero_terminated else "\n"
    lines: Sequence[object]
    if input_range is not None:
        lines = numbers(sh, input_range)
    elif echo:
        lines = words
    elif head_count == 0:
        lines = ()
    else:
        lines = read(sh, words[0] if words else "-", end)
    if sh.status:
        return
    text = drawn(sh, lines, head_count, repeat, end)
    if output is None:
        yield from text
        return
    try:
        with sh.open(output, "w") as stream:
            writer_of(stream).writelines(text)
    except OSError as error:
        raise sh.fail(f"{shown(output)}: {why(error)}") from None


def numbers(sh: Call, text: str) -> range:
    """A range of numbers; it may be empty if the one end follows the other."""
    low, dash, high = text.partition("-")
    is_number = dash and low.isdecimal() and high.isdecimal() and max(len(low), len(high)) < 19
    if not is_number or int(low) > int(high) + 1:
        raise sh.fail(f"invalid input range: {quoted(text)}")
    return range(int(low), int(high) + 1)


def read(sh: Call, name: str, end: str) -> list[str]:
    """The lines of the one input."""
    return [
        line
        for source in sh.inputs([name], reading="read error: {why}")
        for lines in bare_lines(source.chunks(), end)
        for line in lines
    ]


def drawn(
    sh: Call, lines: Sequence[object], count: int | None, repeats: bool, end: str
) -> Iterator[str]:
    """Lines by chance, in chunks."""
    chance = sh.random
    if not repeats:
        size = len(lines) if count is None else min(count, len(lines))
        found = chance.sample(lines, size)
        for at in range(0, size, BATCH):
            sh.tick()
            yield "".join([f"{line}{end}" for line in found[at : at + BATCH]])
        return
    if not lines and count != 0:
        raise sh.fail("no lines to repeat")
    left = count
    while left is None or left > 0:
        sh.tick()
        size = BATCH if left is None else min(BATCH, left)
        yield "".join([f"{chance.choice(lines)}{end}" for _ in range(size)])
        left = None if left is None else left - size
