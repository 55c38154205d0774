"""The closed list of parameter types: each reads text, takes values, and describes itself."""

from __future__ import annotations

from keysh.schema.arguments import UNKNOWN
from keysh.values import refuse_lone_surrogates, text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

C_BLANKS = " \t\n\v\f\r"  # what C's strtol and strtod skip before a number


class UnfitValue(Exception):
    """A value that does not fit a type; `must` says what it must be.

    `status` is that of a command which refuses such a value, where it is not that of its usage;
    `fault` stands for {fault} in a command's own words, and `reason` behind them.
    """

    status, fault, reason = 0, "invalid", ""

    def __init__(self, must: str, value: object) -> None:
        super().__init__(must, value)
        self.must, self.value = must, value

    def message_for(self, what: str) -> str:
        """The message: what must be x, but is y."""
        return f"{what} must be {self.must}, but is {value_description(self.value)}"


def value_description(value: object) -> str:
    """A value as a message shows it."""
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, list | dict):
        return f"a {type_name(value)}"
    return text_of(value) if value is not None else "null"


class ParameterType:
    """A type.

    `takes_text` says that any text is such a value as it stands, `wants_globs` that a glob among
    the arguments reaches it unexpanded, `is_pair` that two arguments are one value.
    """

    __slots__ = ("is_list", "is_pair", "requirement", "name", "accepts_any_text", "keeps_globs")

    def __init__(self, name: str, must: str, *, wants_globs: bool = False) -> None:
        self.name, self.requirement = name, must
        self.keeps_globs, self.is_list, self.is_pair = wants_globs, False, False
        self.accepts_any_text = self.__class__.parse is ParameterType.parse

    def accept(self, value: object) -> Any:
        """An argument as this type takes it; raises Unfit."""
        if value.__class__ is str:
            return self.parse(value)
        return value if value is UNKNOWN else self.take(value)

    def parse(self, text: str) -> Any:
        """The value that a text means; raises Unfit."""
        return text

    def take(self, value: object) -> Any:
        """A value that is no text, as this type takes it; raises Unfit."""
        if value is None or isinstance(value, list | dict):
            raise UnfitValue(self.requirement, value)
        try:
            return self.parse(text_of(value))
        except UnfitValue as unfit:
            raise UnfitValue(unfit.must, value) from None

    def schema(self) -> dict[str, Any]:
        """The type in JSON Schema."""
        return {"type": "string"}

    def candidates(self) -> list[str]:
        """The texts a prompt can offer; none where they cannot be listed."""
        return []

    def __or__(self, other: object) -> ParameterType:
        if other is None:
            return OptionalType(self)
        return OptionalValueType(self) if other is bool else NotImplemented

    __ror__ = __or__


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
    """A whole number, of as many digits as Python reads."""

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
    """A number; `inf` is one, `nan` is none."""

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
    """A path; the prompt completes files."""

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
    """Bytes, with GNU's suffixes: 10K and 10KiB are 10240, 10KB is 10000, 2b is 1024."""

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
    """Seconds, with a suffix: 1.5, 10s, 2m, 1h, 1d, 250ms, infinity."""

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
    """Any value; text is read as JSON."""

    __slots__ = ()

    def parse(self, text: str) -> Any:
        from json import loads  # noqa: PLC0415 - 5 ms that most scripts do not need

        try:
            found = loads(text, parse_constant=refuse_json_constant)
            refuse_lone_surrogates(text)
        except (ValueError, RecursionError):
            raise UnfitValue(self.requirement, text) from None
        return found

    def take(self, value: object) -> Any:
        return value

    def schema(self) -> dict[str, Any]:
        return {}


def refuse_json_constant(name: str) -> None:
    """`NaN` and `Infinity`, which Python's reader lets pass, are no JSON."""
    raise ValueError(name)


