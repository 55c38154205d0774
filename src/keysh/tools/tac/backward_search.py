"""Find the matches of a regular expression from the end of a string, like GNU tac."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.text.regex.regex import Regex, RegexMatch

FIRST_WINDOW_CHARACTERS = 1024  # before the last match; the window then doubles


def matches_backward(
    text: str, regex: Regex, tick: Callable[[], object]
) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each match, the last one first.

    A match begins as late as possible and may overlap the one after it by all but the first
    character.
    """
    end = len(text)
    while end > 0:
        match = last_match(text, end, regex, tick)
        if match is None:
            return
        yield match
        start, match_end = match
        end = start - max(match_end - start - 1, 0)


def last_match(
    text: str, end: int, regex: Regex, tick: Callable[[], object]
) -> tuple[int, int] | None:
    """Return the match before `end` that begins last."""
    start, size = end, FIRST_WINDOW_CHARACTERS
    while start > 0:
        # Include one more character so that `^` sees what precedes.
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
