"""numfmt - numbers with and without K, M, G."""

from __future__ import annotations

from keysh.gnu.options import choice_of
from keysh.gnu.ranges import FIELD_MESSAGES, ranges_of
from keysh.schema.declare import command
from keysh.text.chunks import batch_lines
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.numfmt.conversion import MAX_WIDTH, ConversionAborted, LineConverter, NumberFormat
from keysh.tools.numfmt.scaled import ROUNDINGS, SUFFIXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

FROM_SCALES = {word: word for word in ("none", "auto", "si", "iec", "iec-i")}
TO_SCALES = {word: word for word in ("none", "si", "iec", "iec-i")}
INVALID_MODES = {word: word for word in ("abort", "fail", "warn", "ignore")}
TROUBLE_STATUS = 2
FIRST_FIELD = [(1, 1)]


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
    scale_from = choice_of("--from", from_, FROM_SCALES)
    scale_to = choice_of("--to", to, TO_SCALES)
    rounding = choice_of("--round", round, {word: word for word in ROUNDINGS})
    manner = choice_of("--invalid", invalid, INVALID_MODES)
    if delimiter is not None and len(delimiter) > 1:
        raise sh.fail("the delimiter must be a single character")
    conversion = LineConverter(sh, (scale_from, scale_to), rounding, manner)
    conversion.units = parse_unit(sh, from_unit), parse_unit(sh, to_unit)
    conversion.suffix = suffix
    conversion.delimiter = "\0" if delimiter == "" else delimiter
    conversion.fields = (
        FIRST_FIELD if field == "1" else ranges_of(field, FIELD_MESSAGES, takes_dash=True)
    )
    if padding is not None:
        digits = padding.removeprefix("-")
        if not is_digits(digits) or not 0 < bounded_number(digits) <= MAX_WIDTH:
            raise sh.fail(f"invalid padding value {locale_quoted_text(padding)}")
        conversion.padding = int(padding)
    kept = header_count(sh, header)
    is_formatted = any(name == "format" for name, _ in sh.given)
    if grouping and is_formatted:
        raise sh.fail("--grouping cannot be combined with --format")
    conversion.number_format = NumberFormat(sh, format)
    groups = grouping or conversion.number_format.groups
    if groups and scale_to != "none":
        raise sh.fail("grouping cannot be combined with --to")
    if debug:
        is_idle = {scale_from, scale_to} == {"none"} and not (grouping or padding or is_formatted)
        overrides = conversion.padding and conversion.number_format.width
        print_note(sh, "no conversion option specified" if is_idle else "")
        print_note(sh, "--format padding overriding --padding" if overrides else "")
        print_note(sh, "grouping has no effect in this locale" if groups else "")
        print_note(sh, "--header ignored with command-line input" if header and numbers else "")
    conversion.is_debug = debug
    end = "\0" if zero_terminated else "\n"
    if numbers:
        for number in numbers:
            try:
                yield conversion.convert_line(number) + end
            except ConversionAborted as aborted:
                yield aborted.converted_text
                raise sh.fail(aborted.message, TROUBLE_STATUS) from None
    else:
        yield from batch_lines(converted_lines(sh, conversion, kept, end))
    if conversion.failure:
        raise sh.fail(conversion.failure, TROUBLE_STATUS)
    if debug and conversion.has_invalid:
        print_note(sh, "failed to convert some of the input numbers")
    if conversion.has_failed:
        sh.status = TROUBLE_STATUS


def print_note(sh: Call, message: str) -> None:
    """Print a message that changes no status."""
    if message:
        sh.note(message)


def converted_lines(sh: Call, conversion: LineConverter, kept: int, end: str) -> Iterator[str]:
    """The lines of standard input, converted behind the first ones."""
    for i, line in enumerate(sh.stdin.lines(end)):
        sh.tick()
        if i < kept:
            yield line
            continue
        bare = line.removesuffix(end)
        try:
            yield conversion.convert_line(bare) + line[len(bare) :]
        except ConversionAborted as aborted:
            yield aborted.converted_text
            conversion.failure = aborted.message
            return


def header_count(sh: Call, header: str | bool) -> int:
    """How many lines are printed as they are."""
    if isinstance(header, bool):
        return int(header)
    if not is_digits(header) or not bounded_number(header):
        raise sh.fail(f"invalid header value {locale_quoted_text(header)}")
    return bounded_number(header)


def parse_unit(sh: Call, text: str) -> int:
    """The size of a unit: `512`, `K` for 1000, `Ki` for 1024."""
    base = 1024 if text.endswith("i") else 1000
    bare = text.removesuffix("i")
    power = SUFFIXES.find(bare[-1:]) + 1 if bare else 0
    digits = bare[:-1] if power else bare
    value = bounded_number(digits) if is_digits(digits) else int(not digits and power > 0)
    if not value or (base == 1024 and not power):
        raise sh.fail(f"invalid unit size: {locale_quoted_text(text)}")
    return int(value * base**power)