class RecordType(JsonType):
    """A record; text is read as a JSON object."""

    __slots__ = ()

    def parse(self, text: str) -> Any:
        given = super().parse(text)
        if not isinstance(given, dict):
            raise UnfitValue(self.requirement, text)
        return given

    def take(self, value: object) -> Any:
        if not isinstance(value, dict):
            raise UnfitValue(self.requirement, value)
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


class Code(ParameterType):
    """A program in a language of its own; `check` parses it and raises ValueError."""

    __slots__ = ("check",)

    def __init__(self, name: str, check: Callable[[str], object]) -> None:
        super().__init__(name, f"a {name} program", wants_globs=True)
        self.check = check

    def parse(self, text: str) -> str:
        try:
            self.check(text)
        except ValueError as error:
            raise UnfitValue(f"{self.requirement} ({error})", text) from None
        return text


class PairType(ParameterType):
    """A name and a text: an option of which two arguments are the value, `--arg NAME TEXT`."""

    __slots__ = ()

    def __init__(self, name: str, must: str) -> None:
        super().__init__(name, must)
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
    """`Literal["a", "b"]`: one of a few words."""

    __slots__ = ("words",)

    def __init__(self, words: tuple[str, ...]) -> None:
        super().__init__(" or ".join(words), f"one of {', '.join(words)}")
        self.words = words

    def parse(self, text: str) -> str:
        if text in self.words:
            return text
        fitting = [word for word in self.words if text and word.startswith(text)]
        if len(fitting) != 1:  # GNU takes an unambiguous beginning
            raise UnfitValue(self.requirement, text)
        return fitting[0]

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.words)}

    def candidates(self) -> list[str]:
        return list(self.words)


class WrapperType(ParameterType):
    """A type made from another."""

    __slots__ = ("inner",)

    def __init__(self, inner: ParameterType) -> None:
        super().__init__(inner.name, inner.requirement, wants_globs=inner.keeps_globs)
        self.inner, self.is_list, self.is_pair = inner, inner.is_list, inner.is_pair

    def parse(self, text: str) -> Any:
        return self.inner.parse(text)

    def candidates(self) -> list[str]:
        return self.inner.candidates()


class ManyType(WrapperType):
    """`list[T]`: an option that may be given again, or a list of values."""

    __slots__ = ()

    def __init__(self, inner: ParameterType) -> None:
        super().__init__(inner)
        self.name, self.is_list = f"list of {inner.name}", True

    def parse(self, text: str) -> Any:
        return [self.inner.parse(text)]

    def take(self, value: object) -> Any:
        if isinstance(value, list):
            return [self.inner.accept(one) for one in value]
        return [self.inner.take(value)]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.inner.schema()}


class OptionalType(WrapperType):
    """`T | None`."""

    __slots__ = ()

    def take(self, value: object) -> Any:
        return None if value is None else self.inner.take(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.inner.schema(), {"type": "null"}]}


class OptionalValueType(WrapperType):
    """`T | bool`: an option whose value may be left out, which makes it True: `--color[=WHEN]`."""

    __slots__ = ()

    def take(self, value: object) -> Any:
        return value if value.__class__ is bool else self.inner.take(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, self.inner.schema()]}


STR = ParameterType("str", "text")
BOOL = BoolType("bool", "true or false")
INT = IntType("int", "a whole number")
FLOAT = FloatType("float", "a number")
RECORD = RecordType("dict", "a record")
PATH = PathType("Path", "a path")
PATTERN = ParameterType("Pattern", "a pattern", wants_globs=True)
REGEX = ParameterType("Regex", "a regular expression", wants_globs=True)
SIZE = SizeType("Size", "a size such as 10K")
DURATION = DurationType("Duration", "a duration such as 1.5s")
JSON = JsonType("Json", "JSON")
PAIR = PairType("Pair", "a name and a text")
RAW = ParameterType("Raw", "anything", wants_globs=True)  # the arguments as the parser made them

# What a declaration writes behind a colon; for a type checker, what the function then receives.
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
