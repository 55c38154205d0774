"""Convert the numbers in lines."""

from __future__ import annotations

import re

from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.numfmt.scaled import (
    MAX_DIGITS,
    SUFFIXES,
    InvalidNumber,
    format_scaled,
    parse_scaled,
    to_long_double,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction

    from keysh.gnu.ranges import Ranges
    from keysh.interp.state.call import Call

MAX_WIDTH = 1 << 20  # columns of a number
MAX_PRECISION = 999  # digits after the decimal point
DIRECTIVE = re.compile(r"((?:[^%]|%%)*)%(?!%)([0' ]*)((?:[-+]?[0-9]+)?)")
PRECISION = re.compile(r"\.(-?[0-9]+|[ \t+])?")
LITERAL_TAIL = re.compile(r"(?:[^%]|%%)*%?")
LEADING_DIGITS, EXACT_DIGITS = re.compile(r"-?([0-9]*)"), 18
BLANKS_AND_WORD = re.compile(r"[ \t\n]*[^ \t\n]*")


class ConversionAborted(Exception):
    """A field is invalid and the run ends; `converted_text` is the line so far."""

    def __init__(self, converted_text: str, message: str) -> None:
        super().__init__(message)
        self.converted_text, self.message = converted_text, message


class NumberFormat:
    """A parsed --format: the text around the number, its width and its precision.

    With leading zeros the number is filled to `zeros` columns and `width` is 0.
    """

    __slots__ = ("after", "before", "groups", "precision", "width", "zeros")

    def __init__(self, sh: Call, text: str) -> None:
        match, shown_format = DIRECTIVE.match(text), locale_quoted_text(text)
        if match is None:
            raise sh.fail(f"format {shown_format} has no % directive")
        self.before, flags, width = match.groups()
        position, columns = match.end(), int(width[:9] or "0")
        if abs(columns) > MAX_WIDTH:
            raise sh.fail(f"invalid format {shown_format} (width overflow)")
        self.groups = "'" in flags
        self.zeros, self.width = (columns, 0) if "0" in flags and columns > 0 else (0, columns)
        if position == len(text):
            raise sh.fail(f"format {shown_format} ends in %")
        self.precision = None
        precision_match = PRECISION.match(text, position)
        if precision_match is not None:
            digits = precision_match[1] or "0"
            if not is_digits(digits) or bounded_number(digits) > MAX_PRECISION:
                raise sh.fail(f"invalid precision in format {shown_format}")
            position, self.precision = precision_match.end(), bounded_number(digits)
        if text[position : position + 1] != "f":
            message = "directive must be %[0]['][-][N][.][N]f"
            raise sh.fail(f"invalid format {shown_format}, {message}")
        self.after = text[position + 1 :]
        if LITERAL_TAIL.fullmatch(self.after) is None or self.after.replace("%%", "").endswith("%"):
            raise sh.fail(f"format {shown_format} has too many % directives")


class LineConverter:
    """The options that convert each line."""

    __slots__ = (
        "_on_invalid", "_rounding", "_scales", "_sh", "delimiter", "failure", "fields",
        "has_failed", "has_invalid", "is_debug", "number_format", "padding", "suffix", "units",
    )  # fmt: skip

    def __init__(self, sh: Call, scales: tuple[str, str], rounding: str, manner: str) -> None:
        self._sh, self._scales, self._rounding, self._on_invalid = sh, scales, rounding, manner
        self.units = (1, 1)
        self.fields: Ranges = [(1, 1)]
        self.delimiter: str | None = None
        self.padding, self.suffix, self.has_failed = 0, "", False
        self.is_debug = self.has_invalid = False  # --debug; whether any number was invalid
        self.failure = ""  # why the output ends early
        self.number_format = NumberFormat(sh, "%f")

    def convert_line(self, line: str) -> str:
        """Convert the selected fields of a line."""
        if self.delimiter is None:
            parts: list[str] = []
            position = 0
            while position <= len(line):  # a trailing blank is followed by an empty field
                match = BLANKS_AND_WORD.match(line, position)
                assert match is not None  # it may be empty
                parts.append(match[0])
                position = match.end() + 1
            gap = " "
        else:
            parts, gap = line.split(self.delimiter), self.delimiter
        converted: list[str] = []
        for number, part in enumerate(parts, 1):
            try:
                converted.append(
                    self.convert_field(part, number) if self._is_selected(number) else part
                )
            except InvalidNumber as unreadable:
                if self._on_invalid == "abort":
                    raise ConversionAborted(gap.join([*converted, ""]), str(unreadable)) from None
                converted.append(self._reject(part, str(unreadable)))
        return gap.join(converted)

    def _is_selected(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.fields)

    def convert_field(self, text: str, number: int) -> str:
        """Convert a field; raises InvalidNumber."""
        bare = text.lstrip(" \t\n")
        width = self.number_format.width or self.padding
        if self.padding < 0 < width:  # keep the alignment
            width = -width
        if not width and self.delimiter is None:
            width = len(text) if number > 1 or bare != text else 0
        digits = bare
        if self.suffix and len(bare) > len(self.suffix):
            digits = bare.removesuffix(self.suffix)
        value, precision = parse_scaled(digits, self._scales[0])
        if self.is_debug and is_imprecise(digits):
            message = f"large input value {locale_quoted_text(digits)}: possible precision loss"
            self._sh.note(message)
        if self.units != (1, 1):
            value = to_long_double(to_long_double(value * self.units[0]) / self.units[1])
        self._check_size(value, precision)
        result = format_scaled(
            value, precision, self._scales[1], self._rounding, self.number_format.precision
        )
        shape = self.number_format
        if shape.zeros:
            digits = result.rstrip("i").rstrip(SUFFIXES)
            result = digits.zfill(shape.zeros) + result[len(digits) :]
        result += self.suffix
        result = result.ljust(-width) if width < 0 else result.rjust(width)
        return shape.before + result + shape.after

    def _check_size(self, value: Fraction, precision: int) -> None:
        """Refuse a number with more digits than GNU numfmt prints."""
        tens = len(str(int(abs(value)))) - 1
        places = precision if self.number_format.precision is None else self.number_format.precision
        number, has_no_scale = f"{float(value):g}", self._scales[1] == "none"
        if has_no_scale and places and tens + places > EXACT_DIGITS:
            value_and_places = f"'{number}/{places}'"
            message = (
                f"value/precision too large to be printed: {value_and_places} (consider using --to)"
            )
        elif has_no_scale and tens > EXACT_DIGITS:
            message = f"value too large to be printed: '{number}' (consider using --to)"
        elif tens >= MAX_DIGITS:
            message = f"value too large to be printed: '{number}' (cannot handle values > 999Y)"
        else:
            return
        raise InvalidNumber(message)

    def _reject(self, text: str, message: str) -> str:
        """Report an invalid number and return its text."""
        if self._on_invalid != "ignore":
            self._sh.note(message)
        self.has_invalid = True
        self.has_failed = self.has_failed or self._on_invalid == "fail"
        return text


def is_imprecise(text: str) -> bool:
    """Tell whether a number has more digits than GNU numfmt considers exact."""
    digits = LEADING_DIGITS.match(text)
    return digits is not None and len(digits[1].lstrip("0")) > EXACT_DIGITS
