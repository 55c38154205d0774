"""paste - lines of several files side by side."""

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


@command
def paste(
    sh: Call,
    *files: Path,
    delimiters: str = "\t",
    serial: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    r"""Print lines side by side: the first of each file, then the second of each, and so on.

    files ...                files to read, - for standard input
    -d, --delimiters LIST    the characters to stand between, in turn; also \n \t \\ and \0 for none
    -s, --serial             the lines of each file side by side instead
    -z, --zero-terminated    lines end with NUL, not with a newline
    """
    marks, end = parse_delimiters(sh, delimiters), "\0" if zero_terminated else "\n"
    if serial:
        yield from paste_serial(sh, files, marks, end)
    else:
        yield from paste_parallel(sh, files, marks, end)


def parse_delimiters(sh: Call, text: str) -> list[str]:
    """The delimiters of a list; one that is empty stands for none."""
    found: list[str] = []
    chars = iter(octets_of_text(text))
    for char in chars:
        if char != "\\":
            found.append(text_of_octets(char))
            continue
        escaped = next(chars, None)
        if escaped is None:
            raise sh.fail(f"delimiter list ends with an unescaped backslash: {text}")
        found.append(text_of_octets(DELIMITER_ESCAPES.get(escaped, escaped)))
    return found or [""]


def paste_serial(sh: Call, files: Sequence[str], marks: list[str], end: str) -> Iterator[str]:
    """For each file, its lines as one."""
    for source in sh.inputs(files):
        before, turn = "", cycle(marks)
        for text in whole_lines(source.chunks(), end):
            bare = text.removesuffix(end)
            if len(marks) == 1:
                yield before + bare.replace(end, marks[0])
            else:
                between = chain([before], turn)
                pairs = zip(bare.split(end), between, strict=False)
                yield "".join([mark + line for line, mark in pairs])
            before = next(turn)
        yield end


def paste_parallel(sh: Call, files: Sequence[str], marks: list[str], end: str) -> Iterator[str]:
    """The first lines of all files as one, then the second ones; what has ended is empty."""
    names = list(files) or ["-"]
    for name in names:
        check_opens(sh, name)
    # Standard input may stand for several columns, which take its lines in turn.
    turns = names.count("-")
    standard = input_lines(sh, "-", end)
    others = [input_lines(sh, name, end) for name in names if name != "-"]
    gaps = [marks[i % len(marks)] for i in range(len(names) - 1)] + [end]
    while True:
        shared = list(islice(standard, LINES_PER_BATCH * turns))
        dealt = iter([shared[at::turns] for at in range(turns)])
        own = iter([list(islice(lines, LINES_PER_BATCH)) for lines in others])
        columns = [next(dealt if name == "-" else own) for name in names]
        count = max(map(len, columns))
        if not count:
            return
        woven_columns: list[list[str]] = []
        for column, gap in zip(columns, gaps, strict=True):
            woven_columns += column + [""] * (count - len(column)), [gap] * count
        yield interleave(*woven_columns)
        if count < LINES_PER_BATCH:
            return


def input_lines(sh: Call, name: str, end: str) -> Iterator[str]:
    """The lines of a file, without their ends."""
    lists = (lines for one in sh.inputs([name]) for lines in bare_lines(one.chunks(), end))
    return chain.from_iterable(lists)


def check_opens(sh: Call, name: str) -> None:
    """Refuse a file that cannot be opened before any line is printed."""
    try:
        if name != "-":
            sh.open(name).close()
    except IsADirectoryError:
        pass  # that is told of when it is read
    except OSError as error:
        raise sh.fail(f"{message_name(name)}: {os_error_text(error)}") from None
