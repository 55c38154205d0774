"""The scalar parameter types, and the names by which declarations write them.

A command of keysh uses these, `Literal`, `Code`, and `list[T]`, `T | None` and `T | bool` of them.
`object_types` has those of Python's own classes.
"""

from __future__ import annotations

from keysh.schema.parameter_type import ParameterType as ParameterType
from keysh.schema.parameter_type import UnfitValue as UnfitValue
from keysh.values import refuse_lone_surrogates, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any, TypeAlias

C_BLANKS = " \t\n\v\f\r"  # what C's strtol and strtod skip before a number


class BoolType(ParameterType):
    """`true` and `false`."""

    __slots__ = ()

    def parse(self, text: str) -> bool:
        if text == "true":
            return True
        if text == "false":
            return False
        raise UnfitValue(self.requirement, text)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def candidates(self) -> list[str]:
        return ["true", "false"]


class IntType(ParameterType):
    """A whole number, of up to 4,300 digits."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        digits = text
        if not text.isdecimal():
            digits = text.lstrip(C_BLANKS)
            digits = digits[1:] if digits[:1] in ("-", "+") else digits
        try:
            if digits.isdecimal() and digits.isascii():
                return int(text)
        except ValueError:  # more than 4,300 digits
            pass
        raise UnfitValue(self.requirement, text)

    def take(self, value: object) -> Any:
        return value if value.__class__ is int else super().take(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer"}


class FloatType(ParameterType):
    """A number; `inf` is allowed, `nan` is not."""

    __slots__ = ()

    def parse(self, text: str) -> float:
        number = text.lstrip(C_BLANKS)
        if number.isascii() and "_" not in number and number == number.rstrip():
            try:
                value = float(number)
            except ValueError:
                raise UnfitValue(self.requirement, text) from None
            if value == value:
                return value
        raise UnfitValue(self.requirement, text)

    def take(self, value: object) -> Any:
        if value.__class__ is int or (value.__class__ is float and value == value):
            return value
        return super().take(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "number"}


class PathType(ParameterType):
    """A path; completion offers files."""

    __slots__ = ()

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "path"}


SIZE_FACTORS = {
    "": 1, "c": 1, "w": 2, "b": 512,
    **{
        letter + unit: base ** (power + 1)
        for power, letters in enumerate(("kK", "mM", "G", "T", "P", "E", "Z", "Y"))
        for letter in letters
        for unit, base in (("", 1024), ("iB", 1024), ("B", 1000))
    },
}  # fmt: skip


class SizeType(ParameterType):
    """A number of bytes with GNU's suffixes: 10K = 10KiB = 10240, 10KB = 10000, 2b = 1024."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        number = text.rstrip("BEGKMPTYZbcikmw")
        factor = SIZE_FACTORS.get(text[len(number) :])
        if factor is None:
            raise UnfitValue(self.requirement, text)
        try:
            return int(INT.parse(number) * factor)
        except UnfitValue:
            raise UnfitValue(self.requirement, text) from None

    def schema(self) -> dict[str, Any]:
        return {
            "type": ["integer", "string"],
            "pattern": "^[-+]?[0-9]+([kKmMGTPEZY](B|iB)?|[cwb])?$",
        }


