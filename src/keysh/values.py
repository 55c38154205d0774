"""Values of variables and arguments: their text, their types, and their JSON."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | Numeral | None"


class ShellList(list):  # type: ignore[type-arg]
    """An array made with sh's syntax, which sh would read as its first element.

    The list holds the elements that exist. `places` has their indexes where some are missing, as
    after `unset a[1]`; it is None where they are 0, 1, 2 and so on.
    """

    places: list[int] | None = None

    def indexes(self) -> list[int]:
        """Return the indexes of the elements."""
        return list(range(len(self))) if self.places is None else self.places

    def next_index(self) -> int:
        """Return the index after the last one."""
        if self.places is None:
            return len(self)
        return self.places[-1] + 1 if self.places else 0

    def position_of(self, index: int) -> int | None:
        """Return where the element of an index is in the list; None if it does not exist."""
        if index < 0:
            index += self.next_index()
        if self.places is None:
            return index if 0 <= index < len(self) else None
        from _bisect import bisect_left  # noqa: PLC0415 - few arrays have holes

        position = bisect_left(self.places, index)
        return position if self.places[position : position + 1] == [index] else None

    def put(self, index: int, value: object) -> None:
        """Set the element of an index, which is not negative."""
        if self.places is None:
            if index == len(self):
                self.append(value)
                return
            if index < len(self):
                self[index] = value
                return
            self.places = list(range(len(self)))
        from _bisect import bisect_left  # noqa: PLC0415 - few arrays have holes

        position = bisect_left(self.places, index)
        if self.places[position : position + 1] == [index]:
            self[position] = value
        else:
            self.places.insert(position, index)
            self.insert(position, value)

    def remove_at(self, index: int) -> None:
        """Remove the element of an index, if it exists; the others keep their indexes."""
        position = self.position_of(index)
        if position is None:
            return
        if self.places is None and position < len(self) - 1:
            self.places = list(range(len(self)))
        if self.places is not None:
            del self.places[position]
        del self[position]


class StarList(ShellList):
    """All elements that `${!r}` reads where `r` is `*` or ends with `[*]`: in quotes one word."""


class ShellRecord(dict):  # type: ignore[type-arg]
    """An associative array made with sh's syntax."""

    __slots__ = ()


class PrintedList(list):  # type: ignore[type-arg]
    """A list that a command printed as a text of its own, such as `jq .`, which indents it."""

    __slots__ = ("compact", "text")

    compact: str
    text: str


class PrintedRecord(dict):  # type: ignore[type-arg]
    """A record that a command printed as a text of its own."""

    __slots__ = ("compact", "text")

    compact: str
    text: str


