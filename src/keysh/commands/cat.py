"""cat - files one after another."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.text.lines import batches, encoded, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path


def notation(byte: int) -> str:
    """A byte as -v shows it: `^A`, `M-a`, `M-^A`."""
    if byte >= 128:
        return "M-" + notation(byte - 128)
    return chr(byte) if 32 <= byte < 127 else "^" + chr(byte ^ 64)


VISIBLE = {byte: notation(byte) for byte in range(256) if chr(byte) not in "\t\n"}


@command
def cat(
    sh: Call,
    *files: Path,
    show_all: bool = False,
    number_nonblank: bool = False,
    visible_ends: bool = False,
    show_ends: bool = False,
    number: bool = False,
    squeeze_blank: bool = False,
    visible_tabs: bool = False,
    show_tabs: bool = False,
    unbuffered: bool = False,
    show_nonprinting: bool = False,
) -> Iterator[str]:
    """Print files one after another, or standard input.

    files ...                 files to read, - for standard input
    -A, --show-all            the same as -vET
    -b, --number-nonblank     number lines that are not empty, whatever -n says
    -e, --visible-ends        the same as -vE
    -E, --show-ends           print $ where a line ends
    -n, --number              number all lines
    -s, --squeeze-blank       print one empty line for several that follow each other
    -t, --visible-tabs        the same as -vT
    -T, --show-tabs           print ^I for a tab
    -u, --unbuffered          ignored
    -v, --show-nonprinting    print ^A for control characters and M-a for bytes above 127
    """
    ends, tabs = show_all or visible_ends or show_ends, show_all or visible_tabs or show_tabs
    is_visible = show_all or visible_ends or visible_tabs or show_nonprinting
    chunks: Iterator[str] = (chunk for source in sh.inputs(files) for chunk in source.chunks())
    if squeeze_blank or number or number_nonblank or ends or tabs or is_visible:
        # Files are no borders: a line may begin in one and end in the next.
        found = lines(chunks)
        if squeeze_blank:
            found = squeezed(found)
        if is_visible:
            found = (visible(line) for line in found)
        if tabs:
            found = (line.replace("\t", "^I") for line in found)
        if number or number_nonblank:
            found = numbered(found, "\n" if number_nonblank else "")
        if ends:
            found = (ended(line) for line in found)
        chunks = batches(found)
    yield from chunks


def squeezed(found: Iterable[str]) -> Iterator[str]:
    """Lines, of several empty ones only the first."""
    before = ""
    for line in found:
        if line != "\n" or before != "\n":
            yield line
        before = line


def visible(line: str) -> str:
    """A line with its control characters, and all that is no ASCII, in print."""
    if line.isascii() and line.removesuffix("\n").isprintable():
        return line
    return encoded(line).decode("latin-1").translate(VISIBLE)


def ended(line: str) -> str:
    """A line with its end in print; a carriage return before that is a part of it."""
    if not line.endswith("\n"):
        return line
    return line[:-2] + "^M$\n" if line.endswith("\r\n") else line[:-1] + "$\n"


def numbered(found: Iterable[str], empty: str) -> Iterator[str]:
    """Lines with numbers, except those that are `empty`."""
    i = 0
    for line in found:
        if line == empty:
            yield line
        else:
            i += 1
            yield f"{i:6}\t{line}"
