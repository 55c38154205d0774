"""hexdump - dump bytes in hexadecimal, decimal, octal or another format."""

from __future__ import annotations

import re

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.chunks import text_of_bytes
from keysh.text.gnu_quoting import message_name
from keysh.tools.hexdump.dump import HexDumper
from keysh.tools.hexdump.format_units import FormatError, parse_format

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

SHORT_ADDRESS, LONG_ADDRESS = '"%07.7_ax "', '"%08.8_ax  "'
SHORT_END, LONG_END = '"%07.7_Ax\\n"', '"%08.8_Ax\\n"'
# The formats of each option; hexdump(1) defines them so.
OPTION_FORMATS = {
    "one_byte_octal": [SHORT_END, SHORT_ADDRESS + ' 16/1 "%03o " "\\n"'],
    "one_byte_char": [SHORT_END, SHORT_ADDRESS + ' 16/1 "%3_c " "\\n"'],
    "canonical": [
        LONG_END, LONG_ADDRESS + ' 8/1 "%02x " "  " 8/1 "%02x " ', '"  |" 16/1 "%_p" "|\\n"',
    ],
    "two_bytes_decimal": [SHORT_END, SHORT_ADDRESS + ' 8/2 "  %05u " "\\n"'],
    "two_bytes_octal": [SHORT_END, SHORT_ADDRESS + ' 8/2 " %06o " "\\n"'],
    "two_bytes_hex": [SHORT_END, SHORT_ADDRESS + ' 8/2 "   %04x " "\\n"'],
}  # fmt: skip
DEFAULT_FORMATS = [SHORT_END, SHORT_ADDRESS + ' 8/2 "%04x " "\\n"']
SIZE = re.compile(r"(?P<number>0[xX][0-9a-fA-F]+|\d+)(?:(?P<unit>[kKMGTPEmgtpe])(?P<tail>i?B)?)?")
UNIT_LETTERS = "KMGTPE"


@command(compatible="util-linux 2.38.1", ignored="-L, --color[=WHEN]")
def hexdump(
    sh: Call,
    *files: Path,
    one_byte_octal: bool = False,
    one_byte_char: bool = False,
    canonical: bool = False,
    two_bytes_decimal: bool = False,
    two_bytes_octal: bool = False,
    two_bytes_hex: bool = False,
    format: list[str] | None = None,
    format_file: list[str] | None = None,
    length: str | None = None,
    skip: str | None = None,
    no_squeezing: bool = False,
) -> Iterator[str]:
    """Dump bytes: 16 per line in hexadecimal, as pairs, after the offset of the first.

    files ...                 files to dump one after the other, standard input by
                              default
    -b, --one-byte-octal      bytes in octal
    -c, --one-byte-char       bytes as characters
    -C, --canonical           bytes in hexadecimal, and as characters
    -d, --two-bytes-decimal   pairs of bytes in decimal
    -o, --two-bytes-octal     pairs of bytes in octal
    -x, --two-bytes-hex       pairs of bytes in hexadecimal
    -e, --format FORMAT       units such as 8/2 "%04x " for eight times two bytes;
                              also %_ax for the offset, %_p, %_c and %_u for a
                              character
    -f, --format-file FILE    read formats from FILE, one a line
    -n, --length NUM          dump at most NUM bytes
    -s, --skip NUM            skip NUM bytes; both numbers may end in K, M, G, KB
                              ...
    -v, --no-squeezing        print lines that repeat instead of a *
    """
    limit = parse_size(sh, length, "length")
    offset = parse_size(sh, skip, "offset") or 0
    formats = []
    for name, value in sh.given:
        if name == "format":
            formats += value
        elif name == "format_file":
            formats += [line for path in value for line in format_lines(sh, path)]
        elif value and name in OPTION_FORMATS:
            formats += OPTION_FORMATS[name]
    try:
        parsed = [parse_format(text) for text in formats or DEFAULT_FORMATS]
    except FormatError as error:
        raise sh.fail(str(error)) from None
    for unit in (unit for units in parsed for unit in units):
        widths = [each.width + (each.precision or 0) for each in unit.conversions]
        # A block of input becomes one text, of which this much is certain.
        sh.check_size(unit.repetitions * (sum(widths) + len(widths)))
    dumper = HexDumper(parsed, squeezes=not no_squeezing)
    source = InputBytes(sh, files, offset, limit)
    for text in dumper.lines(source.pieces(), source.skip()):
        sh.tick()
        yield text_of_bytes(text)


class InputBytes:
    """The bytes of the files without those that are skipped."""

    __slots__ = ("_files", "_limit", "_pieces", "_sh", "_to_skip")

    def __init__(self, sh: Call, files: tuple[str, ...], to_skip: int, limit: int | None) -> None:
        self._sh, self._files = sh, files
        self._to_skip, self._limit = to_skip, limit
        self._pieces = self._file_pieces()

    def skip(self) -> int:
        """Skip bytes; return how many there were to skip."""
        rest = self._to_skip
        while rest:
            piece = next(self._pieces, None)
            if piece is None:
                break
            if len(piece) > rest:
                self._pieces = joined_pieces(piece[rest:], self._pieces)
                return self._to_skip
            rest -= len(piece)
        return self._to_skip - rest

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes that follow, at most as many as the limit says."""
        limit = self._limit
        while limit is None or limit > 0:
            piece = next(self._pieces, None)
            if piece is None:
                return
            if limit is not None:
                piece = piece[:limit]
                limit -= len(piece)
            yield piece

    def _file_pieces(self) -> Iterator[bytes]:
        sh, failures = self._sh, 0
        for name in self._files or ("-",):
            try:
                with InputFile(sh, name) as reader:
                    yield from reader.data()
            except OSError as error:
                sh.warn(f"{message_name(name)}: {os_error_text(error)}")
                failures += not isinstance(error, IsADirectoryError)
        if failures and failures == len(self._files):
            sh.note("all input file arguments failed")


def joined_pieces(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    """Yield a piece and then the others."""
    yield first
    yield from rest


def parse_size(sh: Call, text: str | None, title: str) -> int | None:
    """Return a number of bytes; None if there is none."""
    if text is None:
        return None
    found = SIZE.fullmatch(text)
    if found is None:
        raise sh.fail(f"failed to parse {title}: '{text}': Invalid argument")
    number = found["number"]
    base = 8 if number[0] == "0" and number.isdecimal() else 0
    try:
        size = int(number, base)
    except ValueError:
        raise sh.fail(f"failed to parse {title}: '{text}': Invalid argument") from None
    if found["unit"]:
        power = UNIT_LETTERS.index(found["unit"].upper()) + 1
        size *= (1000 if found["tail"] == "B" else 1024) ** power
    return size


def format_lines(sh: Call, path: str) -> list[str]:
    """Return the formats in a file, without comments and empty lines."""
    try:
        with InputFile(sh, path) as reader:
            lines = [line.strip() for line in reader.lines()]
    except OSError as error:
        raise sh.fail(f"can't read {message_name(path)}: {os_error_text(error)}") from None
    return [line for line in lines if line and not line.startswith("#")]
