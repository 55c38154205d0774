"""od - bytes as numbers and characters."""

from __future__ import annotations

import re
from itertools import chain
from math import lcm

from keysh.gnu.options import choice_of
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.schema.types import C_BLANKS, SizeType, UnfitValue
from keysh.text.chunks import bytes_of_text
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
DEFAULT_LINE_BYTES, WIDE_LINE_BYTES = 16, 32  # bytes of a line, and for -w without a number
MAX_LINE_BYTES = 1 << 16
DEFAULT_STRING_LENGTH = 3  # characters of the shortest string


# A place in the input, as the first tools had it: in octal, or hexadecimal behind 0x.
OLD_OFFSET = re.compile(r"\+?(?:0[xX]([0-9a-fA-F]+)|([0-7]+))([bB]?)")
OLD_OFFSET_UNITS = {"": 1, "b": 512, "B": 1024}
# The options with which a word that looks like a place is a file.
MODERN_OPTIONS = {
    "address_radix", "skip_bytes", "read_bytes", "format", "strings", "least_string",
    "output_duplicates", "width",
}  # fmt: skip


class OffsetType(SizeType):
    """A size that may also be octal, behind 0, or hexadecimal, behind 0x."""

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


MAX_OFFSET_DIGITS, MAX_OFFSET = 1000, 1 << 64  # digits that are read, and what more of them mean
DIGITS_BY_BASE = {
    8: re.compile(r"([0-7]+)"), 10: re.compile(r"([0-9]+)"),
    16: re.compile(r"0[xX]([0-9a-fA-F]+)"),
}  # fmt: skip
if TYPE_CHECKING:
    Place: TypeAlias = int
else:
    Place = OffsetType("Place", "a number of bytes such as 10, 010, 0x10 or 10K")


