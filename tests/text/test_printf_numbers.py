"""Numbers formatted as by printf, compared with the C library."""

from __future__ import annotations

import ctypes
import math
import random

import pytest

from keysh.text.long_double import parse_long_double
from keysh.text.printf import MAX_FIELD_CHARACTERS, Conversion, FieldTooWide, format_conversion

LIBC = ctypes.CDLL(None)
FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 0.1, 2.675, 1e100, 1e-100, 5e-324, 2.2250738585e-308,
    1.7976931348623157e308, 123456789.0, 0.0001, 0.00001, 9.9999999e9, math.pi,
    math.inf, -math.inf, math.nan,
]  # fmt: skip
INTEGERS = [0, 1, -1, 7, 8, 42, 255, -255, 10**6, 2**63 - 1, -(2**63)]


def by_c(conversion: Conversion, value: float) -> str:
    """Return the output of snprintf."""
    letter, precision = conversion.letter, conversion.precision
    length = "ll" if letter in "diouxX" else ""
    dot = "" if precision is None else f".{precision}"
    form = f"%{conversion.flags}{conversion.width or ''}{dot}{length}{letter}"
    buffer = ctypes.create_string_buffer(4096)
    given = ctypes.c_longlong(int(value)) if length else ctypes.c_double(value)
    LIBC.snprintf(buffer, ctypes.c_size_t(4096), form.encode(), given)
    return buffer.value.decode()


def conversions(letters: str, seed: int) -> list[Conversion]:
    chance = random.Random(seed)
    return [
        Conversion(
            "".join(flag for flag in "-+ #0" if chance.random() < 0.3),
            chance.choice([0, 0, 1, 5, 12, 30]),
            chance.choice([None, None, 0, 1, 3, 10, 20]),
            letter,
        )
        for letter in letters
        for _ in range(25)
    ]


def test_floats() -> None:
    for conversion in conversions("eEfFgGaA", 1):
        for value in FLOATS:
            assert format_conversion(conversion, value) == by_c(conversion, value)


def test_integers() -> None:
    for conversion in conversions("diouxX", 2):
        for value in INTEGERS:
            is_unsigned = conversion.letter in "ouxX"
            given = value & (2**64 - 1) if is_unsigned else value
            assert format_conversion(conversion, given) == by_c(conversion, value)


def test_formats_that_python_shares_are_detected() -> None:
    for conversion in conversions("dixXoeEfFgG", 3):
        for value in INTEGERS if conversion.letter in "dixXo" else FLOATS[:-3]:
            if conversion.python_format and (value >= 0 or conversion.letter not in "xXo"):
                assert conversion.python_format % value == format_conversion(conversion, value)


def test_texts() -> None:
    assert format_conversion(Conversion("", 5, None, "s"), "ab") == "   ab"
    assert format_conversion(Conversion("-", 5, 1, "s"), "ab") == "a    "
    assert format_conversion(Conversion("0", 3, None, "c"), "é") == "  é"


@pytest.mark.parametrize(
    ("text", "letter", "precision", "made"),
    [
        ("0.1", "f", 20, "0.10000000000000000000"),
        ("0.1", "f", 25, "0.1000000000000000000013553"),
        ("1e4932", "e", 2, "1.00e+4932"),
        ("18446744073709551615", "f", 0, "18446744073709551615"),
        ("18446744073709551617", "f", 0, "18446744073709551616"),
        ("0x1.8p1", "g", None, "3"),
        ("0.1", "a", None, "0x1.999999999999ap-4"),
        ("-3.75", "A", None, "-0X1.EP+1"),
        ("1e-4950", "a", None, "0x0p+0"),
        ("-1e4000", "a", None, "-inf"),
        ("9.5", "f", 0, "10"),
        ("8.5", "f", 0, "8"),
        ("-inf", "f", None, "-inf"),
    ],
)
def test_long_doubles(text: str, letter: str, precision: int | None, made: str) -> None:
    number, length, _ = parse_long_double(text)
    assert length == len(text)
    assert format_conversion(Conversion("", 0, precision, letter), number) == made


def test_a_long_double_agrees_with_a_double_of_few_bits() -> None:
    for conversion in conversions("eEfFgGaA", 4):
        for value in (0.0, 0.5, -2.25, 1048576.0, 0.00390625, 12345.5):
            assert format_conversion(conversion, parse_long_double(repr(value))[0]) == by_c(
                conversion, value
            )


def test_out_of_range_number_is_detected() -> None:
    assert not parse_long_double("1e5000")[2]
    assert not parse_long_double("1e-5000")[2]
    assert parse_long_double("0e99999999999")[2]


def test_excessive_width_is_refused() -> None:
    for width, precision in ((MAX_FIELD_CHARACTERS + 1, None), (0, MAX_FIELD_CHARACTERS + 1)):
        with pytest.raises(FieldTooWide):
            format_conversion(Conversion("", width, precision, "d"), 1)
