"""Count and convert line breaks: CR LF of DOS, LF of Unix, and CR of old Macs."""

from __future__ import annotations

import codecs
import re

BYTE_ORDER_MARK = codecs.BOM_UTF8
UTF16_MARKS = {codecs.BOM_UTF16_LE: "UTF-16LE", codecs.BOM_UTF16_BE: "UTF-16BE"}
MARK_NAMES = {**UTF16_MARKS, BYTE_ORDER_MARK: "UTF-8"}
# Control characters that no text has.
BINARY_CHARACTER = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f]")
LONE_LF, LONE_CR = re.compile(rb"(?<!\r)\n"), re.compile(rb"\r(?!\n)")
# The real unix2dos reads a CR together with the character behind it: in CR CR LF the LF is alone.
PAIR_OR_LF = re.compile(rb"\r[\s\S]|\n")
# What is replaced, and by what, for each direction and mode.
CONVERSIONS = {
    ("unix", "ascii"): (re.compile(rb"\r\n"), b"\n"),
    ("unix", "mac"): (LONE_CR, b"\n"),
    ("dos", "ascii"): (PAIR_OR_LF, b"\r\n"),
    ("dos", "mac"): (LONE_LF, b"\r"),
}


class TextContent:
    """The content of a file without its byte order mark; UTF-16 becomes UTF-8."""

    __slots__ = ("data", "has_mark", "mark_name")

    def __init__(self, data: bytes) -> None:
        mark = next((mark for mark in MARK_NAMES if data.startswith(mark)), b"")
        self.has_mark, self.mark_name = bool(mark), MARK_NAMES.get(mark, "no_bom")
        self.data = data[len(mark) :]
        if mark in UTF16_MARKS:
            whole_units = self.data[: len(self.data) // 2 * 2]
            text = whole_units.decode(UTF16_MARKS[mark], "surrogatepass")
            self.data = text.encode("utf-8", "surrogatepass")

    @property
    def is_utf16(self) -> bool:
        """Whether the file is in UTF-16."""
        return self.mark_name.startswith("UTF-16")

    @property
    def binary_character(self) -> tuple[int, int] | None:
        """The code and line of the first character that no text has."""
        found = BINARY_CHARACTER.search(self.data)
        return found and (found[0][0], self.data.count(b"\n", 0, found.start()) + 1)

    def cut_at_binary(self) -> None:
        """Keep only what is before the first character that no text has."""
        found = BINARY_CHARACTER.search(self.data)
        self.data = self.data[: found.start() if found is not None else None]

    def counts(self) -> tuple[int, int, int]:
        """Return how many line breaks are those of DOS, Unix and old Macs."""
        dos = self.data.count(b"\r\n")
        return dos, self.data.count(b"\n") - dos, self.data.count(b"\r") - dos

    def convert(self, direction: str, mode: str, *, doubles: bool) -> int:
        """Convert the line breaks, or replace each by two; return how many were converted."""
        pattern, line_break = CONVERSIONS[direction, mode]
        line_break *= 1 + doubles
        count = 0

        def replace(match: re.Match[bytes]) -> bytes:
            nonlocal count
            if pattern is PAIR_OR_LF and match[0] != b"\n":
                return match[0]
            count += 1
            return line_break

        self.data = pattern.sub(replace, self.data)
        return count
