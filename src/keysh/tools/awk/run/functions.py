"""awk's functions of strings and arrays, called by generated code."""

from __future__ import annotations

import re

from keysh.text.bounds.slices import with_ticks
from keysh.text.shell_numbers import is_digits
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.fields import (
    matches_in,
    matches_of,
    regex_splitter,
    split_by_regex,
    split_words,
)
from keysh.tools.awk.run.values import UNSET, Array, NumericString, input_value, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.text.regex.regex import Regex, RegexMatch
    from keysh.tools.awk.run.machine import AwkMachine
    from keysh.tools.awk.run.values import Value

LARGEST_POSITION = 1 << 62
MAX_NUMBER_DIGITS = 342  # octal ones, of the largest float
MAX_PIECES_AT_ONCE = 10_000
CACHED_KEYS = tuple(map(str, range(1, 65)))


def length(machine: AwkMachine, value: Value) -> float:
    """Return the number of elements of an array, or of characters of any other value."""
    return float(len(value if value.__class__ is Array else machine.text(value)))


def substr(machine: AwkMachine, text: str, start: float, count: float = float("inf")) -> str:
    """Return a part of a text, whose first character is number 1.

    A start below 1 counts as 1, without shortening the count. Both numbers are truncated.
    """
    if count != count:
        return ""
    first = (
        max(int(start), 1)
        if abs(start) < LARGEST_POSITION
        else LARGEST_POSITION
        if start > 0
        else 1
    )
    number = int(count) if abs(count) < LARGEST_POSITION else -1 if count < 0 else LARGEST_POSITION
    if number > machine.free_characters and len(text) > machine.free_characters:
        machine.tick_large()
    return text[first - 1 : first - 1 + number] if number > 0 else ""


def change_case(machine: AwkMachine, change: Callable[[str], str], text: str) -> str:
    """Return a text in lower or upper case."""
    if len(text) > machine.free_characters:
        machine.tick_large()
    return change(text)


def gensub(machine: AwkMachine, regex: Regex, replacement: str, how: Value, text: str) -> str:
    r"""Return the text with one match, or all, replaced; `\0` to `\9` are the groups."""
    wanted_match = 0
    how_text = machine.text(how)
    if how_text[:1] not in ("g", "G"):
        number = number_of(how)
        wanted_match = int(min(number, LARGEST_POSITION)) if number >= 1 else 1
        if number <= 0:
            machine.warn_here(f"gensub: third argument `{how_text}' treated as 1")
    pieces = re.findall(r"\\[0-9&\\]|\\.|&|[^\\&]+|\\", replacement, re.DOTALL)
    parts: list[str] = []
    position = count = size = 0
    for match in matches_in(regex, text, machine.sh.tick):
        count += 1
        if wanted_match and count < wanted_match:
            continue
        parts.append(text[position : match.start])
        for piece in pieces:
            expanded = expand_piece(piece, match, regex.groups)
            parts.append(expanded)
            size += len(expanded)
        if size > machine.free_characters:
            machine.sh.check_size(size)
        position = match.end
        if wanted_match:
            break
    parts.append(text[position:])
    return machine.join(*parts)


def expand_piece(piece: str, match: RegexMatch, groups: int) -> str:
    """Expand a piece of gensub's replacement."""
    if piece == "&":
        return match.group() or ""
    if piece[0] != "\\":
        return piece
    if is_digits(piece[1:]):
        number = int(piece[1:])
        return match.group(number) or "" if number <= groups else ""
    return piece[1:] or "\\"


# ---------------------------------------------------------------- arrays


def split(
    machine: AwkMachine,
    text: str,
    array: Array,
    separator: Value = None,
    between: Array | None = None,
) -> float:
    """Fill an array with the pieces of a text and return their number.

    The separator is a regular expression, a string as for FS, or by default FS itself.
    """
    separators: list[str] | None = None
    if between is not None:
        pieces, separators = split_with_separators(machine, text, separator)
    elif separator is None or separator == " ":
        splitter = machine.text_splitter() if separator is None else split_words
        pieces = machine.split_text(text, splitter, machine.FS if separator is None else " ")
    elif isinstance(separator, str):
        pieces = machine.split_text(text, machine.splitter_for(separator), separator)
    else:
        pieces = regex_splitter(separator, machine.sh.tick)(text)
    fill_array(machine, array, pieces)
    if between is not None and separators is not None:
        between.clear()
        start = 0 if separators and splits_by_words(machine, separator) else 1
        between.update((str(i), piece) for i, piece in enumerate(separators, start))
    return float(len(pieces))


