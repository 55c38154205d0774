"""seq - numbers in order."""

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call

    Written: TypeAlias = str
else:
    # A number as it is written, for its digits count; -5 is one, and no option.
    Written = ParameterType("float", "a number")

NUMBERS_PER_CHUNK = 1024  # numbers that are given out at once
MAX_INTEGER_DIGITS = 4000  # of an int that Python writes
MAX_THOUSANDS_PER_CHUNK = 8  # thousands of them, where they count up
REGEX_FLAGS = re.ASCII | re.IGNORECASE
DECIMAL_NUMBER = re.compile(
    r"\s*([-+]?)(?:([0-9]+)\.?[0-9]*|\.[0-9]+)(?:e([-+]?[0-9]{1,4}))?", REGEX_FLAGS
)
HEX_NUMBER = re.compile(r"\s*[-+]?0x[0-9a-f]+", REGEX_FLAGS)
INFINITY = re.compile(r"\s*([-+]?)inf(?:inity)?", REGEX_FLAGS)
# A text around one directive for numbers, in which %% stands for itself.
FORMAT_PATTERN = re.compile(
    r"((?:[^%]|%%)*)(?:%([-'+ #0]*[0-9]*(?:\.[0-9]*)?)(.?))?(.*)", re.DOTALL
)


class SeqOperand:
    """A number as it was written: its value, its digits of fraction, and how many columns it takes
    before them, zeros in front included: `seq -w 08 10`. Those of `0x10` and `inf` do not count.
    """

    __slots__ = ("digits", "value", "width")

    def __init__(self, text: str) -> None:
        endless, found = INFINITY.fullmatch(text), DECIMAL_NUMBER.fullmatch(text)
        self.digits = self.width = 0
        if endless:
            self.value = Decimal("-Infinity" if endless[1] == "-" else "Infinity")
        elif HEX_NUMBER.fullmatch(text):
            self.value = Decimal(int(text, 16))
        elif found:
            sign, whole, power = found.groups()
            self.value = Decimal(text.strip())
            exponent = self.value.as_tuple().exponent
            self.digits = max(0, -exponent) if isinstance(exponent, int) else 0
            self.width = (sign == "-") + len(whole or "0") + max(0, int(power or 0))
        else:
            is_nan = text.strip().lstrip("+-").lower() == "nan"
            what = "'not-a-number'" if is_nan else "floating point"
            raise UsageFailure(f"invalid {what} argument: {locale_quoted_text(text)}")


@command(output=OutputStyle(lines=True), style=OptionStyle(options_first=True))
def seq(
    sh: Call,
    *numbers: Written,
    format: str | None = None,
    separator: str = "\n",
    equal_width: bool = False,
) -> Iterator[str]:
    """Print numbers from FIRST to LAST, with a step between them.

    numbers ...             [FIRST [STEP]] LAST; 1 without them
    -f, --format FORMAT     print each as printf would by FORMAT, such as %05.2f or %g
    -s, --separator TEXT    what stands between the numbers, instead of a newline
    -w, --equal-width       print zeros in front, so that all are as wide
    """
    if not numbers:
        raise UsageFailure("missing operand")
    if len(numbers) > 3:
        raise UsageFailure(f"extra operand {locale_quoted_text(numbers[3])}")
    if format is not None and equal_width:
        says = "format string may not be specified when printing equal width strings"
        raise UsageFailure(says)
    shape = None if format is None else number_formatter(sh, format)
    operands = [SeqOperand(text) for text in numbers]
    first = operands[0] if len(operands) > 1 else SeqOperand("1")
    step = operands[1] if len(operands) > 2 else SeqOperand("1")
    last = operands[-1]
    if not step.value:
        raise UsageFailure(f"invalid Zero increment value: {locale_quoted_text(numbers[1])}")
    digits = max(first.digits, step.digits)
    found = sequence(first.value, step.value, last.value)
    is_long = max(first.width, step.width, last.width) > MAX_INTEGER_DIGITS
    if shape is None and not (digits or is_long) and isinstance(found, range) and counts_up(found):
        width = max(first.width, last.width) if equal_width else 0
        yield from with_separators(sh, counted_chunks(found, width, separator), separator)
        return
    is_odd = is_long or not first.value.is_finite() or is_negative_zero(first.value)
    if shape is None and (equal_width or digits or is_odd):
        width = max(first.width, last.width) + (digits + 1 if digits else 0)
        pattern = f"0{width}.{digits}f" if equal_width else f".{digits}f"
        shape = lambda number: f"{number:{pattern}}".replace("Infinity", "inf")  # noqa: E731
    yield from with_separators(sh, joined_batches(found, shape, separator), separator)


