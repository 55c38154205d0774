"""Dump bytes as lines of numbers or characters, each after an offset.

Several formats can show the same bytes on a line each; the fields are spaced to align.
"""

from __future__ import annotations

import struct
from math import copysign

from keysh.text.escapes import CONTROL_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

INTEGER_SIZES = {"C": 1, "S": 2, "I": 4, "L": 8, "1": 1, "2": 2, "4": 4, "8": 8}
FLOAT_SIZES = {"F": 4, "D": 8, "L": 16, "4": 4, "8": 8, "16": 16}
# The width of the largest number by type and size.
FIELD_WIDTHS = {
    "d": {1: 4, 2: 6, 4: 11, 8: 20}, "u": {1: 3, 2: 5, 4: 10, 8: 20},
    "o": {1: 3, 2: 6, 4: 11, 8: 22}, "x": {1: 2, 2: 4, 4: 8, 8: 16}, "f": {4: 15, 8: 24, 16: 29},
}  # fmt: skip
STRUCT_CODES = {1: "b", 2: "h", 4: "i", 8: "q"}
SHORTHAND_TYPES = {
    "named": "a", "octal_bytes": "o1", "characters": "c", "unsigned": "u2", "floats": "fF",
    "integers": "dI", "longs": "dL", "octal": "o2", "shorts": "d2", "hexadecimal": "x2",
    "doubles": "fD", "octal_integers": "o4", "unsigned_integers": "u4",
    "hexadecimal_integers": "x4",
}  # fmt: skip

CHARACTER_NAMES = (
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr",
    "so", "si", "dle", "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc",
    "fs", "gs", "rs", "us", "sp",
)  # fmt: skip
CHARACTER_ESCAPES = {0: r"\0", **CONTROL_NAMES}
MIN_NORMAL_FLOATS = {"f": 2.0**-126, "d": 2.0**-1022}  # with full precision
LONG_DOUBLE_BYTES = 16  # x87 extended precision, padded
PRINTABLE_TABLE = bytes(byte if 32 <= byte < 127 else ord(".") for byte in range(256))


class BadDumpType(Exception):
    """The text does not describe a format."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class DumpFormat:
    """One output format: its letter, and the bytes and the width of a field."""

    __slots__ = ("has_text", "letter", "size", "width")

    def __init__(self, letter: str, size: int, width: int) -> None:
        self.letter, self.size, self.width = letter, size, width
        self.has_text = False


def parse_formats(text: str) -> Iterator[DumpFormat]:
    """Parse formats one after another: `x1z`, `cd2`."""
    position = 0
    if not text:
        raise BadDumpType("invalid type string ''")
    while position < len(text):
        letter = text[position]
        position += 1
        if letter in "ac":
            dump_format = DumpFormat(letter, 1, 3)
        elif letter in FIELD_WIDTHS:
            size, position = parse_field_size(text, position, letter)
            dump_format = DumpFormat(letter, size, FIELD_WIDTHS[letter][size])
        else:
            raise BadDumpType(f"invalid character '{letter}' in type string '{text}'")
        if text[position : position + 1] == "z":
            dump_format.has_text = True
            position += 1
        yield dump_format


def parse_field_size(text: str, start: int, letter: str) -> tuple[int, int]:
    """Return the size after a letter and the position after it."""
    sizes = FLOAT_SIZES if letter == "f" else INTEGER_SIZES
    end = start
    while text[end : end + 1].isdecimal():
        end += 1
    spelled = text[start:end] or (text[start] if text[start : start + 1] in sizes else "")
    if not spelled:
        return (8 if letter == "f" else 4), start
    if spelled not in sizes:
        kind = "floating point" if letter == "f" else "integral"
        message = f"invalid type string '{text}';\nthis system doesn't provide a {spelled}-byte"
        raise BadDumpType(f"{message} {kind} type")
    return sizes[spelled], start + len(spelled)


class DumpLayout:
    """The formats of a dump, which turn a block of bytes into lines."""

    __slots__ = ("_address_blank", "_label_distance", "_radix", "_rows", "width")

    def __init__(
        self,
        formats: list[DumpFormat],
        width: int,
        radix: str,
        endian: str,
        label_distance: int | None = None,
    ) -> None:
        self.width, self._radix, self._label_distance = width, radix, label_distance
        self._address_blank = " " * (int(radix[1]) if radix else 0)
        order = ">" if endian.startswith("b") else "<"
        line_width = max(
            (dump_format.width + 1) * (width // dump_format.size) for dump_format in formats
        )
        self._rows = [
            DumpRow(dump_format, field_widths(dump_format, width, line_width), order)
            for dump_format in formats
        ]

    def address(self, number: int) -> str:
        """Format an offset, followed by its label if there is one."""
        text = format(number, self._radix) if self._radix else ""
        if self._label_distance is None:
            return text
        return (
            f"{text} ({number + self._label_distance:{self._radix}})" if text else f"({number:07o})"
        )

    def lines(self, data: bytes, address: int) -> str:
        """Return one line for each format."""
        rows, prefix = [], self.address(address)
        for row in self._rows:
            rows.append(f"{prefix}{row.text(data)}\n")
            prefix = self._address_blank
        return "".join(rows)


class DumpRow:
    """One format of a layout."""

    __slots__ = ("_field_templates", "_has_text", "_line_template", "_size", "_unpack", "_width")

    def __init__(self, dump_format: DumpFormat, widths: list[int], order: str) -> None:
        self._has_text, self._size, self._width = (
            dump_format.has_text,
            dump_format.size,
            sum(widths),
        )
        self._unpack = field_unpacker(dump_format, order)
        # A %-template for each field, right-justified.
        self._field_templates = [
            f"{' ' * (width - dump_format.width)}%0{dump_format.width}{dump_format.letter}"
            if dump_format.letter in "ox"
            else f"%{width}{'d' if dump_format.letter in 'du' else 's'}"
            for width in widths
        ]
        self._line_template = "".join(self._field_templates)  # of a complete line

    def text(self, data: bytes) -> str:
        """Format a block; an incomplete last block is padded with NUL."""
        count = -(-len(data) // self._size)
        shape = self._line_template
        if count < len(self._field_templates):
            shape = "".join(self._field_templates[:count])
        line = shape % self._unpack(data.ljust(count * self._size, b"\0"))
        if self._has_text:
            line = f"{line:{self._width}}  >{data.translate(PRINTABLE_TABLE).decode('ascii')}<"
        return line


def field_widths(dump_format: DumpFormat, width: int, line_width: int) -> list[int]:
    """Return the widths of a line's fields, with the surplus spread among them."""
    count = width // dump_format.size
    surplus = line_width - dump_format.width * count
    widths = []
    rest = surplus
    for i in range(count - 1, -1, -1):
        following = surplus * i // count
        widths.append(dump_format.width + rest - following)
        rest = following
    return widths


