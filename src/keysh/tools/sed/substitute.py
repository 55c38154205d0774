"""`s`: putting replacements where matches are."""

from __future__ import annotations

from keysh.text.case import capital, capitals, small_letter, small_letters
from keysh.tools.sed.script import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from keysh.text.regex.regex import Match, Regex
    from keysh.tools.sed.script import Replacement, Substitution

    Tick = Callable[[], object]

TURNS = 1024  # matches between two looks at whether the run is to end


def substituted(what: Substitution, regex: Regex, text: str, tick: Tick) -> str | None:
    """The changed text; None where nothing matches."""
    native = regex.native(text)
    matches: Iterable[Match | re.Match[str]]
    matches = regex.found(text, tick) if native is None else native.finditer(text)
    pieces: list[str] = []
    at = count = turn = 0
    last = -1
    for match in matches:
        turn += 1
        if turn % TURNS == 0:
            tick()
        start, end = match.span() or (0, 0)
        if start == end == last:  # where another one ends, nothing does not match
            continue
        last = end
        count += 1
        if count < what.number:
            continue
        pieces += [text[at:start], replaced(what.replacement, match)]
        at = end
        if not what.is_global:
            break
    if not pieces:
        return None
    pieces.append(text[at:])
    return "".join(pieces)


def nth(matches: Iterator[re.Match[str]], number: int) -> re.Match[str] | None:
    """The match of a number, if there is one; where another ends, nothing does not match."""
    last = -1
    for found in matches:
        end = found.end()
        if end == last and found.start() == last:
            continue
        number -= 1
        if not number:
            return found
        last = end
    return None


def of_native(replacement: Replacement, found: re.Match[str], whole: str) -> str:
    """What stands in for one match of `re`, whose text is `whole`; its case does not change."""
    if replacement.plain is not None:
        return replacement.plain
    return "".join(
        [
            piece if isinstance(piece, str) else (found[piece] or "") if piece else whole
            for piece in replacement.pieces
            if not isinstance(piece, Case)
        ]
    )


def replaced(replacement: Replacement, match: Match | re.Match[str]) -> str:
    """What stands in for one match."""
    if replacement.plain is not None:
        return replacement.plain
    pieces: list[str] = []
    mode = once = ""  # the case of all that follows, and of the next character
    for piece in replacement.pieces:
        if isinstance(piece, Case):
            mode, once = piece.after(mode, once)
            continue
        text = piece if isinstance(piece, str) else match.group(piece) or ""
        pieces.append(in_case(text, mode, once))
        once = once if not text else ""
    return "".join(pieces)


def in_case(text: str, mode: str, once: str) -> str:
    """A text in the case that holds for all of it, and in that of its first character."""
    if mode and mode != "E":
        text = capitals(text) if mode == "U" else small_letters(text)
    if once and text:
        return (capital if once == "u" else small_letter)(text[0]) + text[1:]
    return text
