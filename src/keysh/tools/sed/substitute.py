"""The command `s`: replace matches."""

from __future__ import annotations

from keysh.text.letter_case import lower_character, to_lower, to_upper, upper_character
from keysh.tools.sed.script import CaseChange

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from keysh.text.regex.regex import Regex, RegexMatch
    from keysh.tools.sed.script import SedReplacement, SedSubstitution

    Tick = Callable[[], object]

MATCHES_PER_TICK = 1024  # matches between two checks of whether the run was cancelled


def substitute_matches(
    substitution: SedSubstitution, regex: Regex, text: str, tick: Tick
) -> str | None:
    """Replace the matches in a string; returns None if nothing matches."""
    native = regex.native(text)
    matches: Iterable[RegexMatch | re.Match[str]]
    matches = regex.find_all(text, tick) if native is None else native.finditer(text)
    pieces: list[str] = []
    offset = count = turn = 0
    last = -1
    for match in matches:
        turn += 1
        if turn % MATCHES_PER_TICK == 0:
            tick()
        start, end = match.span() or (0, 0)
        if start == end == last:  # an empty match right after another one does not count
            continue
        last = end
        count += 1
        if count < substitution.number:
            continue
        pieces += [text[offset:start], expand_replacement(substitution.replacement, match)]
        offset = end
        if not substitution.is_global:
            break
    if not pieces:
        return None
    pieces.append(text[offset:])
    return "".join(pieces)


def nth_match(matches: Iterator[re.Match[str]], number: int) -> re.Match[str] | None:
    """Return the match of a number, or None. An empty match right after another does not count."""
    last = -1
    for match in matches:
        end = match.end()
        if end == last and match.start() == last:
            continue
        number -= 1
        if not number:
            return match
        last = end
    return None


def native_replacement(replacement: SedReplacement, match: re.Match[str], whole: str) -> str:
    """Return the replacement, without case changes, of a match of `re`, whose text is `whole`."""
    if replacement.plain is not None:
        return replacement.plain
    return "".join(
        [
            piece if isinstance(piece, str) else (match[piece] or "") if piece else whole
            for piece in replacement.pieces
            if not isinstance(piece, CaseChange)
        ]
    )


def expand_replacement(replacement: SedReplacement, match: RegexMatch | re.Match[str]) -> str:
    """Return the replacement of a match."""
    if replacement.plain is not None:
        return replacement.plain
    pieces: list[str] = []
    mode = once = ""  # the case of the following text, and of the next character
    for piece in replacement.pieces:
        if isinstance(piece, CaseChange):
            mode, once = piece.after(mode, once)
            continue
        text = piece if isinstance(piece, str) else match.group(piece) or ""
        pieces.append(change_case(text, mode, once))
        once = once if not text else ""
    return "".join(pieces)


def change_case(text: str, mode: str, once: str) -> str:
    """Change the case of a string to `mode`, and that of its first character to `once`."""
    if mode and mode != "E":
        text = to_upper(text) if mode == "U" else to_lower(text)
    if once and text:
        return (upper_character if once == "u" else lower_character)(text[0]) + text[1:]
    return text
