"""The lines of a text that hold a match, each line matched as a text of its own."""

from __future__ import annotations

from keysh.text.regular.characters import is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.text.regex import Regex
    from keysh.text.regular.automaton import Tick

# So many matches tell how dense they are: where at least one line in so many has one, it is quicker
# to split all lines than to look for the bounds of those that match.
SAMPLE, DENSE = 32, 6


def matching_lines(regex: Regex, text: str, tick: Tick | None = None) -> Iterator[tuple[int, int]]:
    """The bounds of the lines in a text that hold a match, without their newlines.

    Each line is matched as a text of its own.
    """
    needle = regex.needle
    if needle and (not regex.folds or text.isascii()):
        yield from lines_with(regex, needle, text)
        return
    if not regex.is_cheap_by_line(text):
        at = 0
        for line in text.split("\n"):
            if (line or at < len(text)) and regex.is_in(line, tick):
                yield at, at + len(line)
            at += len(line) + 1
        return
    search = regex.searching_lines(text)
    find, rfind, count, at = text.find, text.rfind, len(text), 0
    while at < count and (native := search(text, at)) is not None:
        start, end = native.span()
        first = rfind("\n", at, start) + 1 or at
        if first == count:  # behind the last newline there is no line
            return
        end = find("\n", end)
        end = count if end < 0 else end
        yield first, end
        at = end + 1


def lines_with(regex: Regex, needle: str, text: str) -> Iterator[tuple[int, int]]:
    """The lines with a literal text, which may have to stand between no letters."""
    find, rfind, count, at = text.find, text.rfind, len(text), 0
    start = -1
    seek = text.lower().find if regex.folds else find
    while at < count and (start := seek(needle, max(at, start))) >= 0:
        end = start + len(needle)
        if regex.is_word and (
            is_word(text[end : end + 1]) or is_word(text[max(start - 1, 0) : start])
        ):
            start += 1
            continue
        first = rfind("\n", at, start) + 1 or at
        end = find("\n", end)
        end = count if end < 0 else end
        yield first, end
        at = end + 1


def selected(regex: Regex, text: str, tick: Tick | None = None, *, keeps: bool = True) -> str:
    """The lines of a text that hold a match, or the others, with their newlines."""
    pieces, at, sampled = [], 0, 0
    for count, (start, end) in enumerate(matching_lines(regex, text, tick), 1):
        pieces.append(text[start : end + 1] if keeps else text[at:start])
        at = end + 1
        if count % SAMPLE:
            continue
        border = text.rfind("\n") + 1
        if text.count("\n", sampled, at) < DENSE * SAMPLE and at < border:
            pieces.append(selected_of_all(regex, text[at:border], tick, keeps))
            pieces.append(selected(regex, text[border:], tick, keeps=keeps))
            at = len(text)
            break
        sampled = at
    if not keeps:
        pieces.append(text[at:])
    return "".join(pieces)


def selected_of_all(regex: Regex, text: str, tick: Tick | None, keeps: bool) -> str:
    """The same of lines that all have their newline, by looking at each."""
    lines = text.split("\n")
    lines.pop()
    needle = regex.needle
    if needle and not regex.folds and not regex.is_word:
        kept = [line for line in lines if (needle in line) is keeps]
    elif needle and not regex.folds:
        kept = [line for line in lines if (needle in line and regex.is_in(line)) is keeps]
    elif regex.is_cheap_by_line(text):
        search = regex.searching_lines(text)
        kept = [line for line in lines if (search(line) is not None) is keeps]
    else:
        kept = [line for line in lines if regex.is_in(line, tick) is keeps]
    kept.append("")
    return "\n".join(kept)