class Numeral:
    """A JSON number that keeps its spelling, since Python would print it otherwise: `1.10`."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<number {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numeral) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


TYPE_NAMES = {
    type(None): "null",
    bool: "bool",
    int: "int",
    float: "float",
    str: "string",
    list: "list",
    dict: "record",
    ShellList: "list",
    ShellRecord: "record",
    PrintedList: "list",
    PrintedRecord: "record",
    Numeral: "float",
}
PLAIN_TYPES = frozenset({type(None), bool, int, float, str, Numeral})  # without parts
CONTAINERS = (list, dict)
ARRAYS = (ShellList, ShellRecord)  # what sh's own syntax makes
# No value at all: an unset variable, a missing element, an argument that was not given.
# A copy and a pickle of it are itself.
ABSENT: Any = type(
    "Absent", (), {"__repr__": lambda self: "absent", "__reduce__": lambda self: "ABSENT"}
)()
CONTAINER_OVERHEAD_ITEMS = 8  # for each list or record inside another
INFINITY = float("inf")


def text_of(value: object) -> str:
    """Return a value as text: a string unchanged, null as "", anything else as JSON."""
    if value.__class__ is str:
        return value
    if value is None:
        return ""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, CONTAINERS):
        compact = json_of(value)
        if isinstance(value, PrintedList | PrintedRecord) and compact == value.compact:
            return value.text  # nothing has changed it since
        return compact
    return str(value)


def printed_value(value: object, text: str) -> object:
    """Return a list or record that prints as it was printed, until it is changed."""
    compact = json_of(value)
    if compact == text:
        return value
    printed = PrintedList(value) if isinstance(value, list) else PrintedRecord(value)  # type: ignore[call-overload]
    printed.compact, printed.text = compact, text
    return printed


def json_of(value: object) -> str:
    """Return a value as compact JSON."""
    from json import dumps  # noqa: PLC0415 - 5 ms that most scripts do not need

    if isinstance(value, ShellList) and value.places is not None:
        value = {str(index): item for index, item in zip(value.places, value, strict=True)}
    try:
        return dumps(value, ensure_ascii=False, separators=(",", ":"))
    except TypeError:
        return "".join(json_pieces(value))


def json_pieces(value: object) -> list[str]:
    """Return JSON in pieces, with numbers that keep their spelling, which `json` cannot write."""
    pieces: list[str] = []
    waiting: list[object] = [value]  # values and finished fragments
    while waiting:
        item = waiting.pop()
        if isinstance(item, Numeral | JsonFragment):
            pieces.append(item.text)
        elif isinstance(item, list):
            parts: list[object] = [JsonFragment("[")]
            for index, element in enumerate(item):
                parts += [JsonFragment(","), element] if index else [element]
            waiting.extend(reversed([*parts, JsonFragment("]")]))
        elif isinstance(item, dict):
            parts = [JsonFragment("{")]
            for index, (key, element) in enumerate(item.items()):
                parts += [JsonFragment("," if index else ""), key, JsonFragment(":"), element]
            waiting.extend(reversed([*parts, JsonFragment("}")]))
        else:
            pieces.append(json_of(value_of_python(item)))
    return pieces


class JsonFragment:
    """A finished piece of JSON."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def value_of_json(text: str) -> object:
    """Return the value of a JSON text; raise ValueError."""
    from json import loads  # noqa: PLC0415 - 5 ms that most scripts do not need

    try:
        value: object = loads(
            text, parse_int=json_number, parse_float=json_number, parse_constant=refuse_json_number
        )
    except RecursionError:
        raise ValueError("values are nested too deeply") from None
    refuse_lone_surrogates(text)
    return value


# An escape of JSON: a surrogate pair, half of one (but for DC80 to DCFF, which stand for bytes that
# are not UTF-8), or any other.
JSON_ESCAPE = r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD](?:[89abABd-fD-F].|[cC][0-7]).)|.)"


def refuse_lone_surrogates(text: str) -> None:
    """Raise ValueError if JSON escapes half of a surrogate pair, which is no character."""
    if "\\ud" in text or "\\uD" in text:
        from re import finditer  # noqa: PLC0415 - hardly ever

        for match in finditer(JSON_ESCAPE, text):
            if match[1]:
                raise ValueError(f"\\{match[1]} is half of a surrogate pair, which is no character")


def json_number(text: str) -> object:
    """Return a JSON number: an int or float if that prints back as written, else a Numeral."""
    value = value_of_text(text)
    return Numeral(text) if value.__class__ is str else value


def refuse_json_number(text: str) -> object:
    raise ValueError(f"{text} is no JSON")


def value_of_text(text: str) -> object:
    """Return bare text as a value; it is typed only if the value prints back as written."""
    if text.isdecimal():
        if text.isascii() and (text[0] != "0" or len(text) == 1) and len(text) <= 4000:
            return int(text)
        return text
    if text == "true":
        return True
    if text == "false":
        return False
    first = text[:1]
    if first and first in "-0123456789":
        digits = text[1:] if first == "-" else text
        if digits.isdecimal():
            is_int = text.isascii() and digits[0] != "0" and len(text) <= 4000
            return int(text) if is_int else text
        whole, dot, rest = digits.partition(".")
        if dot and whole.isdecimal() and rest.isdecimal() and text.isascii():
            value = float(text)
            if repr(value) == text:
                return value
    return text