def sequence(first: Decimal, step: Decimal, last: Decimal) -> Iterable[Decimal | int]:
    """The numbers themselves; whole ones as such, for they are quick to print."""
    if not step.is_finite() or not first.is_finite():
        return (first,) if (first <= last if step > 0 else first >= last) else ()
    is_whole = all(number == number.to_integral_value() for number in (first, step))
    is_whole = is_whole and not is_negative_zero(first)
    if is_whole:
        start, by = int(first), int(step)
        if not last.is_finite():
            endless: Iterable[int] = count(start, by)
            return endless if (last > 0) == (by > 0) else ()
        up = by > 0
        end = int(last.to_integral_value(ROUND_FLOOR if up else ROUND_CEILING))
        return range(start, end + (1 if up else -1), by)
    if last.is_finite():
        size = max(0, int((last - first) / step) + 1) if (last - first) * step >= 0 else 0
    else:
        size = -1 if (last > 0) == (step > 0) else 0
    # The first as it is: by adding nothing to it, it would lose the sign of a zero.
    numbers = chain([first], (first + i * step or inexact_zero(first, i, step) for i in count(1)))
    return numbers if size < 0 else islice(numbers, min(size, maxsize))


def inexact_zero(first: Decimal, count: int, step: Decimal) -> Decimal:
    """What long doubles make of the zero that is reached in so many steps.

    Neither 0.3 nor 0.01 is one, and thirty of these miss it by a hair: `seq -0.3 0.01 0` ends with
    -0.00.
    """
    away = parse_long_double(str(abs(first)))[0]
    each = parse_long_double(str(abs(step)))[0]
    come = nearest_long_double(False, each.mantissa * count, 1, each.power)[0]
    power = min(away.power, come.power)
    missed = (come.mantissa << (come.power - power)) - (away.mantissa << (away.power - power))
    return Decimal(missed if step > 0 else -missed) * Decimal(2) ** power


def is_negative_zero(number: Decimal) -> bool:
    """Whether a number is the zero that shows a sign."""
    return number.is_signed() and not number


def joined_batches(
    numbers: Iterable[Decimal | int], shape: Callable[[Decimal], str] | None, separator: str
) -> Iterator[str]:
    """The numbers as text, in chunks, with what separates them."""
    source = iter(numbers)
    while batch := list(islice(source, NUMBERS_PER_CHUNK)):
        texts = map(str, batch) if shape is None else [shape(Decimal(one)) for one in batch]
        yield separator.join(texts)


def counts_up(numbers: range) -> bool:
    """Whether each number is the one behind the number before, and none has a sign."""
    return numbers.step == 1 and numbers.start >= 0


def counted_chunks(numbers: range, width: int, separator: str) -> Iterator[str]:
    """Numbers that count up, as wide as is asked: what stands before three digits is made once.

    12 | 000, 12 | 001, …, 12 | 999
    """
    digits: list[str] = []
    at, stop, most = numbers.start, numbers.stop, 1
    while at < stop:
        chunk: list[str] = []
        while at < stop and len(chunk) < most:
            thousands, first = divmod(at, 1000)
            size = min(1000 - first, stop - at)
            if thousands or width > 3:
                digits = digits or [f"{number:03}" for number in range(1000)]
                before = str(thousands).zfill(width - 3)
                texts = f"{separator}{before}".join(digits[first : first + size])
                chunk.append(f"{before}{texts}")
            else:
                chunk.append(separator.join([f"{at + i:0{width}}" for i in range(size)]))
            at += size
        yield separator.join(chunk)
        most = min(most * 2, MAX_THOUSANDS_PER_CHUNK)


def with_separators(sh: Call, chunks: Iterator[str], separator: str) -> Iterator[str]:
    """The chunks with what separates them, and a newline at the end."""
    before, end = "", ""
    for chunk in chunks:
        sh.tick()
        yield before + chunk
        before, end = separator, "\n"
    if end:
        yield end


def number_formatter(sh: Call, text: str) -> Callable[[Decimal], str]:
    """What prints a number by a format; one without a single directive for numbers is refused."""
    match = FORMAT_PATTERN.fullmatch(text)
    if match is None or match[3] is None:
        raise sh.fail(f"format {locale_quoted_text(text)} has no % directive")
    before, flags, letter, behind = match[1], match[2], match[3], match[4]
    if not letter:
        raise sh.fail(f"format {locale_quoted_text(text)} ends in %")
    if letter not in "aefgAEFG" or letter in "aA":
        raise sh.fail(f"format {locale_quoted_text(text)} has unknown %{letter} directive")
    if "%" in behind.replace("%%", ""):
        raise sh.fail(f"format {locale_quoted_text(text)} has too many % directives")
    before, behind = before.replace("%%", "%"), behind.replace("%%", "%")
    directive = f"%{flags.replace(chr(39), '')}{letter}"
    return lambda number: f"{before}{directive % float(number)}{behind}"
