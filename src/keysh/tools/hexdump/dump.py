"""Print blocks of bytes by the formats of hexdump."""

from __future__ import annotations

import struct

from keysh.tools.hexdump.format_units import ADDRESS_LETTERS, FLOAT_LETTERS, Conversion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.tools.hexdump.format_units import FormatUnit

ESCAPES = {
    0: b"\\0",
    7: b"\\a",
    8: b"\\b",
    9: b"\\t",
    10: b"\\n",
    11: b"\\v",
    12: b"\\f",
    13: b"\\r",
}
CONTROL_NAMES = (
    b"nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si dle dcl dc2 dc3 dc4 nak syn etb can "
    b"em sub esc fs gs rs us"
).split()
DELETE = 0x7F
SIZES = (1, 2, 4, 8)
# The codes of struct for each conversion and size.
STRUCT_CODES = {
    **{(kind, size): code for kind in "di" for code, size in zip("bhiq", SIZES, strict=True)},
    **{(kind, size): code for kind in "ouxX" for code, size in zip("BHIQ", SIZES, strict=True)},
    **{(kind, size): code for kind in FLOAT_LETTERS for code, size in (("f", 4), ("d", 8))},
    **dict.fromkeys((("c", 1), ("_c", 1), ("_p", 1), ("_u", 1)), "B"),
}  # fmt: skip


class HexDumper:
    """Prints bytes by several formats, one after the other for each block."""

    __slots__ = ("_block_size", "_final_units", "_formats", "_squeezes", "_templates")

    def __init__(self, formats: list[list[FormatUnit]], squeezes: bool) -> None:
        self._block_size = max((format_size(units) for units in formats), default=0)
        self._squeezes = squeezes
        self._final_units: list[FormatUnit] = []
        self._formats = []
        for units in formats:
            self._fill_block(units)
            printed: list[FormatUnit] = []
            for unit in units:
                if unit.is_final:
                    self._final_units = [unit]
                    break
                printed.append(unit)
            self._formats.append(printed)
        self._templates = block_templates(self._formats)

    def _fill_block(self, units: list[FormatUnit]) -> None:
        """Repeat the last unit of a short format until the block ends, unless it has a count."""
        missing = self._block_size - format_size(units)
        if units and not units[-1].has_count and units[-1].size and missing > 0:
            units[-1].repetitions += missing // units[-1].size

    def lines(self, pieces: Iterable[bytes], address: int) -> Iterator[bytes]:
        """Yield the dump of the bytes; the first one is at `address`."""
        size = self._block_size
        if not size:
            return
        last = b""
        is_squeezed = False
        end = address
        for block in blocks_of(pieces, size):
            end = address + len(block)
            if self._squeezes and block == last:
                if not is_squeezed:
                    yield b"*\n"
                is_squeezed = True
            else:
                is_squeezed = False
                is_whole = len(block) == size
                print_block = self._whole_block_text if is_whole else self._block_text
                yield print_block(block, address)
            address, last = end, block
        if end:
            yield from (self._address_text(each, end) for unit in self._final_units
                        for each in unit.conversions)  # fmt: skip

    def _block_text(self, block: bytes, start: int) -> bytes:
        texts: list[bytes] = []
        end = start + len(block)
        block += bytes(self._block_size - len(block))
        for units in self._formats:
            address = start
            for unit in units:
                for count in range(unit.repetitions, 0, -1):
                    # The last repetition has no blank at its end.
                    last = unit.conversions[-1] if count == 1 and unit.repetitions > 1 else None
                    for each in unit.conversions:
                        offset = address - start
                        if address >= end and each.kind:
                            text = each.text + b" " * each.width
                        else:
                            text = conversion_text(
                                each, block[offset : offset + each.size], address
                            )
                        if each is last and not each.kind and text[-1:].isspace():
                            text = text[:-1]
                        texts.append(text)
                        address += each.size
        return b"".join(texts)

    def _whole_block_text(self, block: bytes, address: int) -> bytes:
        """Return the text of a block that is not the last one."""
        if self._templates is None:
            return self._block_text(block, address)
        return b"".join([template.text(block, address) for template in self._templates])

    def _address_text(self, conversion: Conversion, address: int) -> bytes:
        return conversion_text(conversion, b"", address)


