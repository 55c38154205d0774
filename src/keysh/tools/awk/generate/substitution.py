r"""sub and gsub.

In the replacement `&` stands for the match, `\&` for `&`, and `\\&` for a backslash and the match.
"""

from __future__ import annotations

import re
from functools import partial

from keysh.text.bounds.text_size import replaced_bytes
from keysh.text.regex.native.guards import replace_guard
from keysh.tools.awk.run.fields import matches_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.text.regex.regex import Regex
    from keysh.tools.awk.run.registers import Registers

    # Maps a machine and a text to the changed text and the number of replacements.
    Substitution: TypeAlias = Callable[[Registers, str], tuple[str, float]]

MAX_CONSTANT_CHARACTERS = 1 << 16  # of a replacement that is filled in when it is compiled
REPLACEMENT_PATTERN = re.compile(r"\\\\(?=&|\\&)|\\&|&|[^\\&]+|\\", re.DOTALL)


def make_substitution(regex: Regex, replacement: str, *, is_global: bool) -> Substitution:
    """Return a function that replaces the first match in a text, or all."""
    parts = replacement_parts(replacement)
    literal = regex.literal
    if literal and len(literal) * len(parts) <= MAX_CONSTANT_CHARACTERS:
        return literal_substitution(literal, filled_parts(parts, literal), is_global=is_global)
    matching = replace_guard(regex)
    if matching.pattern is None or (is_global and regex.is_nullable):
        return partial(replace_in_text, regex, parts, is_global=is_global)
    subn, fits = matching.pattern.subn, None if matching.is_for_all else matching.fits
    filling = (
        partial(match_replacement, parts)
        if None in parts
        else filled_parts(parts, "").replace("\\", "\\\\")
    )
    max_count = 0 if is_global else 1
    growth = max(sum(1 if part is None else len(part) for part in parts), 1)

    def substitute(machine: Registers, text: str) -> tuple[str, float]:
        is_large = len(text) * growth > machine.free_characters
        if is_large or (fits is not None and not fits(text)):
            return replace_in_text(regex, parts, machine, text, is_global=is_global)
        result, count = subn(filling, text, max_count)
        return result, float(count)

    return substitute


def literal_substitution(literal: str, replacement: str, *, is_global: bool) -> Substitution:
    """Return a function that replaces the first occurrence of a literal in a text, or all."""
    growth = max(len(replacement), 1)

    def substitute(machine: Registers, text: str) -> tuple[str, float]:
        if literal not in text:
            return text, 0.0
        if len(text) * growth > machine.free_characters:
            machine.tick_large()
            machine.sh.check_size(replaced_bytes(text, literal, replacement))
        if is_global:
            return text.replace(literal, replacement), float(text.count(literal))
        return text.replace(literal, replacement, 1), 1.0

    return substitute


def replace_in_text(
    regex: Regex, parts: list[str | None], machine: Registers, text: str, *, is_global: bool
) -> tuple[str, float]:
    """Return a text with the first match, or all, replaced, and the number of replacements."""
    pieces: list[str] = []
    position = count = size = 0
    for match in matches_in(regex, text, machine.sh.tick):
        count += 1
        piece = expand_parts(machine, parts, text[match.start : match.end])
        size += len(piece)
        if size > machine.free_characters:
            machine.sh.check_size(size)
        pieces.append(text[position : match.start])
        pieces.append(piece)
        position = match.end
        if not is_global:
            break
    if not count:
        return text, 0.0
    pieces.append(text[position:])
    return machine.join(*pieces), float(count)


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


def expand_parts(machine: Registers, parts: list[str | None], match: str) -> str:
    """Return a replacement with the match filled in."""
    return machine.join(*[match if part is None else part for part in parts])


def match_replacement(parts: list[str | None], match: re.Match[str]) -> str:
    """Return the replacement of a match, as a callback of `re`."""
    return filled_parts(parts, match[0])


def filled_parts(parts: list[str | None], match: str) -> str:
    """Return a replacement with a match that is short."""
    return "".join([match if part is None else part for part in parts])


def sub(machine: Registers, regex: Regex, replacement: str, text: str) -> tuple[str, float]:
    """Return the text with the first match replaced, and the number of replacements."""
    parts = replacement_parts(replacement)
    return replace_in_text(regex, parts, machine, text, is_global=False)


def gsub(machine: Registers, regex: Regex, replacement: str, text: str) -> tuple[str, float]:
    """Return the text with all matches replaced, and the number of replacements."""
    if regex.literal:
        return literal_substitution(
            regex.literal,
            expand_parts(machine, replacement_parts(replacement), regex.literal),
            is_global=True,
        )(machine, text)
    return replace_in_text(regex, replacement_parts(replacement), machine, text, is_global=True)
