"""strings - print the printable strings in files."""

from __future__ import annotations

import re

from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.text.chunks import octets_of_text, text_of_octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput
    from keysh.schema.types import Path

PRINTABLE_ASCII = "\t" + "".join(map(chr, range(32, 127)))
PRINTABLE_SETS = {"S": PRINTABLE_ASCII + "".join(map(chr, range(128, 256)))}  # the others use ASCII
# NUL bytes before and after each character.
NUL_PADDING = {"s": (0, 0), "S": (0, 0), "b": (1, 0), "l": (0, 1), "B": (3, 0), "L": (0, 3)}
MAX_RUN_CHARACTERS = 1 << 24  # a longer string is printed in parts
RADIX_OPTIONS = ("octal", "radix")
OFFSET_FORMATS = {"d": "{:7d} ", "o": "{:7o} ", "x": "{:7x} "}


@command(
    compatible="GNU binutils 2.40",
    output=OutputStyle(lines=True),
    refusals=Refusals(invalid_values={"bytes": "invalid integer argument {}"}),
    style=OptionStyle(unabbreviated="octal"),
)
def strings(
    sh: Call,
    *files: Path,
    all: bool = False,
    print_file_name: bool = False,
    bytes: int = 4,
    octal: bool = False,
    radix: Literal["o", "d", "x"] | None = None,
    include_all_whitespace: bool = False,
    encoding: Literal["s", "S", "b", "l", "B", "L"] = "s",
    target: str = "",
    output_separator: str = "\n",
) -> Iterator[str]:
    """Print the sequences of printable characters in files.

    files ...                     files to read; standard input by default
    -a, --all                     scan whole files (default)
    -f, --print-file-name         print the file name before each string
    -n, --bytes NUM               minimum string length; the default is 4 (also
                                  -NUM)
    -o, --octal                   same as -t o
    -t, --radix RADIX             print the offset of each string: o octal, d
                                  decimal, x hexadecimal
    -w, --include-all-whitespace  treat newlines and other whitespace as printable
    -e, --encoding ENCODING       s 7-bit and S 8-bit characters, b 16-bit
                                  big-endian, l 16-bit little-endian, B and L the
                                  same with 32 bits
    -s, --output-separator TEXT   print TEXT after each string instead of a newline
    -T, --target NAME             ignored: files are read as plain bytes
    -h, --help                    print this help
    -v, -V, --version             print the version of keysh
    """
    del all, octal, target
    if bytes < 1:
        raise sh.fail(f"invalid minimum string length {bytes}")
    printable = PRINTABLE_SETS.get(encoding, PRINTABLE_ASCII) + (
        "\n\v\f\r" if include_all_whitespace else ""
    )
    before, after = ("\0" * count for count in NUL_PADDING[encoding])
    unit, min_characters = 1 + len(before + after), min(bytes, MAX_RUN_CHARACTERS)
    pattern = re.compile(f"(?:{before}[{re.escape(printable)}]{after}){{{min_characters},}}")
    radices = ["o" if name == "octal" else radix for name, _ in sh.given if name in RADIX_OPTIONS]
    number = OFFSET_FORMATS.get(radices[-1] or "", "") if radices else ""
    for source in string_inputs(sh, files):
        name = "{standard input}" if source.name == "-" else source.name
        head = f"{name}: " if print_file_name else ""
        pending, offset = "", 0
        for chunk in source.chunks():
            pending += octets_of_text(chunk)
            runs = list(pattern.finditer(pending))
            end = runs[-1].end() if runs else 0
            # A run at the end may continue in the next chunk, and a short one may grow.
            if end <= len(pending) - unit:
                end = max(end, len(pending) - unit * min_characters + 1)
            elif runs and end - runs[-1].start() < MAX_RUN_CHARACTERS:
                end = runs.pop().start()
            yield text_of_octets(format_runs(runs, offset, unit, (head, number, output_separator)))
            pending, offset = pending[end:], offset + end
        runs = list(pattern.finditer(pending))
        yield text_of_octets(format_runs(runs, offset, unit, (head, number, output_separator)))


def string_inputs(sh: Call, files: Iterable[str]) -> Iterator[CommandInput]:
    """Yield the inputs with the messages of strings for unreadable files."""
    for name in files or ("-",):
        directory_message, message = "Warning: '{path}' is a directory", "{path}: {why}"
        try:
            if name != "-" and sh.fs.stat(sh.path(name), follow=True).is_directory:
                message = directory_message
        except FileNotFoundError:
            message = "'{path}': No such file"
        except OSError:
            message = "Warning: could not locate '{path}'.  reason: {why}"
        yield from sh.inputs([name], message, reading=directory_message)


def format_runs(
    runs: Iterable[re.Match[str]], offset: int, unit: int, marks: tuple[str, str, str]
) -> str:
    """Format runs with file name, offset and separator."""
    head, number, separator = marks
    lines = []
    for run in runs:
        text = run[0] if unit == 1 else without_nul(run[0])
        lines.append(f"{head}{number.format(offset + run.start())}{text}{separator}")
    return "".join(lines)


def without_nul(text: str) -> str:
    return text.replace("\0", "")
