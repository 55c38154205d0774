"""The writer: a value as the JSON text that jq prints.

The C encoder of Python writes all that it writes as jq does. It does not know jq's numbers, nor
its escape of DEL, so what it wrote is looked through for these.
"""

from __future__ import annotations

import re
from json import encoder

from keysh.tools.jq.values.number import Spelled, number_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_DEPTH = 256  # what lies deeper is not printed
TOO_DEEP = "<skipped: too deep>"

# A float in what the encoder wrote, and one that jq writes otherwise; texts that look so only cost
# the slower way.
FLOATS = re.compile(r"[0-9]\.[0-9]").search
ODD_FLOATS = re.compile(r"[0-9](?:\.0(?![0-9])|e[-+0-9])|NaN|Infinity").search
quote: Callable[[str], str] = encoder.encode_basestring
quote_ascii: Callable[[str], str] = encoder.encode_basestring_ascii


def quoted(text: str) -> str:
    """A text as a JSON string."""
    made = quote(text)
    return made.replace("\x7f", "\\u007f") if "\x7f" in made else made


def quoted_in_ascii(text: str) -> str:
    """A text as a JSON string in ASCII."""
    made = quote_ascii(text)
    return made.replace("\x7f", "\\u007f") if "\x7f" in made else made


COMPACT = encoder.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), check_circular=False
).encode


def text_of(value: Any) -> str:
    """A value as compact JSON."""
    if value.__class__ is str:
        return quoted(value)
    if value.__class__ in (list, dict):
        try:
            text = COMPACT(value)
        except (ValueError, RecursionError):
            text = "NaN"
        is_odd = may_be_deep(text) or ODD_FLOATS(text) is not None
        if not is_odd and (FLOATS(text) is None or not holds_spelled(value)):
            return text.replace("\x7f", "\\u007f") if "\x7f" in text else text
    return PLAIN.text(value)


def may_be_deep(text: str) -> bool:
    """Whether a text can nest deeper than is printed."""
    return text.count("[") + text.count("{") > MOST_DEPTH


def holds_spelled(value: Any) -> bool:
    """Whether a number in an array or an object keeps its spelling."""
    for item in value.values() if value.__class__ is dict else value:
        kind = item.__class__
        if kind is Spelled or ((kind is dict or kind is list) and holds_spelled(item)):
            return True
    return False


def in_order(value: Any) -> Any:
    """A value whose objects have their keys in order."""
    if value.__class__ is dict:
        return {key: in_order(value[key]) for key in sorted(value)}
    if value.__class__ is list:
        return [in_order(item) for item in value]
    return value


class Style:
    """How values are printed: indentation, order of keys, ASCII only, colours."""

    __slots__ = ("indent", "is_sorted", "palette", "quote")

    def __init__(
        self,
        indent: str = "",
        *,
        is_sorted: bool = False,
        is_ascii: bool = False,
        palette: dict[str, str] | None = None,
    ) -> None:
        self.indent, self.is_sorted, self.palette = indent, is_sorted, palette
        self.quote = quoted_in_ascii if is_ascii else quoted

    def on_one_line(self) -> Style:
        """This style without indentation."""
        is_ascii = self.quote is quoted_in_ascii
        return Style(is_sorted=self.is_sorted, is_ascii=is_ascii, palette=self.palette)

    def printer(self) -> Callable[[Any], str]:
        """The fastest function that prints so."""
        if self.palette is None and not self.indent and self.quote is quoted:
            return (lambda value: text_of(in_order(value))) if self.is_sorted else text_of
        return self.text

    def text(self, value: Any) -> str:
        """A value as text."""
        pieces: list[str] = []
        if self.palette is None:
            self.plain(value, "\n", 0, pieces.append)
        else:
            self.coloured(value, "\n", 0, pieces.append, self.palette)
        return "".join(pieces)

    def scalar(self, value: Any) -> str:
        """A value that holds no other."""
        if value.__class__ is str:
            return self.quote(value)
        if value is None:
            return "null"
        if value.__class__ is bool:
            return "true" if value else "false"
        if value.__class__ is list:
            return "[]"
        return "{}" if value.__class__ is dict else number_text(value)

    def plain(self, value: Any, margin: str, depth: int, put: Callable[[str], object]) -> None:
        """Print a value without colours; `margin` is a newline and the indentation."""
        if depth > MOST_DEPTH:
            put(TOO_DEEP)
            return
        is_object = value.__class__ is dict
        if not value or not (is_object or value.__class__ is list):
            put(self.scalar(value))
            return
        inner = margin + self.indent if self.indent else ""
        gap = "{" if is_object else "["
        quote, colon = self.quote, ": " if self.indent else ":"
        for key in (sorted(value) if self.is_sorted else value) if is_object else value:
            item = value[key] if is_object else key
            lead = f"{gap}{inner}{quote(key)}{colon}" if is_object else gap + inner
            if item.__class__ is str:
                put(lead + quote(item))
            elif item.__class__ is int:
                put(lead + number_text(item))
            else:
                put(lead)
                self.plain(item, inner, depth + 1, put)
            gap = ","
        end = margin if self.indent else ""
        put(f"{end}}}" if is_object else f"{end}]")

    def coloured(
        self,
        value: Any,
        margin: str,
        depth: int,
        put: Callable[[str], object],
        palette: dict[str, str],
    ) -> None:
        """Print a value in colours, with each escape where jq has it."""
        is_object, is_array = value.__class__ is dict, value.__class__ is list
        colour = palette[kind_of(value)]
        put(colour)
        if depth > MOST_DEPTH:
            put(TOO_DEEP)
        elif value != value:  # nan is a number that prints as another kind
            self.coloured(None, margin, depth, put, palette)
        elif not value or not (is_object or is_array):
            put(self.scalar(value))
        else:
            inner = margin + self.indent if self.indent else ""
            gap = "{" if is_object else "["
            for key in (sorted(value) if self.is_sorted else value) if is_object else value:
                put(gap + inner)
                gap = ","
                if is_object:
                    put(f"{RESET}{palette['key']}{self.quote(key)}{RESET}{colour}:")
                    put(f"{' ' if self.indent else ''}{RESET}")
                item = value[key] if is_object else key
                self.coloured(item, inner, depth + 1, put, palette)
                put(colour)
            put((margin if self.indent else "") + colour + ("}" if is_object else "]"))
        put(RESET)


RESET = "\x1b[0m"
PARTS = ("null", "false", "true", "number", "string", "array", "object", "key")
DEFAULT_COLOURS = "0;90:0;39:0;39:0;39:0;32:1;39:1;39:1;34"


def palette_of(setting: str) -> dict[str, str] | None:
    """The colours that `JQ_COLORS` sets, over jq's own; None where it is malformed."""
    found = dict(zip(PARTS, DEFAULT_COLOURS.split(":"), strict=True))
    given = setting.removesuffix(":").split(":") if setting else []
    for part, colour in zip(PARTS, given, strict=False):
        if colour.strip("0123456789;") or len(colour) > 12:
            return None
        found[part] = colour
    return {part: f"\x1b[{colour}m" for part, colour in found.items()}


def kind_of(value: Any) -> str:
    """The part of a palette that a value is printed in."""
    if value.__class__ is bool:
        return "true" if value else "false"
    names = {type(None): "null", str: "string", list: "array", dict: "object"}
    return names.get(value.__class__, "number")


PLAIN = Style()
