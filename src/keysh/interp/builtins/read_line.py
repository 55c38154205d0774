"""Line input of `read` and `mapfile`: choose the reader, read a line, handle backslashes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Reader

    class PartReader(Protocol):
        """A source of text."""

        def read_part(self, most: int, end: str = "", /) -> str: ...


GUARD_CODE_POINT = 0xD800  # first of the surrogates that stand for escaped separators


def descriptor_reader(sh: Call, state: State, number: int) -> Reader:
    """Return the reader of a descriptor."""
    if number == 0:
        return state.stdin
    found = state.descriptors.get(number)
    if found is None or found.reader is None:
        raise sh.fail(f"{number}: invalid file descriptor: Bad file descriptor")
    return found.reader


def read_text(
    state: State, reader: PartReader, most: int | None, end: str, separators: str | None
) -> tuple[str, bool]:
    """Read a line, or at most `most` characters; also return whether it was complete.

    An escaped separator becomes a guard character. With `separators` None a backslash is an
    ordinary character.
    """
    pieces: list[str] = []
    size, is_escaped = 0, False
    while most is None or size < most:
        piece = reader.read_part((state.max_value_chars + 1 if most is None else most) - size, end)
        if not piece:
            return "".join(pieces), False
        if separators is None or (not is_escaped and "\\" not in piece):
            is_over = bool(end) and piece.endswith(end)
            text = piece[:-1] if is_over else piece
        else:
            text, is_escaped, is_over = unescape_piece(piece, is_escaped, end, separators)
        pieces.append(text)
        size += len(text)
        if size > state.max_value_chars:
            raise state.value_too_long(size)
        if is_over:
            break
    return "".join(pieces), True


def unescape_piece(
    piece: str, is_escaped: bool, end: str, separators: str
) -> tuple[str, bool, bool]:
    """Remove backslashes; return the text, whether one was last, and whether the line ended."""
    made: list[str] = []
    for char in piece:
        if is_escaped:
            is_escaped = False
            if char != "\n":
                made.append(
                    chr(GUARD_CODE_POINT + separators.index(char)) if char in separators else char
                )
        elif char == "\\":
            is_escaped = True
        elif char == end:
            return "".join(made), False, True
        else:
            made.append(char)
    return "".join(made), is_escaped, False
