"""strings - the printable text in files of any kind."""

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
PRINTABLE_SETS = {"S": PRINTABLE_ASCII + "".join(map(chr, range(128, 256)))}  # ASCII for the others
# The NUL bytes before and behind each character.
NUL_PADDING = {"s": (0, 0), "S": (0, 0), "b": (1, 0), "l": (0, 1), "B": (3, 0), "L": (0, 3)}
MAX_RUN_CHARACTERS = 1 << 24  # characters of one text: a longer one is printed in parts
RADIX_OPTIONS = ("octal", "radix")
OFFSET_FORMATS = {"d": "{:7d} ", "o": "{:7o} ", "x": "{:7x} "}


@command(
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
    """Print the runs of printed characters in files.

    files ...                       files to read; standard input without any
    -a, --all                       read whole files, which is so anyway
    -f, --print-file-name           print the file's name before each
    -n, --bytes NUM                 how many characters there must be; 4 without it (also -NUM)
    -o, --octal                     the same as -t o
    -t, --radix RADIX               print where each begins: o octal, d decimal, x hexadecimal
    -w, --include-all-whitespace    newlines and other blanks are printed characters
    -e, --encoding ENCODING         s for ASCII, S for all bytes above 127, too; characters of two
                                    bytes with b, of four with B, the first of which counts most;
                                    with l and L the last one
    -s, --output-separator TEXT     what stands behind each; a newline without it
    -T, --target NAME               ignored: files are read as they are
    -h, --help                      print this help
    -v, -V, --version               print which keysh this is
    """
    del all, octal, target
    if bytes < 1:
        raise sh.fail(f"invalid minimum string length {bytes}")
    kind = PRINTABLE_SETS.get(encoding, PRINTABLE_ASCII) + (
        "\n\v\f\r" if include_all_whitespace else ""
    )
    before, behind = ("\0" * count for count in NUL_PADDING[encoding])
    unit, least = 1 + len(before + behind), min(bytes, MAX_RUN_CHARACTERS)
    pattern = re.compile(f"(?:{before}[{re.escape(kind)}]{behind}){{{least},}}")
    radices = ["o" if name == "octal" else radix for name, _ in sh.given if name in RADIX_OPTIONS]
    number = OFFSET_FORMATS.get(radices[-1] or "", "") if radices else ""
    for source in string_inputs(sh, files):
        name = "{standard input}" if source.name == "-" else source.name
        head = f"{name}: " if print_file_name else ""
        held, seen = "", 0
        for chunk in source.chunks():
            held += octets_of_text(chunk)
            runs = list(pattern.finditer(held))
            end = runs[-1].end() if runs else 0
            # What reaches the end may go on in the next chunk, and what is too short grow there.
            if end <= len(held) - unit:
                end = max(end, len(held) - unit * least + 1)
            elif runs and end - runs[-1].start() < MAX_RUN_CHARACTERS:
                end = runs.pop().start()
            yield text_of_octets(format_runs(runs, seen, unit, (head, number, output_separator)))
            held, seen = held[end:], seen + end
        runs = list(pattern.finditer(held))
        yield text_of_octets(format_runs(runs, seen, unit, (head, number, output_separator)))


def string_inputs(sh: Call, files: Iterable[str]) -> Iterator[CommandInput]:
    """The inputs, each with what is said where it cannot be read."""
    for name in files or ("-",):
        folder, says = "Warning: '{path}' is a directory", "{path}: {why}"
        try:
            if name != "-" and sh.fs.stat(sh.path(name), follow=True).is_directory:
                says = folder
        except FileNotFoundError:
            says = "'{path}': No such file"
        except OSError:
            says = "Warning: could not locate '{path}'.  reason: {why}"
        yield from sh.inputs([name], says, reading=folder)


def format_runs(
    runs: Iterable[re.Match[str]], seen: int, unit: int, marks: tuple[str, str, str]
) -> str:
    """Runs, each between its marks: a head, where it begins, and its end."""
    head, number, end = marks
    return "".join(
        f"{head}{number.format(seen + run.start())}{run[0] if unit == 1 else without_nul(run[0])}{end}"
        for run in runs
    )


def without_nul(text: str) -> str:
    """Characters of several bytes, as one each."""
    return text.replace("\0", "")
