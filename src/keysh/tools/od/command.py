"""od - dump bytes as numbers and characters."""

from __future__ import annotations

import re
from itertools import chain, islice
from math import lcm

from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.schema.types import C_BLANKS, SizeType, UnfitValue
from keysh.text.chunks import MAX_CHUNK_BYTES, bytes_of_text
from keysh.text.gnu_quoting import quoted_name
from keysh.tools.od.dump import SHORTHAND_TYPES, BadDumpType, Dump, DumpLayout, parse_formats
from keysh.tools.od.nul_strings import nul_strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput
    from keysh.schema.types import Path

ADDRESS_FORMATS = {"d": "07d", "o": "07o", "x": "06x", "n": ""}
BYTE_ORDERS = {"little": "little", "big": "big"}
DEFAULT_LINE_BYTES, WIDE_LINE_BYTES = 16, 32  # by default, and for -w without a number
MAX_LINE_BYTES = 1 << 16
MAX_FORMATS = 1000  # for one dump
DEFAULT_STRING_LENGTH = 3  # minimum characters


# A traditional offset: octal, or hexadecimal after 0x.
OLD_OFFSET = re.compile(r"\+?(?:0[xX]([0-9a-fA-F]+)|([0-7]+))([bB]?)")
OLD_OFFSET_UNITS = {"": 1, "b": 512, "B": 1024}
# Options that turn an operand that looks like an offset into a file.
MODERN_OPTIONS = {
    "address_radix", "skip_bytes", "read_bytes", "format", "strings", "least_string",
    "output_duplicates", "width",
}  # fmt: skip