DURATION_UNITS = (("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0))


class DurationType(ParameterType):
    """A number of seconds with an optional suffix: 1.5, 10s, 2m, 1h, 1d, 250ms, infinity."""

    __slots__ = ()

    def parse(self, text: str) -> float:
        number, factor = text, 1.0
        for suffix, seconds in DURATION_UNITS:
            if text.endswith(suffix):
                number, factor = text[: -len(suffix)], seconds
                break
        try:
            duration = float(FLOAT.parse(number)) * factor
        except UnfitValue:
            duration = -1.0
        if duration < 0:
            raise UnfitValue(self.requirement, text)
        return duration

    def schema(self) -> dict[str, Any]:
        number = r"([0-9]+[.]?[0-9]*|[.][0-9]+)(e[-+]?[0-9]+)?"
        return {
            "type": ["number", "string"],
            "minimum": 0,
            "pattern": rf"^({number}|inf|infinity)(ms|s|m|h|d)?$",
        }


class JsonType(ParameterType):
    """Any value; a string is parsed as JSON."""

    __slots__ = ()

    def parse(self, text: str) -> Any:
        from json import loads  # noqa: PLC0415 - 5 ms that most scripts do not need

        try:
            value = loads(text, parse_constant=refuse_json_constant)
            refuse_lone_surrogates(text)
        except (ValueError, RecursionError):
            raise UnfitValue(self.requirement, text) from None
        return value

    def take(self, value: object) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {}


def refuse_json_constant(name: str) -> None:
    """Refuse `NaN` and `Infinity`, which Python's parser accepts."""
    raise ValueError(name)


class RecordType(JsonType):
    """A record; a string is parsed as a JSON object."""

    __slots__ = ()

    def parse(self, text: str) -> Any:
        value = super().parse(text)
        if not isinstance(value, dict):
            raise UnfitValue(self.requirement, text)
        return value

    def take(self, value: object) -> Any:
        if not isinstance(value, dict):
            raise UnfitValue(self.requirement, value)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


class ValueType(ParameterType):
    """Any value, unchanged. A command that takes one makes an instance that says what it is."""

    __slots__ = ()

    def take(self, value: object) -> object:
        return value

    def schema(self) -> dict[str, Any]:
        return {}


class Code(ParameterType):
    """A parameter type: a program in another language.

    name   the language, for messages
    check  a function that parses a program and raises ValueError
    """

    __module__ = "keysh"
    __slots__ = ("check",)

    def __init__(self, name: str, check: Callable[[str], object]) -> None:
        super().__init__(name, f"a {name} program", keeps_globs=True)
        self.check = check

    def parse(self, text: str) -> str:
        try:
            self.check(text)
        except ValueError as error:
            raise UnfitValue(f"{self.requirement} ({error})", text) from None
        return text


class PairType(ParameterType):
    """A name and a string: the option takes two words, `--arg NAME TEXT`."""

    __slots__ = ()

    def __init__(self, name: str, requirement: str) -> None:
        super().__init__(name, requirement)
        self.is_pair = True

    def parse(self, text: str) -> Any:
        raise UnfitValue(self.requirement, text)

    def take(self, value: object) -> Any:
        if not isinstance(value, list) or len(value) != 2:
            raise UnfitValue(self.requirement, value)
        return [text_of(one) for one in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}


class ChoiceType(ParameterType):
    """`Literal["a", "b"]`: one of a few words, or an unambiguous beginning of one."""

    __slots__ = ("words",)

    def __init__(self, words: tuple[str, ...]) -> None:
        super().__init__(" or ".join(words), f"one of {', '.join(words)}")
        self.words = words

    def parse(self, text: str) -> str:
        word = word_beginning_with(text, self.words)
        if word is None:
            raise UnfitValue(self.requirement, text)
        return word

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}

    def candidates(self) -> list[str]:
        return list(self.words)


def word_beginning_with(text: str, words: Collection[str]) -> str | None:
    """Return the word that a text is, or is an unambiguous beginning of, which GNU takes too."""
    if text in words:
        return text
    fitting = [word for word in words if text and word.startswith(text)]
    return fitting[0] if len(fitting) == 1 else None


STR = ParameterType("str", "text")
BOOL = BoolType("bool", "true or false")
INT = IntType("int", "a whole number")
FLOAT = FloatType("float", "a number")
RECORD = RecordType("dict", "a record")
PATH = PathType("Path", "a path")
PATTERN = ParameterType("Pattern", "a pattern", keeps_globs=True)
REGEX = ParameterType("Regex", "a regular expression", keeps_globs=True)
SIZE = SizeType("Size", "a size such as 10K")
DURATION = DurationType("Duration", "a duration such as 1.5s")
JSON = JsonType("Json", "JSON")
PAIR = PairType("Pair", "a name and a text")
ANY = ValueType("any", "anything")
RAW = ParameterType("Raw", "anything", keeps_globs=True)  # words as the parser made them

# The annotations of a declaration. A type checker sees what the function receives.
if TYPE_CHECKING:
    Path: TypeAlias = str
    Pattern: TypeAlias = str
    Regex: TypeAlias = str
    Size: TypeAlias = int
    Duration: TypeAlias = float
    Json: TypeAlias = Any
    Pair: TypeAlias = list[str]
    Raw: TypeAlias = object
else:
    Path, Pattern, Regex, Size = PATH, PATTERN, REGEX, SIZE
    Duration, Json, Pair, Raw = DURATION, JSON, PAIR, RAW
