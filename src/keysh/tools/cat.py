"""cat - concatenate files."""

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
    from keysh.schema.arguments import Work
    from keysh.schema.types import Path


def caret_notation(byte: int) -> str:
    """Return a byte as -v shows it: `^A`, `M-a`, `M-^A`."""
    if byte >= 128:
        return "M-" + caret_notation(byte - 128)
    return chr(byte) if 32 <= byte < 127 else "^" + chr(byte ^ 64)


UNCHANGED_BYTES = bytes([*range(32, 127), *b"\t\n"])  # by -v


def copy_whole(sh: Call, *files: Path, **changes: bool) -> Work | None:
    """Return how to print a whole text of standard input; None if an option changes it."""
    return None if files or any(changes.values()) else lambda text, _: (text, 0)


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="visible-ends visible-tabs"),
    whole=copy_whole,
    ignored="-u",
)
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
    show_nonprinting: bool = False,
) -> Iterator[str]:
    """Concatenate files, or standard input, to standard output.

    files ...               files to read, - for standard input
    -A, --show-all          same as -vET
    -b, --number-nonblank   number nonempty lines only; overrides -n
    -e, --visible-ends      same as -vE
    -E, --show-ends         show $ at the end of each line
    -n, --number            number all lines
    -s, --squeeze-blank     print only one of several consecutive empty lines
    -t, --visible-tabs      same as -vT
    -T, --show-tabs         show tabs as ^I
    -v, --show-nonprinting  show control characters as ^A and bytes above 127 as M-a
    """
    ends, tabs = show_all or visible_ends or show_ends, show_all or visible_tabs or show_tabs
    is_visible = show_all or visible_ends or visible_tabs or show_nonprinting
    chunks: Iterator[str] = (
        chunk for source in distinct_inputs(sh, files) for chunk in source.chunks()
    )
    if squeeze_blank or number or number_nonblank or ends or tabs or is_visible:
        # A line may begin in one file and end in the next.
        chunks = (
            batch_lines(squeezed_lines(lines(chunks, sh.check_size)))
            if squeeze_blank
            else whole_lines(chunks, sh.check_size)
        )
        if is_visible:
            chunks = map(visible_text, chunks)
        if tabs:
            chunks = (text.replace("\t", "^I") for text in chunks)
        if number or number_nonblank:
            chunks = numbered_lines(chunks, number_nonblank)
        if ends:
            chunks = map(marked_line_ends, chunks)
    yield from chunks


def distinct_inputs(sh: Call, files: tuple[str, ...]) -> Iterator[CommandInput]:
    """Yield the inputs, except a file that is also the output."""
    for source in sh.inputs(files):
        if source.is_output:
            sh.warn(f"{message_name(source.name)}: input file is output file")
        else:
            yield source


def squeezed_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, but only the first of consecutive empty ones."""
    previous = ""
    for line in lines:
        if line != "\n" or previous != "\n":
            yield line
        previous = line


def visible_text(text: str) -> str:
    """Replace control characters and non-ASCII bytes by their -v notation."""
    data = bytes_of_text(text)
    hidden = set(data.translate(None, UNCHANGED_BYTES))
    if hidden:
        for byte in hidden:
            data = data.replace(bytes([byte]), caret_notation(byte).encode("ascii"))
        text = data.decode("ascii")
    return text


def marked_line_ends(text: str) -> str:
    """Put $ before each newline; a carriage return before it is shown too."""
    if "\r" in text:
        text = text.replace("\r\n", "^M\n")
    return text.replace("\n", "$\n")


def numbered_lines(chunks: Iterable[str], skips_empty: bool) -> Iterator[str]:
    """Put numbers before lines; the chunks hold whole lines."""
    numerals, number = LineNumberFormat(">6", "\t"), 1
    for text in chunks:
        lines = text.removesuffix("\n").split("\n")
        if skips_empty and "" in lines:
            numbered = []
            for line in lines:
                numbered.append(numerals.format_number(number) + line if line else line)
                number += bool(line)
            result = "\n".join(numbered)
        else:
            result = numerals.number_lines(lines, number)
            number += len(lines)
        yield result + "\n" * text.endswith("\n")
