"""The writer: formats values as the JSON that jq prints.

Python's C encoder does the work, but it formats some numbers differently from jq and does not
escape DEL, so its output is searched for these.
"""

from __future__ import annotations

import re
from contextlib import suppress
from json import encoder

from keysh.tools.jq.values.bounds import is_small
from keysh.tools.jq.values.number import LiteralFloat, number_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.tools.jq.values.bounds import JqBounds

MAX_ENCODED_AT_ONCE = 4 << 20  # bytes; the encoder holds all threads for 60 ms
MAX_PRINT_DEPTH = 256  # deeper values are not printed
TOO_DEEP_MARK = "<skipped: too deep>"

# A float in the encoder's output, and one that jq may format differently. A match inside a string
# only costs time.
FLOAT_SEARCH = re.compile(r"[0-9]\.[0-9]").search
ODD_FLOAT_SEARCH = re.compile(r"[0-9](?:\.0(?![0-9])|e[-+0-9])|NaN|Infinity").search
quote: Callable[[str], str] = encoder.encode_basestring
quote_ascii: Callable[[str], str] = encoder.encode_basestring_ascii


def do_nothing() -> None:
    """Take a turn that nobody counts."""


def json_string(text: str) -> str:
    """Format a string as JSON."""
    encoded = quote(text)
    return encoded.replace("\x7f", "\\u007f") if "\x7f" in encoded else encoded


def ascii_json_string(text: str) -> str:
    """Format a string as ASCII JSON."""
    encoded = quote_ascii(text)
    return encoded.replace("\x7f", "\\u007f") if "\x7f" in encoded else encoded


ENCODE_COMPACT = encoder.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), check_circular=False
).encode


def json_text(value: Any, bounds: JqBounds | None = None) -> str:
    """Format a value as compact JSON, within the limits of a run."""
    if value.__class__ is str:
        return json_string(value)
    if value.__class__ in (list, dict):
        size = 0 if bounds is None or bounds.is_small(value) else bounds.json_size(value)
        if size > MAX_ENCODED_AT_ONCE:
            return COMPACT_STYLE.render(value, bounds)
        try:
            text = ENCODE_COMPACT(value)
        except (ValueError, RecursionError):
            text = "NaN"
        is_odd = may_be_deep(text) or ODD_FLOAT_SEARCH(text) is not None
        if not is_odd and (FLOAT_SEARCH(text) is None or not holds_literal_float(value)):
            return text.replace("\x7f", "\\u007f") if "\x7f" in text else text
    return COMPACT_STYLE.render(value)


class EnoughText(Exception):
    """The text of a value is as long as it is needed."""


def json_beginning(value: Any, size: int) -> str:
    """Return the JSON of a value, or a beginning of it that has at least `size` characters."""
    if value.__class__ not in (list, dict) or is_small(value):
        return json_text(value)
    pieces: list[str] = []

    def write(piece: str) -> None:
        pieces.append(piece)
        if len(pieces) > size:  # each piece has a character
            raise EnoughText

    with suppress(EnoughText):
        COMPACT_STYLE.write_plain(value, "\n", 0, write)
    return "".join(pieces)


def may_be_deep(text: str) -> bool:
    """Whether a value may be nested too deeply to print, judged by its brackets."""
    return text.count("[") + text.count("{") > MAX_PRINT_DEPTH


def holds_literal_float(value: Any) -> bool:
    """Whether an array or an object contains a float that keeps its literal."""
    for item in value.values() if value.__class__ is dict else value:
        kind = item.__class__
        if kind is LiteralFloat or ((kind is dict or kind is list) and holds_literal_float(item)):
            return True
    return False


def with_sorted_keys(value: Any) -> Any:
    """Return a value with the keys of all objects sorted."""
    if value.__class__ is dict:
        return {key: with_sorted_keys(value[key]) for key in sorted(value)}
    if value.__class__ is list:
        return [with_sorted_keys(item) for item in value]
    return value


