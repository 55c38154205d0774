"""The type of a file: its description and media type, from its contents."""

from __future__ import annotations

import re

from keysh.tools.file.archives import archive_kind, tar_kind
from keysh.tools.file.contents import OCTET_STREAM
from keysh.tools.file.decompress import ZLIB_HEADERS
from keysh.tools.file.elf import elf_kind
from keysh.tools.file.magic import magic_kind
from keysh.tools.file.script_line import script_kind
from keysh.tools.file.source_text import source_kind
from keysh.tools.file.text_form import text_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import FileContents, Kind
    from keysh.tools.file.text_form import TextForm

MAX_CSV_CHARACTERS = 1 << 16
MAX_CSV_LINES = 10  # to look at
MIN_CSV_LINES = 3
JSON_BLANKS = re.compile(r"[ \t\r\n]*")
QUOTED_FIELD = re.compile(r'"(?:[^"]|"")*(?:"|$)')
NETPBM = re.compile(rb"P([1-6])\s(?:#[^\n]*\n)*\s*(\d+)\s+(\d+)\s")
NETPBM_KINDS = {
    "bitmap": "image/x-portable-bitmap",
    "greymap": "image/x-portable-greymap",
    "pixmap": "image/x-portable-pixmap",
}


def file_kind(contents: FileContents) -> Kind:
    """Return the description and the media type of contents."""
    data = contents.head
    if not data:
        return "empty", "inode/x-empty"
    if contents.is_whole and len(data) == 1:
        return "very short file (no magic)", OCTET_STREAM
    form = text_form(data)
    kind = tar_kind(contents)
    if kind is None and form is not None:
        text = data.decode("utf-8", "replace").removeprefix("\ufeff")
        kind = structured_kind(text, is_whole=contents.is_whole)
    return kind or header_kind(contents) or text_kind(contents, form)


def header_kind(contents: FileContents) -> Kind | None:
    """Return the kind of a file with a binary header, else None."""
    if contents.head.startswith(b"\x7fELF"):
        return elf_kind(contents)
    return archive_kind(contents) or magic_kind(contents)


def text_kind(contents: FileContents, form: TextForm | None) -> Kind:
    """Return the kind of a text, or that the contents are data."""
    picture = netpbm_kind(contents.head, form)
    if picture is not None:
        return picture
    if form is None and contents.head.startswith(ZLIB_HEADERS):
        return "zlib compressed data", "application/zlib"
    if form is None:
        return "data", OCTET_STREAM
    return script_kind(form) or source_kind(form) or (form.description(), "text/plain")


def netpbm_kind(data: bytes, form: TextForm | None) -> Kind | None:
    """Return the kind of a Netpbm picture, which may be text, else None."""
    match = NETPBM.match(data)
    if match is None:
        return None
    number = int(match[1])
    name = [*NETPBM_KINDS][(number - 1) % 3]
    media = NETPBM_KINDS[name]
    is_text = number <= 3
    if name == "greymap" and is_text:
        media = "image/x-portable-graymap"
    size = f"{match[2].decode()} x {match[3].decode()}"
    words = f"Netpbm image data, size = {size}, {'' if is_text else 'rawbits, '}{name}"
    return f"{words}, {form.description()}" if form and is_text else words, media


def structured_kind(text: str, *, is_whole: bool) -> Kind | None:
    """Return the kind of a JSON or CSV text, else None."""
    if is_whole and text.lstrip()[:1] in ("{", "["):
        count = json_values(text)
        if count:
            lines = ("New Line Delimited JSON text data", "application/x-ndjson")
            return ("JSON text data", "application/json") if count == 1 else lines
    return ("CSV text", "text/csv") if is_comma_separated(text) else None


def json_values(text: str) -> int:
    """Return the number of JSON objects and lists in a text, or 0 if there is anything else."""
    from json import JSONDecoder  # noqa: PLC0415 - only for what looks like it

    decoder = JSONDecoder(parse_constant=refuse_constant, parse_int=str, parse_float=str)
    count, position = 0, JSON_BLANKS.match(text).end()  # type: ignore[union-attr]
    try:
        while position < len(text):
            if text[position] not in "{[":
                return 0
            _, position = decoder.raw_decode(text, position)
            position = JSON_BLANKS.match(text, position).end()  # type: ignore[union-attr]
            count += 1
    except (ValueError, RecursionError):
        return 0
    return count


def refuse_constant(constant: str) -> None:
    """Refuse NaN and infinities, which Python would accept."""
    raise ValueError(constant)


def is_comma_separated(text: str) -> bool:
    """Whether all lines have the same number of commas outside of quotes."""
    lines = QUOTED_FIELD.sub("", text[:MAX_CSV_CHARACTERS]).split("\n")[:-1][:MAX_CSV_LINES]
    counts = {line.count(",") for line in lines}
    return len(lines) >= MIN_CSV_LINES and len(counts) == 1 and 0 not in counts
