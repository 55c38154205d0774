"""Speech: what `echo` prints, where it needs no look at options."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def line_of(words: Sequence[Any]) -> str | None:
    """The line of words that are texts without options; None for others."""
    if len(words) == 1:
        [word] = words
        return f"{word}\n" if word.__class__ is str and word[:1] != "-" else None
    if not words or not all(word.__class__ is str for word in words) or words[0][:1] == "-":
        return None
    return f"{' '.join(words)}\n"
