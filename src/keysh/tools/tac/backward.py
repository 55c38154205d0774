"""Backward: the matches of a regular expression from the end of a text, as GNU's tac finds them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.text.regex.regex import Regex, RegexMatch

FIRST_WINDOW_CHARACTERS = (
    1024  # characters before the last match that are looked at first; then twice as many
)


def matches_backward(
    text: str, regex: Regex, tick: Callable[[], object]
) -> Iterator[tuple[int, int]]:
    """Where each match begins and ends, the last one first.

    One begins as late as it can, and reaches no further than to the one behind it; before one of
    several characters, as many but one are passed over.
    """
    end = len(text)
    while end > 0:
        found = last_match(text, end, regex, tick)
        if found is None:
            return
        yield found
        start, behind = found
        end = start - max(behind - start - 1, 0)


def last_match(
    text: str, end: int, regex: Regex, tick: Callable[[], object]
) -> tuple[int, int] | None:
    """The match before an end that begins last."""
    start, size = end, FIRST_WINDOW_CHARACTERS
    while start > 0:
        # One character more, so that a `^` knows what stands before.
        base = max(end - size - 1, 0)
        window = text[base:end]
        while start > base + bool(base):
            start -= 1
            tick()
            match: RegexMatch | None = regex.match(window, start - base)
            if match is not None:
                return start, base + match.end
        size *= 2
    return None
