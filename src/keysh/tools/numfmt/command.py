"""numfmt - convert numbers to and from human-readable form."""

from __future__ import annotations

from keysh.gnu.option_values import choice_of
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


@command(compatible="GNU coreutils 9.1")
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

    numbers ...            the numbers; by default fields of standard input
    --from UNIT            scale of the input: none, si, iec, iec-i or auto
    --to UNIT              scale of the output: none, si, iec or iec-i
    --from-unit NUM        unit size of the input
    --to-unit NUM          unit size of the output
    --round METHOD         up, down, from-zero, towards-zero or nearest
    --field LIST           the fields to convert, as in cut; the first by default
    -d, --delimiter CHAR   field delimiter; runs of blanks by default
    --format FORMAT        printf-style format such as %10.2f
    --padding NUM          pad to NUM columns; left-justify if NUM is negative
    --grouping             group digits, which has no effect in this locale
    --suffix TEXT          accept TEXT after input numbers and append it to output
    --header[=NUM]         print the first NUM lines unchanged; the default is 1
    --invalid MODE         on invalid numbers: abort, fail, warn or ignore
    -z, --zero-terminated  lines end with NUL, not with a newline
    --debug                warn about options without effect and lost precision
    """
    scale_from = choice_of("--from", from_, FROM_SCALES)
    scale_to = choice_of("--to", to, TO_SCALES)
    rounding = choice_of("--round", round, {word: word for word in ROUNDINGS})
    invalid_mode = choice_of("--invalid", invalid, INVALID_MODES)
    if delimiter is not None and len(delimiter) > 1:
        raise sh.fail("the delimiter must be a single character")
    conversion = LineConverter(sh, (scale_from, scale_to), rounding, invalid_mode)
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
    header_lines = header_count(sh, header)
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
    terminator = "\0" if zero_terminated else "\n"
    if numbers:
        for number in numbers:
            try:
                yield conversion.convert_line(number) + terminator
            except ConversionAborted as abortion:
                yield abortion.converted_text
                raise sh.fail(abortion.message, TROUBLE_STATUS) from None
    else:
        yield from batch_lines(converted_lines(sh, conversion, header_lines, terminator))
    if conversion.failure:
        raise sh.fail(conversion.failure, TROUBLE_STATUS)
    if debug and conversion.has_invalid:
        print_note(sh, "failed to convert some of the input numbers")
    if conversion.has_failed:
        sh.status = TROUBLE_STATUS


def print_note(sh: Call, message: str) -> None:
    """Print a message without changing the status."""
    if message:
        sh.note(message)


def converted_lines(
    sh: Call, conversion: LineConverter, header_lines: int, terminator: str
) -> Iterator[str]:
    """Convert the lines of standard input after the header."""
    for i, line in enumerate(sh.stdin.lines(terminator)):
        sh.tick()
        if i < header_lines:
            yield line
            continue
        bare = line.removesuffix(terminator)
        try:
            yield conversion.convert_line(bare) + line[len(bare) :]
        except ConversionAborted as abortion:
            yield abortion.converted_text
            conversion.failure = abortion.message
            return


def header_count(sh: Call, header: str | bool) -> int:
    """Return the number of lines to print unchanged."""
    if isinstance(header, bool):
        return int(header)
    if not is_digits(header) or not bounded_number(header):
        raise sh.fail(f"invalid header value {locale_quoted_text(header)}")
    return bounded_number(header)


def parse_unit(sh: Call, text: str) -> int:
    """Parse a unit size: `512`, `K` for 1000, `Ki` for 1024."""
    base = 1024 if text.endswith("i") else 1000
    bare = text.removesuffix("i")
    power = SUFFIXES.find(bare[-1:]) + 1 if bare else 0
    digits = bare[:-1] if power else bare
    value = bounded_number(digits) if is_digits(digits) else int(not digits and power > 0)
    if not value or (base == 1024 and not power):
        raise sh.fail(f"invalid unit size: {locale_quoted_text(text)}")
    return int(value * base**power)
