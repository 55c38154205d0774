"""Hex dumps: bytes as digits, as a C array, and back."""

from __future__ import annotations

import re

from keysh.text.chunks import LINES_PER_BATCH, batch_lines, interleave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PRINTABLE_TABLE = bytes(byte if 32 <= byte < 127 else ord(".") for byte in range(256))
# xxd's EBCDIC characters: those of code page 37 with a few exceptions.
EBCDIC_EXCEPTIONS = {
    0x5F: "~",
    0x9A: "^",
    0xAD: "[",
    0xBD: "]",
    **dict.fromkeys((0xA1, 0xB0, 0xBA, 0xBB), "."),
}
EBCDIC_TABLE = bytes(
    ord(shown) if byte >= 64 and 32 <= ord(shown) < 127 else ord(".")
    for byte, char in enumerate(bytes(range(256)).decode("cp037"))
    for shown in (EBCDIC_EXCEPTIONS.get(byte, char),)
)
# `00000010: 6162 63  abc`: the offset, then pairs of digits with at most one blank between.
ADDRESSED_LINE = re.compile(rb"\s*([0-9a-fA-F]+):? ?((?:[0-9a-fA-F]{2} ?)*)")
BLANKS, DIGITS, NEWLINE = b" \t\r\n", b"0123456789abcdefABCDEF", 10


def fixed_blocks(data: Iterable[bytes], size: int) -> Iterator[bytes]:
    """Yield blocks of `size` bytes; the last may be shorter."""
    rest = b""
    for piece in data:
        rest += piece
        end = len(rest) - len(rest) % size
        for at in range(0, end, size):
            yield rest[at : at + size]
        rest = rest[end:]
    if rest:
        yield rest


def plain_dump(data: Iterable[bytes], columns: int, is_upper: bool) -> Iterator[str]:
    """Yield plain digits, on one line if `columns` is 0."""
    rest = b""
    for piece in data:
        rest += piece
        end = len(rest) - len(rest) % columns if columns else 0
        digits = f"{rest[:end].hex(chr(10), -columns)}\n" if end else ""
        if not columns:
            digits, end = rest.hex(), len(rest)
        yield digits.upper() if is_upper else digits
        rest = rest[end:]
    if rest or not columns:
        yield f"{rest.hex().upper() if is_upper else rest.hex()}\n"


def c_array(data: Iterable[bytes], columns: int, name: str, is_upper: bool) -> Iterator[str]:
    """Yield a C array, or without a name only its items."""
    if name:
        yield f"unsigned char {name}[] = {{\n"
    length, lead = 0, "  "
    for block in fixed_blocks(data, columns):
        items = ", ".join([f"0X{byte:02X}" if is_upper else f"0x{byte:02x}" for byte in block])
        yield lead + items
        lead = ",\n  "
        length += len(block)
    yield "\n" if length else ""
    if name:
        suffix = "LEN" if name.isupper() else "len"
        yield f"}};\nunsigned int {name}_{suffix} = {length};\n"