class BlockTemplate:
    """A format for a whole block at once, as one template of `%`."""

    __slots__ = ("_addresses", "_tables", "_template", "_values")

    def __init__(self, units: list[FormatUnit]) -> None:
        template: list[bytes] = []
        codes = "="
        self._addresses: list[tuple[int, int]] = []  # index among the values, offset in the block
        self._tables: list[list[bytes] | None] = []  # by value, where it is a character
        offset = index = 0
        for each, is_last in repeated_conversions(units):
            if not each.kind:
                text = each.text[:-1] if is_last and each.text[-1:].isspace() else each.text
                template.append(text.replace(b"%", b"%%"))
                continue
            template.append(each.text.replace(b"%", b"%%") + template_of(each))
            if each.is_address:
                self._addresses.append((index, offset))
            else:
                codes += STRUCT_CODES[each.kind, each.size]
                text_of_octet = CHARACTER_TEXTS.get(each.kind)
                self._tables.append(text_of_octet and [*map(text_of_octet, range(256))])
            offset += each.size
            index += 1
        self._template, self._values = b"".join(template), struct.Struct(codes)
        if not any(self._tables):
            self._tables = []

    def text(self, block: bytes, address: int) -> bytes:
        """Return the text of a block."""
        found = self._values.unpack_from(block)
        values = [*found]
        if self._tables:
            values = [
                value if table is None else table[value]
                for value, table in zip(found, self._tables, strict=True)
            ]
        for index, offset in self._addresses:
            values.insert(index, address + offset)
        return self._template % tuple(values)


def block_templates(formats: list[list[FormatUnit]]) -> list[BlockTemplate] | None:
    """Return templates for the formats; None if one has a conversion that templates lack."""
    for units in formats:
        for unit in units:
            for each in unit.conversions:
                is_common = each.is_address or (each.kind, each.size) in STRUCT_CODES
                if each.kind and (not is_common or "#" in each.flags):
                    return None
    return [BlockTemplate(units) for units in formats]


def repeated_conversions(units: list[FormatUnit]) -> Iterator[tuple[Conversion, bool]]:
    """Yield the conversions of a block, and whether a blank at the end is left out."""
    for unit in units:
        for count in range(unit.repetitions, 0, -1):
            for each in unit.conversions:
                is_last = count == 1 and unit.repetitions > 1 and each is unit.conversions[-1]
                yield each, is_last


def template_of(conversion: Conversion) -> bytes:
    """Return a conversion for Python's `%`."""
    kind, flags = conversion.kind, conversion.flags
    letter = ADDRESS_LETTERS.get(kind, kind)
    if kind in CHARACTER_TEXTS or kind == "s":
        letter, flags = "s", "-" if "-" in flags else ""
    precision = "" if conversion.precision is None else f".{conversion.precision}"
    return f"%{flags}{conversion.width or ''}{precision}{letter}".encode()


def format_size(units: list[FormatUnit]) -> int:
    """Return how many bytes a format prints."""
    return sum(unit.repetitions * unit.size for unit in units)


def blocks_of(pieces: Iterable[bytes], size: int) -> Iterator[bytes]:
    """Cut bytes into blocks; the last one may be shorter."""
    rest = b""
    for piece in pieces:
        data = rest + piece if rest else piece
        whole = len(data) - len(data) % size
        for offset in range(0, whole, size):
            yield data[offset : offset + size]
        rest = data[whole:]
    if rest:
        yield rest


def conversion_text(conversion: Conversion, data: bytes, address: int) -> bytes:
    """Return what a conversion prints."""
    kind = conversion.kind
    if not kind:
        return conversion.text
    values: tuple[object, ...]
    if conversion.is_address:
        values = (address,)
    elif kind in CHARACTER_TEXTS:
        values = (CHARACTER_TEXTS[kind](data[0]),)
    elif kind == "s":
        values = (data.split(b"\0", 1)[0],)
    else:
        values = struct.unpack(f"={STRUCT_CODES[kind, len(data)]}", data)
    text = template_of(conversion) % values
    if kind == "o" and "#" in conversion.flags:  # Python writes 0o17
        text = text.replace(b"0o", b"" if values == (0,) else b"0")
    return conversion.text + text


def character_escape(octet: int) -> bytes:
    """Return a byte as a character, an escape or three octal digits."""
    return ESCAPES.get(octet) or (bytes((octet,)) if 32 <= octet < DELETE else b"%03o" % octet)


def character_name(octet: int) -> bytes:
    """Return a byte as a character, its name or two hexadecimal digits."""
    if octet < len(CONTROL_NAMES):
        return CONTROL_NAMES[octet]
    if octet == DELETE:
        return b"del"
    return bytes((octet,)) if octet < DELETE else b"%02x" % octet


def printable_character(octet: int) -> bytes:
    """Return a byte as a character, or a dot."""
    return bytes((octet,)) if 32 <= octet < DELETE else b"."


def raw_character(octet: int) -> bytes:
    return bytes((octet,))


CHARACTER_TEXTS: dict[str, Callable[[int], bytes]] = {
    "_c": character_escape, "_u": character_name, "_p": printable_character, "c": raw_character,
}  # fmt: skip
