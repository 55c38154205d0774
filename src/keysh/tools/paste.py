"""paste - merge lines of files."""

from __future__ import annotations

from itertools import chain, cycle, islice

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.chunks import (
    LINES_PER_BATCH,
    bare_lines,
    interleave,
    octets_of_text,
    text_of_octets,
    whole_lines,
)
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

DELIMITER_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "b": "\b",
    "f": "\f",
    "r": "\r",
    "v": "\v",
    "0": "",
    "\\": "\\",
}


@command(compatible="GNU coreutils 9.1")
def paste(
    sh: Call,
    *files: Path,
    delimiters: str = "\t",
    serial: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    r"""Merge the lines of files side by side.

    files ...              files to read, - for standard input
    -d, --delimiters LIST  separate columns with the characters of LIST in turn;
                           also \n \t \\ and \0 for none
    -s, --serial           merge the lines of one file at a time
    -z, --zero-terminated  lines end with NUL, not with a newline
    """
    delimiter_list, terminator = parse_delimiters(sh, delimiters), "\0" if zero_terminated else "\n"
    if serial:
        yield from paste_serial(sh, files, delimiter_list, terminator)
    else:
        yield from paste_parallel(sh, files, delimiter_list, terminator)


def parse_delimiters(sh: Call, text: str) -> list[str]:
    """Return the delimiters; an empty string is none."""
    result: list[str] = []
    chars = iter(octets_of_text(text))
    for char in chars:
        if char != "\\":
            result.append(text_of_octets(char))
            continue
        escaped = next(chars, None)
        if escaped is None:
            raise sh.fail(f"delimiter list ends with an unescaped backslash: {text}")
        result.append(text_of_octets(DELIMITER_ESCAPES.get(escaped, escaped)))
    return result or [""]


def paste_serial(
    sh: Call, files: Sequence[str], delimiters: list[str], terminator: str
) -> Iterator[str]:
    """Merge each file's lines into one line."""
    for source in sh.inputs(files):
        prefix, rotation = "", cycle(delimiters)
        for text in whole_lines(source.chunks(), sh.check_size, terminator):
            bare = text.removesuffix(terminator)
            if len(delimiters) == 1:
                yield prefix + bare.replace(terminator, delimiters[0])
            else:
                between = chain([prefix], rotation)
                pairs = zip(bare.split(terminator), between, strict=False)
                yield "".join([mark + line for line, mark in pairs])
            prefix = next(rotation)
        yield terminator


def paste_parallel(
    sh: Call, files: Sequence[str], delimiters: list[str], terminator: str
) -> Iterator[str]:
    """Merge the first lines of all files, then the second ones, and so on."""
    names = list(files) or ["-"]
    for name in names:
        check_opens(sh, name)
    # Columns that are standard input take its lines in turn.
    input_columns = names.count("-")
    standard = input_lines(sh, "-", terminator)
    others = [input_lines(sh, name, terminator) for name in names if name != "-"]
    gaps = [delimiters[i % len(delimiters)] for i in range(len(names) - 1)] + [terminator]
    while True:
        shared = list(islice(standard, LINES_PER_BATCH * input_columns))
        shared_columns = iter([shared[at::input_columns] for at in range(input_columns)])
        read_columns = iter([list(islice(lines, LINES_PER_BATCH)) for lines in others])
        columns = [next(shared_columns if name == "-" else read_columns) for name in names]
        count = max(map(len, columns))
        if not count:
            return
        woven_columns: list[list[str]] = []
        for column, gap in zip(columns, gaps, strict=True):
            woven_columns += column + [""] * (count - len(column)), [gap] * count
        yield interleave(*woven_columns)
        if count < LINES_PER_BATCH:
            return


def input_lines(sh: Call, name: str, terminator: str) -> Iterator[str]:
    """Yield the lines of a file without their ends."""
    lists = (
        lines
        for source in sh.inputs([name])
        for lines in bare_lines(source.chunks(), sh.check_size, terminator)
    )
    return chain.from_iterable(lists)


def check_opens(sh: Call, name: str) -> None:
    """Refuse a file that cannot be opened before any output."""
    try:
        if name != "-":
            sh.open(name).close()
    except IsADirectoryError:
        pass  # reported when it is read
    except OSError as error:
        raise sh.fail(f"{message_name(name)}: {os_error_text(error)}") from None