def fill_array(machine: AwkMachine, array: Array, pieces: list[str]) -> None:
    """Replace the contents of an array by pieces of the input, under 1, 2, 3 …"""
    array.clear()
    values: Iterator[Value] = map(input_value, pieces)
    if len(pieces) > MAX_PIECES_AT_ONCE:
        values = with_ticks(values, machine.sh.tick)
    array.update(zip(integer_keys(len(pieces)), values, strict=False))


def integer_keys(count: int) -> Iterable[str]:
    """Return the keys "1", "2", … up to at least this count."""
    return CACHED_KEYS if count < len(CACHED_KEYS) else map(str, range(1, count + 1))


def splits_by_words(machine: AwkMachine, separator: Value) -> bool:
    return (machine.FS if separator is None else separator) == " "


def split_with_separators(
    machine: AwkMachine, text: str, separator: Value
) -> tuple[list[str], list[str]]:
    """Return the pieces and the separators, for words including leading and trailing ones."""
    if splits_by_words(machine, separator):
        pieces, separators = split_by_regex(machine.regex("[ \t\n]+"), text, machine.sh.tick)
        first = separators[0] if pieces and not pieces[0] else ""
        inner = separators[1:] if first else separators
        return [piece for piece in pieces if piece], [first, *inner]
    if separator is None:
        separator = machine.FS
    if not separator:
        return machine.split_text(text, list, ""), [""] * (len(text) - 1)
    if isinstance(separator, str):
        if len(separator) == 1:
            pieces = machine.split_text(text, machine.splitter_for(separator), separator)
            return pieces, [separator] * (len(pieces) - 1)
        separator = machine.regex(separator)
    return split_by_regex(separator, text, machine.sh.tick)


def patsplit(
    machine: AwkMachine, text: str, array: Array, regex: Regex, between: Array | None = None
) -> float:
    """Fill an array with the matches in a text and return their number."""
    if not regex.pattern:
        raise AwkFatal("patsplit: third argument must be non-null")
    pieces, around = matches_of(regex, text, machine.sh.tick)
    fill_array(machine, array, pieces)
    if between is not None:
        between.clear()
        between.update((str(i), piece) for i, piece in enumerate(around))
    return float(len(pieces))


def match(machine: AwkMachine, text: str, regex: Regex, array: Array | None = None) -> float:
    """Find the first match: set RSTART, RLENGTH and the array. Return RSTART, 0 for no match."""
    if array is not None:
        array.clear()
    result = regex.search(text, tick=machine.sh.tick)
    if result is None:
        machine.RSTART, machine.RLENGTH = 0.0, -1.0
        return 0.0
    machine.RSTART, machine.RLENGTH = float(result.start + 1), float(result.end - result.start)
    if array is not None:
        for number in range(regex.groups + 1):
            span = result.span(number)
            if span is not None:
                array[str(number)] = input_value(text[span[0] : span[1]])
                array[f"{number}{machine.SUBSEP}start"] = float(span[0] + 1)
                array[f"{number}{machine.SUBSEP}length"] = float(span[1] - span[0])
    return machine.RSTART


def subarray(array: Array, key: str) -> Array:
    """Return an array that is an element of another; create it if needed."""
    value = array.get(key, UNSET)
    if value is UNSET:
        value = array[key] = Array()
    if value.__class__ is not Array:
        raise AwkFatal(f'attempt to use scalar `["{key}"]\' as an array')
    return value


def set_element(value: Value, array: Array, key: str) -> Value:
    """Assign to an element and return the value."""
    array[key] = value
    return value


def increment_element(array: Array, key: str, amount: float) -> float:
    """Add to an element and return its old value."""
    old = array.get(key, 0.0)
    number: float = old if old.__class__ is float else number_of(old)
    array[key] = number + amount
    return number


def strtonum(value: Value) -> float:
    """Return a value as a number. Strings may be octal (`011`) or hexadecimal (`0x11`)."""
    if value.__class__ in (str, NumericString):
        text = str(value)
        match = re.match(r"0[xX]([0-9a-fA-F]+)", text)
        if match is not None:
            return float_of_digits(match[1], 16)
        match = re.match(r"0[0-7]+(?![0-9.eE])", text)
        if match is not None:
            return float_of_digits(match[0], 8)
    return number_of(value)


def float_of_digits(digits: str, base: int) -> float:
    """Convert the digits of an integer of any size to a float."""
    digits = digits.lstrip("0")
    if len(digits) > MAX_NUMBER_DIGITS:
        return float("inf")
    try:
        return float(int(digits or "0", base))
    except OverflowError:
        return float("inf")
