"""base64 - encode and decode base64."""

from __future__ import annotations

import re
from binascii import a2b_base64, b2a_base64

from keysh.schema.declare import command
from keysh.text.chunks import bytes_of_text, decode_chunks
from keysh.text.gnu_quoting import quoted_name
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput
    from keysh.schema.types import Path

MAX_WRAP_DIGITS = 18  # of a line length
DEFAULT_WRAP = "76"
GARBAGE = re.compile(r"[^A-Za-z0-9+/=]")
# Four characters stand for three bytes; the last group may be padded with "=".
COMPLETE_GROUPS = re.compile(r"(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)*")
PADDED_GROUPS = re.compile(r"[^=]+={0,2}")
PARTIAL_GROUP = re.compile(r"[A-Za-z0-9+/]{0,3}")


@command(compatible="GNU coreutils 9.1")
def base64(
    sh: Call,
    file: Path = "-",
    *,
    decode: bool = False,
    ignore_garbage: bool = False,
    wrap: str = DEFAULT_WRAP,
) -> Iterator[str]:
    """Encode data as base64, or decode it.

    file                  the file to read, - for standard input
    -d, --decode          decode data
    -i, --ignore-garbage  when decoding, ignore characters outside the alphabet
    -w, --wrap COLS       wrap encoded lines after COLS characters; 0 disables
                          wrapping
    """
    if not is_digits(wrap):
        raise sh.fail(f"invalid wrap size: {quoted_name(wrap)}")
    digits = wrap.lstrip("0")
    # A width too large to matter means no wrapping, as in GNU.
    width = int(digits or 0) if len(digits) <= MAX_WRAP_DIGITS else 0
    for source in sh.inputs([file], reading="read error: {why}"):
        if decode:
            data = decoded_bytes(sh, source, ignore_garbage)
            yield from decode_chunks(lambda size: next(data, b""))  # noqa: B023 - consumed before the next
        else:
            yield from wrapped_lines(base64_text(source), width)


def base64_text(source: CommandInput) -> Iterator[str]:
    """Encode the input in groups of three bytes."""
    rest = b""
    for chunk in source.chunks():
        data = rest + bytes_of_text(chunk)
        cut = len(data) - len(data) % 3
        rest = data[cut:]
        yield b2a_base64(data[:cut], newline=False).decode("ascii")
    yield b2a_base64(rest, newline=False).decode("ascii")


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


def decoded_bytes(sh: Call, source: CommandInput, ignores_garbage: bool) -> Iterator[bytes]:
    """Decode the input up to the first invalid character, which is reported."""
    rest = ""
    for chunk in source.chunks():
        text = rest + (GARBAGE.sub("", chunk) if ignores_garbage else chunk.replace("\n", ""))
        valid_length = len(text) - len(text) % 4
        try:
            data = a2b_base64(text[:valid_length], strict_mode=True)
        except ValueError:  # invalid characters, or padding in the middle
            match = COMPLETE_GROUPS.match(text)
            valid_length = match.end() if match is not None else 0
            data = b"".join(map(a2b_base64, PADDED_GROUPS.findall(text[:valid_length])))
        rest = text[valid_length:]
        if data:
            yield data
        if len(rest) > 3:
            break
    if rest:
        letters = PARTIAL_GROUP.match(rest)
        partial = letters[0] if letters is not None else ""
        if len(partial) > 1:  # an incomplete group
            yield a2b_base64(partial + "=" * (4 - len(partial)))
        sh.warn("invalid input")
