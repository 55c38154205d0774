"""Reading: where `read` and `mapfile` read from, and a line with its backslashes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Reader

    class PartReader(Protocol):
        """What text is taken from."""

        def read_part(self, most: int, end: str = "", /) -> str: ...


GUARD_CODE_POINT = (
    0xD800  # of these code points no text has any; they stand for separators behind a backslash
)


def descriptor_reader(sh: Call, state: State, number: int) -> Reader:
    """What a descriptor reads from."""
    if number == 0:
        return state.stdin
    found = state.descriptors.get(number)
    if found is None or found.reader is None:
        raise sh.fail(f"{number}: invalid file descriptor: Bad file descriptor")
    return found.reader


def read_text(
    state: State, reader: PartReader, most: int | None, end: str, separators: str | None
) -> tuple[str, bool]:
    """The text of a line, or of so many characters; and whether it came to its end.

    A separator behind a backslash is guarded. None for separators says that a backslash is a
    character like any other.
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
    """A text without its backslashes, whether one stood last, and whether the line is over."""
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
