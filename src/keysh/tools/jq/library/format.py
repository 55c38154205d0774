"""Formats: `@csv`, `@base64` and their like, each a function from a value to text."""

from __future__ import annotations

from base64 import b64decode, b64encode
from string import ascii_letters, digits
from urllib.parse import quote_from_bytes

from keysh.text.chunks import encoded
from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.values.value import tostring, wrong
from keysh.tools.jq.values.writer import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.values.value import Value

HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;"})
TSV = str.maketrans({"\t": "\\t", "\r": "\\r", "\n": "\\n", "\\": "\\\\"})
ALPHABET = frozenset(f"{ascii_letters}{digits}+/")


def octets(text: str) -> bytes:
    return encoded(text)


def row(value: Value, name: str, separator: str, written: Callable[[str], str]) -> str:
    """An array as one line of a table."""
    if value.__class__ is not list:
        raise wrong(value, f"cannot be {name}-formatted, only array")
    return separator.join([cell(item, written) for item in value])


def cell(item: Value, written: Callable[[str], str]) -> str:
    """An item of a table's line; null and nan are empty."""
    if item.__class__ is str:
        return written(item)
    if item.__class__ in (list, dict):
        raise wrong(item, "is not valid in a csv row")
    return "" if item is None or item != item else text_of(item)


def csv(value: Value) -> str:
    return row(value, "csv", ",", lambda text: '"' + text.replace('"', '""') + '"')


def tsv(value: Value) -> str:
    return row(value, "tsv", "\t", lambda text: text.translate(TSV))


def html(value: Value) -> str:
    return tostring(value).translate(HTML)


def uri(value: Value) -> str:
    return quote_from_bytes(octets(tostring(value)), safe="-_.~")


def shell(value: Value) -> str:
    """Words for a shell, each text in quotes."""
    words = []
    for item in value if value.__class__ is list else [value]:
        if item.__class__ is str:
            words.append("'" + item.replace("'", "'\\''") + "'")
        elif item.__class__ in (list, dict):
            raise wrong(item, "can not be escaped for shell")
        else:
            words.append(text_of(item))
    return " ".join(words)


def base64(value: Value) -> str:
    return b64encode(octets(tostring(value))).decode("ascii")


def base64_decoded(value: Value) -> str:
    """The text that base64 stands for, up to the first `=`."""
    text = tostring(value).partition("=")[0]
    if not ALPHABET.issuperset(text):
        raise wrong(tostring(value), "is not valid base64 data")
    if len(text) % 4 == 1:
        raise wrong(tostring(value), "trailing base64 byte found")
    return b64decode(text + "=" * (-len(text) % 4)).decode("utf-8", "replace")


def uri_decoded(value: Value) -> str:
    from urllib.parse import unquote_to_bytes  # noqa: PLC0415 - hardly ever wanted

    return unquote_to_bytes(octets(tostring(value))).decode("utf-8", "replace")


def base32(value: Value) -> str:
    from base64 import b32encode  # noqa: PLC0415 - hardly ever wanted

    return b32encode(octets(tostring(value))).decode("ascii")


def base32_decoded(value: Value) -> str:
    from base64 import b32decode  # noqa: PLC0415 - hardly ever wanted

    text = tostring(value).rstrip("=")
    try:
        data = b32decode(text + "=" * (-len(text) % 8))
    except ValueError:
        raise wrong(tostring(value), "is not valid base32 data") from None
    return data.decode("utf-8", "replace")


FORMATS: dict[str, Callable[[Value], str]] = {
    "text": tostring, "json": text_of, "csv": csv, "tsv": tsv, "html": html, "uri": uri,
    "urid": uri_decoded, "sh": shell, "base64": base64, "base64d": base64_decoded,
    "base32": base32, "base32d": base32_decoded,
}  # fmt: skip


def format_named(name: str) -> Callable[[Value], str]:
    """The format of a name; what has none fails when it is used, not before."""
    found = FORMATS.get(name)
    if found is not None:
        return found

    def unknown(value: Value) -> str:
        raise JqError(f"{name} is not a valid format")

    return unknown


def format_given(value: Value, name: Value) -> str:
    """`format("csv")`"""
    if name.__class__ is not str:
        raise wrong(name, "is not a valid format")
    return format_named(name)(value)
