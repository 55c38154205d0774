"""split - split a file into pieces."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.schema.types import INT, SIZE, UnfitValue
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name
from keysh.tools.split.pieces import (
    MAX_START_DIGITS,
    START_TOO_LARGE,
    OutputFiles,
    suffix_alphabet,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

SIZE_NAMES = {
    "lines": "number of lines", "bytes": "number of bytes", "line_bytes": "number of bytes",
    "number": "number of chunks",
}  # fmt: skip
DEFAULT_LINES = "1000"  # per file by default
OUT_OF_RANGE = "Numerical result out of range"
TOO_LARGE = "Value too large for defined data type"


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="decimal hexadecimal"),
    ignored="-u, --unbuffered",
)
def split(
    sh: Call,
    file: Path = "-",
    prefix: Path = "x",
    *,
    lines: str | None = None,
    bytes: str | None = None,
    line_bytes: str | None = None,
    number: str | None = None,
    suffix_length: str = "0",
    additional_suffix: str = "",
    decimal: bool = False,
    numeric_suffixes: str | bool = False,
    hexadecimal: bool = False,
    hex_suffixes: str | bool = False,
    elide_empty_files: bool = False,
    filter: str | None = None,
    separator: str = "\n",
    verbose: bool = False,
) -> Iterator[str]:
    r"""Split a file into pieces: PREFIXaa, PREFIXab, and so on.

    file                       the file to split, - for standard input
    prefix                     prefix of the output file names; the default is x
    -l, --lines NUM            put NUM lines into each file; the default is 1000
                               (also -NUM)
    -b, --bytes SIZE           put SIZE bytes into each file
    -C, --line-bytes SIZE      put at most SIZE bytes of lines into each file
    -n, --number CHUNKS        N splits into N files by size; l/N without splitting
                               lines; r/N distributes lines in turn; K/N, l/K/N and
                               r/K/N print only the K-th to standard output
    -a, --suffix-length NUM    length of suffixes; at least 2 and longer as needed
                               by default
    --additional-suffix TEXT   append TEXT to file names
    -d, --decimal              use decimal suffixes
    --numeric-suffixes[=FROM]  like -d, starting at FROM
    -x, --hexadecimal          use hexadecimal suffixes
    --hex-suffixes[=FROM]      like -x, starting at FROM
    -e, --elide-empty-files    with -n, create no empty files
    --filter COMMAND           run COMMAND with each piece as its input instead;
                               $FILE is the file name
    -t, --separator CHAR       record separator instead of newline; \0 is NUL
    --verbose                  report each file
    """
    size_options = [(name, value) for name, value in sh.given if name in SIZE_NAMES]
    for name, value in size_options[:1]:
        if name == "number":
            parse_chunks(sh, value)
        else:
            parse_count(sh, value, SIZE_NAMES[name])
    if len(size_options) > 1:
        raise UsageFailure("cannot split in more than one way")
    if filter is not None and number is not None and parse_chunks(sh, number)[1]:
        raise UsageFailure("--filter does not process a chunk extracted to stdout")
    del (
        lines,
        bytes,
        line_bytes,
        number,
        decimal,
        numeric_suffixes,
        hexadecimal,
        hex_suffixes,
    )
    mode, size = size_options[0] if size_options else ("lines", DEFAULT_LINES)
    terminator = "\0" if separator == "\\0" else separator
    if not terminator:
        raise sh.fail("empty record separator")
    if len(bytes_of_text(terminator)) > 1:
        raise sh.fail(f"multi-character separator {locale_quoted_text(terminator)}")
    if "/" in additional_suffix:
        message = (
            f"invalid suffix {locale_quoted_text(additional_suffix)}, contains directory separator"
        )
        raise UsageFailure(message)
    alphabet, start = suffix_alphabet(sh)
    length = parse_count(sh, suffix_length, "suffix length", 0)
    is_short = 0 < length < MAX_START_DIGITS  # a longer one has room for every start
    if start is not None and is_short and start >= len(alphabet) ** length:
        raise UsageFailure(START_TOO_LARGE)
    pieces = OutputFiles(sh, prefix, additional_suffix, alphabet, length, start)
    pieces.is_verbose, pieces.filter = verbose, filter
    try:
        reading = (
            "{name}: cannot determine file size: {why}" if mode == "number" else "{name}: {why}"
        )
        for source in sh.inputs([file], "cannot open {quoted} for reading: {why}", reading=reading):
            data = (bytes_of_text(chunk) for chunk in source.chunks())
            mark = bytes_of_text(terminator)
            amount = 0 if mode == "number" else parse_count(sh, size, SIZE_NAMES[mode])
            if mode == "number":
                yield from split_into_chunks(sh, pieces, size, data, mark, elide_empty_files)
            elif mode == "lines":
                split_by_lines(pieces, data, mark, amount)
            elif mode == "bytes":
                split_by_bytes(pieces, data, amount)
            else:
                split_by_line_bytes(pieces, data, mark, amount)
    finally:
        pieces.close()


def split_into_chunks(
    sh: Call, pieces: OutputFiles, size: str, data: Iterator[bytes], mark: bytes, skips_empty: bool
) -> Iterator[str]:
    """Write CHUNKS pieces, or print one of them."""
    unit, wanted_number, total = parse_chunks(sh, size)
    if not wanted_number:
        pieces.reserve_suffixes(total)
    content = b"".join(data)
    if sh.status:
        return
    chunks = (
        round_robin_chunks(content, mark, total)
        if unit == "r"
        else chunks_by_size(content, mark, total, unit)
    )
    for number, piece in enumerate(chunks, 1):
        sh.tick()
        if wanted_number:
            if number == wanted_number:
                yield text_of_bytes(piece)
                return
        elif piece or not skips_empty:
            pieces.start_next()
            pieces.write(piece)


def parse_count(sh: Call, text: str, what: str, minimum: int = 1) -> int:
    """Parse a number; one of bytes may have a suffix."""
    try:
        value = int((SIZE if what == SIZE_NAMES["bytes"] else INT).parse(text))
    except UnfitValue:
        value = -1
    if value < 0:
        raise sh.fail(f"invalid {what}: {locale_quoted_text(text)}")
    if value >> 63:
        raise sh.fail(f"invalid {what}: {locale_quoted_text(text)}: {TOO_LARGE}")
    if value < minimum:
        raise sh.fail(f"invalid {what}: {locale_quoted_text(text)}: {OUT_OF_RANGE}")
    return value


def parse_chunks(sh: Call, text: str) -> tuple[str, int, int]:
    """Parse -n; return the unit, the number of the piece to print or 0, and the total."""
    unit, chunk_text = (text[0], text[2:]) if text[:2] in ("l/", "r/") else ("", text)
    first, slash, total = chunk_text.partition("/")
    number_of_chunks = parse_count(sh, total if slash else first, "number of chunks")
    if not slash:
        return unit, 0, number_of_chunks
    chunk_number = parse_count(sh, first, "chunk number")
    if chunk_number > number_of_chunks:
        raise sh.fail(f"invalid chunk number: {quoted_name(first)}: {OUT_OF_RANGE}")
    return unit, chunk_number, number_of_chunks


def chunks_by_size(data: bytes, mark: bytes, total: int, unit: str) -> Iterator[bytes]:
    """Yield chunks of equal size, the last with the remainder; for the unit "l" they end with
    lines.

    If there are fewer bytes than chunks, each byte is a chunk and the last chunks are empty.
    """
    size, start = max(1, len(data) // total), 0
    for number in range(1, total + 1):
        end = len(data) if number == total else number * size
        if unit and number < total:
            end = data.find(mark, max(0, end - 1)) + 1 or len(data)
        yield data[start:end]
        start = max(start, end)


def round_robin_chunks(data: bytes, mark: bytes, total: int) -> Iterator[bytes]:
    """Distribute lines among chunks in turn."""
    lines = data.split(mark)
    last = lines.pop()
    whole_lines = [line + mark for line in lines] + ([last] if last else [])
    for start in range(total):
        yield b"".join(whole_lines[start::total])


def split_by_lines(pieces: OutputFiles, data: Iterable[bytes], mark: bytes, size: int) -> None:
    """Put `size` lines into each file."""
    remaining = 0
    for chunk in data:
        position = 0
        while position < len(chunk):
            if not remaining:
                pieces.start_next()
                remaining = size
            start = position
            while remaining and position < len(chunk):
                position = chunk.find(mark, position) + 1
                if not position:
                    position = len(chunk)
                    break
                remaining -= 1
            pieces.write(chunk[start:position])


def split_by_bytes(pieces: OutputFiles, data: Iterable[bytes], size: int) -> None:
    """Put `size` bytes into each file."""
    remaining = 0
    for chunk in data:
        position = 0
        while position < len(chunk):
            if not remaining:
                pieces.start_next()
                remaining = size
            part = chunk[position : position + remaining]
            pieces.write(part)
            position += len(part)
            remaining -= len(part)


def split_by_line_bytes(pieces: OutputFiles, data: Iterable[bytes], mark: bytes, size: int) -> None:
    """Put as many whole lines as fit into each file; split longer lines."""
    pending = b""
    for chunk in data:
        pending += chunk
        position = 0
        while len(pending) - position > size:
            end = pending.rfind(mark, position, position + size) + 1 or position + size
            pieces.start_next()
            pieces.write(pending[position:end])
            position = end
        pending = pending[position:]
    if pending:
        pieces.start_next()
        pieces.write(pending)
