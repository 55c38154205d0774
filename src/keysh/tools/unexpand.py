"""unexpand - convert spaces to tabs."""

from __future__ import annotations

import re

from keysh.gnu.tab_stops import parse_tab_stops
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import (
    batch_lines,
    lines,
    no_limit,
    octets_of_text,
    text_of_octets,
    whole_lines,
)

SPACE_RUN = re.compile("  +")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.gnu.tab_stops import TabStops
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1", style=OptionStyle(unabbreviated="stops"))
def unexpand(
    sh: Call,
    *files: Path,
    all: bool = False,
    first_only: bool = False,
    tabs: list[str] | None = None,
    stops: list[str] | None = None,
) -> Iterator[str]:
    """Convert leading spaces to tabs.

    files ...        files to read, - for standard input
    -a, --all        convert all runs of spaces, not only leading ones
    --first-only     convert only leading blanks; overrides -a
    -t, --tabs LIST  distance of tab stops, or a comma-separated list of all of
                     them; implies -a
    --stops LIST     like --tabs, but does not imply -a (also -NUM)
    """
    tab_positions = parse_tab_stops(sh, [*(tabs or []), *(stops or [])])
    is_whole = (all or tabs is not None) and not first_only
    chunks = (octets_of_text(chunk) for source in sh.inputs(files) for chunk in source.chunks())
    for text in whole_lines(chunks, sh.check_size):
        if (
            is_whole
            and tab_positions.every > 1
            and not (tab_positions.stops or "\t" in text or "\b" in text)
        ):
            yield text_of_octets(unexpanded_text(text, tab_positions.every))
            continue
        converted = (
            unexpanded_line(line, tab_positions, is_whole)
            if line[:1] in (" ", "\t") or is_whole
            else line
            for line in lines([text], no_limit)
        )
        yield from map(text_of_octets, batch_lines(converted))


def unexpanded_text(text: str, every: int) -> str:
    """Convert all runs of spaces in lines without tabs."""
    pieces: list[str] = []
    copied_to = line = searched_to = 0
    for run in SPACE_RUN.finditer(text):
        start, end = run.span()
        line = text.rfind("\n", searched_to, start) + 1 or line  # start of this run's line
        searched_to = end
        last_stop = (end - line) // every * every + line  # position of the last stop
        tabs = (last_stop - line) // every - (start - line) // every
        if tabs:
            pieces += text[copied_to:start], "\t" * tabs
            copied_to = last_stop
    pieces.append(text[copied_to:])
    return "".join(pieces)


def unexpanded_line(line: str, stops: TabStops, is_whole: bool) -> str:
    """Convert a line; a single space stays unless more blanks follow."""
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
            # Of the blanks before the tab, keep only a single one that reached a stop.
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
    """Return blanks that reach no further stop; the first may have reached one."""
    return "\t" + pending[1:] if len(pending) > 1 and begins_at_stop else pending
