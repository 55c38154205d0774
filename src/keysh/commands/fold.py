"""fold - long lines cut into several."""

from __future__ import annotations

import errno
import os

from keysh.schema.declare import command
from keysh.text.lines import lines
from keysh.text.octets import from_octets, octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

TAB = 8
JUMPS = "\t\b\r"


@command(invalid={"width": "invalid number of columns"})
def fold(
    sh: Call, *files: Path, bytes: bool = False, spaces: bool = False, width: int = 80
) -> Iterator[str]:
    """Cut lines that are too long.

    files ...           files to read, - for standard input
    -b, --bytes         tabs, backspaces and returns count as one column
    -s, --spaces        cut behind a blank where there is one
    -w, --width WIDTH   how many columns a line may take (also -NUM)
    """
    if width < 1:
        raise sh.fail(f"invalid number of columns: '{width}': {os.strerror(errno.ERANGE)}")
    for source in sh.inputs(files):
        held: list[str] = []
        for line in lines(map(octets, source.chunks())):
            if len(line) <= width and not any(char in line for char in JUMPS):
                held.append(line)
            else:
                held.extend(pieces(sh, line, width, bytes, spaces))
            if len(held) > 512:
                yield from_octets("".join(held))
                held.clear()
        yield from_octets("".join(held))


def pieces(sh: Call, line: str, width: int, in_bytes: bool, at_spaces: bool) -> Iterator[str]:
    """A line in pieces, all but the last with a newline added."""
    bare = line.removesuffix("\n")
    begin = 0
    while True:
        sh.tick()
        end = fitting(bare, begin, width, in_bytes)
        if end >= len(bare):
            yield line[begin:]
            return
        if at_spaces:
            blank = max(bare.rfind(" ", begin, end), bare.rfind("\t", begin, end)) + 1
            end = blank or end
        yield f"{bare[begin:end]}\n"
        begin = end


def fitting(text: str, begin: int, width: int, in_bytes: bool) -> int:
    """How far a text fits the width; at least one character does."""
    end = begin + width
    if in_bytes or not any(char in text[begin : end + 1] for char in JUMPS):
        return end
    column = 0
    for at in range(begin, len(text)):
        char = text[at]
        if char == "\t":
            column += TAB - column % TAB
        elif char == "\b":
            column = max(0, column - 1)
        elif char == "\r":
            column = 0
        else:
            column += 1
        if column > width and at > begin:
            return at
    return len(text)
