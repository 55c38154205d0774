"""Lists of positions such as `1,3-5,-2,7-`, counted from 1, as cut takes them."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Ranges: TypeAlias = list[tuple[int, int]]

OPEN_END = (1 << 64) - 1  # the end of a range such as `7-`
RANGE_SEPARATORS = ", \t"
# GNU's messages for fields, and for bytes or characters.
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
    text: str, messages: dict[str, str], *, is_complement: bool = False, takes_dash: bool = False
) -> Ranges:
    """Return the ranges of a list, sorted and merged, each as its first and last position."""
    check_characters(text, messages)
    pieces = text.replace(" ", ",").replace("\t", ",").split(",")
    ranges = sorted([range_of(piece, messages, takes_dash) for piece in pieces])
    merged = ranges[:1]
    for first, last in ranges[1:]:
        if first <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return complement_ranges(merged) if is_complement else merged


def check_characters(text: str, messages: dict[str, str]) -> None:
    """Refuse invalid characters."""
    invalid = text.lstrip(f"0123456789-{RANGE_SEPARATORS}")
    if invalid:
        raise UsageFailure(f"{messages['value']} {locale_quoted_text(invalid)}")


def range_of(piece: str, messages: dict[str, str], takes_dash: bool) -> tuple[int, int]:
    """Parse one position or range."""
    low, dash, high = piece.partition("-")
    if "-" in high:
        raise UsageFailure(messages["range"])
    for digits in (low, high):
        if len(digits) > 20 or int(digits or "0") >= OPEN_END:
            raise UsageFailure(f"{messages['large']} {locale_quoted_text(digits)} is too large")
    first = int(low) if low else 1
    if not first or (not low and not dash):
        raise UsageFailure(messages["from 1"])
    if not dash:
        return first, first
    if not low and not high and not takes_dash:
        raise UsageFailure("invalid range with no endpoint: -")
    last = int(high) if high else OPEN_END
    if last < first:
        raise UsageFailure("invalid decreasing range")
    return first, last


def complement_ranges(ranges: Ranges) -> Ranges:
    """Return the positions that are in none of the ranges."""
    gaps, next_first = [], 1
    for first, last in ranges:
        if first > next_first:
            gaps.append((next_first, first - 1))
        next_first = last + 1
    if next_first <= OPEN_END:
        gaps.append((next_first, OPEN_END))
    return gaps
