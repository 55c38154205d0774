"""What pydantic holds of a command's arguments beyond one value, and what it cannot describe."""

from __future__ import annotations

from typing import Annotated

import pytest

from keysh import Shell

pydantic = pytest.importorskip("pydantic")
pytestmark = pytest.mark.quick


class Opaque:
    """A class that no JSON has."""


class Holder(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    opaque: Opaque


def add(
    *, value: Annotated[list[int], pydantic.Field(min_length=2, max_length=3)] = (1, 2)
) -> object:
    return value


def take(value: Annotated[list[int], pydantic.Field(min_length=2)] | None) -> object:
    return value


def put(value: dict[str, Annotated[list[int], pydantic.Field(min_length=2)]]) -> object:
    return value


def hold(value: Holder) -> None: ...


def test_conditions_on_a_whole_list_hold_when_all_its_words_are_read() -> None:
    shell = Shell(commands=[add, take])
    result = shell.run("add; add --value 1 --value 2; add value=[1,2,3]; take value=[1,2]")
    assert result.stdout == "[1,2]\n[1,2]\n[1,2,3]\n[1,2]\n"
    for words, fault in (
        ("add --value 1", "at least 2 items"), ("take 1", "at least 2 items"),
        ("add --value 1 --value 2 --value 3 --value 4", "at most 3 items"),
    ):  # fmt: skip
        result = shell.run(words)
        assert result.rejected
        assert f"value must be a list (List should have {fault}" in result.stderr
    late = shell.run("n=4; add --value 1 --value 2 --value 3 --value $n")
    assert (late.code, late.rejected) == (1, False)


def test_conditions_on_a_list_within_a_value_hold_at_once() -> None:
    shell = Shell(commands=[put])
    assert shell.run("""put '{"a": [1, 2]}'""").stdout == '{"a":[1,2]}\n'
    result = shell.run("put a=1")
    assert result.rejected
    assert "a record whose a is a list (List should have at least 2 items" in result.stderr


def test_model_that_pydantic_cannot_describe_is_any_record() -> None:
    assert Shell().add(hold).json_schema()["properties"]["value"] == {"type": "object"}
