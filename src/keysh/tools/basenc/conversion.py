"""Encode or decode the file of a call, as base64, base32 and basenc do."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text, decode_chunks
from keysh.text.gnu_quoting import quoted_name
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput
    from keysh.tools.basenc.encoding import Encoding

DEFAULT_WRAP = "76"
MAX_WRAP_DIGITS = 18  # of a line length
ENCODING_BLOCK_BYTES = 30720  # what GNU encodes, and prints, at a time
Z85_LENGTH_ERROR = "invalid input (length must be multiple of 4 characters)"


def converted_file(
    sh: Call, file: str, encoding: Encoding, *, decodes: bool, ignores_garbage: bool, wrap: str
) -> Iterator[str]:
    """Encode a file in lines of `wrap` letters, or decode it."""
    if not is_digits(wrap):
        raise sh.fail(f"invalid wrap size: {quoted_name(wrap)}")
    digits = wrap.lstrip("0")
    # A width too large to matter means no wrapping, as in GNU.
    width = int(digits or 0) if len(digits) <= MAX_WRAP_DIGITS else 0
    for source in sh.inputs([file], reading="read error: {why}"):
        if decodes:
            data = decoded_bytes(sh, source, encoding, ignores_garbage)
            yield from decode_chunks(lambda size: next(data, b""))  # noqa: B023 - consumed before the next
        else:
            yield from wrapped_lines(encoded_text(sh, source, encoding), width)


def encoded_text(sh: Call, source: CommandInput, encoding: Encoding) -> Iterator[str]:
    """Encode the input in whole groups; the last one may be padded."""
    size, is_padded = encoding.bytes_per_group, encoding.bytes_per_group != 4
    block = size if is_padded else ENCODING_BLOCK_BYTES
    rest = b""
    for chunk in source.chunks():
        data = rest + bytes_of_text(chunk)
        cut = len(data) - len(data) % block
        rest = data[cut:]
        yield encoding.encode(data[:cut])
    if len(rest) % size and not is_padded:
        sh.warn(Z85_LENGTH_ERROR)
        return
    yield encoding.encode(rest)


def wrapped_lines(chunks: Iterator[str], width: int) -> Iterator[str]:
    """Yield the text in lines of `width` characters."""
    if not width:
        yield from chunks
        return
    rest = ""
    for chunk in chunks:
        text = rest + chunk
        cut = len(text) - len(text) % width
        rest = text[cut:]
        yield "".join([f"{text[at : at + width]}\n" for at in range(0, cut, width)])
    if rest:
        yield f"{rest}\n"


def decoded_bytes(
    sh: Call, source: CommandInput, encoding: Encoding, ignores_garbage: bool
) -> Iterator[bytes]:
    """Decode the input up to the first invalid character, which is reported."""
    rest = ""
    for chunk in source.chunks():
        letters = encoding.without_garbage(chunk) if ignores_garbage else chunk.replace("\n", "")
        text = rest + letters
        if any(letter in text for letter in encoding.foreign):
            sh.warn("invalid input")
            return
        data, length = encoding.decode_groups(text)
        rest = text[length:]
        if data:
            yield data
        if len(rest) >= encoding.letters_per_group:
            break
    if rest:
        partial = encoding.decode_partial(rest)
        if partial:
            yield partial
        sh.warn("invalid input")
