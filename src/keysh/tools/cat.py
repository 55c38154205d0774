"""cat - files one after another."""

from __future__ import annotations

from keysh.gnu.line_numbers import LineNumberFormat
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import batch_lines, bytes_of_text, lines, whole_lines
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput
    from keysh.schema.types import Path


def caret_notation(byte: int) -> str:
    """A byte as -v shows it: `^A`, `M-a`, `M-^A`."""
    if byte >= 128:
        return "M-" + caret_notation(byte - 128)
    return chr(byte) if 32 <= byte < 127 else "^" + chr(byte ^ 64)


UNCHANGED_BYTES = bytes([*range(32, 127), *b"\t\n"])  # which -v leaves as they are


@command(style=OptionStyle(unabbreviated="visible-ends visible-tabs unbuffered"))
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
    chunks: Iterator[str] = (
        chunk for source in distinct_inputs(sh, files) for chunk in source.chunks()
    )
    if squeeze_blank or number or number_nonblank or ends or tabs or is_visible:
        # Files are no borders: a line may begin in one and end in the next.
        chunks = (
            batch_lines(squeezed_lines(lines(chunks))) if squeeze_blank else whole_lines(chunks)
        )
        if is_visible:
            chunks = map(visible_text, chunks)
        if tabs:
            chunks = (text.replace("\t", "^I") for text in chunks)
        if number or number_nonblank:
            chunks = numbered_lines(chunks, number_nonblank)
        if ends:
            chunks = map(marked_line_ends, chunks)
    elif not files:
        sh.remember(lambda text, _: (text, 0))
    yield from chunks


def distinct_inputs(sh: Call, files: tuple[str, ...]) -> Iterator[CommandInput]:
    """The inputs, but for those that would be copied to themselves."""
    for source in sh.inputs(files):
        if source.is_output:
            sh.warn(f"{message_name(source.name)}: input file is output file")
        else:
            yield source


def squeezed_lines(found: Iterable[str]) -> Iterator[str]:
    """Lines, of several empty ones only the first."""
    before = ""
    for line in found:
        if line != "\n" or before != "\n":
            yield line
        before = line


def visible_text(text: str) -> str:
    """A text with its control characters, and all that is no ASCII, in print."""
    data = bytes_of_text(text)
    odd = set(data.translate(None, UNCHANGED_BYTES))
    if odd:
        for byte in odd:
            data = data.replace(bytes([byte]), caret_notation(byte).encode("ascii"))
        text = data.decode("ascii")
    return text


def marked_line_ends(text: str) -> str:
    """Lines with their ends in print; a carriage return before one is a part of it."""
    if "\r" in text:
        text = text.replace("\r\n", "^M\n")
    return text.replace("\n", "$\n")


def numbered_lines(chunks: Iterable[str], skips_empty: bool) -> Iterator[str]:
    """Whole lines with numbers."""
    numerals, number = LineNumberFormat(">6", "\t"), 1
    for text in chunks:
        lines = text.removesuffix("\n").split("\n")
        if skips_empty and "" in lines:
            made = []
            for line in lines:
                made.append(numerals.format_number(number) + line if line else line)
                number += bool(line)
            found = "\n".join(made)
        else:
            found = numerals.number_lines(lines, number)
            number += len(lines)
        yield found + "\n" * text.endswith("\n")
