"""Format times by GNU's strftime directives, such as `%Y-%m-%d %H:%M`, in the C locale.

    %[flags][width][E or O]letter

A flag is `-` (no padding), `_` (spaces), `0` (zeros), `+` (zeros, and a plus before a long
year), `^` (upper case) or `#` (opposite case). Invalid directives are copied unchanged.
"""

from __future__ import annotations

import re

from keysh.text.dates.moment import week_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.text.dates.moment import Moment

    Weigh: TypeAlias = Callable[[int], object]

DAY_NAMES = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
PADDING_FLAGS = "-_0+^#"
GNU_ONLY_DIRECTIVE = re.compile(r"%(?:%|([-_0+^#]*[0-9]*(?:[Nq]|:+z)))")
DIRECTIVE_PREFIX = re.compile(r"[-_0+^#]*[0-9]*[EO]?:{0,3}")
MAX_WIDTH = 4096  # larger widths are reduced to this
PIECES_PER_WEIGHING = 512
REFUSED_AFTER_MODIFIER = {"": "", "E": "%aAbBdDeFGgHhIjklmMNSUVwW", "O": "%aADFcqxXY"}
TWO_DIGIT_NUMBERS = {
    "d": lambda moment: moment.day,
    "H": lambda moment: moment.hour,
    "I": lambda moment: moment.hour % 12 or 12,
    "m": lambda moment: moment.month,
    "M": lambda moment: moment.minute,
    "S": lambda moment: moment.second,
    "U": lambda moment: (moment.yearday + 6 - moment.weekday) // 7,
    "W": lambda moment: (moment.yearday + 6 - (moment.weekday + 6) % 7) // 7,
    "V": lambda moment: week_of(moment)[1],
}  # fmt: skip
# The minimum of digits, and the number.
ZERO_PADDED_NUMBERS: dict[str, tuple[int, Callable[[Moment], int]]] = {
    **{letter: (2, number) for letter, number in TWO_DIGIT_NUMBERS.items()},
    "j": (3, lambda moment: moment.yearday),
    "q": (1, lambda moment: (moment.month + 2) // 3),
    "s": (1, lambda moment: moment.seconds),
    "u": (1, lambda moment: moment.weekday or 7),
    "w": (1, lambda moment: moment.weekday),
}
SPACE_PADDED_NUMBERS: dict[str, Callable[[Moment], int]] = {
    "e": TWO_DIGIT_NUMBERS["d"], "k": TWO_DIGIT_NUMBERS["H"], "l": TWO_DIGIT_NUMBERS["I"],
}  # fmt: skip
# Numbers that `+` may precede.
YEAR_NUMBERS: dict[str, tuple[int, Callable[[Moment], int]]] = {
    "C": (2, lambda moment: moment.year // 100 if moment.year >= 0 else -(-moment.year // 100)),
    "g": (2, lambda moment: abs(week_of(moment)[0]) % 100),
    "G": (4, lambda moment: week_of(moment)[0]),
    "y": (2, lambda moment: abs(moment.year) % 100),
    "Y": (4, lambda moment: moment.year),
}
# Numbers that are padded like words after E or O.
ALTERNATIVE_DIGIT_LETTERS = {
    "": "",
    "E": "CyY",
    "O": {*ZERO_PADDED_NUMBERS, *SPACE_PADDED_NUMBERS, *YEAR_NUMBERS, "z"},
}
WORD_DIRECTIVES: dict[str, Callable[[Moment], str]] = {
    "a": lambda moment: DAY_NAMES[moment.weekday][:3],
    "A": lambda moment: DAY_NAMES[moment.weekday],
    "b": lambda moment: MONTH_NAMES[moment.month - 1][:3],
    "B": lambda moment: MONTH_NAMES[moment.month - 1],
    "h": lambda moment: MONTH_NAMES[moment.month - 1][:3],
    "p": lambda moment: "PM" if moment.hour >= 12 else "AM",
    "P": lambda moment: "pm" if moment.hour >= 12 else "am",
    "Z": lambda moment: moment.zone,
    "n": lambda moment: "\n",
    "t": lambda moment: "\t",
    "%": lambda moment: "%",
}
COMPOSITE_DIRECTIVES = {
    "c": "%a %b %e %H:%M:%S %Y", "D": "%m/%d/%y", "r": "%I:%M:%S %p", "R": "%H:%M",
    "T": "%H:%M:%S", "x": "%m/%d/%y", "X": "%H:%M:%S",
}  # fmt: skip


def format_moment(template: str, moment: Moment, weigh: Weigh | None = None) -> str:
    """Format a time. `weigh` is told now and then how long the result is, and may refuse that."""
    pieces: list[str] = []
    position = size = 0
    while (start := template.find("%", position)) >= 0:
        pieces.append(template[position:start])
        prefix = DIRECTIVE_PREFIX.match(template, start + 1)
        end = start + 3 if prefix is None else prefix.end() + 2
        expansion, length = expand_directive(template[start + 1 : end], moment)
        pieces.append(expansion)
        size += len(expansion)
        position = start + 1 + length
        if weigh is not None and not len(pieces) % PIECES_PER_WEIGHING:
            weigh(size)
    return "".join([*pieces, template[position:]])


def format_moment_as_c(template: str, moment: Moment, weigh: Weigh | None = None) -> str:
    """Format a time as the C library does: GNU's additional directives are copied unchanged."""
    template = GNU_ONLY_DIRECTIVE.sub(lambda match: "%" * bool(match[1]) + match[0], template)
    return format_moment(template, moment, weigh)


def expand_directive(text: str, moment: Moment) -> tuple[str, int]:
    """Return the expansion of the directive after a `%`, and the directive's length."""
    position = len(text) - len(text.lstrip(PADDING_FLAGS))
    flags = text[:position]
    digits = text[position : len(text) - len(text[position:].lstrip("0123456789"))]
    position += len(digits)
    width = min(int(digits[:9]), MAX_WIDTH) if digits else -1
    modifier = text[position : position + 1] if text[position : position + 1] in ("E", "O") else ""
    position += len(modifier)
    colons = len(text[position : position + 3]) - len(text[position : position + 3].lstrip(":"))
    letter = text[position + colons : position + colons + 1]
    expansion: str | None = None
    length = position + colons + 1
    padding = ([flag for flag in flags if flag in "-_0+"] or [""])[-1]
    if colons and letter != "z":
        length = position + 1  # the text after the first colon is literal
    elif letter == "%" and length > 1:
        length -= 1  # a second `%` starts another directive
    elif letter and letter not in REFUSED_AFTER_MODIFIER[modifier]:
        if colons and modifier == "O":
            expansion = pad_text("%O:", padding, width)  # GNU loses the rest
        elif colons:
            expansion = format_offset(moment, colons, padding, width)
        elif letter in ALTERNATIVE_DIGIT_LETTERS[modifier] and not (
            letter == "z" and moment.offset < 0
        ):
            expansion = pad_text(directive_value(letter, moment, "", "", -1) or "", padding, width)
        else:
            expansion = directive_value(letter, moment, flags, padding, width)
    if expansion is None:
        expansion = f"%{text[:length]}"
        is_upper = "^" in flags or ("#" in flags and letter in ("b", "h"))
        expansion = pad_text(expansion.upper() if is_upper else expansion, padding, width)
    return expansion, length


def directive_value(
    letter: str, moment: Moment, flags: str, padding: str, width: int
) -> str | None:
    """Return the expansion of a letter; None if it is invalid."""
    if letter in ZERO_PADDED_NUMBERS:
        least, number = ZERO_PADDED_NUMBERS[letter]
        return pad_number(number(moment), padding or "0", width, least)
    if letter in SPACE_PADDED_NUMBERS:
        return pad_number(SPACE_PADDED_NUMBERS[letter](moment), padding or "_", width, 2)
    if letter in YEAR_NUMBERS:
        least, number = YEAR_NUMBERS[letter]
        return format_year(number(moment), padding, width, least, letter == "C" and moment.year < 0)
    if letter == "N":
        return format_fraction(moment.nanosecond, padding, width)
    if letter == "z":
        return format_offset(moment, 0, padding, width)
    if letter == "F":
        if width < 0:
            inner = format_year(moment.year, padding or "+", -1, 4)
        else:
            inner = format_year(moment.year, padding, max(width - 6, 0), 4)
        return f"{inner}-{moment.month:02}-{moment.day:02}"
    if letter in COMPOSITE_DIRECTIVES:
        # The padding flag applies to a year inside too.
        text = format_moment(COMPOSITE_DIRECTIVES[letter].replace("y", f"{padding}y"), moment)
    elif letter in WORD_DIRECTIVES:
        text = WORD_DIRECTIVES[letter](moment)
    else:
        return None
    text = apply_case_flags(text, letter, flags)
    return pad_text(text, padding, width)


def pad_text(text: str, padding: str, width: int) -> str:
    """Pad a string on the left."""
    return text if padding == "-" else text.rjust(width, "0" if padding in ("0", "+") else " ")


def apply_case_flags(text: str, letter: str, flags: str) -> str:
    """Change the case of a string as the flags say."""
    if "#" in flags and letter in "pZ":
        return text.lower()
    if ("^" in flags and letter != "P") or ("#" in flags and letter in "aAbBh"):
        return text.upper()
    return text


def pad_number(number: int, padding: str, width: int, least: int, sign: str = "") -> str:
    """Pad a number to a width, by default to `least` digits."""
    sign, digits = "-" if number < 0 else sign, str(abs(number))
    return fill_digits(sign, digits, padding, least if width < 0 else width)


def fill_digits(sign: str, digits: str, padding: str, width: int) -> str:
    if padding == "-":
        return sign + digits
    if padding == "_":
        return (sign + digits).rjust(width)
    return sign + digits.rjust(width - len(sign), "0")


def format_year(
    number: int, padding: str, width: int, least: int, is_negative: bool = False
) -> str:
    """Format a year or century; `+` adds a sign if it is longer than usual."""
    is_long = abs(number) > (99 if least == 2 else 9999) or least < width
    sign = "-" if is_negative else "+" if padding == "+" and is_long else ""
    return pad_number(number, padding or "0", width, least, sign)


def format_fraction(nanosecond: int, padding: str, width: int) -> str:
    """Format nanoseconds, cut to `width` digits."""
    if width <= 0:
        width, padding = 9, padding.strip("-")  # `%-N` has as many digits as the clock
    digits = f"{nanosecond:09}"[:width]
    digits = digits[0] + digits[1:].rstrip("0")
    if padding == "-":
        return digits
    return digits.ljust(width, " " if padding == "_" else "0")


def format_offset(moment: Moment, colons: int, padding: str, width: int) -> str:
    """Format a zone offset: `+0530`, `+05:30`, `+05:30:00`; the shortest with three colons."""
    sign, seconds = ("-" if moment.offset < 0 else "+"), abs(moment.offset)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    if colons == 3:
        colons = 2 if seconds else 1 if minutes else -1
    if colons == 0:
        digits, least = str(hours * 100 + minutes), 5
    elif colons < 0:
        digits, least = str(hours), 3
    else:
        digits, least = f"{hours}:{minutes:02}", 6
        if colons == 2:
            digits, least = f"{digits}:{seconds:02}", 9
    return fill_digits(sign, digits, padding or "0", least if width < 0 else width)
