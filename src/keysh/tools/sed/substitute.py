"""`s`: putting replacements where matches are."""

from __future__ import annotations

from keysh.text.case import lower_character, to_lower, to_upper, upper_character
from keysh.tools.sed.script import CaseChange

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from keysh.text.regex.regex import Regex, RegexMatch
    from keysh.tools.sed.script import SedReplacement, SedSubstitution

    Tick = Callable[[], object]

MATCHES_PER_TICK = 1024  # matches between two looks at whether the run is to end


def substitute_matches(what: SedSubstitution, regex: Regex, text: str, tick: Tick) -> str | None:
    """The changed text; None where nothing matches."""
    native = regex.native(text)
    matches: Iterable[RegexMatch | re.Match[str]]
    matches = regex.find_all(text, tick) if native is None else native.finditer(text)
    pieces: list[str] = []
    at = count = turn = 0
    last = -1
    for match in matches:
        turn += 1
        if turn % MATCHES_PER_TICK == 0:
            tick()
        start, end = match.span() or (0, 0)
        if start == end == last:  # where another one ends, nothing does not match
            continue
        last = end
        count += 1
        if count < what.number:
            continue
        pieces += [text[at:start], expand_replacement(what.replacement, match)]
        at = end
        if not what.is_global:
            break
    if not pieces:
        return None
    pieces.append(text[at:])
    return "".join(pieces)


def nth_match(matches: Iterator[re.Match[str]], number: int) -> re.Match[str] | None:
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


def native_replacement(replacement: SedReplacement, found: re.Match[str], whole: str) -> str:
    """What stands in for one match of `re`, whose text is `whole`; its case does not change."""
    if replacement.plain is not None:
        return replacement.plain
    return "".join(
        [
            piece if isinstance(piece, str) else (found[piece] or "") if piece else whole
            for piece in replacement.pieces
            if not isinstance(piece, CaseChange)
        ]
    )


def expand_replacement(replacement: SedReplacement, match: RegexMatch | re.Match[str]) -> str:
    """What stands in for one match."""
    if replacement.plain is not None:
        return replacement.plain
    pieces: list[str] = []
    mode = once = ""  # the case of all that follows, and of the next character
    for piece in replacement.pieces:
        if isinstance(piece, CaseChange):
            mode, once = piece.after(mode, once)
            continue
        text = piece if isinstance(piece, str) else match.group(piece) or ""
        pieces.append(change_case(text, mode, once))
        once = once if not text else ""
    return "".join(pieces)


def change_case(text: str, mode: str, once: str) -> str:
    """A text in the case that holds for all of it, and in that of its first character."""
    if mode and mode != "E":
        text = to_upper(text) if mode == "U" else to_lower(text)
    if once and text:
        return (upper_character if once == "u" else lower_character)(text[0]) + text[1:]
    return text
