"""Annotations as objects and as texts: both mean the same types."""

from __future__ import annotations
import __future__

import pathlib
import re
import typing
from typing import Any

import pytest

from keysh.schema import types
from keysh.schema.annotations import UnknownType, type_of_annotation
from keysh.schema.parameter_type import ManyType, OptionalType, OptionalValueType
from keysh.schema.types import ChoiceType, Code, ParameterType

pytestmark = pytest.mark.quick

JQ = Code("jq", str)
NAMES: dict[str, Any] = {
    "JQ": JQ, "Literal": typing.Literal, "t": typing, "keysh": types, "Code": Code, "check": print,
    **{name: getattr(types, name)
       for name in ("Path", "Pattern", "Regex", "Size", "Duration", "Json", "Raw")},
}  # fmt: skip

MEANINGS = {
    "str": "str",
    "bool": "bool",
    "int": "int",
    "float": "float",
    "dict": "dict",
    "dict[str, int]": "record of int",
    "t.Dict[str, int]": "record of int",
    "Path": "Path",
    "Pattern": "Pattern",
    "Regex": "Regex",
    "Size": "Size",
    "Duration": "Duration",
    "Json": "Json",
    "Raw": "Raw",
    "keysh.Size": "Size",
    "JQ": "jq",
    'Code("awk", check)': "awk",
    "list[int]": "many(int)",
    "list[Path]": "many(Path)",
    "list[JQ]": "many(jq)",
    "list['int']": "many(int)",
    "t.List[int]": "many(int)",
    "list[list[int]]": "many(many(int))",
    'Literal["a"]': "choice(a)",
    "Literal['a', 'b | c', 'd,]']": "choice(a; b | c; d,])",
    't.Literal["a", "b"]': "choice(a; b)",
    'list[Literal["a", "b"]]': "many(choice(a; b))",
    "int | None": "null(int)",
    "None | int": "null(int)",
    "bool | None": "null(bool)",
    "None | bool": "null(bool)",
    "Size | None": "null(Size)",
    "None | Size": "null(Size)",
    "JQ | None": "null(jq)",
    "list[Regex] | None": "null(many(Regex))",
    "dict[str, int] | None": "null(record of int)",
    'Literal["a", "b"] | None': "null(choice(a; b))",
    'None | Literal["a", "b"]': "null(choice(a; b))",
    "t.Optional[int]": "null(int)",
    "t.Optional['int']": "null(int)",
    "t.Optional[Size]": "null(Size)",
    "t.Union[int, None]": "null(int)",
    "str | bool": "flag(str)",
    "bool | int": "flag(int)",
    "Size | bool": "flag(Size)",
    "bool | Size": "flag(Size)",
    'Literal["a", "b"] | bool': "flag(choice(a; b))",
    "int | str": "int or str",
    "str | int": "int or str",
    "int | str | None": "null(int or str)",
    "str | bool | None": "null(flag(str))",
    "str | list[str]": "str or list of str",
    "Literal[1, 2]": "1 or 2",
    'Literal["a", 2, None]': "a or 2 or null",
    "bytes": "bytes",
    "object": "any",
    "t.Any": "any",
    "list": "many(any)",
    "list[object]": "many(any)",
    "object | None": "null(any)",
    "t.Sequence[int]": "many(int)",
    "t.Iterable[str]": "many(str)",
    "t.Mapping[str, int]": "record of int",
    "t.Annotated[int, 'how many']": "int",
    "t.Annotated[str, keysh.Size]": "Size",
    "'int'": "int",
    "'int | None'": "null(int)",
}

REFUSED = (
    "tuple[int, int]", "set[str]", "complex", "None", "3", "dict[int, str]", "list[complex]",
    "complex | None", "check", "t.Callable[[int], str]", "type", "t.Callable",
)  # fmt: skip
REFUSED_AS_TEXT = ("Unheard", "list[Unheard]", "int |", "JQ.nothing", "1 + 'a'", "")


def meaning(kind: ParameterType) -> str:
    match kind:
        case ManyType():
            return f"many({meaning(kind.inner)})"
        case OptionalType():
            return f"null({meaning(kind.inner)})"
        case OptionalValueType():
            return f"flag({meaning(kind.inner)})"
        case ChoiceType():
            return f"choice({'; '.join(kind.words)})"
    return kind.name


def function_with(annotation: str, flags: int) -> Any:
    """Return a function with this annotation, with or without the `__future__` import."""
    names = dict(NAMES)
    source = f"def f(sh, x: {annotation}): pass"
    exec(compile(source, "declared", "exec", flags=flags, dont_inherit=True), names)
    return names["f"]


FUTURE = __future__.annotations.compiler_flag


@pytest.mark.parametrize("flags", [0, FUTURE], ids=["object", "text"])
@pytest.mark.parametrize("annotation", MEANINGS)
def test_meaning(annotation: str, flags: int) -> None:
    function = function_with(annotation, flags)
    result = type_of_annotation(function.__annotations__["x"], function.__globals__)
    assert meaning(result) == MEANINGS[annotation]


@pytest.mark.parametrize("flags", [0, FUTURE], ids=["object", "text"])
@pytest.mark.parametrize("annotation", REFUSED)
def test_refused(annotation: str, flags: int) -> None:
    function = function_with(annotation, flags)
    with pytest.raises(UnknownType):
        type_of_annotation(function.__annotations__["x"], function.__globals__)


@pytest.mark.parametrize("annotation", REFUSED_AS_TEXT)
def test_text_without_meaning_is_refused(annotation: str) -> None:
    with pytest.raises(UnknownType, match="^" + re.escape(annotation)):
        type_of_annotation(annotation, NAMES)


@pytest.mark.parametrize(
    ("annotation", "means"),
    [
        ("Path", "Path"),
        ("list[Size] | None", "null(many(Size))"),
        ('Literal["a", "b"]', "choice(a; b)"),
        ('Literal["a"] | bool', "flag(choice(a))"),
        ('Literal["a"] | None', "null(choice(a))"),
    ],
)
def test_names_imported_under_type_checking(annotation: str, means: str) -> None:
    assert meaning(type_of_annotation(annotation, {})) == means


def test_names_are_resolved_in_their_module() -> None:
    path = type_of_annotation("Path", {"Path": pathlib.PurePosixPath})
    assert path.parse("a/b") == pathlib.PurePosixPath("a/b")
    assert meaning(type_of_annotation("Size", {"Size": JQ})) == "jq"
