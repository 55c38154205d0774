"""Dumps: bytes in lines of numbers or characters, each line behind an address.

Several formats may show the same bytes, a line each; their fields are spread so that they stand
below one another.
"""

from __future__ import annotations

import struct
from math import copysign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

INTEGER_SIZES = {"C": 1, "S": 2, "I": 4, "L": 8, "1": 1, "2": 2, "4": 4, "8": 8}
FLOAT_SIZES = {"F": 4, "D": 8, "L": 16, "4": 4, "8": 8, "16": 16}
# How wide the largest number of so many bytes is.
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
CHARACTER_ESCAPES = {
    0: "\\0",
    7: "\\a",
    8: "\\b",
    9: "\\t",
    10: "\\n",
    11: "\\v",
    12: "\\f",
    13: "\\r",
}
MIN_NORMAL_FLOATS = {"f": 2.0**-126, "d": 2.0**-1022}  # that has all its digits
LONG_DOUBLE_BYTES = 16  # bytes of the longest float
PRINTABLE_TABLE = bytes(byte if 32 <= byte < 127 else ord(".") for byte in range(256))


class BadDumpType(Exception):
    """A text describes no format."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class DumpFormat:
    """One way to show bytes: the letter, how many bytes one field takes, and how wide it is."""

    __slots__ = ("has_text", "letter", "size", "width")

    def __init__(self, letter: str, size: int, width: int) -> None:
        self.letter, self.size, self.width = letter, size, width
        self.has_text = False


def parse_formats(text: str) -> Iterator[DumpFormat]:
    """The formats that a text describes one behind the other: `x1z`, `cd2`."""
    at = 0
    if not text:
        raise BadDumpType("invalid type string ''")
    while at < len(text):
        letter = text[at]
        at += 1
        if letter in "ac":
            made = DumpFormat(letter, 1, 3)
        elif letter in FIELD_WIDTHS:
            size, at = parse_field_size(text, at, letter)
            made = DumpFormat(letter, size, FIELD_WIDTHS[letter][size])
        else:
            raise BadDumpType(f"invalid character '{letter}' in type string '{text}'")
        if text[at : at + 1] == "z":
            made.has_text = True
            at += 1
        yield made


def parse_field_size(text: str, at: int, letter: str) -> tuple[int, int]:
    """The size behind a letter, and where it ends."""
    sizes = FLOAT_SIZES if letter == "f" else INTEGER_SIZES
    end = at
    while text[end : end + 1].isdecimal():
        end += 1
    given = text[at:end] or (text[at] if text[at : at + 1] in sizes else "")
    if not given:
        return (8 if letter == "f" else 4), at
    if given not in sizes:
        kind = "floating point" if letter == "f" else "integral"
        says = f"invalid type string '{text}';\nthis system doesn't provide a {given}-byte"
        raise BadDumpType(f"{says} {kind} type")
    return sizes[given], at + len(given)


class DumpLayout:
    """Formats side by side: what one line of bytes becomes."""

    __slots__ = ("_label_distance", "_radix", "_rows", "_address_blank", "width")

    def __init__(
        self,
        formats: list[DumpFormat],
        width: int,
        radix: str,
        endian: str,
        ahead: int | None = None,
    ) -> None:
        self.width, self._radix, self._label_distance = width, radix, ahead
        self._address_blank = " " * (int(radix[1]) if radix else 0)
        order = ">" if endian.startswith("b") else "<"
        whole = max((one.width + 1) * (width // one.size) for one in formats)
        self._rows = [DumpRow(one, field_widths(one, width, whole), order) for one in formats]

    def address(self, number: int) -> str:
        """An address, as it stands in front of a line; behind it, the one that is so far ahead."""
        shown = format(number, self._radix) if self._radix else ""
        if self._label_distance is None:
            return shown
        return (
            f"{shown} ({number + self._label_distance:{self._radix}})"
            if shown
            else f"({number:07o})"
        )

    def lines(self, data: bytes, address: int) -> str:
        """The lines of so many bytes, one for each format."""
        made, lead = [], self.address(address)
        for row in self._rows:
            made.append(f"{lead}{row.text(data)}\n")
            lead = self._address_blank
        return "".join(made)


class DumpRow:
    """One format of a layout: the line of text that it makes of a line of bytes."""

    __slots__ = ("_has_text", "_line_template", "_field_templates", "_unpack", "_size", "_width")

    def __init__(self, one: DumpFormat, widths: list[int], order: str) -> None:
        self._has_text, self._size, self._width = one.has_text, one.size, sum(widths)
        self._unpack = field_unpacker(one, order)
        # For `%`, what each field looks like; digits stand at the right of it.
        self._field_templates = [
            f"{' ' * (width - one.width)}%0{one.width}{one.letter}"
            if one.letter in "ox"
            else f"%{width}{'d' if one.letter in 'du' else 's'}"
            for width in widths
        ]
        self._line_template = "".join(self._field_templates)  # of a whole line

    def text(self, data: bytes) -> str:
        """The line without what ends it; the last bytes of all may be too few for it."""
        count = -(-len(data) // self._size)
        shape = self._line_template
        if count < len(self._field_templates):
            shape = "".join(self._field_templates[:count])
        made = shape % self._unpack(data.ljust(count * self._size, b"\0"))
        if self._has_text:
            made = f"{made:{self._width}}  >{data.translate(PRINTABLE_TABLE).decode('ascii')}<"
        return made


def field_widths(one: DumpFormat, width: int, whole: int) -> list[int]:
    """How wide each field of a line is: what is left over is spread among them."""
    count = width // one.size
    left = whole - one.width * count
    widths = []
    rest = left
    for i in range(count - 1, -1, -1):
        behind = left * i // count
        widths.append(one.width + rest - behind)
        rest = behind
    return widths


def field_unpacker(one: DumpFormat, order: str) -> Callable[[bytes], tuple[object, ...]]:
    """The function that turns bytes into what fields show: numbers, or texts."""
    if one.letter == "a":
        table = [CHARACTER_NAMES[byte] if byte < 33 else chr(byte) for byte in range(127)] + ["del"]
        return lambda data: tuple([table[byte & 127] for byte in data])
    if one.letter == "c":
        table = [
            CHARACTER_ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"{byte:03o}")
            for byte in range(256)
        ]
        return lambda data: tuple(map(table.__getitem__, data))
    if one.size == LONG_DOUBLE_BYTES:
        return lambda data: tuple(
            [
                format_long_double(data[at : at + LONG_DOUBLE_BYTES], order)
                for at in range(0, len(data), LONG_DOUBLE_BYTES)
            ]
        )
    if one.letter == "f":
        code, least = ("f", 6) if one.size == 4 else ("d", 15)
        return lambda data: tuple(
            [
                shortest_float(value, code, least)
                for value in unpack_numbers(data, order, code, one.size)
            ]
        )
    code = STRUCT_CODES[one.size] if one.letter == "d" else STRUCT_CODES[one.size].upper()
    return lambda data: unpack_numbers(data, order, code, one.size)


def unpack_numbers(data: bytes, order: str, code: str, size: int) -> tuple[float, ...]:
    return struct.unpack(f"{order}{len(data) // size}{code}", data)


def shortest_float(value: float, code: str, least: int) -> str:
    """A float with as many digits as it takes to read the same again."""
    if value != value:
        return "-nan" if copysign(1, value) < 0 else "nan"
    if abs(value) < MIN_NORMAL_FLOATS[code]:  # it has fewer digits than others
        least = 1
    for digits in range(least, 18):
        text = f"{value:.{digits}g}"
        if struct.pack(code, float(text)) == struct.pack(code, value):
            return text
    return repr(value)


def format_long_double(data: bytes, order: str) -> str:
    """A float of the processor's own: 64 bits of digits with none left out, 15 of power, a sign."""
    from keysh.text import long_double as numbers  # noqa: PLC0415 - few have seen one

    number = int.from_bytes(data, "little" if order == "<" else "big")
    mantissa, head = number & (1 << 64) - 1, number >> 64 & 0xFFFF
    power, sign = head & 0x7FFF, "-" if head & 0x8000 else ""
    if power and not mantissa >> 63:  # which no processor makes
        return f"{sign}nan"
    if power == 0x7FFF:
        return f"{sign}nan" if mantissa << 1 & (1 << 64) - 1 else f"{sign}inf"
    found = numbers.LongDouble(bool(sign), mantissa, max(power, 1) - 16383 - 63)
    for digits in range(18 if power else 1, 21):
        text = found.format_general(digits, alternative=False)
        again = numbers.parse_long_double(text)[0]
        if not mantissa or (again.mantissa, again.power) == (found.mantissa, found.power):
            return sign + text
    return sign + found.format_general(21, alternative=False)


class Dump:
    """Bytes that come in pieces, as lines; of lines that are the same a `*` stands for the rest."""

    __slots__ = ("_address", "_before", "_is_starred", "_layout", "_rest", "_shows_all")

    def __init__(self, layout: DumpLayout, address: int, *, shows_all: bool) -> None:
        self._layout, self._address, self._shows_all = layout, address, shows_all
        self._rest = b""
        self._before: bytes | None = None
        self._is_starred = False

    def lines(self, data: bytes) -> str:
        """The whole lines that more bytes make."""
        data = self._rest + data
        width = self._layout.width
        end = len(data) - len(data) % width
        self._rest = data[end:]
        made = []
        for at in range(0, end, width):
            block = data[at : at + width]
            if block == self._before and not self._shows_all:
                if not self._is_starred:
                    made.append("*\n")
                self._is_starred = True
            else:
                made.append(self._layout.lines(block, self._address))
                self._before, self._is_starred = block, False
            self._address += width
        return "".join(made)

    def end(self) -> str:
        """The last line, and the address behind it."""
        made = self._layout.lines(self._rest, self._address) if self._rest else ""
        address = self._layout.address(self._address + len(self._rest))
        return f"{made}{address}\n" if address else made
