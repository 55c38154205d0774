"""od - bytes as numbers and characters."""

from __future__ import annotations

from itertools import chain
from math import lcm

from keysh.runtime.choices import chosen
from keysh.schema.declare import command
from keysh.text.dump import TRADITIONAL, BadType, Dump, Layout, formats_of
from keysh.text.lines import encoded
from keysh.text.nul_strings import nul_strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.runtime.call import Call, Input
    from keysh.schema.types import Path, Size

RADIX = {"d": "07d", "o": "07o", "x": "06x", "n": ""}
ORDERS = {"little": "little", "big": "big"}
WIDE = 32  # bytes of a line for -w without a number
WIDEST = 1 << 16
USUAL_STRING = 3  # characters of the shortest string


@command(
    invalid={
        "skip_bytes": "invalid -j argument '{}'",
        "read_bytes": "invalid -N argument '{}'",
        "width": "invalid -w argument '{}'",
        "strings": "invalid --strings argument '{}'",
        "least_string": "invalid -S argument '{}'",
    }
)
def od(
    sh: Call,
    *files: Path,
    address_radix: str = "o",
    endian: str = "little",
    skip_bytes: Size = 0,
    read_bytes: Size | None = None,
    format: list[str] | None = None,
    strings: Size | bool = False,
    least_string: Size | None = None,
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
                                f also F D; a z behind it adds what can be printed
    -v, --output-duplicates     show lines that are the same again, not a *
    -w, --width[=BYTES]         so many bytes on a line, 32 without a number
    -a, --named                 the same as -t a
    -b, --octal-bytes           the same as -t o1
    -c, --characters            the same as -t c
    -d, --unsigned              the same as -t u2
    -f, --floats                the same as -t fF
    -i, --integers              the same as -t dI
    -l, --longs                 the same as -t dL
    -o, --octal                 the same as -t o2
    -s, --shorts                the same as -t d2
    -x, --hexadecimal           the same as -t x2
    """
    if address_radix[:1] not in RADIX or len(address_radix) != 1:
        says = f"invalid output address radix '{address_radix[:1]}'; it must be one character from"
        raise sh.fail(f"{says} [doxn]")
    order = chosen("--endian", endian, ORDERS)
    types, least = types_of(sh), least_of(sh)
    if least is not None and types:
        raise sh.fail("no type may be specified when dumping strings")
    try:
        formats = [one for kind in types or ["o2"] for one in formats_of(kind)]
    except BadType as error:
        raise sh.fail(error.message) from None
    unit = lcm(*(one.size for one in formats))
    wanted = WIDE if width is True else width or 16
    if width is not False and (wanted < 1 or wanted % unit or wanted > WIDEST):
        sh.err.write(f"od: warning: invalid width {wanted}; using {unit} instead\n")
        wanted = unit
    elif wanted % unit:
        wanted = unit
    layout = Layout(formats, wanted, RADIX[address_radix], order)
    sources = sh.inputs(files)
    first = next(sources, None)
    if first is None:
        return  # no address either where no file can be opened
    data = limited(sh, read(chain([first], sources)), skip_bytes, read_bytes)
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


def types_of(sh: Call) -> list[str]:
    """What is to be shown, in the order it is given."""
    types: list[str] = []
    for name, value in sh.given:
        if name == "format":
            types += value
        elif name in TRADITIONAL:
            types.append(TRADITIONAL[name])
    return types


def least_of(sh: Call) -> int | None:
    """How many characters a string has at least; None where no strings are asked for."""
    least: int | None = None
    for name, value in sh.given:
        if name in ("strings", "least_string"):
            least = USUAL_STRING if value is True else value
            if least < 0:
                option = "--strings" if name == "strings" else "-S"
                raise sh.fail(f"invalid {option} argument '{least}'")
    return least


def read(sources: Iterable[Input]) -> Iterator[bytes]:
    """The bytes of all files."""
    for source in sources:
        for chunk in source.chunks():
            yield encoded(chunk)


def limited(sh: Call, data: Iterator[bytes], skip: int, most: int | None) -> Iterator[bytes]:
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