def field_unpacker(dump_format: DumpFormat, order: str) -> Callable[[bytes], tuple[object, ...]]:
    """Return the function that turns bytes into the values of fields."""
    if dump_format.letter == "a":
        table = [CHARACTER_NAMES[byte] if byte < 33 else chr(byte) for byte in range(127)] + ["del"]
        return lambda data: tuple([table[byte & 127] for byte in data])
    if dump_format.letter == "c":
        table = [
            CHARACTER_ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"{byte:03o}")
            for byte in range(256)
        ]
        return lambda data: tuple(map(table.__getitem__, data))
    if dump_format.size == LONG_DOUBLE_BYTES:
        return lambda data: tuple(
            [
                format_long_double(data[at : at + LONG_DOUBLE_BYTES], order)
                for at in range(0, len(data), LONG_DOUBLE_BYTES)
            ]
        )
    if dump_format.letter == "f":
        code, least = ("f", 6) if dump_format.size == 4 else ("d", 15)
        return lambda data: tuple(
            [
                shortest_float(value, code, least)
                for value in unpack_numbers(data, order, code, dump_format.size)
            ]
        )
    code = (
        STRUCT_CODES[dump_format.size]
        if dump_format.letter == "d"
        else STRUCT_CODES[dump_format.size].upper()
    )
    return lambda data: unpack_numbers(data, order, code, dump_format.size)


def unpack_numbers(data: bytes, order: str, code: str, size: int) -> tuple[float, ...]:
    return struct.unpack(f"{order}{len(data) // size}{code}", data)


def shortest_float(value: float, code: str, min_digits: int) -> str:
    """Format a float with as few digits as read back to the same value."""
    if value != value:
        return "-nan" if copysign(1, value) < 0 else "nan"
    if abs(value) < MIN_NORMAL_FLOATS[code]:  # subnormal numbers have fewer digits
        min_digits = 1
    for digits in range(min_digits, 18):
        text = f"{value:.{digits}g}"
        if struct.pack(code, float(text)) == struct.pack(code, value):
            return text
    return repr(value)


def format_long_double(data: bytes, order: str) -> str:
    """Format an x87 long double: 64 mantissa bits, 15 exponent bits and a sign."""
    from keysh.text import long_double as numbers  # noqa: PLC0415 - rarely used

    number = int.from_bytes(data, "little" if order == "<" else "big")
    mantissa, head = number & (1 << 64) - 1, number >> 64 & 0xFFFF
    power, sign = head & 0x7FFF, "-" if head & 0x8000 else ""
    if power and not mantissa >> 63:  # an invalid encoding
        return f"{sign}nan"
    if power == 0x7FFF:
        return f"{sign}nan" if mantissa << 1 & (1 << 64) - 1 else f"{sign}inf"
    value = numbers.LongDouble(bool(sign), mantissa, max(power, 1) - 16383 - 63)
    for digits in range(18 if power else 1, 21):
        text = value.format_general(digits, alternative=False)
        parsed = numbers.parse_long_double(text)[0]
        if not mantissa or (parsed.mantissa, parsed.power) == (value.mantissa, value.power):
            return sign + text
    return sign + value.format_general(21, alternative=False)


class Dump:
    """Turns chunks of bytes into lines; a * replaces repeated lines."""

    __slots__ = ("_address", "_before", "_is_starred", "_layout", "_rest", "_shows_all")

    def __init__(self, layout: DumpLayout, address: int, *, shows_all: bool) -> None:
        self._layout, self._address, self._shows_all = layout, address, shows_all
        self._rest = b""
        self._before: bytes | None = None
        self._is_starred = False

    def lines(self, data: bytes) -> str:
        """Return the complete lines that more bytes make."""
        data = self._rest + data
        width = self._layout.width
        end = len(data) - len(data) % width
        self._rest = data[end:]
        output = []
        for start in range(0, end, width):
            block = data[start : start + width]
            if block == self._before and not self._shows_all:
                if not self._is_starred:
                    output.append("*\n")
                self._is_starred = True
            else:
                output.append(self._layout.lines(block, self._address))
                self._before, self._is_starred = block, False
            self._address += width
        return "".join(output)

    def end(self) -> str:
        """Return the last line and the final offset."""
        last_line = self._layout.lines(self._rest, self._address) if self._rest else ""
        address = self._layout.address(self._address + len(self._rest))
        return f"{last_line}{address}\n" if address else last_line
