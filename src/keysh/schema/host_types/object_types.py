"""Parameter types of Python's own classes: `Enum`, dataclasses, paths, dates, `dict[str, T]`.

A host's function may be annotated with them, and with pydantic's models where the host has imported
pydantic, which keysh never does. A command's words become objects of these classes before the
function is called.
"""

from __future__ import annotations

import datetime as dt
import sys
import typing
from collections.abc import Collection, Iterable, Mapping, MutableMapping, MutableSequence, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from os import PathLike
from pathlib import PurePath

from keysh.schema.host_types.record_types import FieldsType, MappingType, RecordField
from keysh.schema.parameter_type import DescribedType, ManyType, UnfitValue, WrapperType
from keysh.schema.types import (
    ANY,
    DURATION,
    PATH,
    ChoiceType,
    ParameterType,
    PathType,
    word_beginning_with,
)
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    TypeOf: TypeAlias = Callable[[object], ParameterType]

LIST_ORIGINS = (list, Sequence, Iterable, Collection, MutableSequence)
MAPPING_ORIGINS = (dict, Mapping, MutableMapping)
# The packages whose metadata in `Annotated` states a condition that pydantic holds.
CONDITION_PACKAGES = ("annotated_types", "pydantic", "pydantic_core")


class UnknownClass(Exception):
    """A class that no parameter can have; the message says what can stand in its place."""


# ---------------------------------------------------------------- scalars


class LiteralType(ParameterType):
    """`Literal[1, "auto", None]`: one of a few values, by their text.

    Of a text an unambiguous beginning is enough.
    """

    __slots__ = ("values",)

    def __init__(self, values: Iterable[object]) -> None:
        self.values = {literal_word(one): one for one in values}
        words = list(self.values)
        super().__init__(" or ".join(words), f"one of {', '.join(words)}")

    def parse(self, text: str) -> Any:
        if text in self.values:
            return self.values[text]
        texts = [word for word, value in self.values.items() if value.__class__ is str]
        word = word_beginning_with(text, texts)
        if word is None:
            raise UnfitValue(self.requirement, text)
        return self.values[word]

    def take(self, value: object) -> Any:
        for one in self.values.values():
            if one.__class__ is value.__class__ and one == value:
                return one
        return super().take(value)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(map(self.plain_value, self.values.values()))}

    def candidates(self) -> list[str]:
        return list(self.values)

    def plain_value(self, value: Any) -> object:
        return literal_word(value) if isinstance(value, Enum | bytes) else value


def literal_word(value: Any) -> str:
    """Return the word of a value in a `Literal`."""
    if value is None:
        return "null"
    if isinstance(value, Enum):
        return EnumType(type(value)).word_of(value)
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else text_of(value)


class EnumType(ChoiceType):
    """A member of an `Enum`: by its value if all values are text, else by its name."""

    __slots__ = ("enum", "has_text_values")

    def __init__(self, enum: type[Enum]) -> None:
        self.enum = enum
        self.has_text_values = all(isinstance(one.value, str) for one in enum)
        super().__init__(tuple(map(self.word_of, enum)))

    def word_of(self, member: Enum) -> str:
        """Return the word of a member."""
        return str.__str__(member.value) if self.has_text_values else member.name

    def parse(self, text: str) -> Any:
        members = {self.word_of(member): member for member in self.enum}
        if text not in members:  # the value of one may be the name of another
            if text in self.enum.__members__:
                return self.enum.__members__[text]
            for member in self.enum:
                if text == text_of(member.value):
                    return member
        return members[super().parse(text)]

    def take(self, value: object) -> Any:
        return value if isinstance(value, self.enum) else super().take(value)

    def plain_value(self, value: Any) -> object:
        return self.word_of(value)


class PathObjectType(PathType):
    """A `pathlib` path, as the words have it; it does not follow the shell's directory."""

    __slots__ = ("path_class",)

    def __init__(self, path_class: type[PurePath]) -> None:
        self.path_class = path_class
        super().__init__("Path", "a path")

    def parse(self, text: str) -> Any:
        return self.path_class(text)

    def take(self, value: object) -> Any:
        return value if isinstance(value, self.path_class) else super().take(value)

    def plain_value(self, value: Any) -> object:
        return str(value)


class BytesType(ParameterType):
    """Text as bytes, also bytes that are no UTF-8."""

    __slots__ = ()

    def parse(self, text: str) -> Any:
        return text.encode("utf-8", "surrogateescape")

    def take(self, value: object) -> Any:
        return value if isinstance(value, bytes) else super().take(value)

    def plain_value(self, value: Any) -> object:
        return value.decode("utf-8", "surrogateescape")


