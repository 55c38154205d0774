r"""sub and gsub.

In the replacement `&` stands for the match, `\&` for `&`, and `\\&` for a backslash and the match.
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

    # Maps a text to the changed one and the number of replacements.
    Substitution: TypeAlias = Callable[[str], tuple[str, float]]

REPLACEMENT_PATTERN = re.compile(r"\\\\(?=&|\\&)|\\&|&|[^\\&]+|\\", re.DOTALL)


def make_substitution(regex: Regex, replacement: str, *, is_global: bool) -> Substitution:
    """Return a function that replaces the first match in a text, or all."""
    parts = replacement_parts(replacement)
    literal = regex.literal
    if literal:
        return literal_substitution(literal, expand_parts(parts, literal), is_global=is_global)
    matching = replace_guard(regex)
    if matching.pattern is None or (is_global and regex.is_nullable):
        return lambda text: replace_in_text(regex, parts, text, is_global=is_global)
    subn, fits = matching.pattern.subn, None if matching.is_for_all else matching.fits
    filling = (
        partial(match_replacement, parts)
        if None in parts
        else expand_parts(parts, "").replace("\\", "\\\\")
    )
    max_count = 0 if is_global else 1

    def substitute(text: str) -> tuple[str, float]:
        if fits is not None and not fits(text):
            return replace_in_text(regex, parts, text, is_global=is_global)
        result, count = subn(filling, text, max_count)
        return check_length(result), float(count)

    return substitute


def literal_substitution(literal: str, replacement: str, *, is_global: bool) -> Substitution:
    """Return a function that replaces the first occurrence of a literal in a text, or all."""

    def substitute(text: str) -> tuple[str, float]:
        if literal not in text:
            return text, 0.0
        if is_global:
            return check_length(text.replace(literal, replacement)), float(text.count(literal))
        return check_length(text.replace(literal, replacement, 1)), 1.0

    return substitute


def replace_in_text(
    regex: Regex, parts: list[str | None], text: str, *, is_global: bool
) -> tuple[str, float]:
    """Return a text with the first match, or all, replaced, and the number of replacements."""
    pieces: list[str] = []
    position = count = size = 0
    for match in regex.find_all(text):
        count += 1
        piece = expand_parts(parts, text[match.start : match.end])
        size += len(piece)
        check_length("", size)
        pieces.append(text[position : match.start])
        pieces.append(piece)
        position = match.end
        if not is_global:
            break
    if not count:
        return text, 0.0
    pieces.append(text[position:])
    return check_length("".join(pieces)), float(count)


def replacement_parts(replacement: str) -> list[str | None]:
    """Split a replacement into literal parts, and None for the match."""
    if "&" not in replacement:
        return [replacement]
    parts: list[str | None] = []
    for match in REPLACEMENT_PATTERN.finditer(replacement):
        piece = match[0]
        if piece == "&":
            parts.append(None)
        else:
            parts.append({"\\&": "&", "\\\\": "\\"}.get(piece, piece))
    return parts


def expand_parts(parts: list[str | None], match: str) -> str:
    """Return a replacement with the match filled in."""
    return "".join([match if part is None else part for part in parts])


def match_replacement(parts: list[str | None], match: re.Match[str]) -> str:
    """Return the replacement of a match, as a callback of `re`."""
    return expand_parts(parts, match[0])


def sub(regex: Regex, replacement: str, text: str) -> tuple[str, float]:
    """Return the text with the first match replaced, and the number of replacements."""
    return replace_in_text(regex, replacement_parts(replacement), text, is_global=False)


def gsub(regex: Regex, replacement: str, text: str) -> tuple[str, float]:
    """Return the text with all matches replaced, and the number of replacements."""
    if regex.literal:
        return literal_substitution(
            regex.literal,
            expand_parts(replacement_parts(replacement), regex.literal),
            is_global=True,
        )(text)
    return replace_in_text(regex, replacement_parts(replacement), text, is_global=True)
