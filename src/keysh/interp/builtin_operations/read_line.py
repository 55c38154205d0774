"""Line input of `read` and `mapfile`: choose the reader, read a line, handle backslashes."""

from __future__ import annotations

from keysh.text.chunks import MAX_CHUNK_BYTES, utf8_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Reader

    class PartReader(Protocol):
        """A source of text."""

        def read_part(self, max_chars: int, terminator: str = "", /) -> str: ...


GUARD_CODE_POINT = 0xD800  # first of the surrogates that stand for escaped separators


def descriptor_reader(sh: Call, state: State, number: int) -> Reader:
    """Return the reader of a descriptor."""
    if number == 0:
        return state.stdin
    descriptor = state.descriptors.get(number)
    if descriptor is None or descriptor.reader is None:
        raise sh.fail(f"{number}: invalid file descriptor: Bad file descriptor")
    return descriptor.reader


def read_text(
    state: State, reader: PartReader, max_chars: int | None, terminator: str, separators: str | None
) -> tuple[str, bool]:
    """Read a line, or at most `max_chars` characters; also return whether it was complete.

    An escaped separator becomes a guard character. With `separators` None a backslash is an
    ordinary character.
    """
    pieces: list[str] = []
    length, size, is_escaped = 0, 0, False
    while max_chars is None or length < max_chars:
        rest = MAX_CHUNK_BYTES if max_chars is None else max_chars - length
        piece = reader.read_part(min(rest, MAX_CHUNK_BYTES), terminator)
        if not piece:
            return "".join(pieces), False
        if separators is None or (not is_escaped and "\\" not in piece):
            is_over = bool(terminator) and piece.endswith(terminator)
            text = piece[:-1] if is_over else piece
        else:
            text, is_escaped, is_over = unescape_piece(piece, is_escaped, terminator, separators)
        pieces.append(text)
        length += len(text)
        size += utf8_bytes(text)
        if is_over:
            break
        state.check_size(size)
        state.tick()
    state.check_size(size)
    return "".join(pieces), True


def unescape_piece(
    piece: str, is_escaped: bool, terminator: str, separators: str
) -> tuple[str, bool, bool]:
    """Remove backslashes; return the text, whether one was last, and whether the line ended."""
    chars: list[str] = []
    for char in piece:
        if is_escaped:
            is_escaped = False
            if char != "\n":
                chars.append(
                    chr(GUARD_CODE_POINT + separators.index(char)) if char in separators else char
                )
        elif char == "\\":
            is_escaped = True
        elif char == terminator:
            return "".join(chars), False, True
        else:
            chars.append(char)
    return "".join(chars), is_escaped, False