class OffsetType(SizeType):
    """A size that may also be octal after 0 or hexadecimal after 0x."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        number = text.lstrip(C_BLANKS).removeprefix("+")
        base = 16 if DIGITS_BY_BASE[16].match(number) else 8 if number[:1] == "0" else 10
        digits = DIGITS_BY_BASE[base].match(number)
        if digits is None:
            raise UnfitValue(self.requirement, text)
        value = int(digits[1], base) if len(digits[1]) <= MAX_OFFSET_DIGITS else MAX_OFFSET
        try:
            return super().parse(f"1{number[digits.end() :]}") * value
        except UnfitValue as unfit:
            unfit.fault, unfit.value = "invalid suffix in", text
            raise


MAX_OFFSET_DIGITS, MAX_OFFSET = 1000, 1 << 64  # longer numbers count as MAX_OFFSET
DIGITS_BY_BASE = {
    8: re.compile(r"([0-7]+)"), 10: re.compile(r"([0-9]+)"),
    16: re.compile(r"0[xX]([0-9a-fA-F]+)"),
}  # fmt: skip
if TYPE_CHECKING:
    Place: TypeAlias = int
else:
    Place = OffsetType("Place", "a number of bytes such as 10, 010, 0x10 or 10K")


@command(
    compatible="GNU coreutils 9.1",
    refusals=Refusals(
        invalid_values={
            "skip_bytes": "{fault} -j argument '{}'",
            "read_bytes": "{fault} -N argument '{}'",
            "width": "{fault} -w argument '{}'",
            "strings": "{fault} --strings argument '{}'",
            "least_string": "{fault} -S argument '{}'",
        }
    ),
    style=OptionStyle(
        unabbreviated=(
            "least-string named octal-bytes characters unsigned floats integers longs octal shorts "
            "hexadecimal doubles octal-integers unsigned-integers hexadecimal-integers"
        )
    ),
)
def od(
    sh: Call,
    *files: Path,
    address_radix: str = "o",
    endian: str = "little",
    skip_bytes: Place = 0,
    read_bytes: Place | None = None,
    format: list[str] | None = None,
    strings: Place | bool = False,
    least_string: Place | None = None,
    output_duplicates: bool = False,
    width: int | bool = False,
    named: bool = False,
    octal_bytes: bool = False,
    characters: bool = False,
    unsigned: bool = False,
    floats: bool = False,
    integers: bool = False,
    longs: bool = False,
    octal: bool = False,
    shorts: bool = False,
    hexadecimal: bool = False,
    doubles: bool = False,
    octal_integers: bool = False,
    unsigned_integers: bool = False,
    hexadecimal_integers: bool = False,
    traditional: bool = False,
) -> Iterator[str]:
    """Dump bytes in octal or other formats, 16 per line after the offset of the first.

    files ...                  files to read one after another, - for standard input
    -A, --address-radix RADIX  radix of offsets: d decimal, o octal, x hexadecimal,
                               n none
    --endian ORDER             byte order of numbers: little or big
    -j, --skip-bytes BYTES     skip the first BYTES bytes
    -N, --read-bytes BYTES     dump at most BYTES bytes
    --strings[=BYTES]          show only NUL-terminated strings of at least BYTES
                               characters, 3 by default
    -S, --least-string BYTES   same as --strings=BYTES
    -t, --format TYPE          a named characters, c characters, d signed decimal, f
                               floating point, o octal, u unsigned decimal, x
                               hexadecimal; a size may follow all but a and c: 1 2 4
                               8 or C S I L, for f 4 8 16 or F D L; z appends
                               printable characters
    -v, --output-duplicates    show repeated lines instead of a *
    -w, --width[=BYTES]        dump BYTES bytes per line; 32 without a number
    -a, --named                same as -t a
    -b, --octal-bytes          same as -t o1
    -c, --characters           same as -t c
    -d, --unsigned             same as -t u2
    -f, --floats               same as -t fF
    -i, --integers             same as -t dI
    -l, -I, -L, --longs        same as -t dL
    -o, -B, --octal            same as -t o2
    -s, --shorts               same as -t d2
    -x, -h, --hexadecimal      same as -t x2
    -F, -e, --doubles          same as -t fD
    -O, --octal-integers       same as -t o4
    -D, --unsigned-integers    same as -t u4
    -H, -X, --hexadecimal-integers
                               same as -t x4
    --traditional              accept operands after the file: the offset of the
                               first byte and the label shown for it

    Without --traditional a final operand is an offset if it begins with +, or
    follows a file and begins with a digit, provided that only options from -a on
    are given. Offsets are octal, or hexadecimal after 0x; the suffix b multiplies
    by 512.
    """
    if address_radix[:1] not in ADDRESS_FORMATS or len(address_radix) != 1:
        message = (
            f"invalid output address radix '{address_radix[:1]}'; it must be one character from"
        )
        raise sh.fail(f"{message} [doxn]")
    order = choice_of("--endian", endian, BYTE_ORDERS)
    types, min_length = output_types(sh), min_string_length(sh)
    if min_length is not None and types:
        raise sh.fail("no type may be specified when dumping strings")
    try:
        every = chain.from_iterable(map(parse_formats, types or ["o2"]))
        formats = [*islice(every, MAX_FORMATS + 1)]
    except BadDumpType as error:
        raise sh.fail(error.message) from None
    if len(formats) > MAX_FORMATS:
        raise sh.fail(f"more than {MAX_FORMATS} formats for a line")
    unit = lcm(*(dump_format.size for dump_format in formats))
    line_bytes = (
        WIDE_LINE_BYTES if width is True else DEFAULT_LINE_BYTES if width is False else width
    )
    if line_bytes < 0:
        raise sh.fail(f"invalid -w argument '{line_bytes}'")
    if line_bytes >> 64:
        raise sh.fail(f"-w argument '{line_bytes}' too large")
    if width is not False and (line_bytes < 1 or line_bytes % unit or line_bytes > MAX_LINE_BYTES):
        sh.complain(f"od: warning: invalid width {line_bytes}; using {unit} instead")
        line_bytes = unit
    elif line_bytes % unit:
        line_bytes = unit
    files, skip_bytes, label = split_offsets(sh, files, skip_bytes, traditional)
    label_distance = None if label is None else label - skip_bytes
    layout = DumpLayout(formats, line_bytes, ADDRESS_FORMATS[address_radix], order, label_distance)
    sources = sh.inputs(files, "{title}: {why}")
    first = next(sources, None)
    if first is None:
        return  # no offset is printed if no file can be opened
    data = limited_bytes(sh, input_bytes(chain([first], sources)), skip_bytes, read_bytes)
    if min_length is not None:
        end = None if read_bytes is None else skip_bytes + read_bytes
        for address, text in nul_strings(data, min_length, skip_bytes, end):
            sh.tick()
            yield f"{layout.address(address)} {text}\n" if address_radix != "n" else f"{text}\n"
        return
    dump = Dump(layout, skip_bytes, shows_all=output_duplicates)
    # A block is printed once for each format.
    step = max(MAX_CHUNK_BYTES // len(formats), 1)
    for block in data:
        for start in range(0, len(block), step):
            sh.tick()
            yield dump.lines(block[start : start + step])
    yield dump.end()


def split_offsets(
    sh: Call, words: tuple[str, ...], skip: int, traditional: bool
) -> tuple[tuple[str, ...], int, int | None]:
    """Separate files from offsets; return the files, the bytes to skip and the label."""
    if not traditional and any(name in MODERN_OPTIONS for name, _ in sh.given):
        return words, skip, None
    offsets = [parse_offset(word) for word in words]
    label = None
    if len(words) in (1, 2) and offsets[-1] is not None:
        is_place = traditional or words[-1][0] == "+" or (len(words) > 1 and words[-1][0].isdigit())
        if traditional and len(words) > 1 and offsets[0] is not None:
            words, skip, label = (), offsets[0], offsets[1]
        elif is_place:
            words, skip = words[:-1], offsets[-1]
    elif traditional and len(words) == 3 and None not in offsets[1:]:
        words, skip, label = words[:1], offsets[1] or 0, offsets[2]
    if traditional and len(words) > 1:
        message = f"extra operand {quoted_name(words[1])}"
        raise UsageFailure(f"{message}\nod: compatibility mode supports at most one file")
    return words, skip, label


def parse_offset(word: str) -> int | None:
    """Parse a traditional offset."""
    match = OLD_OFFSET.fullmatch(word[:MAX_OFFSET_DIGITS])
    if match is None:
        return None
    hexadecimal, octal, unit = match.groups()
    return int(hexadecimal or octal, 16 if hexadecimal else 8) * OLD_OFFSET_UNITS[unit]


def output_types(sh: Call) -> list[str]:
    """Return the requested types in the order given."""
    types: list[str] = []
    for name, value in sh.given:
        if name == "format":
            types += value
        elif name in SHORTHAND_TYPES:
            types.append(SHORTHAND_TYPES[name])
    return types


def min_string_length(sh: Call) -> int | None:
    """Return the minimum length of strings, or None if none are requested."""
    length: int | None = None
    for name, value in sh.given:
        if name in ("strings", "least_string"):
            length = DEFAULT_STRING_LENGTH if value is True else value
            if length < 0:
                option = "--strings" if name == "strings" else "-S"
                raise sh.fail(f"invalid {option} argument '{length}'")
    return length


def input_bytes(sources: Iterable[CommandInput]) -> Iterator[bytes]:
    for source in sources:
        for chunk in source.chunks():
            yield bytes_of_text(chunk)


def limited_bytes(sh: Call, data: Iterator[bytes], skip: int, limit: int | None) -> Iterator[bytes]:
    """Skip bytes, then yield at most `limit`."""
    for piece in data:
        part = piece[skip:]
        skip -= len(piece) - len(part)
        if limit is not None:
            part = part[:limit]
            limit -= len(part)
        if part:
            yield part
        if limit == 0 and not skip:
            return
    if skip > 0:
        raise sh.fail("cannot skip past end of combined input")
