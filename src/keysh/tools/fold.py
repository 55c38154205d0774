"""fold - wrap long lines."""

from __future__ import annotations

import errno
import os
import re
from itertools import islice

from keysh.schema.declare import Refusals, command
from keysh.schema.number_types import Natural
from keysh.text.chunks import text_of_octets, whole_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

TAB_COLUMNS = 8
CURSOR_MOVES = "\t\b\r"
MAX_WIDTH = 1 << 30  # wide enough for any line
MAX_WHOLE_CHARACTERS = 1 << 20  # folded at once
PIECES_PER_TICK = 4096


@command(
    compatible="GNU coreutils 9.1",
    refusals=Refusals(invalid_values={"width": "invalid number of columns"}),
)
def fold(
    sh: Call, *files: Path, bytes: bool = False, spaces: bool = False, width: Natural = 80
) -> Iterator[str]:
    """Wrap lines that are too long.

    files ...          files to read, - for standard input
    -b, --bytes        count bytes, so tabs, backspaces and returns take one column
    -s, --spaces       break after a blank if there is one
    -w, --width WIDTH  maximum width; the default is 80 (also -NUM)
    """
    if not width:
        raise sh.fail(f"invalid number of columns: '{width}': {os.strerror(errno.ERANGE)}")
    pattern = pieces_pattern(min(width, MAX_WIDTH), spaces)
    for source in sh.inputs(files):
        for text in whole_lines(source.octets(), sh.check_size):
            body = text.removesuffix("\n")
            if bytes or not any(char in body for char in CURSOR_MOVES):
                if len(body) > MAX_WHOLE_CHARACTERS:
                    yield from folded_blocks(sh, pattern, body)
                    yield text[len(body) :]
                    continue
                pieces = pattern.findall(body)
            else:
                pieces = [
                    piece
                    for line in body.split("\n")
                    for piece in cut_line(sh, line, width, spaces)
                ]
            yield text_of_octets("\n".join(pieces) + text[len(body) :])


def folded_blocks(sh: Call, pattern: re.Pattern[str], body: str) -> Iterator[str]:
    """Yield the pieces of a long line in blocks, with newlines between them."""
    pieces = (match[0] for match in pattern.finditer(body))
    joint = ""
    while block := [*islice(pieces, PIECES_PER_TICK)]:
        sh.tick()
        yield text_of_octets(joint + "\n".join(block))
        joint = "\n"


def pieces_pattern(width: int, at_spaces: bool) -> re.Pattern[str]:
    """Match the pieces of lines in which each character takes one column."""
    # What fits entirely; or up to the last blank that fits; or as many characters as fit.
    fitting = f".{{1,{width}}}$|.{{0,{width - 1}}}[ \\t]|" if at_spaces else ""
    return re.compile(f"{fitting}.{{1,{width}}}|^$", re.MULTILINE)


def cut_line(sh: Call, line: str, width: int, at_spaces: bool) -> Iterator[str]:
    """Yield the pieces of a line with tabs, backspaces or returns."""
    begin = 0
    while True:
        sh.tick()
        end = fitting_end(line, begin, width)
        if end >= len(line):
            yield line[begin:]
            return
        if at_spaces:
            blank = max(line.rfind(" ", begin, end), line.rfind("\t", begin, end)) + 1
            end = blank or end
        yield line[begin:end]
        begin = end


def fitting_end(text: str, begin: int, width: int) -> int:
    """Return how far a string fits the width, at least one character."""
    end = begin + width
    if not any(char in text[begin : end + 1] for char in CURSOR_MOVES):
        return end
    column = 0
    for index in range(begin, len(text)):
        char = text[index]
        if char == "\t":
            column += TAB_COLUMNS - column % TAB_COLUMNS
        elif char == "\b":
            column = max(0, column - 1)
        elif char == "\r":
            column = 0
        else:
            column += 1
        if column > width and index > begin:
            return index
    return len(text)
