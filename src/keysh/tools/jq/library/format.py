"""Formats such as `@csv` and `@base64`: functions that convert a value to a string."""

from __future__ import annotations

from base64 import b64decode, b64encode
from string import ascii_letters, digits
from urllib.parse import quote_from_bytes

from keysh.text.bounds.text_size import character_bytes
from keysh.text.chunks import bytes_of_text
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.bounds import FREE_CHARACTERS
from keysh.tools.jq.values.value import error_about, tostring
from keysh.tools.jq.values.writer import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.values.bounds import JqBounds
    from keysh.tools.jq.values.value import Value

HTML_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;"})
TSV_ESCAPES = str.maketrans({"\t": "\\t", "\r": "\\r", "\n": "\\n", "\\": "\\\\"})
BASE64_ALPHABET = frozenset(f"{ascii_letters}{digits}+/")


def utf8_bytes(text: str) -> bytes:
    return bytes_of_text(text)


def table_row(value: Value, name: str, separator: str, format_string: Callable[[str], str]) -> str:
    """Format an array as one row of a table."""
    if value.__class__ is not list:
        raise error_about(value, f"cannot be {name}-formatted, only array")
    return separator.join([table_cell(item, format_string) for item in value])


def table_cell(item: Value, format_string: Callable[[str], str]) -> str:
    """Format one cell; null and nan are empty."""
    if item.__class__ is str:
        return format_string(item)
    if item.__class__ in (list, dict):
        raise error_about(item, "is not valid in a csv row")
    return "" if item is None or item != item else json_text(item)


def format_csv(value: Value) -> str:
    return table_row(value, "csv", ",", lambda text: '"' + text.replace('"', '""') + '"')


def format_tsv(value: Value) -> str:
    return table_row(value, "tsv", "\t", lambda text: text.translate(TSV_ESCAPES))


def format_html(value: Value) -> str:
    return tostring(value).translate(HTML_ESCAPES)


def format_uri(value: Value) -> str:
    return quote_from_bytes(utf8_bytes(tostring(value)), safe="-_.~")


def format_shell(value: Value) -> str:
    """`@sh`: shell words, with strings quoted."""
    words = []
    for item in value if value.__class__ is list else [value]:
        if item.__class__ is str:
            words.append("'" + item.replace("'", "'\\''") + "'")
        elif item.__class__ in (list, dict):
            raise error_about(item, "can not be escaped for shell")
        else:
            words.append(json_text(item))
    return " ".join(words)


def encode_base64(value: Value) -> str:
    return b64encode(utf8_bytes(tostring(value))).decode("ascii")


def decode_base64(value: Value) -> str:
    """`@base64d`: decode base64, up to the first `=`."""
    text = tostring(value).partition("=")[0]
    if not BASE64_ALPHABET.issuperset(text):
        raise error_about(tostring(value), "is not valid base64 data")
    if len(text) % 4 == 1:
        raise error_about(tostring(value), "trailing base64 byte found")
    return b64decode(text + "=" * (-len(text) % 4)).decode("utf-8", "replace")


def decode_uri(value: Value) -> str:
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415 - hardly ever wanted

    return unquote_to_bytes(utf8_bytes(tostring(value))).decode("utf-8", "replace")


def encode_base32(value: Value) -> str:
    from base64 import b32encode  # noqa: PLC0415 - hardly ever wanted

    return b32encode(utf8_bytes(tostring(value))).decode("ascii")


def decode_base32(value: Value) -> str:
    from base64 import b32decode  # noqa: PLC0415 - hardly ever wanted

    text = tostring(value).rstrip("=")
    try:
        data = b32decode(text + "=" * (-len(text) % 8))
    except ValueError:
        raise error_about(tostring(value), "is not valid base32 data") from None
    return data.decode("utf-8", "replace")


def text_or_json(value: Value, bounds: JqBounds) -> str:
    """`@text`"""
    return tostring(value, bounds)


def json_only(value: Value, bounds: JqBounds) -> str:
    """`@json`"""
    return json_text(value, bounds)


# How many bytes a format may need for each of the value's, at work or in the result.
GROWTHS = {"csv": 2, "tsv": 2, "html": 6, "uri": 9, "urid": 2, "sh": 4, "base64": 2, "base64d": 2,
           "base32": 2, "base32d": 2}  # fmt: skip
FORMATTERS: dict[str, Callable[[Value], str]] = {
    "csv": format_csv, "tsv": format_tsv, "html": format_html,
    "uri": format_uri,
    "urid": decode_uri, "sh": format_shell, "base64": encode_base64, "base64d": decode_base64,
    "base32": encode_base32, "base32d": decode_base32,
}  # fmt: skip


def formatter_for(name: str) -> Callable[[Value, JqBounds], str]:
    """Return the formatter of a name; an unknown one fails only when it is called."""
    if name in ("text", "json"):
        return text_or_json if name == "text" else json_only
    formatter = FORMATTERS.get(name)

    def format_within_bounds(value: Value, bounds: JqBounds) -> str:
        if formatter is None:
            raise JqError(f"{name} is not a valid format")
        if value.__class__ is str:
            size = len(value) * character_bytes(value) if len(value) > FREE_CHARACTERS else 0
        else:
            size = bounds.json_size(value)
        bounds.check_size(size * GROWTHS[name])
        return formatter(value)

    return format_within_bounds


def format_value(value: Value, name: Value, bounds: JqBounds) -> str:
    """`format("csv")`"""
    if name.__class__ is not str:
        raise error_about(name, "is not a valid format")
    return formatter_for(name)(value, bounds)