def type_name(value: object) -> str:
    """Return the language's name for a value's type."""
    name = TYPE_NAMES.get(value.__class__)
    if name is not None:
        return name
    return "record" if isinstance(value, dict) else "string" if isinstance(value, str) else "value"


def type_with_article(value: object) -> str:
    """Return the name of a value's type with its article."""
    name = type_name(value)
    return f"an {name}" if name == "int" else f"a {name}"


def deep_copy(value: object) -> object:
    """Return a copy that shares no list or record with the value."""
    if isinstance(value, list):
        items = [deep_copy(item) if isinstance(item, CONTAINERS) else item for item in value]
        if value.__class__ is PrintedList:
            return printed_copy(value, PrintedList(items))
        if value.__class__ is not ShellList:
            return items
        array = ShellList(items)
        if value.places is not None:
            array.places = value.places.copy()
        return array
    if isinstance(value, dict):
        made = value.__class__() if isinstance(value, ShellRecord) else {}
        for key, item in dict.items(value):  # in the order of insertion, whatever it shows
            made[key] = deep_copy(item) if isinstance(item, CONTAINERS) else item
        if value.__class__ is PrintedRecord:
            return printed_copy(value, PrintedRecord(made))
        return made
    return value


def printed_copy(value: Any, copy: Any) -> object:
    """Make a copy print as the value does."""
    copy.compact, copy.text = value.compact, value.text
    return copy


def is_same_value(value: Any, other: Any) -> bool:
    """Whether nothing tells two values apart: `1` is not `"1"`, an array is not a list."""
    if value is other:
        return True
    if value.__class__ is not other.__class__:
        return False
    if isinstance(value, float):
        return repr(value) == repr(other)
    if not isinstance(value, CONTAINERS):
        return bool(value == other)
    if len(value) != len(other) or getattr(value, "text", "") != getattr(other, "text", ""):
        return False
    if isinstance(value, list):
        if isinstance(value, ShellList) and value.indexes() != other.indexes():
            return False
        return all(map(is_same_value, value, other))
    # In the order of insertion, which shows; `keys` and `items` of bash's arrays sort.
    return [*dict.keys(value)] == [*dict.keys(other)] and all(
        map(is_same_value, dict.values(value), dict.values(other))
    )


def count_items(value: list[object] | dict[str, object]) -> int:
    """Count the elements of a list or record, nested ones and their overhead included."""
    items = value if isinstance(value, list) else value.values()
    inner = [
        count_items(item) + CONTAINER_OVERHEAD_ITEMS
        for item in items
        if isinstance(item, CONTAINERS)
    ]
    return len(value) + sum(inner)


def unmarked_value(value: object) -> object:
    """Return a plain list or dict, without what keysh notes of arrays and printed values."""
    if isinstance(value, list):
        return list(value)
    if isinstance(value, dict):
        return dict(value.items())
    return value


def value_of_python(value: object) -> object:
    """Return a Python value as a value of keysh: tuples become lists, bytes become strings.

    The members of an `IntEnum` and other objects of a class of the host's become plain ones: that
    class may compare, count and print in its own way.
    """
    kind = type(value)
    if kind in PLAIN_TYPES:
        return value
    if issubclass(kind, str):
        return plain_text(value)  # type: ignore[arg-type]
    if issubclass(kind, bytes):
        return bytes.decode(value, "utf-8", "surrogateescape")  # type: ignore[arg-type]
    if issubclass(kind, int):
        return int.__int__(value)  # type: ignore[arg-type]
    if issubclass(kind, float):
        return float.__float__(value)  # type: ignore[arg-type]
    if issubclass(kind, list | tuple):
        return [value_of_python(item) for item in value]  # type: ignore[attr-defined]
    if issubclass(kind, dict):
        items = value.items()  # type: ignore[attr-defined]
        return {plain_text(str(key)): value_of_python(item) for key, item in items}
    raise TypeError(f"a value must be JSON, but is of the type {type(value).__name__}")


def plain_text(text: str) -> str:
    """Return a string of a class of the host's as a string that has only Python's own methods."""
    return str.__getitem__(text, slice(None))
