"""Conversion: lines whose numbers are read and printed in another way."""

from __future__ import annotations

import re

from keysh.commands.numfmt.scaled import Unreadable, read, rounded, shown
from keysh.runtime.quoting import locale_quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.runtime.ranges import Ranges

WIDEST = 1 << 20  # columns of a number
DIRECTIVE = re.compile(r"((?:[^%]|%%)*)%([0' ]*)(-?)([0-9]{0,9})(?:\.([0-9]{1,3}))?f((?:[^%]|%%)*)")
WORD = re.compile(r"[ \t\n]*[^ \t\n]*")


class Aborted(Exception):
    """A field cannot be read, and nothing more is to be done; `before` is what has been made."""

    def __init__(self, before: str, message: str) -> None:
        super().__init__(message)
        self.before, self.message = before, message


class Shape:
    """A format: what stands before and behind the number, how wide it is, how many digits."""

    __slots__ = ("after", "before", "is_zero", "precision", "width")

    def __init__(self, sh: Call, text: str) -> None:
        match = DIRECTIVE.fullmatch(text)
        if match is None or int(match[4] or "0") > WIDEST:
            if "%" not in text.replace("%%", ""):
                raise sh.fail(f"format {locale_quoted(text)} has no % directive")
            says = "directive must be %[0]['][-][N][.][N]f"
            raise sh.fail(f"invalid format {locale_quoted(text)}, {says}")
        before, flags, minus, width, precision, after = match.groups()
        self.before, self.after = before, after
        self.is_zero = "0" in flags
        self.width = int(width or "0") * (-1 if minus else 1)
        self.precision = None if precision is None else int(precision)


class Conversion:
    """What is done to each line."""

    __slots__ = (
        "_manner", "_rounding", "_scales", "_sh", "delimiter", "failure", "fields", "has_failed",
        "padding", "shape", "suffix", "units",
    )  # fmt: skip

    def __init__(self, sh: Call, scales: tuple[str, str], rounding: str, manner: str) -> None:
        self._sh, self._scales, self._rounding, self._manner = sh, scales, rounding, manner
        self.units = (1, 1)
        self.fields: Ranges = [(1, 1)]
        self.delimiter: str | None = None
        self.padding, self.suffix, self.has_failed = 0, "", False
        self.failure = ""  # why the lines end early
        self.shape = Shape(sh, "%f")

    def line(self, line: str) -> str:
        """A line with its fields converted."""
        if self.delimiter is None:
            parts: list[str] = []
            at = 0
            while at < len(line) or not parts:
                match = WORD.match(line, at)
                assert match is not None  # it may be empty
                parts.append(match[0])
                at = match.end() + 1
            gap = " "
        else:
            parts, gap = line.split(self.delimiter), self.delimiter
        made: list[str] = []
        for number, part in enumerate(parts, 1):
            try:
                made.append(self.field(part, number) if self._is_wanted(number) else part)
            except Unreadable as unreadable:
                if self._manner == "abort":
                    raise Aborted(gap.join([*made, ""]), str(unreadable)) from None
                made.append(self._refused(part, str(unreadable)))
        return gap.join(made)

    def _is_wanted(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.fields)

    def field(self, text: str, number: int) -> str:
        """A field converted, or ; raises Unreadable."""
        bare = text.lstrip(" \t\n")
        width = self.padding or self.shape.width
        if not self.padding and not self.shape.width and self.delimiter is None:
            width = len(text) if number > 1 or bare != text else 0
        digits = bare
        if self.suffix and len(bare) > len(self.suffix):
            digits = bare.removesuffix(self.suffix)
        value, precision = read(digits, self._scales[0])
        value = rounded(rounded(value * self.units[0]) / self.units[1])
        if self.units[1] != 1:
            precision = 0
        made = shown(value, precision, self._scales[1], self._rounding, self.shape.precision)
        shape = self.shape
        if shape.is_zero and shape.width > 0 and not self.padding:
            sign = "-" if made.startswith("-") else ""
            made = sign + made[len(sign) :].rjust(shape.width - len(sign), "0")
        made += self.suffix
        made = made.ljust(-width) if width < 0 else made.rjust(width)
        return shape.before + made + shape.after

    def _refused(self, text: str, message: str) -> str:
        """What becomes of a text that is no number."""
        if self._manner != "ignore":
            self._sh.err.write(f"{self._sh.name}: {message}\n")
        self.has_failed = self.has_failed or self._manner == "fail"
        return text
