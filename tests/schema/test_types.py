"""The types of parameters: accepted texts and values, and messages of refusals."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from keysh.schema.arguments import UNKNOWN
from keysh.schema.parameter_type import ManyType, OptionalType, OptionalValueType
from keysh.schema.types import (
    BOOL,
    DURATION,
    FLOAT,
    INT,
    JSON,
    PATH,
    PATTERN,
    RAW,
    RECORD,
    REGEX,
    SIZE,
    STR,
    ChoiceType,
    Code,
    ParameterType,
    UnfitValue,
)

pytestmark = pytest.mark.quick


def balanced(text: str) -> None:
    if text.count("(") != text.count(")"):
        raise ValueError("unclosed")


WHEN = ChoiceType(("always", "never", "auto", "all"))
CODE = Code("jq", balanced)
LONG = "9" * 5000

# The type, and for each argument the value it becomes.
TAKEN: list[tuple[ParameterType, dict[Any, Any]]] = [
    (STR, {"": "", "x": "x", " ": " ", 1: "1", 1.5: "1.5", False: "false", "\udc80": "\udc80"}),
    (PATH, {"a b": "a b", "-": "-", 7: "7"}),
    (PATTERN, {"*": "*", 7: "7"}),
    (REGEX, {"[": "[", 7: "7"}),
    (BOOL, {"true": True, "false": False, True: True, False: False}),
    (INT, {"0": 0, "007": 7, "-5": -5, "+5": 5, " 5": 5, "\t-5": -5, 10**400: 10**400, -1: -1}),
    (FLOAT, {"1": 1.0, "1.": 1.0, ".5": 0.5, "-1e3": -1000.0, "1e999": math.inf, " 1": 1.0}),
    (FLOAT, {"inf": math.inf, "-Infinity": -math.inf, 3: 3, 0.5: 0.5, LONG: math.inf}),
    (SIZE, {"0": 0, "10": 10, "-5": -5, "+5": 5, 7: 7, "3c": 3, "3w": 6, "2b": 1024}),
    (SIZE, {"1k": 1024, "1K": 1024, "1KiB": 1024, "1kB": 1000, "1KB": 1000, "-1K": -1024}),
    (SIZE, {"1m": 1024**2, "1MB": 1000**2, "1G": 1024**3, "1TiB": 1024**4, "1Y": 1024**8}),
    (DURATION, {"1": 1.0, "1.5": 1.5, ".5s": 0.5, "2m": 120.0, "1h": 3600.0, "1d": 86400.0}),
    (DURATION, {"250ms": 0.25, "1e-2": 0.01, "infinity": math.inf, "infd": math.inf, 2: 2.0}),
    (DURATION, {"0": 0.0, 0.5: 0.5, 10**400: math.inf, " 1": 1.0}),
    (JSON, {'{"a": [1]}': {"a": [1]}, "null": None, '"x"': "x", 5: 5, None: None}),
    (RECORD, {'{"a": 1}': {"a": 1}, "{}": {}}),
    (WHEN, {"always": "always", "n": "never", "alw": "always", "au": "auto", "all": "all"}),
    (CODE, {".a": ".a", "(.)": "(.)", 7: "7"}),
    (ManyType(INT), {"1": [1], 2: [2]}),
    (OptionalType(INT), {"1": 1, None: None}),
    (OptionalType(ManyType(INT)), {"1": [1], None: None}),
    (OptionalValueType(STR), {"true": "true", "": "", True: True, False: False, 3: "3"}),
    (OptionalValueType(WHEN), {"auto": "auto", True: True}),
]

# The type, its requirement in words, and values that it refuses.
REFUSED: list[tuple[ParameterType, str, tuple[object, ...]]] = [
    (STR, "text", (None, [], {})),
    (BOOL, "true or false", ("", "True", "yes", "1", 1, 0, None, [True])),
    (INT, "a whole number", ("", "-", "+", "--5", "- 5", "5 ", "1_000", "1.0", "1e3", "0x10")),
    (INT, "a whole number", ("٣", "²", "１", LONG, True, False, 1.0, None, [1], "5\n")),  # noqa: RUF001
    (FLOAT, "a number", ("", ".", "nan", "-NaN", "1_0", "٣", "1 ", "0x1", True, math.nan, None)),
    (SIZE, "a size such as 10K", ("", "K", "1g", "1KiK", "1Ki", "1kb", "1 K", "1.5K", "1R")),
    (SIZE, "a size such as 10K", ("1_0", "٣K", True, 1.5, None, [], f"{LONG}K")),
    (DURATION, "a duration such as 1.5s", ("", "s", "-1", "nan", "1x", "1 s", "1w", "1ms0", "1sm")),
    (DURATION, "a duration such as 1.5s", (-1, -0.5, math.nan, True, None, "1_0")),
    (JSON, "JSON", ("", "x", "{", "NaN", "[Infinity]", "[" * 100_000)),
    (RECORD, "a record", ("", "[1]", "3", [1], 3, None, True)),
    (WHEN, "one of always, never, auto, all", ("", "al", "a", "x", "Always", None, True, [])),
    (CODE, "a jq program (unclosed)", ("(", "())")),
    (CODE, "a jq program", (None, [])),
    (ManyType(INT), "a whole number", ("x", [1, "x"], [None], None, True, {})),
    (OptionalType(INT), "a whole number", ("", "null", True, [])),
    (OptionalValueType(INT), "a whole number", ("true", "", None, [])),
]


@pytest.mark.parametrize(
    ("kind", "argument", "value"),
    [(kind, argument, value) for kind, row in TAKEN for argument, value in row.items()],
)
def test_taken(kind: ParameterType, argument: object, value: object) -> None:
    result = kind.accept(argument)
    assert result == value
    assert result.__class__ is value.__class__


@pytest.mark.parametrize(
    ("kind", "must", "argument"), [(kind, must, one) for kind, must, row in REFUSED for one in row]
)
def test_refused(kind: ParameterType, must: str, argument: object) -> None:
    with pytest.raises(UnfitValue) as caught:
        kind.accept(argument)
    assert caught.value.must == must


def test_lists_and_records_are_passed_unchanged() -> None:
    assert ManyType(INT).accept([1, "2"]) == [1, 2]
    assert RECORD.accept({"a": None}) == {"a": None}
    assert JSON.accept([{"a": 1}]) == [{"a": 1}]


@pytest.mark.parametrize("kind", [row[0] for row in TAKEN], ids=lambda kind: kind.name)
def test_unknown_value_fits_every_type(kind: ParameterType) -> None:
    assert kind.accept(UNKNOWN) is UNKNOWN


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("x", "lines must be a whole number, but is 'x'"),
        ("", "lines must be a whole number, but is ''"),
        (True, "lines must be a whole number, but is true"),
        (1.5, "lines must be a whole number, but is 1.5"),
        (None, "lines must be a whole number, but is null"),
        ([1], "lines must be a whole number, but is a list"),
        ({}, "lines must be a whole number, but is a record"),
    ],
)
def test_refusal_messages(argument: object, says: str) -> None:
    with pytest.raises(UnfitValue) as caught:
        INT.accept(argument)
    assert caught.value.message_for("lines") == says


@pytest.mark.parametrize("kind", [SIZE, DURATION], ids=lambda kind: kind.name)
def test_schema_patterns_match_accepted_texts(kind: ParameterType) -> None:
    pattern = re.compile(kind.schema()["pattern"])
    for other, row in TAKEN:
        for text in row:
            if other is kind and isinstance(text, str) and text == text.strip():
                assert pattern.search(text), text
    for other, _, row in REFUSED:
        for text in row:
            if other is kind and isinstance(text, str) and text.isascii() and len(text) < 100:
                assert not pattern.search(text), text


def test_candidates() -> None:
    assert ManyType(WHEN).candidates() == OptionalType(WHEN).candidates() == list(WHEN.words)
    assert BOOL.candidates() == ["true", "false"]
    assert STR.candidates() == []


def test_globs_reach_path_types_inside_lists_and_unions() -> None:
    for kind in (PATTERN, REGEX, CODE, RAW):
        assert kind.keeps_globs
        assert ManyType(kind).keeps_globs
        assert OptionalType(ManyType(kind)).keeps_globs
        assert OptionalValueType(kind).keeps_globs
    assert not ManyType(PATH).keeps_globs