class HexDump:
    """Formats lines of an offset, digits in groups, and printable characters."""

    __slots__ = (
        "_columns", "_group", "_is_bits", "_is_upper", "_width", "is_decimal", "is_ebcdic",
        "is_little", "skips_zeros",
    )  # fmt: skip

    def __init__(self, columns: int, group: int, *, is_bits: bool, is_upper: bool) -> None:
        self._columns, self._group = columns, group
        self._is_bits, self._is_upper = is_bits, is_upper
        self.is_little = self.is_decimal = self.is_ebcdic = self.skips_zeros = False
        wide = 8 if is_bits else 2
        self._width = columns * wide + (columns - 1) // group

    def lines(self, data: Iterable[bytes], address: int) -> Iterator[str]:
        """Yield all lines in chunks."""
        is_usual = not (self._is_bits or self.is_little or self.skips_zeros)
        if is_usual and self._columns % self._group == 0:
            yield from self._batched_lines(data, address)
        else:
            yield from batch_lines(self._single_lines(data, address))

    def _batched_lines(self, data: Iterable[bytes], address: int) -> Iterator[str]:
        """Format many lines at once, if the gaps are regular and no line is skipped."""
        columns, width, offset_format = (
            self._columns,
            self._width,
            "08" if self.is_decimal else "08x",
        )
        for block in fixed_blocks(data, columns * LINES_PER_BATCH):
            digits = block.hex(" ", -self._group)
            digits = digits.upper() if self._is_upper else digits
            texts = self._text(block)
            starts = range(0, len(block), columns)
            addresses = [
                f"{start:{offset_format}}: "
                for start in range(address, address + len(block), columns)
            ]
            digit_starts = range(0, len(digits), width + 1)
            digit_lines = [digits[at : at + width] for at in digit_starts]
            digit_lines[-1] = digit_lines[-1].ljust(width)
            ends = [f"  {texts[at : at + columns]}\n" for at in starts]
            yield interleave(addresses, digit_lines, ends)
            address += len(block)

    def _single_lines(self, data: Iterable[bytes], address: int) -> Iterator[str]:
        """Format line by line, abbreviating runs of zero lines."""
        held_lines: list[
            str
        ] = []  # zero lines after the first: one line, or a star and the last line
        count = 0
        for block in fixed_blocks(data, self._columns):
            line = self.dump_line(block, address)
            address += len(block)
            if self.skips_zeros and not block.strip(b"\0") and len(block) == self._columns:
                count += 1
                if count > 1:
                    held_lines = [line] if count == 2 else ["*\n", line]
                    continue
            else:
                yield from held_lines[:1]
                held_lines, count = [], 0
            yield line
        yield from held_lines

    def dump_line(self, block: bytes, address: int) -> str:
        if self._is_bits or self.is_little:
            digits = " ".join(
                [self.digit_group(block[at : at + self._group])
                 for at in range(0, len(block), self._group)]
            )  # fmt: skip
        else:
            digits = block.hex(" ", -self._group)
        if self._is_upper:
            digits = digits.upper()
        offset = f"{address:08}" if self.is_decimal else f"{address:08x}"
        return f"{offset}: {digits:{self._width}}  {self._text(block)}\n"

    def _text(self, block: bytes) -> str:
        """Return the printable characters of bytes."""
        return block.translate(EBCDIC_TABLE if self.is_ebcdic else PRINTABLE_TABLE).decode("ascii")

    def digit_group(self, piece: bytes) -> str:
        """Format a group in binary digits or as a little-endian number."""
        if self._is_bits:
            return "".join([f"{byte:08b}" for byte in piece])
        return piece[::-1].hex().rjust(2 * self._group)


def byte_lines(data: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in data:
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
    yield rest


def parse_dump(data: Iterable[bytes], offset: int) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes of a dump's lines with their offsets."""
    for line in byte_lines(data):
        match = ADDRESSED_LINE.match(line)
        if match is not None:
            parsed = bytes.fromhex(match[2].replace(b" ", b"").decode("ascii"))
            yield int(match[1], 16) + offset, parsed


def parse_plain_dump(data: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes of plain digits with their offsets."""
    pairs, offset = DigitPairs(), 0
    for piece in data:
        parsed = bytes.fromhex(pairs.complete_pairs(piece).decode("ascii"))
        yield offset, parsed
        offset += len(parsed)


class DigitPairs:
    """Finds pairs of digits among other characters, with xxd's rules for what is in between.

    One other character may follow a pair; two may follow a single digit, which is then dropped.
    After more, the rest of the line is skipped. At the start, and after a skipped line, any number
    of other characters may precede a digit.
    """

    __slots__ = ("_allowed_others", "_digit", "_is_started", "_skips_line")

    def __init__(self) -> None:
        self._digit = b""  # the first of a pair
        self._is_started = self._skips_line = False
        self._allowed_others = 0  # how many other characters are still allowed

    def complete_pairs(self, piece: bytes) -> bytes:
        """Return the digits of the pairs that end in a piece."""
        digits = piece.translate(None, BLANKS)
        if self._skips_line or digits.translate(None, DIGITS):
            return bytes(self._among_others(piece))
        if not digits:
            return b""
        self._is_started = True
        digits = self._digit + digits
        end = len(digits) // 2 * 2
        self._digit = digits[end:]
        self._allowed_others = 1 + len(self._digit)
        return digits[:end]

    def _among_others(self, piece: bytes) -> Iterator[int]:
        for byte in piece:
            if self._skips_line:
                self._skips_line = byte != NEWLINE
            elif byte in DIGITS:
                self._is_started, self._allowed_others = True, 1
                if self._digit:
                    yield from (self._digit[0], byte)
                    self._digit = b""
                else:
                    self._digit, self._allowed_others = bytes([byte]), 2
            elif self._is_started and byte not in BLANKS:
                self._digit = b""
                self._skips_line = not self._allowed_others
                self._is_started = not self._skips_line
                self._allowed_others -= 1
