"""seq - print a sequence of numbers."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import chain, count, islice
from sys import maxsize

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, OutputStyle, command
from keysh.schema.types import ParameterType
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.long_double import nearest_long_double, parse_long_double
from keysh.text.printf import MAX_FIELD_CHARACTERS, FieldTooWide, parse_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call

    Written: TypeAlias = str
else:
    # The text of a number, because its digits matter; -5 is a number, not an option.
    Written = ParameterType("float", "a number")

NUMBERS_PER_CHUNK, SHORT_TEXT = 1024, 4096  # numbers; characters
MAX_INTEGER_DIGITS = 4000  # of integers that Python converts
MAX_THOUSANDS_PER_CHUNK = 8  # of numbers that count up by one
REGEX_FLAGS = re.ASCII | re.IGNORECASE
DECIMAL_NUMBER = re.compile(
    r"\s*([-+]?)(?:([0-9]+)\.?[0-9]*|\.[0-9]+)(?:e([-+]?[0-9]{1,4}))?", REGEX_FLAGS
)
HEX_NUMBER = re.compile(r"\s*[-+]?0x[0-9a-f]+", REGEX_FLAGS)
INFINITY = re.compile(r"\s*([-+]?)inf(?:inity)?", REGEX_FLAGS)
# A text around one directive for a number; %% is a percent sign.
FORMAT_PATTERN = re.compile(
    r"((?:[^%]|%%)*)(?:%([-'+ #0]*[0-9]*(?:\.[0-9]*)?)(.?))?(.*)", re.DOTALL
)


class SeqOperand:
    """A number as written: its value, its decimals, and the width of its integer part.

    The width includes leading zeros, as in `seq -w 08 10`; `0x10` and `inf` have none.
    """

    __slots__ = ("digits", "value", "width")

    def __init__(self, text: str) -> None:
        infinity, decimal = INFINITY.fullmatch(text), DECIMAL_NUMBER.fullmatch(text)
        self.digits = self.width = 0
        if infinity:
            self.value = Decimal("-Infinity" if infinity[1] == "-" else "Infinity")
        elif HEX_NUMBER.fullmatch(text):
            self.value = Decimal(int(text, 16))
        elif decimal:
            sign, integer_digits, power = decimal.groups()
            self.value = Decimal(text.strip())
            exponent = self.value.as_tuple().exponent
            self.digits = max(0, -exponent) if isinstance(exponent, int) else 0
            self.width = (sign == "-") + len(integer_digits or "0") + max(0, int(power or 0))
        else:
            is_nan = text.strip().lstrip("+-").lower() == "nan"
            kind = "'not-a-number'" if is_nan else "floating point"
            raise UsageFailure(f"invalid {kind} argument: {locale_quoted_text(text)}")


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(lines=True),
    style=OptionStyle(options_first=True),
)
def seq(
    sh: Call,
    *numbers: Written,
    format: str | None = None,
    separator: str = "\n",
    equal_width: bool = False,
) -> Iterator[str]:
    """Print the numbers from FIRST to LAST in steps of INCREMENT.

    numbers ...           [FIRST [INCREMENT]] LAST; FIRST and INCREMENT default to 1
    -f, --format FORMAT   printf-style format such as %05.2f or %g
    -s, --separator TEXT  separate the numbers with TEXT instead of a newline
    -w, --equal-width     pad with leading zeros to equal width
    """
    if not numbers:
        raise UsageFailure("missing operand")
    if len(numbers) > 3:
        raise UsageFailure(f"extra operand {locale_quoted_text(numbers[3])}")
    if format is not None and equal_width:
        message = "format string may not be specified when printing equal width strings"
        raise UsageFailure(message)
    format_number = None if format is None else number_formatter(sh, format)
    operands = [SeqOperand(text) for text in numbers]
    first = operands[0] if len(operands) > 1 else SeqOperand("1")
    step = operands[1] if len(operands) > 2 else SeqOperand("1")
    last = operands[-1]
    if not step.value:
        raise UsageFailure(f"invalid Zero increment value: {locale_quoted_text(numbers[1])}")
    digits = max(first.digits, step.digits)
    series = sequence(first.value, step.value, last.value)
    is_long = max(first.width, step.width, last.width) > MAX_INTEGER_DIGITS
    if (
        format_number is None
        and not (digits or is_long)
        and isinstance(series, range)
        and counts_up(series)
    ):
        width = max(first.width, last.width) if equal_width else 0
        yield from with_separators(sh, counted_chunks(series, width, separator), separator)
        return
    is_odd = is_long or not first.value.is_finite() or is_negative_zero(first.value)
    if format_number is None and (equal_width or digits or is_odd):
        width = max(first.width, last.width) + (digits + 1 if digits else 0)
        pattern = f"0{width}.{digits}f" if equal_width else f".{digits}f"
        format_number = lambda number: f"{number:{pattern}}".replace("Infinity", "inf")  # noqa: E731
    yield from with_separators(sh, joined_batches(series, format_number, separator), separator)


def sequence(first: Decimal, step: Decimal, last: Decimal) -> Iterable[Decimal | int]:
    """Return the numbers; integers stay int, which is faster to print."""
    if not step.is_finite() or not first.is_finite():
        return (first,) if (first <= last if step > 0 else first >= last) else ()
    is_whole = all(number == number.to_integral_value() for number in (first, step))
    is_whole = is_whole and not is_negative_zero(first)
    if is_whole:
        start, increment = int(first), int(step)
        if not last.is_finite():
            endless: Iterable[int] = count(start, increment)
            return endless if (last > 0) == (increment > 0) else ()
        is_ascending = increment > 0
        limit = int(last.to_integral_value(ROUND_FLOOR if is_ascending else ROUND_CEILING))
        return range(start, limit + (1 if is_ascending else -1), increment)
    if last.is_finite():
        size = max(0, int((last - first) / step) + 1) if (last - first) * step >= 0 else 0
    else:
        size = -1 if (last > 0) == (step > 0) else 0
    # The first number stays as it is: adding 0 would drop the sign of a negative zero.
    numbers = chain([first], (first + i * step or inexact_zero(first, i, step) for i in count(1)))
    return numbers if size < 0 else islice(numbers, min(size, maxsize))


def inexact_zero(first: Decimal, count: int, step: Decimal) -> Decimal:
    """Return what long doubles make of a zero reached after `count` steps.

    Neither 0.3 nor 0.01 is exact, so `seq -0.3 0.01 0` ends with -0.00.
    """
    start = parse_long_double(str(abs(first)))[0]
    increment = parse_long_double(str(abs(step)))[0]
    distance = nearest_long_double(False, increment.mantissa * count, 1, increment.power)[0]
    power = min(start.power, distance.power)
    missed = (distance.mantissa << (distance.power - power)) - (
        start.mantissa << (start.power - power)
    )
    return Decimal(missed if step > 0 else -missed) * Decimal(2) ** power


def is_negative_zero(number: Decimal) -> bool:
    return number.is_signed() and not number


def joined_batches(
    numbers: Iterable[Decimal | int], format_number: Callable[[Decimal], str] | None, separator: str
) -> Iterator[str]:
    """Yield the formatted numbers in batches."""
    source = iter(numbers)
    count = NUMBERS_PER_CHUNK if len(separator) < SHORT_TEXT else 1
    while batch := list(islice(source, count)):
        texts = (
            [*map(str, batch)]
            if format_number is None
            else [format_number(Decimal(number)) for number in batch]
        )
        yield separator.join(texts)
        if len(texts[0]) > SHORT_TEXT:
            count = 1


def counts_up(numbers: range) -> bool:
    """Tell whether the numbers ascend by one from 0 or more."""
    return numbers.step == 1 and numbers.start >= 0


def counted_chunks(numbers: range, width: int, separator: str) -> Iterator[str]:
    """Yield numbers that count up, reusing the texts of their last three digits.

    12 | 000, 12 | 001, ..., 12 | 999
    """
    if max(width, len(separator)) > SHORT_TEXT:
        yield from (f"{number:0{width}}" for number in numbers)
        return
    digits: list[str] = []
    current, stop, chunk_limit = numbers.start, numbers.stop, 1
    while current < stop:
        chunk: list[str] = []
        while current < stop and len(chunk) < chunk_limit:
            thousands, first = divmod(current, 1000)
            size = min(1000 - first, stop - current)
            if thousands or width > 3:
                digits = digits or [f"{number:03}" for number in range(1000)]
                leading = str(thousands).zfill(width - 3)
                texts = f"{separator}{leading}".join(digits[first : first + size])
                chunk.append(f"{leading}{texts}")
            else:
                chunk.append(separator.join([f"{current + i:0{width}}" for i in range(size)]))
            current += size
        yield separator.join(chunk)
        chunk_limit = min(chunk_limit * 2, MAX_THOUSANDS_PER_CHUNK)


def with_separators(sh: Call, chunks: Iterator[str], separator: str) -> Iterator[str]:
    """Separate the chunks and end with a newline."""
    gap, newline = "", ""
    sh.check_size(len(separator))
    for chunk in chunks:
        sh.tick()
        yield gap + chunk
        gap, newline = separator, "\n"
    if newline:
        yield newline


def number_formatter(sh: Call, text: str) -> Callable[[Decimal], str]:
    """Return a function that formats a number by -f."""
    match = FORMAT_PATTERN.fullmatch(text)
    if match is None or match[3] is None:
        raise sh.fail(f"format {locale_quoted_text(text)} has no % directive")
    prefix, flags, letter, suffix = match[1], match[2], match[3], match[4]
    if not letter:
        raise sh.fail(f"format {locale_quoted_text(text)} ends in %")
    if letter not in "aefgAEFG" or letter in "aA":
        raise sh.fail(f"format {locale_quoted_text(text)} has unknown %{letter} directive")
    if "%" in suffix.replace("%%", ""):
        raise sh.fail(f"format {locale_quoted_text(text)} has too many % directives")
    prefix, suffix = prefix.replace("%%", "%"), suffix.replace("%%", "%")
    directive = f"%{flags.replace(chr(39), '')}{letter}"
    size = sum(parse_size(digits) for digits in re.findall("[0-9]+", flags))
    if size > MAX_FIELD_CHARACTERS:
        raise sh.fail(str(FieldTooWide(f"a field of {size} characters")))
    sh.check_size(size + len(prefix) + len(suffix))
    return lambda number: f"{prefix}{directive % float(number)}{suffix}"
