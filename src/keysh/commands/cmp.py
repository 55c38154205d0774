"""cmp - where two files differ, byte by byte."""

from __future__ import annotations

from contextlib import ExitStack

from keysh.commands.cat import notation
from keysh.runtime.call import why
from keysh.runtime.streams import reader_of
from keysh.schema.declare import command
from keysh.schema.types import SIZE, Unfit
from keysh.text.lines import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from keysh.runtime.call import Call, Failure
    from keysh.runtime.streams import Reader
    from keysh.schema.types import Path

SAME, DIFFERENT, TROUBLE = range(3)
FAR = (1 << 63) - 1
BATCH = 512  # lines that are printed at once


@command(usage=TROUBLE, unwritten=(2, "write error: {}"))
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
    -b, --print-bytes             print the bytes, too
    -i, --ignore-initial SKIP     skip so many bytes of both files; A:B skips A of the first
    -l, --verbose                 tell all bytes that differ: their numbers and values
    -n, --bytes LIMIT             compare no more than so many bytes
    -s, --quiet, --silent         print nothing, the status tells

    The status is 0 where the files are the same, 1 where they differ, 2 for trouble.
    """
    if verbose and quiet:
        raise misuse(sh, "options -l and -s are incompatible")
    if not files:
        raise misuse(sh, "missing operand after 'cmp'")
    skips = [number(sh, text, "ignore-initial") for text in ignore_initial.split(":", 1)]
    skips = [skips[0], skips[-1]]
    for i, text in enumerate(files[2:4]):
        skips[i] = max(skips[i], number(sh, text, "ignore-initial"))
    if len(files) > 4:
        raise misuse(sh, f"extra operand '{files[4]}'")
    limit = FAR if bytes is None else number(sh, bytes, "bytes")
    names = (files[0], files[1] if len(files) > 1 else "-")
    try:
        with ExitStack() as opened:
            if names[0] == names[1] and skips[0] == skips[1]:
                return SAME if is_there(sh, names[0], quiet) else TROUBLE
            old, new = (reader_for(sh, name, opened) for name in names)
            pieces = together(skipping(sh, old, skips[0]), skipping(sh, new, skips[1]), limit)
            if verbose:
                width = len(str(most_bytes(sh, names, skips, limit)))
                return (yield from all_differences(sh, names, pieces, width, print_bytes))
            return (yield from first_difference(sh, names, pieces, print_bytes, quiet))
    except OSError as error:
        if quiet:
            return TROUBLE
        raise sh.fail(
            f"{'-' if error.filename is None else error.filename}: {why(error)}", TROUBLE
        ) from None


def misuse(sh: Call, says: str) -> Failure:
    """The exception for a call that makes no sense."""
    return sh.fail(f"{says}\n{sh.name}: Try '{sh.name} --help' for more information.", TROUBLE)


def number(sh: Call, text: str, option: str) -> int:
    """A number of bytes."""
    try:
        value = int(SIZE.parse(text))
    except Unfit:
        value = -1
    if value < 0 or not text[:1].isdecimal():
        raise misuse(sh, f"invalid --{option} value '{text}'")
    return min(value, FAR)


def is_there(sh: Call, name: str, quiet: bool) -> bool:
    """Whether a file is there; where not that is said, unless quietly."""
    try:
        return name == "-" or sh.fs.stat(sh.path(name), follow=True) is not None
    except OSError as error:
        if not quiet:
            sh.warn(f"{name}: {why(error)}", TROUBLE)
        return False


def reader_for(sh: Call, name: str, opened: ExitStack) -> Reader:
    """What reads a file, which is closed with the others that are opened."""
    if name == "-":
        return sh.stdin
    try:
        reader = reader_of(sh.open(name))
    except OSError as error:
        error.filename = name
        raise
    opened.callback(reader.close)
    return reader


def skipping(sh: Call, reader: Reader, skip: int) -> Iterator[bytes]:
    """What a reader has behind the first bytes."""
    for chunk in reader.chunks():
        sh.tick()
        data = encoded(chunk)
        if skip < len(data):
            yield data[skip:]
        skip -= min(skip, len(data))


def together(
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


def most_bytes(sh: Call, names: Sequence[str], skips: Sequence[int], limit: int) -> int:
    """The highest number that a byte can have."""
    for name, skip in zip(names, skips, strict=True):
        if name != "-":
            stat = sh.fs.stat(sh.path(name), follow=True)
            if stat.is_file:
                limit = min(limit, max(0, stat.size - skip))
    return limit


def first_difference(
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
            sh.err.write(f"{sh.name}: EOF on {end} {told}\n")
            return DIFFERENT
        at = next(i for i, (one, other) in enumerate(zip(old, new, strict=True)) if one != other)
        lines += old.count(b"\n", 0, at)
        shows = f" is {byte(old[at])} {byte(new[at])}" if prints_bytes else ""
        yield f"{names[0]} {names[1]} differ: byte {seen + at + 1}, line {lines}{shows}\n"
        return DIFFERENT
    return SAME


def all_differences(
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
            left = f"{byte(one):<8}" if prints_bytes else f"{one:3o}"
            held.append(f"{i:{width}} {left} {byte(other) if prints_bytes else f'{other:3o}'}\n")
            if len(held) == BATCH:
                yield "".join(held)
                held.clear()
        seen += len(old)
    yield "".join(held)
    return status


def byte(value: int) -> str:
    """A byte in octal and in print."""
    return f"{value:3o} {notation(value)}"
