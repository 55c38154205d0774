"""Interpret rows in the format of magic(5), which identify a file by its bytes.

    0       string      GIF8    GIF image data      the bytes at an offset, and the description
    !:mime  image/gif                               the media type of the row above
    >4      string      9a      \\b, version 89a     tested if the row above matched; \\b: no blank
    >6      uleshort    x       %d x                any value, which the description formats

An offset is a number, `-4` from the end of the file, or `(60.l+4)`: 4 after the offset stored at 60
in the type that the letter names. A type is that of a number, with `&` and a mask or `/` and a
divisor; `string`, or `string/4` for 4 bytes; `pstring` after its length; `search` and `regex` with
the bytes to search; `use` for the rows below a `name`, whose offsets start there; or `default`,
which matches if no row beside it does. Tests of numbers may start with `<`, `>`, `!` or `&` (bits).
"""

from __future__ import annotations

import re
from functools import cache

from keysh.tools.file.contents import OCTET_STREAM, date_text, printable_text
from keysh.tools.file.magic_files import MAGIC_FILES
from keysh.tools.file.magic_media import MAGIC_MEDIA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from keysh.tools.file.contents import FileContents, Kind

LINE = re.compile(r"(>*)([-(\d]\S*)\s+(\S+)\s+(\S+)\s*(.*)")
OFFSET = re.compile(r"\((\d+)\.([slSLI])(?:\+(\d+))?\)")
TYPE = re.compile(r"([a-z]+)(?:([&/])(\w+))?")
SIZES = {"byte": 1, "short": 2, "long": 4, "date": 4, "quad": 8}  # of numbers in bytes
POINTER_TYPES = {"s": "uleshort", "l": "ulelong", "S": "ubeshort", "L": "ubelong", "I": "ubelong"}
MAX_STRING_BYTES = 256
MAX_USES = 60  # nested, as the segments of a JPEG file are


class MagicRow:
    """One row, with the rows below it.

    An indirect offset has the type of its `pointer` and an `addend`. `relation` is =, <, >, !, & or
    x for any value.
    """

    __slots__ = (
        "addend", "children", "media", "offset", "operand", "operator", "pointer", "relation",
        "text", "type", "value",
    )  # fmt: skip

    def __init__(self, offset: str, kind: str, test: str, text: str) -> None:
        pointer = OFFSET.fullmatch(offset)
        self.offset = int(pointer[1] if pointer else offset)
        self.pointer = pointer[2] if pointer else ""
        self.addend = int(pointer[3] or 0) if pointer else 0
        parts = TYPE.fullmatch(kind)
        assert parts is not None
        name, self.operator = parts[1], parts[2]
        self.type, self.operand = name, int(parts[3] or "0", 0)
        self.relation = test[0] if test[0] in "<>!&" or test == "x" else "="
        test = test if self.relation == "=" else test[1:]
        self.value: int | bytes = b""
        if name in ("string", "search"):
            self.value = test.encode().decode("unicode_escape").encode("latin-1")
        elif name in ("use", "name", "default", "regex"):
            self.value = test.encode("latin-1")
        elif test:
            self.value = int(test, 0)
        self.text, self.media = text, ""
        self.children: list[MagicRow] = []

    def accepts(self, value: int | str | bytes) -> bool:
        """Whether a value passes the test of the row."""
        if self.relation == "x" or isinstance(value, str):
            return True
        expected = self.value
        if isinstance(value, bytes) or isinstance(expected, bytes):
            return (value == expected) == (self.relation == "=")
        if self.relation == "&":
            return value & expected == expected
        if self.relation in "<>":
            return value < expected if self.relation == "<" else value > expected
        return (value == expected) == (self.relation == "=")


@cache
def magic_rows() -> tuple[list[MagicRow], dict[bytes, MagicRow]]:
    """Return the rows of the top level, and the rows with a name."""
    levels: list[list[MagicRow]] = [[]]
    named: dict[bytes, MagicRow] = {}
    for line in f"{MAGIC_MEDIA}\n{MAGIC_FILES}".split("\n"):
        if line.startswith("!:mime"):
            levels[-2][-1].media = line.split()[1]
        elif match := LINE.fullmatch(line):
            level, *columns = match.groups()
            row = MagicRow(*columns)
            del levels[len(level) + 1 :]
            levels[-1].append(row)
            levels.append(row.children)
            if row.type == "name" and isinstance(row.value, bytes):
                named[row.value] = row
    return levels[0], named


