"""cmp - where two files differ, byte by byte."""

from __future__ import annotations

import re
from contextlib import ExitStack, suppress

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.state.call_input import failing_chunks
from keysh.interp.streams.streams import Reader, reader_of
from keysh.schema.command import PREFIXED_USAGE_HINT
from keysh.schema.declare import OutputStyle, Refusals, command
from keysh.schema.types import SIZE, UnfitValue
from keysh.text.chunks import bytes_of_text
from keysh.tools.cat import caret_notation
from keysh.vfs.api import identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

SAME, DIFFERENT, TROUBLE = range(3)
MAX_BYTE_COUNT = (1 << 63) - 1
C_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,100}|(?P<octal>0[0-7]{0,100})|[1-9][0-9]{0,100}")
LINES_PER_WRITE = 512  # lines that are printed at once


@command(
    output=OutputStyle(write_error=(2, "write error: {}")),
    refusals=Refusals(usage_status=TROUBLE, usage_hint=PREFIXED_USAGE_HINT),
)
def cmp(
    sh: Call,
    *files: Path,
    print_bytes: bool = False,
    ignore_initial: str = "0",
    verbose: bool = False,
    bytes: str | None = None,
    quiet: bool = False,
) -> Generator[str, None, int]:
    """Tell the first byte in which two files differ.

    files ...                     the two files, - for standard input, and how many bytes to skip of
                                  each
    -b, -c, --print-bytes, --print-chars  print the bytes, too
    -i, --ignore-initial SKIP     skip so many bytes of both files; A:B skips A of the first
    -l, --verbose                 tell all bytes that differ: their numbers and values
    -n, --bytes LIMIT             compare no more than so many bytes
    -s, --quiet, --silent         print nothing, the status tells

    The status is 0 where the files are the same, 1 where they differ, 2 for trouble.
    """
    skips, limit = skips_and_limit(sh)
    if verbose and quiet:
        raise UsageFailure("options -l and -s are incompatible")
    if not files:
        raise UsageFailure("missing operand after 'cmp'")
    for i, text in enumerate(files[2:4]):
        skips[i] = max(skips[i], parse_byte_count(text, "ignore-initial"))
    if len(files) > 4:
        raise UsageFailure(f"extra operand '{files[4]}'")
    names = (files[0], files[1] if len(files) > 1 else "-")
    try:
        with ExitStack() as opened:
            old, new = (open_reader(sh, name, opened, quiet) for name in names)
            if skips[0] == skips[1] and is_one_file(sh, *names):
                return SAME
            pieces = paired_chunks(
                bytes_after(sh, old, skips[0]), bytes_after(sh, new, skips[1]), limit
            )
            if verbose:
                width = len(str(max_byte_number(sh, names, skips, limit)))
                return (yield from report_all_differences(sh, names, pieces, width, print_bytes))
            return (yield from report_first_difference(sh, names, pieces, print_bytes, quiet))
    except OSError as error:
        name = "-" if error.filename is None else error.filename
        raise sh.fail(f"{name}: {os_error_text(error)}", TROUBLE) from None
    except SilentTrouble:
        return TROUBLE


def parse_byte_count(text: str, option: str, shown: str = "") -> int:
    """A number of bytes, as C writes numbers, and maybe a unit."""
    found, value = C_NUMBER.match(text), -1
    unit = "" if found is None else text[found.end() :]
    if found is not None and not unit[:1].isdigit():
        count = int(found["octal"], 8) if found["octal"] else int(found[0], 0)
        with suppress(UnfitValue):
            value = int(SIZE.parse(f"{count}{unit}"))
    if not 0 <= value <= MAX_BYTE_COUNT:
        raise UsageFailure(f"invalid --{option} value '{shown or text}'")
    return value


def skips_and_limit(sh: Call) -> tuple[list[int], int]:
    """How many bytes to leave out of each file, and how many to compare, by all options."""
    skips, limit = [0, 0], MAX_BYTE_COUNT
    for name, value in sh.given:
        if name == "bytes":
            limit = min(limit, parse_byte_count(value, "bytes"))
        elif name == "ignore_initial":
            first, _, second = value.partition(":")
            skips[0] = max(skips[0], parse_byte_count(first, "ignore-initial", value))
            other = parse_byte_count(second, "ignore-initial") if ":" in value else skips[0]
            skips[1] = max(skips[1], other)
    return skips, limit


def is_one_file(sh: Call, first: str, second: str) -> bool:
    """Whether both names are of one file, which need not be read."""
    if "-" in (first, second):
        return first == second
    one, other = (sh.fs.stat(sh.path(name), follow=True) for name in (first, second))
    return identity(one) == identity(other)


