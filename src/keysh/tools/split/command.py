"""split - a file cut into pieces."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.schema.types import INT, SIZE, UnfitValue
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name
from keysh.tools.split.pieces import OutputFiles, suffix_alphabet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


# Cutting into a number of pieces: by size, by size between lines, and line by line in turn.


def chunks_by_size(data: bytes, mark: bytes, many: int, manner: str) -> Iterator[bytes]:
    """Pieces of the same size, the last with what is left; with "l" each ends where a line does.

    Of fewer bytes than pieces each goes into one of its own, and the last ones are empty.
    """
    size, start = max(1, len(data) // many), 0
    for number in range(1, many + 1):
        end = len(data) if number == many else number * size
        if manner and number < many:
            end = data.find(mark, max(0, end - 1)) + 1 or len(data)
        yield data[start:end]
        start = max(start, end)


def round_robin_chunks(data: bytes, mark: bytes, many: int) -> Iterator[bytes]:
    """Pieces to each of which a line goes in turn."""
    lines = data.split(mark)
    last = lines.pop()
    ended = [line + mark for line in lines] + ([last] if last else [])
    for start in range(many):
        yield b"".join(ended[start::many])


# Cutting as the text comes: by lines, by bytes, and by lines that fit into so many bytes.


def split_by_lines(pieces: OutputFiles, data: Iterable[bytes], mark: bytes, size: int) -> None:
    """So many lines a piece."""
    left = 0
    for chunk in data:
        at = 0
        while at < len(chunk):
            if not left:
                pieces.start_next()
                left = size
            start = at
            while left and at < len(chunk):
                at = chunk.find(mark, at) + 1
                if not at:
                    at = len(chunk)
                    break
                left -= 1
            pieces.write(chunk[start:at])


def split_by_bytes(pieces: OutputFiles, data: Iterable[bytes], size: int) -> None:
    """So many bytes a piece."""
    left = 0
    for chunk in data:
        at = 0
        while at < len(chunk):
            if not left:
                pieces.start_next()
                left = size
            part = chunk[at : at + left]
            pieces.write(part)
            at += len(part)
            left -= len(part)


def split_by_line_bytes(pieces: OutputFiles, data: Iterable[bytes], mark: bytes, size: int) -> None:
    """Whole lines, as many as fit; of one that does not fit, as many bytes as do."""
    held = b""
    for chunk in data:
        held += chunk
        at = 0
        while len(held) - at > size:
            end = held.rfind(mark, at, at + size) + 1 or at + size
            pieces.start_next()
            pieces.write(held[at:end])
            at = end
        held = held[at:]
    if held:
        pieces.start_next()
        pieces.write(held)


SIZE_NAMES = {"lines": "number of lines", "bytes": "number of bytes", "line_bytes": "number of bytes",
         "number": "number of chunks"}  # fmt: skip
DEFAULT_LINES = "1000"  # of a piece, where nothing is said
OUT_OF_RANGE = "Numerical result out of range"
TOO_LARGE = "Value too large for defined data type"


@command(style=OptionStyle(unabbreviated="decimal hexadecimal"))
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
    unbuffered: bool = False,
    verbose: bool = False,
) -> Iterator[str]:
    r"""Cut a file into pieces: PREFIXaa, PREFIXab, and so on.

    file                         what to cut, - for standard input
    prefix                       what the pieces' names begin with; x without it
    -l, --lines NUM              so many lines a piece; 1000 without another option (also -NUM)
    -b, --bytes SIZE             so many bytes a piece
    -C, --line-bytes SIZE        whole lines, as many as fit into so many bytes
    -n, --number CHUNKS          so many pieces: N by size, l/N without cutting lines, r/N line by
                                 line in turn; K/N prints only the K-th, and so do l/K/N and r/K/N
    -a, --suffix-length NUM      how long suffixes are; 2 at least, and more as needed
    --additional-suffix TEXT     what the names end with
    -d, --decimal                digits for suffixes
    --numeric-suffixes[=FROM]    the same, beginning at this number
    -x, --hexadecimal            hexadecimal digits for suffixes
    --hex-suffixes[=FROM]        the same, beginning at this number
    -e, --elide-empty-files      with -n, write no empty piece
    --filter COMMAND             write no files, but run this with each piece as its input; $FILE is
                                 the name of the piece
    -t, --separator CHAR         what ends a line; \0 for NUL
    -u, --unbuffered             ignored: what is read is written at once
    --verbose                    say which files are written
    """
    given = [(name, value) for name, value in sh.given if name in SIZE_NAMES]
    for name, value in given[:1]:
        if name == "number":
            parse_chunks(sh, value)
        else:
            parse_count(sh, value, SIZE_NAMES[name])
    if len(given) > 1:
        raise UsageFailure("cannot split in more than one way")
    if filter is not None and number is not None and parse_chunks(sh, number)[1]:
        raise UsageFailure("--filter does not process a chunk extracted to stdout")
    del (
        unbuffered,
        lines,
        bytes,
        line_bytes,
        number,
        decimal,
        numeric_suffixes,
        hexadecimal,
        hex_suffixes,
    )
    way, size = given[0] if given else ("lines", DEFAULT_LINES)
    end = "\0" if separator == "\\0" else separator
    if not end:
        raise sh.fail("empty record separator")
    if len(bytes_of_text(end)) > 1:
        raise sh.fail(f"multi-character separator {locale_quoted_text(end)}")
    if "/" in additional_suffix:
        says = (
            f"invalid suffix {locale_quoted_text(additional_suffix)}, contains directory separator"
        )
        raise UsageFailure(says)
    alphabet, start = suffix_alphabet(sh)
    length = parse_count(sh, suffix_length, "suffix length", 0)
    if start is not None and length and start >= len(alphabet) ** length:
        raise UsageFailure("numerical suffix start value is too large for the suffix length")
    pieces = OutputFiles(sh, prefix, additional_suffix, alphabet, length, start)
    pieces.is_verbose, pieces.filter = verbose, filter
    try:
        reading = (
            "{name}: cannot determine file size: {why}" if way == "number" else "{name}: {why}"
        )
        for source in sh.inputs([file], "cannot open {quoted} for reading: {why}", reading=reading):
            data = (bytes_of_text(chunk) for chunk in source.chunks())
            mark = bytes_of_text(end)
            amount = 0 if way == "number" else parse_count(sh, size, SIZE_NAMES[way])
            if way == "number":
                yield from split_into_chunks(sh, pieces, size, data, mark, elide_empty_files)
            elif way == "lines":
                split_by_lines(pieces, data, mark, amount)
            elif way == "bytes":
                split_by_bytes(pieces, data, amount)
            else:
                split_by_line_bytes(pieces, data, mark, amount)
    finally:
        pieces.close()


def split_into_chunks(
    sh: Call, pieces: OutputFiles, size: str, data: Iterator[bytes], mark: bytes, skips_empty: bool
) -> Iterator[str]:
    """Cut into a number of pieces, or print one of them."""
    manner, which, many = parse_chunks(sh, size)
    if not which:
        pieces.reserve_suffixes(many)
    whole = b"".join(data)
    if sh.status:
        return
    found = (
        round_robin_chunks(whole, mark, many)
        if manner == "r"
        else chunks_by_size(whole, mark, many, manner)
    )
    for number, piece in enumerate(found, 1):
        sh.tick()
        if which:
            if number == which:
                yield text_of_bytes(piece)
                return
        elif piece or not skips_empty:
            pieces.start_next()
            pieces.write(piece)


def parse_count(sh: Call, text: str, what: str, least: int = 1) -> int:
    """A number; one of bytes may have a suffix."""
    try:
        value = int((SIZE if what == SIZE_NAMES["bytes"] else INT).parse(text))
    except UnfitValue:
        value = -1
    if value < 0:
        raise sh.fail(f"invalid {what}: {locale_quoted_text(text)}")
    if value >> 63:
        raise sh.fail(f"invalid {what}: {locale_quoted_text(text)}: {TOO_LARGE}")
    if value < least:
        raise sh.fail(f"invalid {what}: {locale_quoted_text(text)}: {OUT_OF_RANGE}")
    return value


def parse_chunks(sh: Call, text: str) -> tuple[str, int, int]:
    """How -n cuts, which piece is printed (0 for none), and how many there are."""
    manner, chunks_said = (text[0], text[2:]) if text[:2] in ("l/", "r/") else ("", text)
    first, slash, total = chunks_said.partition("/")
    many = parse_count(sh, total if slash else first, "number of chunks")
    if not slash:
        return manner, 0, many
    which = parse_count(sh, first, "chunk number")
    if which > many:
        raise sh.fail(f"invalid chunk number: {quoted_name(first)}: {OUT_OF_RANGE}")
    return manner, which, many
