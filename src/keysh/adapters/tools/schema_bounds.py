"""What JSON Schema says of one value without its parts: its type, its bounds and its pattern."""

from __future__ import annotations

from keysh.diagnostics.display import visible
from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.values import Numeral

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MAX_PATTERN_CHARACTERS = 500

TYPE_WORDS = {
    "string": "text", "integer": "a whole number", "number": "a number",
    "boolean": "true or false", "array": "a list", "object": "a record", "null": "null",
}  # fmt: skip


def bound_of_scalar(keywords: Mapping[str, Any], value: object) -> str:
    """Return what a number, text or list must be, if its bounds do not hold; else ""."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float | Numeral):
        return bound_of_number(keywords, float(value.text) if isinstance(value, Numeral) else value)
    if isinstance(value, str):
        return bound_of_size(keywords, len(value), "text", "Length", "characters") or (
            ""
            if matches(keywords.get("pattern"), value)
            else f"text that matches {visible(keywords['pattern'])}"
        )
    if isinstance(value, list):
        return bound_of_size(keywords, len(value), "a list", "Items", "items")
    return ""


def bound_of_number(keywords: Mapping[str, Any], value: float) -> str:
    """Return what a number must be, if its bounds do not hold; else ""."""
    least, most = number_in(keywords, "minimum"), number_in(keywords, "maximum")
    if least is not None and value < least:
        return f"at least {least}"
    if most is not None and value > most:
        return f"at most {most}"
    above, below = number_in(keywords, "exclusiveMinimum"), number_in(keywords, "exclusiveMaximum")
    if above is not None and value <= above:
        return f"more than {above}"
    if below is not None and value >= below:
        return f"less than {below}"
    step = number_in(keywords, "multipleOf")
    if step and isinstance(value, int) and isinstance(step, int) and value % step:
        return f"a multiple of {step}"
    return ""


def bound_of_size(keywords: Mapping[str, Any], size: int, kind: str, suffix: str, unit: str) -> str:
    """Return how long a text or list must be, if its bounds do not hold; else ""."""
    least, most = number_in(keywords, f"min{suffix}"), number_in(keywords, f"max{suffix}")
    if least is not None and size < least:
        return f"{kind} of at least {least} {unit}"
    return f"{kind} of at most {most} {unit}" if most is not None and size > most else ""


def number_in(keywords: Mapping[str, Any], name: str) -> float | None:
    """Return the number of a keyword, if it has one."""
    value = keywords.get(name)
    if isinstance(value, Numeral):
        return float(value.text)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and value == value else None


def matches(pattern: object, text: str) -> bool:
    """Whether a text matches a pattern; one that cannot be used matches all."""
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN_CHARACTERS:
        return True
    try:
        return regex_of(pattern, "perl").is_in(text)
    except (RegexError, RegexLimit):
        return True


def has_type(value: object, kind: object) -> bool:
    """Whether a value has a type of JSON Schema; 1.0 is an integer, true is no number."""
    if kind == "number":
        return isinstance(value, int | float | Numeral) and not isinstance(value, bool)
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return kind not in TYPE_WORDS or type_of(value) == kind


def type_of(value: object) -> str:
    """Return the type of a value in the terms of JSON Schema."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float | Numeral):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def is_same(value: object, word: object) -> bool:
    """Whether two values are the same in JSON, where true is not 1."""
    return isinstance(value, bool) is isinstance(word, bool) and value == word