class SilentTrouble(Exception):
    """There is trouble that nobody wants to hear of."""


def open_reader(sh: Call, name: str, opened: ExitStack, is_quiet: bool) -> Reader:
    """What reads a file, which is closed with the others that are opened."""
    if name == "-":
        return sh.stdin
    try:
        reader = reader_of(sh.open(name))
    except IsADirectoryError as error:  # a kernel opens it, and fails to read
        error.filename = name
        return Reader(failing_chunks(error))
    except OSError as error:
        if is_quiet:
            raise SilentTrouble from None
        error.filename = name
        raise
    opened.callback(reader.close)
    return reader


def bytes_after(sh: Call, reader: Reader, skip: int) -> Iterator[bytes]:
    """What a reader has behind the first bytes."""
    for chunk in reader.chunks():
        sh.tick()
        data = bytes_of_text(chunk)
        if skip < len(data):
            yield data[skip:]
        skip -= min(skip, len(data))


def paired_chunks(
    old: Iterator[bytes], new: Iterator[bytes], limit: int
) -> Iterator[tuple[bytes, bytes]]:
    """Pieces of the same length of both; one that is shorter at last is followed by nothing."""
    first = second = b""
    while limit > 0:
        first = first or next(old, b"")
        second = second or next(new, b"")
        size = min(len(first), len(second), limit)
        if not size:
            yield first[:1], second[:1]
            return
        yield first[:size], second[:size]
        first, second, limit = first[size:], second[size:], limit - size


def max_byte_number(sh: Call, names: Sequence[str], skips: Sequence[int], limit: int) -> int:
    """The highest number that a byte can have."""
    for name, skip in zip(names, skips, strict=True):
        if name != "-":
            stat = sh.fs.stat(sh.path(name), follow=True)
            if stat.is_file:
                limit = min(limit, max(0, stat.size - skip))
    return limit


def report_first_difference(
    sh: Call,
    names: Sequence[str],
    pieces: Iterator[tuple[bytes, bytes]],
    prints_bytes: bool,
    is_quiet: bool,
) -> Generator[str, None, int]:
    """Tell where the first bytes are that differ; the status."""
    seen, lines, last = 0, 1, b""
    for old, new in pieces:
        if old == new:
            if not old:
                return SAME
            seen, lines, last = seen + len(old), lines + old.count(b"\n"), old[-1:]
            continue
        if is_quiet:
            return DIFFERENT
        if not old or not new:
            end = names[0] if not old else names[1]
            where = f"line {lines - 1}" if last == b"\n" else f"in line {lines}"
            told = f"after byte {seen}, {where}" if seen else "which is empty"
            sh.note(f"EOF on {end} {told}")
            return DIFFERENT
        at = next(i for i, (one, other) in enumerate(zip(old, new, strict=True)) if one != other)
        lines += old.count(b"\n", 0, at)
        shows = f" is {octal_and_caret(old[at])} {octal_and_caret(new[at])}" if prints_bytes else ""
        yield f"{names[0]} {names[1]} differ: byte {seen + at + 1}, line {lines}{shows}\n"
        return DIFFERENT
    return SAME


def report_all_differences(
    sh: Call,
    names: Sequence[str],
    pieces: Iterator[tuple[bytes, bytes]],
    width: int,
    prints_bytes: bool,
) -> Generator[str, None, int]:
    """Tell all bytes that differ; the status."""
    seen, status = 0, SAME
    held: list[str] = []
    for old, new in pieces:
        if bool(old) != bool(new):
            yield "".join(held)
            end = names[0] if not old else names[1]
            sh.err.write(
                f"{sh.name}: EOF on {end} {f'after byte {seen}' if seen else 'which is empty'}\n"
            )
            return DIFFERENT
        pairs = zip(old, new, strict=True) if old != new else ()
        for i, (one, other) in enumerate(pairs, seen + 1):
            if one == other:
                continue
            status = DIFFERENT
            left = f"{octal_and_caret(one):<8}" if prints_bytes else f"{one:3o}"
            held.append(
                f"{i:{width}} {left} {octal_and_caret(other) if prints_bytes else f'{other:3o}'}\n"
            )
            if len(held) == LINES_PER_WRITE:
                yield "".join(held)
                held.clear()
        seen += len(old)
    yield "".join(held)
    return status


def octal_and_caret(value: int) -> str:
    """A byte in octal and in print."""
    return f"{value:3o} {caret_notation(value)}"
