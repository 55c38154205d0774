"""numfmt - numbers with and without K, M, G."""

from __future__ import annotations

from keysh.gnu.options import chosen
from keysh.gnu.ranges import FIELDS, ranges_of
from keysh.schema.declare import command
from keysh.text.chunks import batches
from keysh.text.gnu_quoting import locale_quoted
from keysh.text.shell_numbers import is_digits, known_number
from keysh.tools.numfmt.conversion import WIDEST, Aborted, Conversion, Shape
from keysh.tools.numfmt.scaled import ROUNDINGS, SUFFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

FROM = {word: word for word in ("none", "auto", "si", "iec", "iec-i")}
TO = {word: word for word in ("none", "si", "iec", "iec-i")}
MANNERS = {word: word for word in ("abort", "fail", "warn", "ignore")}
TROUBLE = 2
ONE = [(1, 1)]


@command
def numfmt(
    sh: Call,
    *numbers: str,
    from_: str = "none",
    to: str = "none",
    from_unit: str = "1",
    to_unit: str = "1",
    round: str = "from-zero",
    field: str = "1",
    delimiter: str | None = None,
    format: str = "%f",
    padding: str | None = None,
    grouping: bool = False,
    suffix: str = "",
    header: str | bool = False,
    invalid: str = "abort",
    zero_terminated: bool = False,
    debug: bool = False,
) -> Iterator[str]:
    """Convert numbers, or the numbers in lines of text.

    numbers ...              the numbers; without any, fields of standard input
    --from UNIT              what suffixes of the input mean: none, si, iec, iec-i or auto
    --to UNIT                the suffixes to print: none, si, iec or iec-i
    --from-unit NUM          the input counts in units of this size
    --to-unit NUM            so is the output to do
    --round METHOD           up, down, from-zero, towards-zero or nearest
    --field LIST             the fields to convert, as cut takes them; the first without it
    -d, --delimiter CHAR     what stands between fields; blanks without it
    --format FORMAT          such as %10.2f, with text around it
    --padding NUM            so many columns at least; at the left if negative
    --grouping               digits in groups, of which this locale has none
    --suffix TEXT            what may stand behind a number, and is printed there
    --header[=NUM]           print so many lines as they are first; one without NUM
    --invalid MODE           at a text that is no number: abort, fail, warn or ignore
    -z, --zero-terminated    lines end with NUL, not with a newline
    --debug                  tell of what has no effect, and of what is not exact
    """
    scale_from = chosen("--from", from_, FROM)
    scale_to = chosen("--to", to, TO)
    rounding = chosen("--round", round, {word: word for word in ROUNDINGS})
    manner = chosen("--invalid", invalid, MANNERS)
    if delimiter is not None and len(delimiter) > 1:
        raise sh.fail("the delimiter must be a single character")
    conversion = Conversion(sh, (scale_from, scale_to), rounding, manner)
    conversion.units = unit(sh, from_unit), unit(sh, to_unit)
    conversion.suffix = suffix
    conversion.delimiter = "\0" if delimiter == "" else delimiter
    conversion.fields = ONE if field == "1" else ranges_of(field, FIELDS, takes_dash=True)
    if padding is not None:
        digits = padding.removeprefix("-")
        if not is_digits(digits) or not 0 < known_number(digits) <= WIDEST:
            raise sh.fail(f"invalid padding value {locale_quoted(padding)}")
        conversion.padding = int(padding)
    kept = heads(sh, header)
    is_formatted = any(name == "format" for name, _ in sh.given)
    if grouping and is_formatted:
        raise sh.fail("--grouping cannot be combined with --format")
    conversion.shape = Shape(sh, format)
    groups = grouping or conversion.shape.groups
    if groups and scale_to != "none":
        raise sh.fail("grouping cannot be combined with --to")
    if debug:
        is_idle = {scale_from, scale_to} == {"none"} and not (grouping or padding or is_formatted)
        overrides = conversion.padding and conversion.shape.width
        tell(sh, "no conversion option specified" if is_idle else "")
        tell(sh, "--format padding overriding --padding" if overrides else "")
        tell(sh, "grouping has no effect in this locale" if groups else "")
        tell(sh, "--header ignored with command-line input" if header and numbers else "")
    conversion.tells = debug
    end = "\0" if zero_terminated else "\n"
    if numbers:
        for number in numbers:
            try:
                yield conversion.line(number) + end
            except Aborted as aborted:
                yield aborted.before
                raise sh.fail(aborted.message, TROUBLE) from None
    else:
        yield from batches(lines(sh, conversion, kept, end))
    if conversion.failure:
        raise sh.fail(conversion.failure, TROUBLE)
    if debug and conversion.has_refused:
        tell(sh, "failed to convert some of the input numbers")
    if conversion.has_failed:
        sh.status = TROUBLE


def tell(sh: Call, message: str) -> None:
    """Print a message that changes no status."""
    if message:
        sh.note(message)


def lines(sh: Call, conversion: Conversion, kept: int, end: str) -> Iterator[str]:
    """The lines of standard input, converted behind the first ones."""
    for i, line in enumerate(sh.stdin.lines(end)):
        sh.tick()
        if i < kept:
            yield line
            continue
        bare = line.removesuffix(end)
        try:
            yield conversion.line(bare) + line[len(bare) :]
        except Aborted as aborted:
            yield aborted.before
            conversion.failure = aborted.message
            return


def heads(sh: Call, header: str | bool) -> int:
    """How many lines are printed as they are."""
    if isinstance(header, bool):
        return int(header)
    if not is_digits(header) or not known_number(header):
        raise sh.fail(f"invalid header value {locale_quoted(header)}")
    return known_number(header)


def unit(sh: Call, text: str) -> int:
    """The size of a unit: `512`, `K` for 1000, `Ki` for 1024."""
    base = 1024 if text.endswith("i") else 1000
    bare = text.removesuffix("i")
    power = SUFFIXES.find(bare[-1:]) + 1 if bare else 0
    digits = bare[:-1] if power else bare
    value = known_number(digits) if is_digits(digits) else int(not digits and power > 0)
    if not value or (base == 1024 and not power):
        raise sh.fail(f"invalid unit size: {locale_quoted(text)}")
    return int(value * base**power)