class MagicReader:
    """Tests rows against contents, and collects the descriptions of those that match."""

    __slots__ = ("_contents", "_uses", "media", "text")

    def __init__(self, contents: FileContents) -> None:
        self._contents = contents
        self._uses = 0
        self.text, self.media = "", OCTET_STREAM

    def read(self, rows: Iterable[MagicRow], base: int = 0) -> None:
        """Test rows; their offsets count from `base`."""
        has_match = False
        for row in rows:
            if row.type == "default" and has_match:
                continue
            offset = self._offset(row, base)
            value = None if offset is None else self._value(row, offset)
            if value is None or not row.accepts(value):
                continue
            has_match = True
            if isinstance(value, int) and row.type.endswith("date"):
                value = date_text(value)
            text = row.text % value if "%" in row.text else row.text
            gap = " " if self.text and text and not text.startswith(r"\b") else ""
            self.text += gap + text.removeprefix(r"\b")
            self.media = row.media or self.media
            self.read(row.children, base)

    def _offset(self, row: MagicRow, base: int) -> int | None:
        """Return where a row reads, or None if the contents have no such place."""
        if row.offset < 0:
            size = self._contents.size
            return size + row.offset if self._contents.is_file and size >= -row.offset else None
        if not row.pointer:
            return base + row.offset
        number = self._number(POINTER_TYPES[row.pointer], base + row.offset)
        if number is not None and row.pointer == "I":  # ID3: seven bits of each byte
            number = sum((number >> 8 * at & 0x7F) << 7 * at for at in range(4))
        return None if number is None else base + number + row.addend

    def _value(self, row: MagicRow, offset: int) -> int | str | bytes | None:
        """Return the value that a row compares, or None."""
        if row.type in ("string", "pstring", "search", "regex"):
            return self._string(row, offset)
        if row.type == "use" and self._uses < MAX_USES and isinstance(row.value, bytes):
            self._uses += 1
            self.read(magic_rows()[1][row.value].children, offset)
            self._uses -= 1
        if row.type in ("use", "default", "name"):
            return None if row.type != "default" else row.value
        number = self._number(row.type, offset)
        if number is None or not row.operator:
            return number
        return number & row.operand if row.operator == "&" else number // row.operand

    def _string(self, row: MagicRow, offset: int) -> str | bytes | None:
        """Return the text that a row compares, or None."""
        read, value = self._contents.read_part, row.value
        assert isinstance(value, bytes)
        if row.type == "regex":
            match = re.search(value, read(offset, row.operand or MAX_STRING_BYTES))
            return match and printable_text(match[match.lastindex or 0])
        if row.type == "pstring":
            size = self._number("ubeshort", offset)
            return None if size is None else printable_text(read(offset + 2, max(size - 2, 0)))
        if row.type == "search":
            return value if value in read(offset, row.operand + len(value)) else None
        if row.relation != "x":
            return read(offset, len(value))
        data = read(offset, row.operand or MAX_STRING_BYTES).partition(b"\0")[0]
        return printable_text(data.rstrip(b" ")) if row.operand else printable_text(data)

    def _number(self, kind: str, offset: int) -> int | None:
        """Return a number of a type such as `uleshort`; None at the end of the contents."""
        is_signed = not (kind.startswith("u") or kind.endswith("date"))
        order: Literal["little", "big"] = "big" if "be" in kind[:3] else "little"
        size = SIZES[kind.removeprefix("u").removeprefix("le").removeprefix("be")]
        data = self._contents.read_part(offset, size)
        return int.from_bytes(data, order, signed=is_signed) if len(data) == size else None


def magic_kind(contents: FileContents) -> Kind | None:
    """Return the kind of a file from the first row that describes it, or None."""
    rows, _ = magic_rows()
    for row in rows:
        reader = MagicReader(contents)
        reader.read((row,))
        if reader.text:
            return reader.text, reader.media
    return None
