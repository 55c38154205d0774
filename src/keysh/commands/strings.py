"""strings - the printable text in files of any kind."""

from __future__ import annotations

import re

from keysh.schema.declare import command
from keysh.text.octets import from_octets, octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

ASCII = "\t" + "".join(map(chr, range(32, 127)))
PRINTED = {"s": ASCII, "S": ASCII + "".join(map(chr, range(128, 256)))}
MOST = 1 << 24  # characters of one text: a longer one is printed in parts
WAYS = ("octal", "radix")
NUMBERS = {"d": "{:7d} ", "o": "{:7o} ", "x": "{:7x} "}


@command(lines=True, invalid={"bytes": "invalid integer argument"}, added="octal")
def strings(
    sh: Call,
    *files: Path,
    all: bool = False,
    print_file_name: bool = False,
    bytes: int = 4,
    octal: bool = False,
    radix: Literal["o", "d", "x"] | None = None,
    include_all_whitespace: bool = False,
    encoding: Literal["s", "S"] = "s",
    output_separator: str = "\n",
) -> Iterator[str]:
    """Print the runs of printed characters in files.

    files ...                       files to read; standard input without any
    -a, --all                       read whole files, which is so anyway
    -f, --print-file-name           print the file's name before each
    -n, --bytes NUM                 how many characters there must be; 4 without it (also -NUM)
    -o, --octal                     the same as -t o
    -t, --radix RADIX               print where each begins: o octal, d decimal, x hexadecimal
    -w, --include-all-whitespace    newlines and other blanks are printed characters
    -e, --encoding ENCODING         s for ASCII, S for all bytes above 127, too
    -s, --output-separator TEXT     what stands behind each; a newline without it
    """
    del all, octal
    if bytes < 1:
        raise sh.fail(f"invalid minimum string length {bytes}")
    kind = PRINTED[encoding] + ("\n\v\f\r" if include_all_whitespace else "")
    pattern = re.compile(f"[{re.escape(kind)}]{{{min(bytes, MOST)},}}")
    radices = ["o" if name == "octal" else radix for name, _ in sh.given if name in WAYS]
    number = NUMBERS.get(radices[-1] or "", "") if radices else ""
    directory = "Warning: '{name}' is a directory"
    for source in sh.inputs(files, "'{name}': No such file", reading=directory):
        name = "{standard input}" if source.name == "-" else source.name
        head = f"{name}: " if print_file_name else ""
        held, seen = "", 0
        for chunk in source.chunks():
            held += octets(chunk)
            # What is printed up to the end may go on in the next chunk.
            end = len(held.rstrip(kind))
            if len(held) - end >= MOST:
                end = len(held)
            yield from_octets(found(pattern, held[:end], seen, (head, number, output_separator)))
            held, seen = held[end:], seen + end
        yield from_octets(found(pattern, held, seen, (head, number, output_separator)))


def found(pattern: re.Pattern[str], text: str, seen: int, marks: tuple[str, str, str]) -> str:
    """The runs in a text, each between its marks: a head, where it begins, and its end."""
    head, number, end = marks
    return "".join(
        f"{head}{number.format(seen + match.start())}{match[0]}{end}"
        for match in pattern.finditer(text)
    )
