"""base64 - bytes as letters and back."""

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

MAX_WRAP_DIGITS = 18  # of the length of a line
DEFAULT_WRAP = "76"
GARBAGE = re.compile(r"[^A-Za-z0-9+/=]")
# Four letters for three bytes; at an end three or two, filled up.
COMPLETE_GROUPS = re.compile(r"(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)*")
PADDED_GROUPS = re.compile(r"[^=]+={0,2}")
PARTIAL_GROUP = re.compile(r"[A-Za-z0-9+/]{0,3}")


@command
def base64(
    sh: Call,
    file: Path = "-",
    *,
    decode: bool = False,
    ignore_garbage: bool = False,
    wrap: str = DEFAULT_WRAP,
) -> Iterator[str]:
    """Write bytes as letters, digits, + and /, or read them so.

    file                      the file to read, - for standard input
    -d, --decode              read letters and write bytes
    -i, --ignore-garbage      leave out whatever is no such letter
    -w, --wrap COLS           the length of a line; 0 for no newlines
    """
    if not is_digits(wrap):
        raise sh.fail(f"invalid wrap size: {quoted_name(wrap)}")
    digits = wrap.lstrip("0")
    width = int(digits or 0) if len(digits) <= MAX_WRAP_DIGITS else 0  # as GNU's, folded no more
    for source in sh.inputs([file], reading="read error: {why}"):
        if decode:
            data = decoded_bytes(sh, source, ignore_garbage)
            yield from decode_chunks(lambda size: next(data, b""))  # noqa: B023 - read up before the next
        else:
            yield from wrapped_lines(base64_text(source), width)


def base64_text(source: CommandInput) -> Iterator[str]:
    """The letters for all bytes; three bytes make four of them."""
    rest = b""
    for chunk in source.chunks():
        data = rest + bytes_of_text(chunk)
        cut = len(data) - len(data) % 3
        rest = data[cut:]
        yield b2a_base64(data[:cut], newline=False).decode("ascii")
    yield b2a_base64(rest, newline=False).decode("ascii")


def wrapped_lines(pieces: Iterator[str], width: int) -> Iterator[str]:
    """A text in lines of a width."""
    if not width:
        yield from pieces
        return
    rest = ""
    for piece in pieces:
        text = rest + piece
        cut = len(text) - len(text) % width
        rest = text[cut:]
        yield "".join([f"{text[at : at + width]}\n" for at in range(0, cut, width)])
    if rest:
        yield f"{rest}\n"


def decoded_bytes(sh: Call, source: CommandInput, ignores_garbage: bool) -> Iterator[bytes]:
    """The bytes that letters stand for, as far as they are valid."""
    rest = ""
    for chunk in source.chunks():
        text = rest + (GARBAGE.sub("", chunk) if ignores_garbage else chunk.replace("\n", ""))
        end = len(text) - len(text) % 4
        try:
            made = a2b_base64(text[:end], strict_mode=True)
        except ValueError:  # it is not all valid, or has several ends
            found = COMPLETE_GROUPS.match(text)
            end = found.end() if found is not None else 0
            made = b"".join(map(a2b_base64, PADDED_GROUPS.findall(text[:end])))
        rest = text[end:]
        if made:
            yield made
        if len(rest) > 3:
            break
    if rest:
        letters = PARTIAL_GROUP.match(rest)
        begun = letters[0] if letters is not None else ""
        if len(begun) > 1:  # what is left of three bytes
            yield a2b_base64(begun + "=" * (4 - len(begun)))
        sh.warn("invalid input")
