"""Values: what a variable or an argument holds; as text, by name, and typed from bare text."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Value: TypeAlias = "bool | int | float | str | list[Value] | dict[str, Value] | Numeral | None"


class ShellList(list):  # type: ignore[type-arg]
    """A list made as sh makes arrays, which sh would read by its first element."""

    __slots__ = ()


class ShellRecord(dict):  # type: ignore[type-arg]
    """A record made as sh makes associative arrays."""

    __slots__ = ()


class Numeral:
    """A JSON number that Python would print otherwise, as `1.10`: it keeps its spelling."""

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
    Numeral: "float",
}
CONTAINERS = (list, dict)
# No value at all: an unset variable, a missing element, an argument that was not given.
ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "absent"})()
CONTAINER_OVERHEAD_ITEMS = 8  # elements that a list or record inside another takes the room of
DIGITS = "0123456789"
INFINITY = float("inf")


def text_of(value: object) -> str:
    """A value as text: a string as it is, numbers as JSON has them, null as nothing."""
    if value.__class__ is str:
        return value
    if value is None:
        return ""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, CONTAINERS):
        return json_of(value)
    return str(value)


def json_of(value: object) -> str:
    """A value as compact JSON."""
    from json import dumps  # noqa: PLC0415 - 5 ms that most scripts do not need

    try:
        return dumps(value, ensure_ascii=False, separators=(",", ":"))
    except TypeError:
        return "".join(json_pieces(value))


def json_pieces(value: object) -> list[str]:
    """JSON with numbers that keep their spelling, which the standard library cannot write."""
    pieces: list[str] = []
    waiting: list[object] = [value]  # values, and texts that are written as they stand
    while waiting:
        item = waiting.pop()
        if isinstance(item, Numeral | JsonFragment):
            pieces.append(item.text)
        elif isinstance(item, list):
            parts: list[object] = [JsonFragment("[")]
            for at, element in enumerate(item):
                parts += [JsonFragment(","), element] if at else [element]
            waiting.extend(reversed([*parts, JsonFragment("]")]))
        elif isinstance(item, dict):
            parts = [JsonFragment("{")]
            for at, (key, element) in enumerate(item.items()):
                parts += [JsonFragment("," if at else ""), key, JsonFragment(":"), element]
            waiting.extend(reversed([*parts, JsonFragment("}")]))
        else:
            pieces.append(json_of(value_of_python(item)))
    return pieces


class JsonFragment:
    """A piece of JSON that is already written."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def value_of_json(text: str) -> object:
    """The value of a JSON text; raises ValueError."""
    from json import loads  # noqa: PLC0415 - as above

    found: object = loads(
        text, parse_int=json_number, parse_float=json_number, parse_constant=refuse_json_number
    )
    refuse_lone_surrogates(text)
    return found


# An escape of JSON: a whole surrogate pair, half of one but DC80 to DCFF, which stand for bytes
# that are no text, or any other.
JSON_ESCAPE = r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD](?:[89abABd-fD-F].|[cC][0-7]).)|.)"


def refuse_lone_surrogates(text: str) -> None:
    """ValueError where JSON escapes half of a surrogate pair, which no text of the shell holds."""
    if "\\ud" in text or "\\uD" in text:
        from re import finditer  # noqa: PLC0415 - hardly ever

        for match in finditer(JSON_ESCAPE, text):
            if match[1]:
                raise ValueError(f"\\{match[1]} is half of a surrogate pair, which is no character")


def json_number(text: str) -> object:
    """A JSON number: an int or a float where that prints back as written."""
    value = value_of_text(text)
    return Numeral(text) if value.__class__ is str else value


def refuse_json_number(text: str) -> object:
    raise ValueError(f"{text} is no JSON")


def value_of_text(text: str) -> object:
    """Bare text as a value: typed only where the value prints back as written."""
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
    """What the language calls a value's type."""
    return TYPE_NAMES.get(value.__class__, "string" if isinstance(value, str) else "value")


def type_with_article(value: object) -> str:
    """The name of a value's type behind its article."""
    name = type_name(value)
    return f"an {name}" if name == "int" else f"a {name}"


def deep_copy(value: object) -> object:
    """A value that shares nothing that can be changed with the one given."""
    if isinstance(value, list):
        kind = ShellList if value.__class__ is ShellList else list
        return kind([deep_copy(item) if isinstance(item, CONTAINERS) else item for item in value])
    if isinstance(value, dict):
        made = ShellRecord() if value.__class__ is ShellRecord else {}
        for key, item in value.items():
            made[key] = deep_copy(item) if isinstance(item, CONTAINERS) else item
        return made
    return value


def count_items(value: list[object] | dict[str, object]) -> int:
    """How many elements a list or record has, with those inside them and the room these take."""
    items = value if isinstance(value, list) else value.values()
    inner = [
        count_items(item) + CONTAINER_OVERHEAD_ITEMS
        for item in items
        if isinstance(item, CONTAINERS)
    ]
    return len(value) + sum(inner)


def unmarked_value(value: object) -> object:
    """The value without the mark that sh made it."""
    if value.__class__ is ShellList:
        return list(value)
    if value.__class__ is ShellRecord:
        return dict(value)
    return value


def value_of_python(value: object) -> object:
    """A value of Python's as one of keysh's: a tuple is a list, bytes are text."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, list | tuple):
        return [value_of_python(item) for item in value]
    if isinstance(value, dict):
        return {str(key): value_of_python(item) for key, item in value.items()}
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"a value must be JSON, but is of the type {type(value).__name__}")