class JsonStyle:
    """How values are formatted: indentation, sorted keys, ASCII only, colors."""

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
        self.quote = ascii_json_string if is_ascii else json_string

    def on_one_line(self) -> JsonStyle:
        """Return this style without indentation."""
        is_ascii = self.quote is ascii_json_string
        return JsonStyle(is_sorted=self.is_sorted, is_ascii=is_ascii, palette=self.palette)

    def renderer(self, bounds: JqBounds) -> Callable[[Any], str]:
        """Return the fastest function that formats in this style, within the limits of a run."""
        is_plain = self.palette is None and not self.indent and self.quote is json_string
        if is_plain and not self.is_sorted:
            return lambda value: json_text(value, bounds)

        def render(value: Any) -> str:
            if is_plain and value.__class__ in (list, dict) and bounds.is_small(value):
                return json_text(with_sorted_keys(value))
            return self.render(value, bounds)

        return render

    def render(self, value: Any, bounds: JqBounds | None = None) -> str:
        """Format a value."""
        pieces: list[str] = []
        turn = do_nothing
        if bounds is not None and value.__class__ in (list, dict) and not bounds.is_small(value):
            bounds.json_size(value)
            turn = bounds.turn
        if self.palette is None:
            self.write_plain(value, "\n", 0, pieces.append, turn)
        else:
            self.write_colored(value, "\n", 0, pieces.append, self.palette)
        return "".join(pieces)

    def scalar_text(self, value: Any) -> str:
        """Format a scalar, or an empty array or object."""
        if value.__class__ is str:
            return self.quote(value)
        if value is None:
            return "null"
        if value.__class__ is bool:
            return "true" if value else "false"
        if value.__class__ is list:
            return "[]"
        return "{}" if value.__class__ is dict else number_text(value)

    def write_plain(
        self,
        value: Any,
        margin: str,
        depth: int,
        write: Callable[[str], object],
        turn: Callable[[], object] = do_nothing,
    ) -> None:
        """Format a value without colors; `margin` is a newline and the indentation."""
        turn()
        if depth > MAX_PRINT_DEPTH:
            write(TOO_DEEP_MARK)
            return
        is_object = value.__class__ is dict
        if not value or not (is_object or value.__class__ is list):
            write(self.scalar_text(value))
            return
        inner = margin + self.indent if self.indent else ""
        opening = "{" if is_object else "["
        quote, colon = self.quote, ": " if self.indent else ":"
        for key in (sorted(value) if self.is_sorted else value) if is_object else value:
            item = value[key] if is_object else key
            lead = f"{opening}{inner}{quote(key)}{colon}" if is_object else opening + inner
            if item.__class__ is str:
                write(lead + quote(item))
            elif item.__class__ is int:
                write(lead + number_text(item))
            else:
                write(lead)
                self.write_plain(item, inner, depth + 1, write, turn)
            opening = ","
        end = margin if self.indent else ""
        write(f"{end}}}" if is_object else f"{end}]")

    def write_colored(
        self,
        value: Any,
        margin: str,
        depth: int,
        write: Callable[[str], object],
        palette: dict[str, str],
    ) -> None:
        """Format a value in colors, with each escape sequence where jq prints it."""
        is_object, is_array = value.__class__ is dict, value.__class__ is list
        color = palette[palette_part(value)]
        write(color)
        if depth > MAX_PRINT_DEPTH:
            write(TOO_DEEP_MARK)
        elif value != value:  # nan prints as null, inside the color of a number
            self.write_colored(None, margin, depth, write, palette)
        elif not value or not (is_object or is_array):
            write(self.scalar_text(value))
        else:
            inner = margin + self.indent if self.indent else ""
            opening = "{" if is_object else "["
            for key in (sorted(value) if self.is_sorted else value) if is_object else value:
                write(opening + inner)
                opening = ","
                if is_object:
                    write(f"{COLOR_RESET}{palette['key']}{self.quote(key)}{COLOR_RESET}{color}:")
                    write(f"{' ' if self.indent else ''}{COLOR_RESET}")
                item = value[key] if is_object else key
                self.write_colored(item, inner, depth + 1, write, palette)
                write(color)
            write((margin if self.indent else "") + color + ("}" if is_object else "]"))
        write(COLOR_RESET)


COLOR_RESET = "\x1b[0m"
PALETTE_PARTS = ("null", "false", "true", "number", "string", "array", "object", "key")
DEFAULT_COLORS = "0;90:0;39:0;39:0;39:0;32:1;39:1;39:1;34"


def parse_palette(setting: str) -> dict[str, str] | None:
    """Return jq's colors, changed as `JQ_COLORS` says; None if it is malformed."""
    colors = dict(zip(PALETTE_PARTS, DEFAULT_COLORS.split(":"), strict=True))
    settings = setting.removesuffix(":").split(":") if setting else []
    for part, color in zip(PALETTE_PARTS, settings, strict=False):
        if color.strip("0123456789;") or len(color) > 12:
            return None
        colors[part] = color
    return {part: f"\x1b[{color}m" for part, color in colors.items()}


def palette_part(value: Any) -> str:
    """Return the part of the palette that colors a value."""
    if value.__class__ is bool:
        return "true" if value else "false"
    names = {type(None): "null", str: "string", list: "array", dict: "object"}
    return names.get(value.__class__, "number")


COMPACT_STYLE = JsonStyle()
