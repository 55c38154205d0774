"""The memory that a text takes, which is known before the text is made."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_CHARACTER_BYTES = 4
SURELY_LARGE = 1000  # characters, beside which the header does not count


def character_bytes(text: str) -> int:
    """Return how many bytes Python stores for each character of a text: 1, 2 or 4."""
    if text.isascii():
        return 1
    if len(text) >= SURELY_LARGE:
        return min(text.__sizeof__() // len(text), MAX_CHARACTER_BYTES)
    highest = max(text)
    return 1 if highest < "\u0100" else 2 if highest < "\U00010000" else MAX_CHARACTER_BYTES


def joined_bytes(parts: Sequence[str]) -> int:
    """Return the memory that the concatenation of texts would take."""
    return sum(map(len, parts)) * max(map(character_bytes, parts), default=1)


def replaced_bytes(text: str, old: str, new: str) -> int:
    """Return the memory that `text.replace(old, new)` would take; `old` is not empty."""
    size = len(text) + text.count(old) * (len(new) - len(old))
    return size * max(character_bytes(text), character_bytes(new))