@command(
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
    """Show bytes, 16 on a line, behind the address of the first.

    files ...                   files to read, one behind the other, - for standard input
    -A, --address-radix RADIX   d decimal, o octal, x hexadecimal, n no addresses
    --endian ORDER              little, or big: the first byte of a number counts most
    -j, --skip-bytes BYTES      leave out the first bytes
    -N, --read-bytes BYTES      show no more than so many
    --strings[=BYTES]           only strings that a NUL ends, of 3 characters or as many as given
    -S, --least-string BYTES    the same
    -t, --format TYPE           a name, c character, d signed, f float, o octal, u unsigned or x
                                hexadecimal, each but a and c with a size: 1 2 4 8, or C S I L, for
                                f 4 8 16, or F D L; a z behind it adds what can be printed
    -v, --output-duplicates     show lines that are the same again, not a *
    -w, --width[=BYTES]         so many bytes on a line, 32 without a number
    -a, --named                 the same as -t a
    -b, --octal-bytes           the same as -t o1
    -c, --characters            the same as -t c
    -d, --unsigned              the same as -t u2
    -f, --floats                the same as -t fF
    -i, --integers              the same as -t dI
    -l, -I, -L, --longs         the same as -t dL
    -o, -B, --octal             the same as -t o2
    -s, --shorts                the same as -t d2
    -x, -h, --hexadecimal       the same as -t x2
    -F, -e, --doubles           the same as -t fD
    -O, --octal-integers        the same as -t o4
    -D, --unsigned-integers     the same as -t u4
    -H, -X, --hexadecimal-integers  the same as -t x4
    --traditional               take words behind the file for places: that of the first byte, and
                                the address to show for it

    Without --traditional a word of digits behind one file, or with a + before them, is the place of
    the first byte, where no option but those from -a on is given. Places are octal, or hexadecimal
    behind 0x; b behind one is 512 bytes.
    """
    if address_radix[:1] not in ADDRESS_FORMATS or len(address_radix) != 1:
        says = f"invalid output address radix '{address_radix[:1]}'; it must be one character from"
        raise sh.fail(f"{says} [doxn]")
    order = choice_of("--endian", endian, BYTE_ORDERS)
    types, least = output_types(sh), min_string_length(sh)
    if least is not None and types:
        raise sh.fail("no type may be specified when dumping strings")
    try:
        formats = [one for kind in types or ["o2"] for one in parse_formats(kind)]
    except BadDumpType as error:
        raise sh.fail(error.message) from None
    unit = lcm(*(one.size for one in formats))
    wanted = WIDE_LINE_BYTES if width is True else DEFAULT_LINE_BYTES if width is False else width
    if wanted < 0:
        raise sh.fail(f"invalid -w argument '{wanted}'")
    if wanted >> 64:
        raise sh.fail(f"-w argument '{wanted}' too large")
    if width is not False and (wanted < 1 or wanted % unit or wanted > MAX_LINE_BYTES):
        sh.err.write(f"od: warning: invalid width {wanted}; using {unit} instead\n")
        wanted = unit
    elif wanted % unit:
        wanted = unit
    files, skip_bytes, shown = split_offsets(sh, files, skip_bytes, traditional)
    ahead = None if shown is None else shown - skip_bytes
    layout = DumpLayout(formats, wanted, ADDRESS_FORMATS[address_radix], order, ahead)
    sources = sh.inputs(files, "{title}: {why}")
    first = next(sources, None)
    if first is None:
        return  # no address either where no file can be opened
    data = limited_bytes(sh, input_bytes(chain([first], sources)), skip_bytes, read_bytes)
    if least is not None:
        end = None if read_bytes is None else skip_bytes + read_bytes
        for address, text in nul_strings(data, least, skip_bytes, end):
            sh.tick()
            yield f"{layout.address(address)} {text}\n" if address_radix != "n" else f"{text}\n"
        return
    dump = Dump(layout, skip_bytes, shows_all=output_duplicates)
    for block in data:
        sh.tick()
        yield dump.lines(block)
    yield dump.end()


def split_offsets(
    sh: Call, words: tuple[str, ...], skip: int, traditional: bool
) -> tuple[tuple[str, ...], int, int | None]:
    """The files without the places behind them, the first byte's, and the address shown for it."""
    if not traditional and any(name in MODERN_OPTIONS for name, _ in sh.given):
        return words, skip, None
    found = [parse_offset(word) for word in words]
    shown = None
    if len(words) in (1, 2) and found[-1] is not None:
        is_place = traditional or words[-1][0] == "+" or (len(words) > 1 and words[-1][0].isdigit())
        if traditional and len(words) > 1 and found[0] is not None:
            words, skip, shown = (), found[0], found[1]
        elif is_place:
            words, skip = words[:-1], found[-1]
    elif traditional and len(words) == 3 and None not in found[1:]:
        words, skip, shown = words[:1], found[1] or 0, found[2]
    if traditional and len(words) > 1:
        says = f"extra operand {quoted_name(words[1])}"
        raise UsageFailure(f"{says}\nod: compatibility mode supports at most one file")
    return words, skip, shown


def parse_offset(word: str) -> int | None:
    """The place that a word means, as the first tools had it."""
    found = OLD_OFFSET.fullmatch(word[:MAX_OFFSET_DIGITS])
    if found is None:
        return None
    hexadecimal, octal, unit = found.groups()
    return int(hexadecimal or octal, 16 if hexadecimal else 8) * OLD_OFFSET_UNITS[unit]


def output_types(sh: Call) -> list[str]:
    """What is to be shown, in the order it is given."""
    types: list[str] = []
    for name, value in sh.given:
        if name == "format":
            types += value
        elif name in SHORTHAND_TYPES:
            types.append(SHORTHAND_TYPES[name])
    return types


def min_string_length(sh: Call) -> int | None:
    """How many characters a string has at least; None where no strings are asked for."""
    least: int | None = None
    for name, value in sh.given:
        if name in ("strings", "least_string"):
            least = DEFAULT_STRING_LENGTH if value is True else value
            if least < 0:
                option = "--strings" if name == "strings" else "-S"
                raise sh.fail(f"invalid {option} argument '{least}'")
    return least


def input_bytes(sources: Iterable[CommandInput]) -> Iterator[bytes]:
    """The bytes of all files."""
    for source in sources:
        for chunk in source.chunks():
            yield bytes_of_text(chunk)


def limited_bytes(sh: Call, data: Iterator[bytes], skip: int, most: int | None) -> Iterator[bytes]:
    """Bytes without the first, and no more than so many."""
    for piece in data:
        part = piece[skip:]
        skip -= len(piece) - len(part)
        if most is not None:
            part = part[:most]
            most -= len(part)
        if part:
            yield part
        if most == 0:
            return
    if skip > 0:
        raise sh.fail("cannot skip past end of combined input")
