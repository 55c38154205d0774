"""Typed values in JSON: what JSON alone would lose.

Text, numbers, booleans, null, lists and records are themselves. Anything else is a record with the
single key `$`, whose value begins with the name of its kind: `{"$": ["array", [1, 2], null]}`.
"""

from __future__ import annotations

from keysh.diagnostics.exceptions import ImageError
from keysh.interp.variables.hash_order import BashRecord
from keysh.interp.variables.variable import NameReference
from keysh.values import Numeral, PrintedList, PrintedRecord, ShellList, ShellRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_JSON_INTEGER = 1 << 63  # Python reads and writes long decimals slowly, or not at all
MARK = "$"


def value_to_json(value: Any) -> Any:
    """Return a value of a script in a form that JSON keeps."""
    encode = ENCODERS.get(value.__class__)
    if encode is None:
        raise ImageError(f"an image cannot hold {value!r}")
    return encode(value)


def as_it_is(value: Any) -> Any:
    return value


def integer(value: int) -> Any:
    if -MAX_JSON_INTEGER <= value < MAX_JSON_INTEGER:
        return value
    return {MARK: ["integer", hex(value)]}


def number(value: float) -> Any:
    """A number with a fraction; JSON has no infinity."""
    if value - value == 0:
        return value
    return {MARK: ["number", repr(value)]}


def items_to_json(values: list[Any]) -> list[Any]:
    return [value_to_json(value) for value in values]


def pairs_to_json(record: dict[str, Any]) -> list[list[Any]]:
    """The pairs in the order of their insertion, which need not be the order of `items`."""
    return [[key, value_to_json(value)] for key, value in dict.items(record)]


def record(value: dict[str, Any]) -> Any:
    if MARK in value:
        return {MARK: ["record", pairs_to_json(value)]}
    return {key: value_to_json(inner) for key, inner in value.items()}


ENCODERS: dict[type, Callable[[Any], Any]] = {
    str: as_it_is, bool: as_it_is, type(None): as_it_is, int: integer, float: number,
    list: items_to_json, dict: record,
    ShellList: lambda value: {MARK: ["array", items_to_json(value), value.places]},
    ShellRecord: lambda value: {MARK: ["associative", pairs_to_json(value)]},
    BashRecord: lambda value: {MARK: ["associative of bash", pairs_to_json(value)]},
    PrintedList: lambda value: {MARK: ["printed list", items_to_json(value), value.compact,
                                       value.text]},
    PrintedRecord: lambda value: {MARK: ["printed record", pairs_to_json(value), value.compact,
                                         value.text]},
    Numeral: lambda value: {MARK: ["numeral", value.text]},
    NameReference: lambda value: {MARK: ["reference", str(value)]},
}  # fmt: skip


def value_from_json(value: Any) -> Any:
    """Return the value that JSON holds; raise ImageError for what no value becomes."""
    if isinstance(value, list):
        return [value_from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    if MARK not in value:
        return {key: value_from_json(inner) for key, inner in value.items()}
    match value[MARK]:
        case ["array", list(items), None | list() as places]:
            return array(items, places)
        case ["associative", pairs]:
            return ShellRecord(pairs_from_json(pairs))
        case ["associative of bash", pairs]:
            return BashRecord(pairs_from_json(pairs))
        case ["record", pairs]:
            return dict(pairs_from_json(pairs))
        case ["printed list", list(items), str(compact), str(text)]:
            return with_printed_text(PrintedList(map(value_from_json, items)), compact, text)
        case ["printed record", pairs, str(compact), str(text)]:
            return with_printed_text(PrintedRecord(pairs_from_json(pairs)), compact, text)
        case ["numeral", str(text)]:
            return Numeral(text)
        case ["reference", str(path)]:
            return NameReference(path)
        case ["integer", str(text)]:
            return number_from_text(int, text, 16)
        case ["number", str(text)]:
            return number_from_text(float, text)
    raise ImageError("the image is damaged: a value is of no kind that keysh knows")


def number_from_text(read: Callable[..., Any], text: str, *base: int) -> Any:
    try:
        return read(text, *base)
    except ValueError:
        raise ImageError("the image is damaged: a number is none") from None


def array(items: list[Any], places: list[Any] | None) -> ShellList:
    """An array of sh; `places` are the ascending indexes of its elements, if it has holes."""
    made = ShellList(map(value_from_json, items))
    if places is not None:
        is_ascending = all(
            place.__class__ is int and place >= 0 for place in places
        ) and places == sorted(set(places))
        if not is_ascending or len(places) != len(made):
            raise ImageError("the image is damaged: the indexes of an array are none")
        made.places = places
    return made


def with_printed_text(value: Any, compact: str, text: str) -> Any:
    value.compact, value.text = compact, text
    return value


def pairs_from_json(pairs: Any) -> list[tuple[str, Any]]:
    if isinstance(pairs, list):
        result = []
        for pair in pairs:
            match pair:
                case [str(key), inner]:
                    result.append((key, value_from_json(inner)))
                case _:
                    break
        else:
            return result
    raise ImageError("the image is damaged: a record has no pairs")
