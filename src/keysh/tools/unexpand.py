"""unexpand - spaces made into tabs."""

from __future__ import annotations

import re

from keysh.gnu.tab_stops import parse_tab_stops
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import batch_lines, lines, octets_of_text, text_of_octets, whole_lines

SPACE_RUN = re.compile("  +")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.gnu.tab_stops import TabStops
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(style=OptionStyle(unabbreviated="stops"))
def unexpand(
    sh: Call,
    *files: Path,
    all: bool = False,
    first_only: bool = False,
    tabs: list[str] | None = None,
    stops: list[str] | None = None,
) -> Iterator[str]:
    """Print text with tabs for the spaces that lead up to tab stops.

    files ...          files to read, - for standard input
    -a, --all          all spaces, not only those at the start of a line
    --first-only       only those, whatever else is given
    -t, --tabs LIST    how far tab stops are apart, or all of them with commas between; makes it all
                       spaces
    --stops LIST       the same, but for all spaces only with -a or -t (also -NUM)
    """
    places = parse_tab_stops(sh, [*(tabs or []), *(stops or [])])
    is_whole = (all or tabs is not None) and not first_only
    chunks = (octets_of_text(chunk) for source in sh.inputs(files) for chunk in source.chunks())
    for text in whole_lines(chunks):
        if is_whole and places.every > 1 and not (places.stops or "\t" in text or "\b" in text):
            yield text_of_octets(unexpanded_text(text, places.every))
            continue
        found = (
            unexpanded_line(line, places, is_whole) if line[:1] in (" ", "\t") or is_whole else line
            for line in lines([text])
        )
        yield from map(text_of_octets, batch_lines(found))


def unexpanded_text(text: str, every: int) -> str:
    """Lines that have no tab yet, with tabs for all runs of spaces that reach stops."""
    pieces: list[str] = []
    at = line = before = 0
    for run in SPACE_RUN.finditer(text):
        start, end = run.span()
        line = text.rfind("\n", before, start) + 1 or line  # where the line of this run begins
        before = end
        last = (end - line) // every * every + line  # the last stop
        tabs = (last - line) // every - (start - line) // every
        if tabs:
            pieces += text[at:start], "\t" * tabs
            at = last
    pieces.append(text[at:])
    return "".join(pieces)


def unexpanded_line(line: str, stops: TabStops, is_whole: bool) -> str:
    """A line with tabs. A single space stays one, unless more blanks follow it."""
    if stops.every > 1 and not stops.stops and "  " not in line and "\t" not in line:
        return line
    pieces: list[str] = []
    pending = ""  # blanks that may become a tab
    column, begins_at_stop, was_blank = 0, False, True
    for i, char in enumerate(line):
        if char in (" ", "\t"):
            stop = stops.next_stop(column)
            if stop < 0:
                return "".join(pieces) + pending + line[i:]
            if char == "\t":
                column = stop
                if pending:
                    pending = "\t" + pending[1:]
            else:
                column += 1
                if not (was_blank and column == stop):
                    begins_at_stop = begins_at_stop or column == stop
                    pending += char
                    was_blank = True
                    continue
                char, pending = "\t", "\t" + pending[1:]
            # Of what leads up to the tab only a single blank before the last stop is left.
            pending = pending[: int(begins_at_stop)]
            was_blank = True
        elif char == "\b":
            column, was_blank = max(0, column - 1), False
        else:
            column, was_blank = column + 1, False
        if pending:
            pieces.append(settled_blanks(pending, begins_at_stop))
            pending, begins_at_stop = "", False
        pieces.append(char)
        if not (is_whole or was_blank):
            return "".join(pieces) + line[i + 1 :]
    return "".join(pieces) + settled_blanks(pending, begins_at_stop)


def settled_blanks(pending: str, begins_at_stop: bool) -> str:
    """Blanks that lead up to no further stop; the first may have reached one."""
    return "\t" + pending[1:] if len(pending) > 1 and begins_at_stop else pending
