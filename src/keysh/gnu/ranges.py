"""Ranges: lists of positions such as `1,3-5,-2,7-`, which count from 1."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Ranges: TypeAlias = list[tuple[int, int]]

OPEN_END = (1 << 64) - 1  # the end of a range that has none
RANGE_SEPARATORS = ", \t"
# What GNU calls the positions when they are those of fields, and of bytes or characters.
FIELD_MESSAGES = {
    "from 1": "fields are numbered from 1",
    "range": "invalid field range",
    "value": "invalid field value",
    "large": "field number",
    "missing": "missing list of fields",
}
POSITION_MESSAGES = {
    "from 1": "byte/character positions are numbered from 1",
    "range": "invalid byte or character range",
    "value": "invalid byte/character position",
    "large": "byte/character offset",
    "missing": "missing list of byte/character positions",
}


def ranges_of(
    text: str, words: dict[str, str], *, is_complement: bool = False, takes_dash: bool = False
) -> Ranges:
    """The ranges of a list in order, each first and last position; those that overlap are one."""
    check_characters(text, words)
    pieces = text.replace(" ", ",").replace("\t", ",").split(",")
    found = sorted([range_of(piece, words, takes_dash) for piece in pieces])
    joined = found[:1]
    for first, last in found[1:]:
        if first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return complement_ranges(joined) if is_complement else joined


def check_characters(text: str, words: dict[str, str]) -> None:
    """Refuse the first character that no list has."""
    rest = text.lstrip(f"0123456789-{RANGE_SEPARATORS}")
    if rest:
        raise UsageFailure(f"{words['value']} {locale_quoted_text(rest)}")


def range_of(piece: str, words: dict[str, str], takes_dash: bool) -> tuple[int, int]:
    """One position, or one range, whose ends may be left out."""
    low, dash, high = piece.partition("-")
    if "-" in high:
        raise UsageFailure(words["range"])
    for digits in (low, high):
        if len(digits) > 20 or int(digits or "0") >= OPEN_END:
            raise UsageFailure(f"{words['large']} {locale_quoted_text(digits)} is too large")
    first = int(low) if low else 1
    if not first or (not low and not dash):
        raise UsageFailure(words["from 1"])
    if not dash:
        return first, first
    if not low and not high and not takes_dash:
        raise UsageFailure("invalid range with no endpoint: -")
    last = int(high) if high else OPEN_END
    if last < first:
        raise UsageFailure("invalid decreasing range")
    return first, last


def complement_ranges(ranges: Ranges) -> Ranges:
    """The positions that are in none of the ranges."""
    found, next_one = [], 1
    for first, last in ranges:
        if first > next_one:
            found.append((next_one, first - 1))
        next_one = last + 1
    if next_one <= OPEN_END:
        found.append((next_one, OPEN_END))
    return found
