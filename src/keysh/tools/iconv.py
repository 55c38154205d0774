"""iconv - convert text between encodings."""

from __future__ import annotations

import codecs
from encodings.aliases import aliases

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import Refusals, command
from keysh.text.chunks import decode_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.stream import Stream

DEFAULT_ENCODING = "utf-8"
USAGE_HINT = "Try `iconv --help' or `iconv --usage' for more information."
USAGE_STATUS = 64
# Names of glibc that Python does not have. The byte order is that of most machines.
GLIBC_NAMES = {
    "ucs2": "utf-16-le", "ucs2le": "utf-16-le", "ucs2be": "utf-16-be", "unicode": "utf-16",
    "ucs4": "utf-32-be", "ucs4be": "utf-32-be", "ucs4le": "utf-32-le", "char": "utf-8",
}  # fmt: skip
# Python's ways to write text that are no character sets.
PYTHON_ONLY = frozenset({
    "idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape",
    "utf-8-sig",
})  # fmt: skip
# Encodings with a byte order mark, which glibc writes in little-endian order.
MARKED_ENCODINGS = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}
BYTE_ORDER_MARK = "\ufeff"
# What Python says of a character that is cut off by the end.
TRUNCATION_REASONS = frozenset({
    "unexpected end of data", "truncated data", "incomplete multibyte sequence",
    "unexpected end of data in the middle of a surrogate pair",
})  # fmt: skip
# Encodings that switch between character sets, where Python does not always take up where it was,
# and those with one character for two of Unicode.
WHOLE_TEXT_PREFIXES = ("big5hkscs", "euc-jis", "hz", "iso2022", "shift-jis-", "shift-jisx", "utf-7")
MAX_ENCODED_CHARACTERS = 1 << 20  # at once
MAX_CHARACTER_BYTES = 8  # in these encodings
INCOMPLETE = "incomplete character or shift sequence at end of buffer"


@command(
    compatible="GNU libc 2.36",
    refusals=Refusals(usage_status=USAGE_STATUS, usage_hint=USAGE_HINT),
    ignored="-s, --silent",
)
def iconv(
    sh: Call,
    *files: Path,
    from_code: str = DEFAULT_ENCODING,
    to_code: str = DEFAULT_ENCODING,
    discard: bool = False,
    list: bool = False,
    output: Path | None = None,
) -> Iterator[str]:
    """Convert text from one encoding to another.

    files ...             files to read, - for standard input
    -f, --from-code NAME  the encoding of the input; UTF-8 by default
    -t, --to-code NAME    the encoding of the output; UTF-8 by default
    -c, --discard         leave out characters that cannot be converted; so does
                          //IGNORE at the end of NAME
    -l, --list            print the names of the encodings
    -o, --output FILE     write to FILE

    There is no //TRANSLIT, which would replace characters by similar ones.
    """
    if list:
        yield from [f"{name}//\n" for name in encoding_names()]
        return
    source, to_suffixes = from_code.partition("//")[0], to_code.upper().split("//")
    if "TRANSLIT" in to_suffixes:
        raise sh.fail("//TRANSLIT is not supported: use -c to leave characters out")
    discards = discard or "IGNORE" in to_suffixes
    codec, target = codec_named(source), codec_named(to_code.partition("//")[0])
    if codec is None or target is None:
        raise sh.fail(f"{unsupported_conversion(from_code, codec, to_code, target)}\n{USAGE_HINT}")
    converted = converted_pieces(sh, files or ("-",), codec, target, discards)
    pieces = (piece for piece in converted if piece)  # an empty one would mean the end
    if output is None:
        yield from decode_chunks(lambda size: next(pieces, b""))
        return
    try:
        stream: Stream = sh.open(output, "w")
    except OSError as error:
        raise sh.fail(f"cannot open output file: {os_error_text(error)}") from None
    with stream:
        for piece in pieces:
            stream.write(piece)


def encoding_names() -> list[str]:
    """Return the names of all encodings, in capitals."""
    names = {name.replace("_", "-").upper() for name in {*aliases, *aliases.values()}}
    return sorted(name for name in names if codec_named(name) is not None)


def codec_named(name: str) -> str | None:
    """Return Python's name of an encoding; None if it is unknown."""
    bare = name.lower().replace("-", "").replace("_", "")
    try:
        codec = codecs.lookup(GLIBC_NAMES.get(bare, name or DEFAULT_ENCODING))
    except (LookupError, ValueError):
        return None
    is_text = codec._is_text_encoding  # base64, zip and the like are not
    title = codec.name.replace("_", "-")
    return title if is_text and title not in PYTHON_ONLY else None


def unsupported_conversion(
    from_code: str, codec: str | None, to_code: str, target: str | None
) -> str:
    """Return glibc's message about unknown encodings."""
    if codec is None and target is None:
        return f"conversions from `{from_code}' and to `{to_code}' are not supported"
    side, name = ("from", from_code) if codec is None else ("to", to_code)
    return f"conversion {side} `{name}' is not supported"


def converted_pieces(
    sh: Call, files: tuple[Path, ...], codec: str, target: str, discards: bool
) -> Iterator[bytes]:
    """Yield the converted files; the first character that cannot be converted ends them."""
    opening = "cannot open input file `{path}': {why}"
    reading = "error while reading the input: {why}"
    for source in sh.inputs(files, opening, reading=reading):
        data = source.whole_data()
        text, fault = decoded_text(data, codec, discards)
        encoder = MARKED_ENCODINGS.get(target, target)
        if encoder != target and text:
            yield BYTE_ORDER_MARK.encode(encoder)
        size = MAX_ENCODED_CHARACTERS
        if encoder.startswith(WHOLE_TEXT_PREFIXES):
            size = len(text) + 1
            sh.reserve(len(text) * MAX_CHARACTER_BYTES)
        for start in range(0, len(text), size):
            sh.tick()
            part = text[start : start + size]
            try:
                yield part.encode(encoder, "ignore" if discards else "strict")
            except UnicodeEncodeError as error:
                yield part[: error.start].encode(encoder)
                fault = invalid_input(byte_length(text[: start + error.start], data, codec))
                break
        if fault:
            sh.warn(fault)
            return


def decoded_text(data: bytes, codec: str, discards: bool) -> tuple[str, str]:
    """Return the text as far as it is valid, and what is wrong after that."""
    reader, mark = MARKED_ENCODINGS.get(codec, codec), b""
    if reader != codec:
        marks = {BYTE_ORDER_MARK.encode(f"{codec}-{end}"): f"{codec}-{end}" for end in ("le", "be")}
        mark = next((mark for mark in marks if data.startswith(mark)), b"")
        data, reader = data[len(mark) :], marks.get(mark, reader)
    if discards:
        return data.decode(reader, "ignore"), ""
    try:
        return data.decode(reader), ""
    except UnicodeDecodeError as error:
        text = data[: error.start].decode(reader)
        is_cut = error.reason in TRUNCATION_REASONS and error.end == len(data)
        return text, INCOMPLETE if is_cut else invalid_input(len(mark) + error.start)


def invalid_input(position: int) -> str:
    return f"illegal input sequence at position {position}"


def byte_length(text: str, data: bytes, codec: str) -> int:
    """Return how many bytes of the input a text at its start took."""
    encoder = MARKED_ENCODINGS.get(codec, codec)
    mark = BYTE_ORDER_MARK.encode(encoder) if encoder != codec else b""
    has_mark = bool(mark) and data[: len(mark)] in (mark, mark[::-1])
    return len(text.encode(encoder)) + len(mark) * has_mark
