"""split - a file cut into pieces."""

from __future__ import annotations

from keysh.interp.state.call import BadCall
from keysh.schema.declare import command
from keysh.schema.types import INT, SIZE, Unfit
from keysh.text.chunks import encoded, text_of_bytes
from keysh.text.gnu_quoting import locale_quoted, quoted
from keysh.tools.split.pieces import Pieces, alphabet_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


# Cutting into a number of pieces: by size, by size between lines, and line by line in turn.


def chunks(data: bytes, mark: bytes, many: int, manner: str) -> Iterator[bytes]:
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


def in_turn(data: bytes, mark: bytes, many: int) -> Iterator[bytes]:
    """Pieces to each of which a line goes in turn."""
    lines = data.split(mark)
    last = lines.pop()
    ended = [line + mark for line in lines] + ([last] if last else [])
    for start in range(many):
        yield b"".join(ended[start::many])


# Cutting as the text comes: by lines, by bytes, and by lines that fit into so many bytes.


def by_lines(pieces: Pieces, data: Iterable[bytes], mark: bytes, size: int) -> None:
    """So many lines a piece."""
    left = 0
    for chunk in data:
        at = 0
        while at < len(chunk):
            if not left:
                pieces.begin()
                left = size
            start = at
            while left and at < len(chunk):
                at = chunk.find(mark, at) + 1
                if not at:
                    at = len(chunk)
                    break
                left -= 1
            pieces.write(chunk[start:at])


def by_bytes(pieces: Pieces, data: Iterable[bytes], size: int) -> None:
    """So many bytes a piece."""
    left = 0
    for chunk in data:
        at = 0
        while at < len(chunk):
            if not left:
                pieces.begin()
                left = size
            part = chunk[at : at + left]
            pieces.write(part)
            at += len(part)
            left -= len(part)


def by_size_of_lines(pieces: Pieces, data: Iterable[bytes], mark: bytes, size: int) -> None:
    """Whole lines, as many as fit; of one that does not fit, as many bytes as do."""
    held = b""
    for chunk in data:
        held += chunk
        at = 0
        while len(held) - at > size:
            end = held.rfind(mark, at, at + size) + 1 or at + size
            pieces.begin()
            pieces.write(held[at:end])
            at = end
        held = held[at:]
    if held:
        pieces.begin()
        pieces.write(held)


SIZES = {"lines": "number of lines", "bytes": "number of bytes", "line_bytes": "number of bytes",
         "number": "number of chunks"}  # fmt: skip
LINES = "1000"  # of a piece, where nothing is said
ERANGE = "Numerical result out of range"
EOVERFLOW = "Value too large for defined data type"


@command(added="decimal hexadecimal")
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
    given = [(name, value) for name, value in sh.given if name in SIZES]
    for name, value in given[:1]:
        if name == "number":
            parts_of(sh, value)
        else:
            count(sh, value, SIZES[name])
    if len(given) > 1:
        raise BadCall("cannot split in more than one way")
    if filter is not None and number is not None and parts_of(sh, number)[1]:
        raise BadCall("--filter does not process a chunk extracted to stdout")
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
    way, size = given[0] if given else ("lines", LINES)
    end = "\0" if separator == "\\0" else separator
    if not end:
        raise sh.fail("empty record separator")
    if len(encoded(end)) > 1:
        raise sh.fail(f"multi-character separator {locale_quoted(end)}")
    if "/" in additional_suffix:
        says = f"invalid suffix {locale_quoted(additional_suffix)}, contains directory separator"
        raise BadCall(says)
    alphabet, start = alphabet_of(sh)
    length = count(sh, suffix_length, "suffix length", 0)
    if start is not None and length and start >= len(alphabet) ** length:
        raise BadCall("numerical suffix start value is too large for the suffix length")
    pieces = Pieces(sh, prefix, additional_suffix, alphabet, length, start)
    pieces.is_verbose, pieces.filter = verbose, filter
    try:
        reading = (
            "{name}: cannot determine file size: {why}" if way == "number" else "{name}: {why}"
        )
        for source in sh.inputs([file], "cannot open {quoted} for reading: {why}", reading=reading):
            data = (encoded(chunk) for chunk in source.chunks())
            mark = encoded(end)
            amount = 0 if way == "number" else count(sh, size, SIZES[way])
            if way == "number":
                yield from numbered(sh, pieces, size, data, mark, elide_empty_files)
            elif way == "lines":
                by_lines(pieces, data, mark, amount)
            elif way == "bytes":
                by_bytes(pieces, data, amount)
            else:
                by_size_of_lines(pieces, data, mark, amount)
    finally:
        pieces.close()


def numbered(
    sh: Call, pieces: Pieces, size: str, data: Iterator[bytes], mark: bytes, skips_empty: bool
) -> Iterator[str]:
    """Cut into a number of pieces, or print one of them."""
    manner, which, many = parts_of(sh, size)
    if not which:
        pieces.make_room(many)
    whole = b"".join(data)
    if sh.status:
        return
    found = in_turn(whole, mark, many) if manner == "r" else chunks(whole, mark, many, manner)
    for number, piece in enumerate(found, 1):
        sh.tick()
        if which:
            if number == which:
                yield text_of_bytes(piece)
                return
        elif piece or not skips_empty:
            pieces.begin()
            pieces.write(piece)


def count(sh: Call, text: str, what: str, least: int = 1) -> int:
    """A number; one of bytes may have a suffix."""
    try:
        value = int((SIZE if what == SIZES["bytes"] else INT).parse(text))
    except Unfit:
        value = -1
    if value < 0:
        raise sh.fail(f"invalid {what}: {locale_quoted(text)}")
    if value >> 63:
        raise sh.fail(f"invalid {what}: {locale_quoted(text)}: {EOVERFLOW}")
    if value < least:
        raise sh.fail(f"invalid {what}: {locale_quoted(text)}: {ERANGE}")
    return value


def parts_of(sh: Call, text: str) -> tuple[str, int, int]:
    """How -n cuts, which piece is printed (0 for none), and how many there are."""
    manner, chunks_said = (text[0], text[2:]) if text[:2] in ("l/", "r/") else ("", text)
    first, slash, total = chunks_said.partition("/")
    many = count(sh, total if slash else first, "number of chunks")
    if not slash:
        return manner, 0, many
    which = count(sh, first, "chunk number")
    if which > many:
        raise sh.fail(f"invalid chunk number: {quoted(first)}: {ERANGE}")
    return manner, which, many