class TemporalType(ParameterType):
    """A date, a time or both, in the form of ISO 8601."""

    __slots__ = ("example", "format", "temporal_class")

    def __init__(self, temporal_class: Any, format: str, requirement: str) -> None:
        self.temporal_class, self.format = temporal_class, format
        super().__init__(temporal_class.__name__, requirement)

    def parse(self, text: str) -> Any:
        try:
            return self.temporal_class.fromisoformat(text)
        except ValueError:
            raise UnfitValue(self.requirement, text) from None

    def take(self, value: object) -> Any:
        return value if value.__class__ is self.temporal_class else super().take(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": self.format}

    def plain_value(self, value: Any) -> object:
        return value.isoformat()


class TimedeltaType(ParameterType):
    """A duration with an optional suffix, as `timedelta`."""

    __slots__ = ()

    def parse(self, text: str) -> Any:
        try:
            return dt.timedelta(seconds=DURATION.parse(text))
        except OverflowError:
            raise UnfitValue(self.requirement, text) from None

    def take(self, value: object) -> Any:
        return value if isinstance(value, dt.timedelta) else super().take(value)

    def schema(self) -> dict[str, Any]:
        return DURATION.schema()

    def plain_value(self, value: Any) -> object:
        return value.total_seconds()


# ---------------------------------------------------------------- pydantic


class PydanticType(WrapperType):
    """A type whose values pydantic validates after keysh has read them."""

    __slots__ = ("_adapter",)

    def __init__(self, inner: ParameterType, annotation: Any, pydantic: Any, name: str) -> None:
        super().__init__(inner)
        self._adapter = pydantic.TypeAdapter(annotation)
        self.name = name

    def judge_when_complete(self) -> None:
        self.judges_list = self.is_list

    def parse(self, text: str) -> Any:
        value = self.inner.parse(text)
        return value if self.judges_list else self._validated_value(value, text)

    def take(self, value: object) -> Any:
        is_plain = value is None or isinstance(value, str | int | float | list | dict)
        return self._validated_value(self.inner.take(value) if is_plain else value, value)

    def _validated_value(self, value: object, shown: object) -> Any:
        requirement = "a list" if self.is_list else self.requirement
        try:
            return self._adapter.validate_python(value)
        except ValueError as invalid:  # pydantic's ValidationError
            first = invalid.errors()[0]  # type: ignore[attr-defined]
            place = ".".join(map(str, first["loc"]))
            fault = f"{place}: {first['msg']}" if place else first["msg"]
            raise UnfitValue(f"{requirement} ({fault})", shown) from None
        except Exception as error:  # noqa: BLE001 - a validator of a host may raise anything
            raise UnfitValue(f"{requirement} ({type(error).__name__})", shown) from None

    def schema(self) -> dict[str, Any]:
        try:
            schema: dict[str, Any] = self._adapter.json_schema()
        except RuntimeError:  # pydantic's PydanticUserError: a field of a class that JSON has not
            return self.inner.schema()
        return schema

    def plain_value(self, value: Any) -> object:
        plain: object = self._adapter.dump_python(value, mode="json")
        return plain


# ---------------------------------------------------------------- from annotations


TYPES_BY_OBJECT: Mapping[object, ParameterType] = {
    object: ANY, typing.Any: ANY, bytes: BytesType("bytes", "text"),
    dt.datetime: TemporalType(
        dt.datetime, "date-time", "a date and time such as 2026-11-20T12:00"
    ),
    dt.date: TemporalType(dt.date, "date", "a date such as 2026-11-20"),
    dt.time: TemporalType(dt.time, "time", "a time such as 12:00"),
    dt.timedelta: TimedeltaType("timedelta", DURATION.requirement),
    list: ManyType(ANY), PathLike: PATH,
}  # fmt: skip


def type_of_object(annotation: Any, type_of: TypeOf) -> ParameterType:
    """Return the type of a class or of what `typing` makes of one; raise UnknownClass.

    `type_of` is the function for annotations within this one.
    """
    if (isinstance(annotation, type) and annotation in TYPES_BY_OBJECT) or annotation is typing.Any:
        return TYPES_BY_OBJECT[annotation]
    if metadata := getattr(annotation, "__metadata__", ()):
        return type_with_metadata(annotation, metadata, type_of)
    for alias in ("__supertype__", "__value__"):  # `NewType`, and `type` statements
        if hasattr(annotation, alias) and not isinstance(annotation, type):
            return type_of(getattr(annotation, alias))
    origin = getattr(annotation, "__origin__", None)
    if origin is not None:
        return type_of_generic(annotation, origin, type_of)
    if isinstance(annotation, type):
        return type_of_class(annotation, type_of)
    raise unknown_class(annotation)


def type_of_generic(annotation: Any, origin: Any, type_of: TypeOf) -> ParameterType:
    """Return the type of `Sequence[T]`, of `dict[str, T]`, or of a `Literal` of any values."""
    arguments: Any = getattr(annotation, "__args__", ())
    if origin is typing.Literal:
        return LiteralType(arguments)
    if origin in LIST_ORIGINS and arguments:
        return ManyType(type_of(arguments[0]))
    if origin in MAPPING_ORIGINS and len(arguments) == 2 and arguments[0] is str:
        return MappingType(type_of(arguments[1]))
    raise unknown_class(annotation)


def type_of_class(cls: Any, type_of: TypeOf) -> ParameterType:
    """Return the type of a class of the host's."""
    if issubclass(cls, Enum) and len(cls):
        return EnumType(cls)
    if issubclass(cls, PurePath):
        return PathObjectType(cls)
    pydantic = sys.modules.get("pydantic")
    if pydantic is not None and issubclass(cls, pydantic.BaseModel):
        return PydanticType(MappingType(ANY), cls, pydantic, cls.__name__)
    if is_dataclass(cls):
        defaults = {
            one.name: one.default is not MISSING or one.default_factory is not MISSING
            for one in fields(cls)
        }
        wanted = {one.name for one in fields(cls) if one.init}
    elif typing.is_typeddict(cls):
        defaults = {name: name in cls.__optional_keys__ for name in cls.__annotations__}
        wanted = set(defaults)
    elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
        defaults = {name: name in cls._field_defaults for name in cls._fields}
        wanted = set(defaults)
    else:
        raise unknown_class(cls)
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except NameError as error:
        raise UnknownClass(f"{cls.__name__}; {error.name} is no name of its module") from None
    except RecursionError:
        raise
    except Exception as error:  # noqa: BLE001 - annotations are code of the host
        raise UnknownClass(f"{cls.__name__}; one of its annotations is wrong: {error}") from None
    record = {
        name: RecordField(type_of(bare_hint(hint)), is_optional=defaults[name])
        for name, hint in hints.items()
        if name in wanted
    }
    record |= {name: RecordField(ANY, is_optional=defaults[name]) for name in wanted - set(record)}
    return FieldsType(cls, {name: record[name] for name in defaults if name in record})


def bare_hint(hint: Any) -> Any:
    """Return a hint without `Required`, `NotRequired` and `ReadOnly`, which are a TypedDict's."""
    kind = str(getattr(hint, "__origin__", "")).rpartition(".")[2]
    return bare_hint(hint.__args__[0]) if kind in ("Required", "NotRequired", "ReadOnly") else hint


def type_with_metadata(annotation: Any, metadata: Any, type_of: TypeOf) -> ParameterType:
    """Return the type of `Annotated[T, …]`: a type of keysh's, a text, conditions of pydantic."""
    own = [one for one in metadata if isinstance(one, ParameterType)]
    type_ = own[-1] if own else type_of(annotation.__origin__)
    conditions = [one for one in metadata if package_of(one) in CONDITION_PACKAGES]
    if conditions and not own:
        pydantic = sys.modules.get("pydantic")
        if pydantic is None:
            raise UnknownClass(f"{conditions[0]!r} is for pydantic; import that first")
        type_ = PydanticType(type_, annotation, pydantic, type_.name)
    for one in metadata:
        text = getattr(one, "description", None) or getattr(one, "documentation", None)
        text = one if isinstance(one, str) else text
        if isinstance(text, str):
            return DescribedType(type_, " ".join(text.split()))
    return type_


def package_of(thing: object) -> str:
    """Return the package of a thing's class."""
    return type(thing).__module__.partition(".")[0]


def unknown_class(annotation: Any) -> UnknownClass:
    """Return the error for an annotation, with what it can be."""
    shown = annotation.__name__ if isinstance(annotation, type) else annotation
    return UnknownClass(
        f"{shown}; use str, int, float, bool, list[T], "
        "dict[str, T], an Enum, a dataclass, a type of keysh, or Annotated[T, keysh.Json]"
    )
