r"""sub and gsub: a text with the matches of an expression replaced.

`&` is the match, `\&` a literal one, `\\&` a backslash and the match.
"""

from __future__ import annotations

import re
from functools import partial

from keysh.text.regex.native.guards import replacing
from keysh.tools.awk.run.functions import limited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.text.regex.regex import Regex

    # From a text to the changed one, and how many matches there were.
    Substitution: TypeAlias = Callable[[str], tuple[str, float]]

REPLACEMENT = re.compile(r"\\\\(?=&|\\&)|\\&|&|[^\\&]+|\\", re.DOTALL)


def substitution(regex: Regex, replacement: str, *, is_global: bool) -> Substitution:
    """The function that replaces the first match in a text, or all."""
    parts = parts_of(replacement)
    literal = regex.literal
    if literal:
        return of_literal(literal, filled(parts, literal), is_global=is_global)
    matching = replacing(regex)
    if matching.pattern is None or (is_global and regex.is_nullable):
        return lambda text: substituted(regex, parts, text, is_global=is_global)
    subn, fits = matching.pattern.subn, None if matching.is_for_all else matching.fits
    by = partial(of_match, parts) if None in parts else filled(parts, "").replace("\\", "\\\\")
    most = 0 if is_global else 1

    def replaced(text: str) -> tuple[str, float]:
        if fits is not None and not fits(text):
            return substituted(regex, parts, text, is_global=is_global)
        made, count = subn(by, text, most)
        return limited(made), float(count)

    return replaced


def of_literal(literal: str, by: str, *, is_global: bool) -> Substitution:
    """The function that replaces a text, where it stands first or wherever it stands."""

    def replaced(text: str) -> tuple[str, float]:
        if literal not in text:
            return text, 0.0
        if is_global:
            return limited(text.replace(literal, by)), float(text.count(literal))
        return limited(text.replace(literal, by, 1)), 1.0

    return replaced


def substituted(
    regex: Regex, parts: list[str | None], text: str, *, is_global: bool
) -> tuple[str, float]:
    """A text with the first match of an expression replaced, or all; and how many that were."""
    made: list[str] = []
    at = count = size = 0
    for found in regex.found(text):
        count += 1
        piece = filled(parts, text[found.start : found.end])
        size += len(piece)
        limited("", size)
        made.append(text[at : found.start])
        made.append(piece)
        at = found.end
        if not is_global:
            break
    if not count:
        return text, 0.0
    made.append(text[at:])
    return limited("".join(made)), float(count)


def parts_of(replacement: str) -> list[str | None]:
    """A replacement: texts, and None for what has matched."""
    if "&" not in replacement:
        return [replacement]
    parts: list[str | None] = []
    for found in REPLACEMENT.finditer(replacement):
        piece = found[0]
        if piece == "&":
            parts.append(None)
        else:
            parts.append({"\\&": "&", "\\\\": "\\"}.get(piece, piece))
    return parts


def filled(parts: list[str | None], match: str) -> str:
    """A replacement with the match in it."""
    return "".join([match if part is None else part for part in parts])


def of_match(parts: list[str | None], found: re.Match[str]) -> str:
    """What `re` puts in for a match."""
    return filled(parts, found[0])


def sub(regex: Regex, replacement: str, text: str) -> tuple[str, float]:
    """The text with the first match replaced, and how many there were: 0 or 1."""
    return substituted(regex, parts_of(replacement), text, is_global=False)


def gsub(regex: Regex, replacement: str, text: str) -> tuple[str, float]:
    """The text with all matches replaced, and how many there were."""
    if regex.literal:
        return of_literal(
            regex.literal, filled(parts_of(replacement), regex.literal), is_global=True
        )(text)
    return substituted(regex, parts_of(replacement), text, is_global=True)
