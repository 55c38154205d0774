"""expand - convert tabs to spaces."""

from __future__ import annotations

from keysh.gnu.tab_stops import parse_tab_stops
from keysh.schema.declare import command
from keysh.text.chunks import (
    LINES_PER_BATCH,
    batch_lines,
    lines,
    no_limit,
    octets_of_text,
    text_of_octets,
    whole_lines,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.gnu.tab_stops import TabStops
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

MAX_EXPANDED_BLANKS = 1 << 22  # more are expanded line by line


@command(compatible="GNU coreutils 9.1")
def expand(
    sh: Call, *files: Path, initial: bool = False, tabs: list[str] | None = None
) -> Iterator[str]:
    """Convert tabs to spaces.

    files ...        files to read, - for standard input
    -i, --initial    convert only tabs in the leading blanks of a line
    -t, --tabs LIST  distance of tab stops, or a comma-separated list of all of
                     them, of which the last may be /NUM for every multiple or +NUM
                     for further ones (also -NUM)
    """
    stops = parse_tab_stops(sh, tabs or [])
    chunks = (octets_of_text(chunk) for source in sh.inputs(files) for chunk in source.chunks())
    if initial or stops.stops:
        yield from map(
            text_of_octets,
            batch_lines(expanded_lines(sh, lines(chunks, sh.check_size), stops, initial)),
        )
        return
    for text in whole_lines(chunks, sh.check_size):
        # `str.expandtabs` takes a carriage return for a newline and a backspace for a column.
        is_odd = "\b" in text or "\r" in text
        if is_odd or text.count("\t") * stops.every > MAX_EXPANDED_BLANKS:
            yield from map(
                text_of_octets,
                batch_lines(expanded_lines(sh, lines([text], no_limit), stops, False)),
            )
        else:
            yield text_of_octets(text.expandtabs(stops.every))


def expanded_lines(
    sh: Call, lines: Iterable[str], stops: TabStops, only_initial: bool
) -> Iterator[str]:
    """Yield pieces of lines without tabs; a tab after the last stop is one space."""
    made = 0  # blanks since the last tick
    for line in lines:
        column, begin = 0, 0
        while (tab := line.find("\t", begin)) >= 0:
            text = line[begin:tab]
            if only_initial and text.strip(" "):
                break
            column = column_after(text, column)
            stop = stops.next_stop(column)
            blanks = stop - column if stop >= 0 else 1
            made += blanks
            if made > MAX_EXPANDED_BLANKS:
                sh.reserve(blanks * LINES_PER_BATCH)  # of which the next ones may be as long
                sh.tick()
                made = 0
            yield text + " " * blanks
            column = stop if stop >= 0 else column + 1
            begin = tab + 1
        yield line[begin:]


def column_after(text: str, column: int) -> int:
    """Return the column after a string; a backspace goes one back."""
    if "\b" not in text:
        return column + len(text)
    for char in text:
        column = max(0, column - 1) if char == "\b" else column + 1
    return column
