"""`s`: putting replacements where matches are."""

from __future__ import annotations

from keysh.commands.sed.script import Case

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from keysh.commands.sed.script import Replacement, Substitution
    from keysh.text.regex import Match, Regex

    Tick = Callable[[], object]


def substituted(what: Substitution, regex: Regex, text: str, tick: Tick) -> str | None:
    """The changed text; None where nothing matches."""
    replacement = what.replacement
    native = regex.native(text)
    if native is not None and what.number == 1 and not replacement.changes_case:
        if not what.is_global:
            found = native.search(text)
            if found is None:
                return None
            start, end = found.span()
            return f"{text[:start]}{of_native(replacement, found, found[0])}{text[end:]}"
        if native.search(text) is None:
            return None
    pieces: list[str] = []
    at = count = 0
    for match in regex.found(text, tick):
        count += 1
        if count < what.number:
            continue
        pieces += [text[at : match.start], replaced(replacement, match)]
        at = match.end
        if not what.is_global:
            break
    if not pieces:
        return None
    pieces.append(text[at:])
    return "".join(pieces)


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


def replaced(replacement: Replacement, match: Match) -> str:
    """What stands in for one match."""
    if replacement.plain is not None:
        return replacement.plain
    pieces: list[str] = []
    mode = once = ""  # the case of all that follows, and of the next character
    for piece in replacement.pieces:
        if isinstance(piece, Case):
            if piece.letter in "ul":
                once = piece.letter
            else:
                mode, once = piece.letter, ""
            continue
        text = piece if isinstance(piece, str) else match.group(piece) or ""
        if mode in ("U", "L"):
            text = upper(text) if mode == "U" else lower(text)
        if once and text:
            text = (upper if once == "u" else lower)(text[0]) + text[1:]
            once = ""
        pieces.append(text)
    return "".join(pieces)


def upper(text: str) -> str:
    """Capitals, one for one."""
    made = text.upper()
    return made if len(made) == len(text) else "".join(map(upper_one, text))


def upper_one(char: str) -> str:
    made = char.upper()
    return made if len(made) == 1 else char


def lower(text: str) -> str:
    """Small letters, one for one."""
    made = text.lower()
    return made if len(made) == len(text) else "".join(c.lower()[:1] or c for c in text)
