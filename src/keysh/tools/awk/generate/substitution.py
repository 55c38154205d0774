r"""sub and gsub: a text with the matches of an expression replaced.

`&` is the match, `\&` a literal one, `\\&` a backslash and the match.
"""

from __future__ import annotations

import re
from functools import partial

from keysh.text.regex.native.guards import replace_guard
from keysh.tools.awk.run.functions import check_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.text.regex.regex import Regex

    # From a text to the changed one, and how many matches there were.
    Substitution: TypeAlias = Callable[[str], tuple[str, float]]

REPLACEMENT_PATTERN = re.compile(r"\\\\(?=&|\\&)|\\&|&|[^\\&]+|\\", re.DOTALL)


def make_substitution(regex: Regex, replacement: str, *, is_global: bool) -> Substitution:
    """The function that replaces the first match in a text, or all."""
    parts = replacement_parts(replacement)
    literal = regex.literal
    if literal:
        return literal_substitution(literal, expand_parts(parts, literal), is_global=is_global)
    matching = replace_guard(regex)
    if matching.pattern is None or (is_global and regex.is_nullable):
        return lambda text: replace_in_text(regex, parts, text, is_global=is_global)
    subn, fits = matching.pattern.subn, None if matching.is_for_all else matching.fits
    by = (
        partial(match_replacement, parts)
        if None in parts
        else expand_parts(parts, "").replace("\\", "\\\\")
    )
    most = 0 if is_global else 1

    def replaced(text: str) -> tuple[str, float]:
        if fits is not None and not fits(text):
            return replace_in_text(regex, parts, text, is_global=is_global)
        made, count = subn(by, text, most)
        return check_length(made), float(count)

    return replaced


def literal_substitution(literal: str, by: str, *, is_global: bool) -> Substitution:
    """The function that replaces a text, where it stands first or wherever it stands."""

    def replaced(text: str) -> tuple[str, float]:
        if literal not in text:
            return text, 0.0
        if is_global:
            return check_length(text.replace(literal, by)), float(text.count(literal))
        return check_length(text.replace(literal, by, 1)), 1.0

    return replaced


def replace_in_text(
    regex: Regex, parts: list[str | None], text: str, *, is_global: bool
) -> tuple[str, float]:
    """A text with the first match of an expression replaced, or all; and how many that were."""
    made: list[str] = []
    at = count = size = 0
    for found in regex.find_all(text):
        count += 1
        piece = expand_parts(parts, text[found.start : found.end])
        size += len(piece)
        check_length("", size)
        made.append(text[at : found.start])
        made.append(piece)
        at = found.end
        if not is_global:
            break
    if not count:
        return text, 0.0
    made.append(text[at:])
    return check_length("".join(made)), float(count)


def replacement_parts(replacement: str) -> list[str | None]:
    """A replacement: texts, and None for what has matched."""
    if "&" not in replacement:
        return [replacement]
    parts: list[str | None] = []
    for found in REPLACEMENT_PATTERN.finditer(replacement):
        piece = found[0]
        if piece == "&":
            parts.append(None)
        else:
            parts.append({"\\&": "&", "\\\\": "\\"}.get(piece, piece))
    return parts


def expand_parts(parts: list[str | None], match: str) -> str:
    """A replacement with the match in it."""
    return "".join([match if part is None else part for part in parts])


def match_replacement(parts: list[str | None], found: re.Match[str]) -> str:
    """What `re` puts in for a match."""
    return expand_parts(parts, found[0])


def sub(regex: Regex, replacement: str, text: str) -> tuple[str, float]:
    """The text with the first match replaced, and how many there were: 0 or 1."""
    return replace_in_text(regex, replacement_parts(replacement), text, is_global=False)


def gsub(regex: Regex, replacement: str, text: str) -> tuple[str, float]:
    """The text with all matches replaced, and how many there were."""
    if regex.literal:
        return literal_substitution(
            regex.literal,
            expand_parts(replacement_parts(replacement), regex.literal),
            is_global=True,
        )(text)
    return replace_in_text(regex, replacement_parts(replacement), text, is_global=True)
