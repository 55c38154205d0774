"""Values of hosts' own classes: as defaults of parameters, in a `Literal` and in an `Enum`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import PurePosixPath
from typing import Any, Literal

import jsonschema
import pytest

from keysh import Shell

pytestmark = pytest.mark.quick

PLACE = PurePosixPath("a")
NOTHING = type("Nothing", (), {"__repr__": lambda self: "nothing"})()


class Colour(Enum):
    RED = 1
    BLUE = 2


class Crossed(Enum):
    first = "second"
    second = "first"


# fmt: off
def by_sentinel(value=NOTHING): return repr(value)
def by_member(value=Colour.RED): return repr(value)
def by_path(value=PLACE): return repr(value)
def by_list(*, value=["a"]): return repr(value)  # noqa: B006 - what hosts write, too
def by_infinity(value=float("inf")): return repr(value)
def by_object(value: Any = NOTHING): return repr(value)
def by_empty_tuple(value: list[str] = ()): return repr(value)
def by_tuple(value: Sequence[str] = ("a", "b")): return repr(value)
# fmt: on


@pytest.mark.parametrize(
    ("function", "default", "word", "value", "in_schema"),
    [
        (by_sentinel, "nothing", "x", "'x'", None),
        (by_member, "<Colour.RED: 1>", "BLUE", "<Colour.BLUE: 2>", "RED"),
        (by_path, "PurePosixPath('a')", "b/c", "PurePosixPath('b/c')", "a"),
        (by_list, "['a']", "--value=b", "['b']", ["a"]),
        (by_infinity, "inf", "1", "1.0", None),
        (by_object, "nothing", "x", "'x'", None),
        (by_empty_tuple, "()", "b", "['b']", []),
        (by_tuple, "('a', 'b')", "b", "['b']", ["a", "b"]),
    ],
)
def test_default(
    function: Callable[..., str], default: str, word: str, value: str, in_schema: object
) -> None:
    shell = Shell()
    command = shell.add(function, "show")
    assert shell.run("show").stdout == default
    assert shell.run(f"show {word}").stdout == value
    schema = json.loads(json.dumps(command.json_schema(), allow_nan=False))
    assert schema["properties"]["value"].get("default") == in_schema


def literal(value: Literal[Colour.RED, b"data", "auto", "always", 10, None]) -> str:
    return repr(value)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("RED", "<Colour.RED: 1>"), ("data", "b'data'"), ("auto", "'auto'"), ("al", "'always'"),
        ("10", "10"), ("null", "None"), ("a", ""), ("1", ""), ("R", ""),
    ],
)  # fmt: skip
def test_literal_of_any_values(word: str, value: str) -> None:
    shell = Shell(commands=[literal])
    result = shell.run(f"literal {word}")
    assert result.stdout == value
    assert result.rejected is not bool(value)
    command = shell.add(literal)
    schema = command.json_schema()
    assert schema["properties"]["value"]["enum"] == ["RED", "data", "auto", "always", 10, None]
    jsonschema.Draft202012Validator.check_schema(schema)


def crossed(value: Crossed = Crossed.first) -> str:
    return repr(value)


def test_value_of_a_member_comes_before_the_name_of_another() -> None:
    shell = Shell(commands=[crossed])
    default = shell.add(crossed).json_schema()["properties"]["value"]["default"]
    assert shell.run("crossed").stdout == shell.run(f"crossed {default}").stdout
    assert shell.run("crossed first").stdout == "<Crossed.second: 'first'>"
