"""Annotations: what stands behind a parameter's colon becomes a parameter type.

An annotation may be an object (`int`, `list[str]`, `Path | None`, a `Literal`) or its text, as
`from __future__ import annotations` leaves it. Neither `typing` nor `inspect` is asked.
"""

from __future__ import annotations

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
    Choice,
    Many,
    Optional,
    OptionalValue,
    ParameterType,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class UnknownType(Exception):
    """An annotation that is none of the closed list."""


class Words:
    """`Literal["a", "b"]` in a text whose module knows `typing` for a type checker only."""

    def __class_getitem__(cls, words: object) -> ParameterType:
        return choice(words if isinstance(words, tuple) else (words,))


BUILT_IN: Mapping[object, ParameterType] = {
    str: STR, bool: BOOL, int: INT, float: FLOAT, dict: RECORD,
}  # fmt: skip

# What a text means where its module does not say otherwise.
BY_NAME: Mapping[str, Any] = {
    "str": STR, "bool": BOOL, "int": INT, "float": FLOAT, "dict": RECORD, "Path": PATH,
    "Pattern": PATTERN, "Regex": REGEX, "Size": SIZE, "Duration": DURATION, "Json": JSON,
    "Pair": PAIR, "Raw": RAW,
}  # fmt: skip
IN_TEXT: Mapping[str, Any] = {
    **{name: known for name, known in BY_NAME.items() if name[0].isupper()},
    "Literal": Words,
}

UNIONS = ("UnionType", "_UnionGenericAlias", "Union")  # `int | None`, `Optional[int]`, 3.14's


def of_annotation(annotation: object, names: Mapping[str, object]) -> ParameterType:
    """The type an annotation means; `names` is where a text's names are looked up."""
    if isinstance(annotation, ParameterType):
        return annotation
    if isinstance(annotation, str):
        return of_text(annotation, names)
    if isinstance(annotation, type) and annotation in BUILT_IN:
        return BUILT_IN[annotation]
    kind = annotation.__class__.__name__
    if kind == "ForwardRef":  # a text inside one of typing's own
        return of_text(annotation.__forward_arg__, names)  # type: ignore[attr-defined]
    arguments = getattr(annotation, "__args__", ())
    if kind in UNIONS:
        return of_union(arguments, names)
    if kind == "_LiteralGenericAlias":
        return choice(arguments)
    origin = getattr(annotation, "__origin__", None)
    if origin is list and arguments:
        return Many(of_annotation(arguments[0], names))
    if origin is dict:
        return RECORD
    raise UnknownType(str(annotation))


def of_text(text: str, names: Mapping[str, object]) -> ParameterType:
    """The type that an annotation's text means, read as Python reads it.

    The text is the declaring module's own code, as trusted as the module.
    """
    known = BY_NAME.get(text)
    if known is not None and text not in names:
        return known  # type: ignore[no-any-return]
    try:
        return of_annotation(eval(text, dict(IN_TEXT), names), names)
    except (NameError, SyntaxError, TypeError, AttributeError):
        raise UnknownType(text) from None


def of_union(members: tuple[object, ...], names: Mapping[str, object]) -> ParameterType:
    """`T | None` and `T | bool`; other unions are no parameter's type."""
    for one, other in (members, members[::-1]) if len(members) == 2 else ():
        if other is type(None):
            return Optional(of_annotation(one, names))
        if other is bool and one is not type(None):
            return OptionalValue(of_annotation(one, names))
    raise UnknownType(" | ".join(str(m) for m in members))


def choice(words: tuple[object, ...]) -> Choice:
    """A `Literal`, whose words are words."""
    if not all(isinstance(word, str) for word in words):
        raise UnknownType(f"Literal[{', '.join(repr(word) for word in words)}]")
    return Choice(tuple(str(word) for word in words))
