"""Library functions of strings."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.arithmetic import add, split_at
from keysh.tools.jq.values.exact import JSON_CONSTANTS, JsonSyntaxError, read_json_value
from keysh.tools.jq.values.number import as_index, number_of
from keysh.tools.jq.values.value import (
    error_about,
    index,
    is_number,
    items_of,
    sublist_indices,
    tostring,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.values.bounds import JqBounds
    from keysh.tools.jq.values.value import Value

ASCII_LOWERCASE = str.maketrans({chr(code): chr(code + 32) for code in range(65, 91)})
ASCII_UPPERCASE = str.maketrans({chr(code): chr(code - 32) for code in range(97, 123)})
BLANKS = " \t\n\v\f\r"


def case_function(table: dict[int, str]) -> Callable[[Value], Value]:
    """Make `ascii_downcase` or `ascii_upcase`."""

    def case(value: Value) -> Value:
        if value.__class__ is not str:
            raise JqError("explode input must be a string")
        return value.translate(table)

    return case


def startswith(value: Value, start: Value) -> bool:
    if value.__class__ is not str or start.__class__ is not str:
        raise JqError("startswith() requires string inputs")
    result: bool = value.startswith(start)
    return result


def endswith(value: Value, end: Value) -> bool:
    if value.__class__ is not str or end.__class__ is not str:
        raise JqError("endswith() requires string inputs")
    result: bool = value.endswith(end)
    return result


def without_start(value: Value, start: Value) -> Value:
    """`ltrimstr`: other values than strings are returned unchanged."""
    are_texts = value.__class__ is str and start.__class__ is str
    return value.removeprefix(start) if are_texts else value


def without_end(value: Value, end: Value) -> Value:
    """`rtrimstr`"""
    are_texts = value.__class__ is str and end.__class__ is str
    return value.removesuffix(end) if are_texts else value


def without_both(value: Value, ends: Value) -> Value:
    """`trimstr`"""
    return without_end(without_start(value, ends), ends)


def trim_function(strip: Callable[[str, str], str]) -> Callable[[Value], Value]:
    """Make `trim`, `ltrim` or `rtrim`."""

    def trim(value: Value) -> Value:
        if value.__class__ is not str:
            raise error_about(value, "cannot be trimmed")
        return strip(value, BLANKS)

    return trim


def split_at_separator(value: Value, separator: Value, bounds: JqBounds) -> Value:
    """`split/1`"""
    if value.__class__ is not str or separator.__class__ is not str:
        raise JqError("split input and separator must be strings")
    return split_at(value, separator, bounds)


def join_items(value: Value, separator: Value, bounds: JqBounds) -> Value:
    """`join`: null counts as the empty string."""
    items = list(items_of(value))
    if separator.__class__ is str and {list, dict}.isdisjoint(map(type, items)):
        texts = ["" if item is None else tostring(item, bounds) for item in items]
        bounds.check_size(len(separator) * len(texts))
        bounds.check_texts([*texts, separator])
        return separator.join(texts)
    result = None
    for item in items:
        prefix = "" if result is None else add(result, separator, bounds)
        is_scalar = item.__class__ not in (list, dict, type(None))
        text = tostring(item) if is_scalar else "" if item is None else item
        result = add(prefix, text, bounds)
    return result or ""


def explode(value: Value, bounds: JqBounds) -> Value:
    if value.__class__ is not str:
        raise JqError("explode input must be a string")
    bounds.check_items(len(value))
    return list(map(ord, value))


def implode(value: Value) -> Value:
    if value.__class__ is not list:
        raise JqError("implode input must be an array")
    characters = []
    for code in value:
        if not is_number(code) or code != code:
            message = "can't be imploded, unicode codepoint needs to be numeric"
            raise error_about(code, message)
        number = as_index(code)
        is_character = 0 <= number < 0xD800 or 0xE000 <= number < 0x110000
        characters.append(chr(number) if is_character else "\ufffd")
    return "".join(characters)


def utf8bytelength(value: Value) -> Value:
    if value.__class__ is not str:
        raise error_about(value, "only strings have UTF-8 byte length")
    return len(bytes_of_text(value))


def tonumber(value: Value) -> Value:
    if is_number(value):
        return value
    if value.__class__ is not str:
        raise error_about(value, "cannot be parsed as a number")
    number = number_of(value)
    if number is None:
        return parse_padded_number(value)
    return number


def parse_padded_number(text: str) -> Value:
    """Parse a number with blanks around it; the errors are those of the JSON reader."""
    value = fromjson(text)
    if not is_number(value):
        raise error_about(text, "cannot be parsed as a number")
    return value


def toboolean(value: Value) -> Value:
    if value.__class__ is bool:
        return value
    if value in ("true", "false"):
        return JSON_CONSTANTS[value]
    raise error_about(value, "cannot be parsed as a boolean")


def fromjson(value: Value) -> Value:
    """Parse a string that holds exactly one JSON value."""
    if value.__class__ is not str:
        raise error_about(value, "only strings can be parsed")
    value = value.removeprefix("\ufeff")
    try:
        result = read_json_value(value, 0, is_over=True)
        if result is None:
            raise JqError(f"Expected JSON value (while parsing '{value}')")
        if read_json_value(value, result[1], is_over=True) is not None:
            raise JqError(f"Unexpected extra JSON values (while parsing '{value}')")
    except JsonSyntaxError as error:
        before = value[: error.at]
        line = before.rfind("\n") + 1
        column = len(bytes_of_text(before[line:]))
        location = f"line {before.count(chr(10)) + 1}, column {column}"
        message = f"{error.message} at {location} (while parsing '{value}')"
        raise JqError(message) from None
    return result[0]


def indices(value: Value, target: Value, bounds: JqBounds) -> Value:
    """`indices`: where a string occurs in a string, or an item or a sublist in an array."""
    if value.__class__ is list:
        sublist = target if target.__class__ is list else [target]
        return sublist_indices(value, sublist, bounds.turn)
    if value.__class__ is not str or target.__class__ is not str:
        return index(value, target)
    if not target:
        return None
    offsets, offset = [], value.find(target)
    while offset >= 0:
        bounds.turn()
        offsets.append(offset)
        offset = value.find(target, offset + 1)
    return offsets


def first_index(value: Value, target: Value, bounds: JqBounds) -> Value:
    """`index`"""
    if value.__class__ is str and target.__class__ is str:
        offset = value.find(target) if target else -1
        return None if offset < 0 else offset
    return index(indices(value, target, bounds), 0)


def last_index(value: Value, target: Value, bounds: JqBounds) -> Value:
    """`rindex`"""
    if value.__class__ is str and target.__class__ is str:
        offset = value.rfind(target) if target else -1
        return None if offset < 0 else offset
    return index(indices(value, target, bounds), -1)
