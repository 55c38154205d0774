"""cmp - compare two files byte by byte."""

from __future__ import annotations

import re
from contextlib import ExitStack, suppress

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.state.call_input import failing_chunks
from keysh.interp.streams.streams import Reader
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
LINES_PER_WRITE = 512  # differences printed at once


@command(
    compatible="GNU diffutils 3.8",
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
    """Report the first byte at which two files differ.

    files ...                  the two files, - for standard input, and how many
                               bytes to skip in each
    -b, -c, --print-bytes, --print-chars
                               also print the differing bytes
    -i, --ignore-initial SKIP  skip the first SKIP bytes of both files, or with A:B
                               the first A and B
    -l, --verbose              print the number and values of every differing byte
    -n, --bytes LIMIT          compare at most LIMIT bytes
    -s, --quiet, --silent      print nothing; only set the status

    The status is 0 if the files are the same, 1 if they differ, and 2 on trouble.
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
        with ExitStack() as resources:
            old, new = (open_reader(sh, name, resources, quiet) for name in names)
            if skips[0] == skips[1] and is_one_file(sh, *names):
                return SAME
            chunk_pairs = paired_chunks(
                bytes_after(sh, old, skips[0]), bytes_after(sh, new, skips[1]), limit
            )
            if verbose:
                width = len(str(max_byte_number(sh, names, skips, limit)))
                return (
                    yield from report_all_differences(sh, names, chunk_pairs, width, print_bytes)
                )
            return (yield from report_first_difference(sh, names, chunk_pairs, print_bytes, quiet))
    except OSError as error:
        name = "-" if error.filename is None else error.filename
        raise sh.fail(f"{name}: {os_error_text(error)}", TROUBLE) from None
    except SilentTrouble:
        return TROUBLE


def parse_byte_count(text: str, option: str, spelled: str = "") -> int:
    """Parse a byte count in C notation with an optional unit."""
    match, value = C_NUMBER.match(text), -1
    unit = "" if match is None else text[match.end() :]
    if match is not None and not unit[:1].isdigit():
        count = int(match["octal"], 8) if match["octal"] else int(match[0], 0)
        with suppress(UnfitValue):
            value = int(SIZE.parse(f"{count}{unit}"))
    if not 0 <= value <= MAX_BYTE_COUNT:
        raise UsageFailure(f"invalid --{option} value '{spelled or text}'")
    return value


def skips_and_limit(sh: Call) -> tuple[list[int], int]:
    """Combine all -i and -n options: bytes to skip in each file, and bytes to compare."""
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
    """Tell whether both names denote the same file."""
    if "-" in (first, second):
        return first == second
    first_stat, second_stat = (sh.fs.stat(sh.path(name), follow=True) for name in (first, second))
    return identity(first_stat) == identity(second_stat)


class SilentTrouble(Exception):
    """Trouble that -s keeps silent about; only the status shows it."""


def open_reader(sh: Call, name: str, resources: ExitStack, is_quiet: bool) -> Reader:
    """Open a file for reading; `resources` closes it."""
    if name == "-":
        return sh.stdin
    try:
        reader = sh.open_reader(name)
    except IsADirectoryError as error:  # opening succeeds on Linux, reading fails
        error.filename = name
        return Reader(failing_chunks(error))
    except OSError as error:
        if is_quiet:
            raise SilentTrouble from None
        error.filename = name
        raise
    resources.callback(reader.close)
    return reader


def bytes_after(sh: Call, reader: Reader, skip: int) -> Iterator[bytes]:
    """Yield what follows the first `skip` bytes."""
    for chunk in reader.chunks():
        sh.tick()
        data = bytes_of_text(chunk)
        if skip < len(data):
            yield data[skip:]
        skip -= min(skip, len(data))


def paired_chunks(
    old: Iterator[bytes], new: Iterator[bytes], limit: int
) -> Iterator[tuple[bytes, bytes]]:
    """Yield chunks of equal length from both; at the end of the shorter one, b"" for it."""
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
    """Return the highest number a byte can have, which sets the width of -l."""
    for name, skip in zip(names, skips, strict=True):
        if name != "-":
            stat = sh.fs.stat(sh.path(name), follow=True)
            if stat.is_file:
                limit = min(limit, max(0, stat.size - skip))
    return limit


def report_first_difference(
    sh: Call,
    names: Sequence[str],
    chunk_pairs: Iterator[tuple[bytes, bytes]],
    prints_bytes: bool,
    is_quiet: bool,
) -> Generator[str, None, int]:
    """Print the first difference and return the status."""
    seen, lines, last = 0, 1, b""
    for old, new in chunk_pairs:
        if old == new:
            if not old:
                return SAME
            seen, lines, last = seen + len(old), lines + old.count(b"\n"), old[-1:]
            continue
        if is_quiet:
            return DIFFERENT
        if not old or not new:
            name = names[0] if not old else names[1]
            where = f"line {lines - 1}" if last == b"\n" else f"in line {lines}"
            position = f"after byte {seen}, {where}" if seen else "which is empty"
            sh.note(f"EOF on {name} {position}")
            return DIFFERENT
        index = next(
            i for i, (first, second) in enumerate(zip(old, new, strict=True)) if first != second
        )
        lines += old.count(b"\n", 0, index)
        detail = (
            f" is {octal_and_caret(old[index])} {octal_and_caret(new[index])}"
            if prints_bytes
            else ""
        )
        yield f"{names[0]} {names[1]} differ: byte {seen + index + 1}, line {lines}{detail}\n"
        return DIFFERENT
    return SAME


def report_all_differences(
    sh: Call,
    names: Sequence[str],
    chunk_pairs: Iterator[tuple[bytes, bytes]],
    width: int,
    prints_bytes: bool,
) -> Generator[str, None, int]:
    """Print every differing byte and return the status."""
    seen, status = 0, SAME
    lines: list[str] = []
    for old, new in chunk_pairs:
        if bool(old) != bool(new):
            yield "".join(lines)
            name = names[0] if not old else names[1]
            sh.note(f"EOF on {name} {f'after byte {seen}' if seen else 'which is empty'}")
            return DIFFERENT
        pairs = zip(old, new, strict=True) if old != new else ()
        for i, (first, second) in enumerate(pairs, seen + 1):
            if first == second:
                continue
            status = DIFFERENT
            left = f"{octal_and_caret(first):<8}" if prints_bytes else f"{first:3o}"
            right = octal_and_caret(second) if prints_bytes else f"{second:3o}"
            lines.append(f"{i:{width}} {left} {right}\n")
            if len(lines) == LINES_PER_WRITE:
                yield "".join(lines)
                lines.clear()
        seen += len(old)
    yield "".join(lines)
    return status


def octal_and_caret(value: int) -> str:
    """Format a byte in octal and in caret notation."""
    return f"{value:3o} {caret_notation(value)}"
