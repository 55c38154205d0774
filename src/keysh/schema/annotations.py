"""Annotations: a parameter's annotation becomes a parameter type.

An annotation is an object (`int`, `list[str]`, `Path | None`, a `Literal`) or, under
`from __future__ import annotations`, a string. `typing` and `inspect` are slow to import; only the
classes that `object_types` knows need them.
"""

from __future__ import annotations

from keysh.schema.parameter_type import ManyType, OptionalType, OptionalValueType, UnionType
from keysh.schema.types import (
    BOOL,
    DURATION,
    FLOAT,
    INT,
    JSON,
    PAIR,
    PATH,
    PATTERN,
    RAW,
    RECORD,
    REGEX,
    SIZE,
    STR,
    ChoiceType,
    ParameterType,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class UnknownType(Exception):
    """An annotation that is no parameter type."""


class LiteralWords:
    """Stands for `Literal` in a string whose module imports `typing` for type checkers only."""

    def __class_getitem__(cls, words: object) -> ParameterType:
        words = words if isinstance(words, tuple) else (words,)
        if all(isinstance(word, str) for word in words):
            return ChoiceType(words)
        from keysh.schema.host_types.object_types import LiteralType  # noqa: PLC0415 - for hosts' functions

        return LiteralType(words)


TYPES_BY_CLASS: Mapping[object, ParameterType] = {
    str: STR, bool: BOOL, int: INT, float: FLOAT, dict: RECORD,
}  # fmt: skip

# The meaning of a string, unless its module defines the name.
TYPES_BY_NAME: Mapping[str, Any] = {
    "str": STR, "bool": BOOL, "int": INT, "float": FLOAT, "dict": RECORD, "Path": PATH,
    "Pattern": PATTERN, "Regex": REGEX, "Size": SIZE, "Duration": DURATION, "Json": JSON,
    "Pair": PAIR, "Raw": RAW,
}  # fmt: skip
ANNOTATION_NAMES: Mapping[str, Any] = {
    **{name: known for name, known in TYPES_BY_NAME.items() if name[0].isupper()},
    "Literal": LiteralWords,
}

# The classes of `int | None`, of `Optional[int]`, and of both in Python 3.14.
UNION_CLASS_NAMES = ("UnionType", "_UnionGenericAlias", "Union")


def type_of_annotation(annotation: object, names: Mapping[str, object]) -> ParameterType:
    """Return an annotation's type; names in a string are looked up in `names`."""
    if isinstance(annotation, ParameterType):
        return annotation
    if isinstance(annotation, str):
        return type_of_text(annotation, names)
    if isinstance(annotation, type) and annotation in TYPES_BY_CLASS:
        return TYPES_BY_CLASS[annotation]
    kind = annotation.__class__.__name__
    if kind == "ForwardRef":  # a string inside a type of typing's
        return type_of_text(annotation.__forward_arg__, names)  # type: ignore[attr-defined]
    arguments: Any = getattr(annotation, "__args__", ())
    if kind in UNION_CLASS_NAMES:
        return type_of_union(arguments, names)
    if kind == "_LiteralGenericAlias" and all(isinstance(word, str) for word in arguments):
        return ChoiceType(arguments)
    if getattr(annotation, "__origin__", None) is list:
        return ManyType(type_of_annotation(arguments[0], names))
    from keysh.schema.host_types.object_types import UnknownClass, type_of_object  # noqa: PLC0415 - for hosts' functions

    try:
        return type_of_object(annotation, lambda inner: type_of_annotation(inner, names))
    except UnknownClass as unknown:
        raise UnknownType(str(unknown)) from None


def type_of_text(text: str, names: Mapping[str, object]) -> ParameterType:
    """Return the type that a string means, evaluated as Python does.

    The string is the declaring module's own code, as trusted as the module.
    """
    known = TYPES_BY_NAME.get(text)
    if known is not None and text not in names:
        return known  # type: ignore[no-any-return]
    try:
        return type_of_annotation(eval(text, dict(ANNOTATION_NAMES), names), names)
    except NameError as error:
        raise UnknownType(f"{text}; {error.name} is no name of the function's module") from None
    except (SyntaxError, TypeError, AttributeError):
        raise UnknownType(text) from None


def type_of_union(members: tuple[object, ...], names: Mapping[str, object]) -> ParameterType:
    """Return the type of `T | None`, of `T | bool`, or of other types of which one fits."""
    others = [member for member in members if member not in (type(None), None)]
    if len(others) == 2 and bool in others:
        inner = others[others[0] is bool]
        type_: ParameterType = OptionalValueType(type_of_annotation(inner, names))
    else:
        types = [type_of_annotation(member, names) for member in others]
        type_ = types[0] if len(types) == 1 else UnionType(types)
    return type_ if len(others) == len(members) else OptionalType(type_)
