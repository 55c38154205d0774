"""The encoding of a text and the form of its lines."""

from __future__ import annotations

import re

MAX_CODING_BYTES = 1 << 16
LONG_LINE_CHARACTERS = 300
# Bytes that occur in no text, and those that occur in no ISO 8859 text.
BINARY_BYTES = bytes(byte for byte in range(32) if byte not in b"\a\b\t\n\v\f\r\x1b") + b"\x7f"
NON_ISO_BYTES = bytes(byte for byte in range(0x80, 0xA0) if byte != 0x85)
CODING_NAMES = {
    "us-ascii": "ASCII text",
    "utf-8": "Unicode text, UTF-8 text",
    "utf-8 with BOM": "Unicode text, UTF-8 (with BOM) text",
    "utf-7": "Unicode text, UTF-7",
    "utf-16le": "Unicode text, UTF-16, little-endian text",
    "utf-16be": "Unicode text, UTF-16, big-endian text",
    "utf-32le": "Unicode text, UTF-32, little-endian",
    "utf-32be": "Unicode text, UTF-32, big-endian",
    "iso-8859-1": "ISO-8859 text",
    "unknown-8bit": "Non-ISO extended-ASCII text",
}
BYTE_ORDER_MARKS = (
    (b"\xff\xfe\0\0", "utf-32le"), (b"\0\0\xfe\xff", "utf-32be"), (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"), (b"\xef\xbb\xbf", "utf-8 with BOM"),
)  # fmt: skip
UTF_7 = re.compile(rb"\+/v[89+/]")
LINE_END_NAMES = (("\r\n", "CRLF"), ("\r", "CR"), ("\n", "LF"), ("\x85", "NEL"))
LINE_END = re.compile("\r\n|[\r\n\x85]")


class TextForm:
    """A text and its encoding, by the name that media types use."""

    __slots__ = ("charset", "coding", "text")

    def __init__(self, data: bytes, coding: str) -> None:
        self.coding, self.charset = coding, coding.partition(" ")[0]
        codec = {"utf-16le": "utf-16", "utf-16be": "utf-16", "utf-8": "utf-8-sig"}
        self.text = data.decode(codec.get(self.charset, "latin-1"), "ignore")

    def description(self, *, is_executable: bool = False) -> str:
        """Return the encoding in words, with anything unusual about the lines."""
        name = CODING_NAMES[self.coding] + " executable" * is_executable
        return name if self.charset.startswith(("utf-32", "utf-7")) else name + self.line_notes()

    def line_notes(self) -> str:
        """Return the unusual properties of the lines."""
        notes, text = "", self.text
        longest = max(map(len, LINE_END.split(text)))
        if longest > LONG_LINE_CHARACTERS:
            notes = f", with very long lines ({longest})"
        ends = set(LINE_END.findall(text))
        if not ends:
            notes += ", with no line terminators"
        elif ends != {"\n"}:
            names = ", ".join(name for end, name in LINE_END_NAMES if end in ends)
            notes += f", with {names} line terminators"
        if "\x1b" in text:
            notes += ", with escape sequences"
        if "\b" in text:
            notes += ", with overstriking"
        return notes


def text_form(data: bytes) -> TextForm | None:
    """Return the form of a text, or None for binary data."""
    is_cut = len(data) > MAX_CODING_BYTES
    data = data[:MAX_CODING_BYTES]
    coding = coding_of(data, is_cut=is_cut)
    return TextForm(data, coding) if coding else None


def coding_of(data: bytes, *, is_cut: bool) -> str:
    """Return the name of the encoding, or "" for binary data."""
    for mark, coding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return coding
    if UTF_7.match(data):
        return "utf-7"
    if len(data.translate(None, BINARY_BYTES)) < len(data):
        return ""
    if data.isascii():
        return "us-ascii"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        ends_within = is_cut and error.start > len(data) - 4 and "end of data" in error.reason
        if not ends_within:
            is_extended = len(data.translate(None, NON_ISO_BYTES)) < len(data)
            return "unknown-8bit" if is_extended else latin_coding(data)
    return "utf-8"


def latin_coding(data: bytes) -> str:
    """Return the encoding: ASCII with NEL line ends, or ISO 8859."""
    return "us-ascii" if data.replace(b"\x85", b"").isascii() else "iso-8859-1"
