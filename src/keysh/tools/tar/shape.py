"""Shape: the options that say how an archive is laid out, and in how many steps names are cut."""

from __future__ import annotations

from keysh.archive.tar_reader import BLOCK
from keysh.gnu.options import chosen
from keysh.interp.state.call import BadCall
from keysh.text.shell_numbers import is_digits, known_number
from keysh.tools.tar.names import FATAL, shown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

FORMS = ("gnu", "oldgnu", "ustar", "v7", "pax", "posix")
CHOICES = {
    name: {word: word for word in words}
    for name, words in (
        ("sort", ("none", "name", "inode")),
        ("atime_preserve", ("replace", "system")),
    )
}
# What is said of a number that is none, by option.
NUMBERS = {
    "blocking_factor": "Invalid blocking factor", "record_size": "Invalid record size",
    "strip_components": "Invalid number of elements",
}  # fmt: skip
SHAPES = {"format", *CHOICES, *NUMBERS}
UNITS = {"b": BLOCK, "c": 1, "w": 2, "B": 1024, "k": 1024, "K": 1024, "m": 1 << 20, "M": 1 << 20}
MOST_BLOCKS = 4096  # in a record


def shape(sh: Call, name: str, value: object) -> dict[str, object]:
    """The options that one of these options stands for."""
    text = value if isinstance(value, str) else ""
    if name == "format":
        if text not in FORMS:
            raise BadCall(f"{shown_name(text)}: Invalid archive format", status=FATAL)
        return {name: text}
    if name in CHOICES:
        return {name: choice(sh, name, text) if isinstance(value, str) else value}
    number = number_of(name, text)
    if name == "strip_components":
        return {name: number}
    size = number * BLOCK if name == "blocking_factor" else number
    if not 0 < size <= MOST_BLOCKS * BLOCK:
        raise bad_number(name, text)
    if size % BLOCK:
        raise BadCall(f"Record size must be a multiple of {BLOCK}.", status=FATAL)
    return {"record_size": size}


def choice(sh: Call, name: str, text: str) -> str:
    """The word that an option has; tar says nothing of its help where it is none."""
    try:
        return chosen(f"--{name.replace('_', '-')}", text, CHOICES[name])
    except BadCall as bad:
        raise sh.fail(bad.message, FATAL) from None


def number_of(name: str, text: str) -> int:
    """The number that an option has."""
    digits, unit = text, 1
    if name == "record_size" and text[-1:] in UNITS:
        digits, unit = text[:-1], UNITS[text[-1]]
    digits = digits.removeprefix("+")
    if not is_digits(digits):
        raise bad_number(name, text)
    return known_number(digits) * unit


def bad_number(name: str, text: str) -> BadCall:
    """The failure of an option that asks for a number."""
    return BadCall(f"{shown_name(text)}: {NUMBERS[name]}", status=FATAL)
