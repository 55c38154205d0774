"""Plain YAML scalars by the core schema of YAML 1.2 (section 10.3.2)."""

from __future__ import annotations

import re

from keysh.values import json_number

NULL, BOOL, INT, FLOAT, STRING = "null", "bool", "int", "float", "str"

NULLS = ("", "~", "null", "Null", "NULL")
BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
WHOLE_NUMBER = re.compile(r"[-+]?[0-9]+")
RADIX_NUMBER = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
# Sign, integer digits, fraction digits, exponent; there is at least one digit.
DECIMAL_NUMBER = re.compile(r"([-+]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?([eE][-+]?[0-9]+)?")
INFINITY_OR_NAN = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

# Booleans, numbers, times and merges of YAML 1.1 that are strings in 1.2.
YAML_1_1_MEANING = re.compile(
    r"[yYnN]|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF|<<|=|[-+]?[0-9][0-9_:.xa-fA-F]*"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?"
)
MAX_RADIX_DIGITS = 4000  # converting a longer number takes quadratic time


def scalar_kind(text: str) -> str:
    """Return the type of a plain scalar."""
    if text in NULLS:
        return NULL
    if text in BOOLS:
        return BOOL
    if WHOLE_NUMBER.fullmatch(text) or RADIX_NUMBER.fullmatch(text):
        return INT
    if DECIMAL_NUMBER.fullmatch(text) or INFINITY_OR_NAN.fullmatch(text):
        return FLOAT
    return STRING


def scalar_value(text: str, kind: str) -> object:
    """Return a scalar as a value of the given type, or raise ValueError."""
    plain_kind = scalar_kind(text)
    if kind == STRING:
        return text
    if plain_kind != kind and not (kind == FLOAT and plain_kind == INT):
        raise ValueError(f"{shortened_text(text)} is not a valid {kind}")
    if kind == NULL:
        return None
    if kind == BOOL:
        return BOOLS[text]
    if text[1:2] in ("o", "x"):
        if len(text) > MAX_RADIX_DIGITS:
            raise ValueError(f"{shortened_text(text)} is too long for a number")
        return int(text, 0)
    match = DECIMAL_NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} has no JSON value")
    sign, whole, rest, exponent = match.groups()
    minus = "-" if sign == "-" else ""
    dot = f".{rest or '0'}" if rest is not None else ""
    return json_number(f"{minus}{whole.lstrip('0') or '0'}{dot}{exponent or ''}")


def is_plain_string(text: str) -> bool:
    """Tell whether plain text is read as a string, also by readers of YAML 1.1."""
    return scalar_kind(text) == STRING and not YAML_1_1_MEANING.fullmatch(text)


def shortened_text(text: str) -> str:
    """Shorten a string for a message."""
    return text if len(text) <= 40 else f"{text[:37]}..."
