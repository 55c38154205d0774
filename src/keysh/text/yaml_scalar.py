"""Scalars of YAML: what plain text means by the core schema of YAML 1.2 (section 10.3.2)."""

from __future__ import annotations

import re

from keysh.values import number

NULL, BOOL, INT, FLOAT, STRING = "null", "bool", "int", "float", "str"

NULLS = ("", "~", "null", "Null", "NULL")
BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
WHOLE = re.compile(r"[-+]?[0-9]+")
BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
# Sign, digits, the digits behind the dot, exponent; one of the digits is there.
DECIMAL = re.compile(r"([-+]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?([eE][-+]?[0-9]+)?")
ENDLESS = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

# What readers of YAML 1.1 take for a bool, a number, a time or a merge, and 1.2 for text.
OLD_MEANING = re.compile(
    r"[yYnN]|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF|<<|=|[-+]?[0-9][0-9_:.xa-fA-F]*"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?"
)
FEW_DIGITS = 4000  # of another base; Python turns more into a number in quadratic time


def kind_of(text: str) -> str:
    """The kind of value that plain text stands for."""
    if text in NULLS:
        return NULL
    if text in BOOLS:
        return BOOL
    if WHOLE.fullmatch(text) or BASED.fullmatch(text):
        return INT
    if DECIMAL.fullmatch(text) or ENDLESS.fullmatch(text):
        return FLOAT
    return STRING


def value_of(text: str, kind: str) -> object:
    """The value of a text as one of a kind; ValueError where it is none."""
    found = kind_of(text)
    if kind == STRING:
        return text
    if found != kind and not (kind == FLOAT and found == INT):
        raise ValueError(f"{shortened(text)} is no {kind}")
    if kind == NULL:
        return None
    if kind == BOOL:
        return BOOLS[text]
    if text[1:2] in ("o", "x"):
        if len(text) > FEW_DIGITS:
            raise ValueError(f"{shortened(text)} is too long for a number")
        return int(text, 0)
    match = DECIMAL.fullmatch(text)
    if match is None:
        raise ValueError(f"{text} has no value in JSON")
    sign, whole, rest, exponent = match.groups()
    minus = "-" if sign == "-" else ""
    dot = f".{rest or '0'}" if rest is not None else ""
    return number(f"{minus}{whole.lstrip('0') or '0'}{dot}{exponent or ''}")


def stands_for_itself(text: str) -> bool:
    """Whether plain text is read as that text, also by readers of YAML 1.1."""
    return kind_of(text) == STRING and not OLD_MEANING.fullmatch(text)


def shortened(text: str) -> str:
    """A text as a message shows it."""
    return text if len(text) <= 40 else f"{text[:37]}..."
