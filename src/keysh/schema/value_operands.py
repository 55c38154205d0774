"""Operands of the commands that work on values, such as `keys` and `tojson`.

These commands parse no options, because text in a variable may begin with a dash. null and empty
text vanish from a list of words, so a missing operand means null.
"""

from __future__ import annotations

from keysh.schema.arguments import words_for_function
from keysh.schema.binder import InvalidArguments
from keysh.values import text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Protocol

    class ChunkReader(Protocol):
        """Standard input of a call."""

        def chunks(self) -> Iterator[str]: ...

    class ReadingCall(Protocol):
        """The part of a call that is used here."""

        @property
        def stdin(self) -> ChunkReader: ...
        def tick(self) -> None: ...


def one_value(words: Sequence[object]) -> Any:
    """Return the only operand; None if it vanished."""
    found = words_for_function(words)
    if len(found) > 1:
        raise InvalidArguments("E305", 1, f"extra operand '{text_of(found[1])}'", is_value=True)
    return found[0] if found else None


def text_or_input(sh: ReadingCall, words: Sequence[object]) -> str:
    """Return the operand as text, or without one all of standard input."""
    if words:
        return text_of(one_value(words))
    pieces = []
    for chunk in sh.stdin.chunks():
        sh.tick()
        pieces.append(chunk)
    return "".join(pieces)


def wrong_type(expected: str, value: object, fix: str) -> str:
    """Return the message for an operand of the wrong type."""
    return f"the operand must be {expected}, but is a {type_name(value)}\nfix: {fix}"
