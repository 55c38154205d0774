"""Check the options for the archive's layout, and --strip-components."""

from __future__ import annotations

from keysh.archive.tar_reader import BLOCK_BYTES
from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import UsageFailure
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.tar.safe_names import FATAL_STATUS, shown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

FORMAT_NAMES = ("gnu", "oldgnu", "ustar", "v7", "pax", "posix")
OPTION_CHOICES = {
    name: {word: word for word in words}
    for name, words in (
        ("sort", ("none", "name", "inode")),
        ("atime_preserve", ("replace", "system")),
    )
}
# The message for an invalid number, by option.
NUMBER_COMPLAINTS = {
    "blocking_factor": "Invalid blocking factor", "record_size": "Invalid record size",
    "strip_components": "Invalid number of elements",
}  # fmt: skip
LAYOUT_OPTIONS = {"format", *OPTION_CHOICES, *NUMBER_COMPLAINTS}
SIZE_UNITS = {
    "b": BLOCK_BYTES, "c": 1, "w": 2, "B": 1024, "k": 1024, "K": 1024, "m": 1 << 20,
    "M": 1 << 20,
}  # fmt: skip
MAX_RECORD_BLOCKS = 4096


def layout_options(sh: Call, name: str, value: object) -> dict[str, object]:
    """Return the options that one of these options sets."""
    text = value if isinstance(value, str) else ""
    if name == "format":
        if text not in FORMAT_NAMES:
            raise UsageFailure(f"{shown_name(text)}: Invalid archive format", status=FATAL_STATUS)
        return {name: text}
    if name in OPTION_CHOICES:
        return {name: option_choice(sh, name, text) if isinstance(value, str) else value}
    number = option_number(name, text)
    if name == "strip_components":
        return {name: number}
    size = number * BLOCK_BYTES if name == "blocking_factor" else number
    if not 0 < size <= MAX_RECORD_BLOCKS * BLOCK_BYTES:
        raise bad_number(name, text)
    if size % BLOCK_BYTES:
        raise UsageFailure(f"Record size must be a multiple of {BLOCK_BYTES}.", status=FATAL_STATUS)
    return {"record_size": size}


def option_choice(sh: Call, name: str, text: str) -> str:
    """Return the choice that a word names. tar does not refer to --help if there is none."""
    try:
        return choice_of(f"--{name.replace('_', '-')}", text, OPTION_CHOICES[name])
    except UsageFailure as bad:
        raise sh.fail(bad.message, FATAL_STATUS) from None


def option_number(name: str, text: str) -> int:
    """Return the number that an option's value stands for."""
    digits, unit = text, 1
    if name == "record_size" and text[-1:] in SIZE_UNITS:
        digits, unit = text[:-1], SIZE_UNITS[text[-1]]
    digits = digits.removeprefix("+")
    if not is_digits(digits):
        raise bad_number(name, text)
    return bounded_number(digits) * unit


def bad_number(name: str, text: str) -> UsageFailure:
    """Return the usage error for an invalid number."""
    return UsageFailure(f"{shown_name(text)}: {NUMBER_COMPLAINTS[name]}", status=FATAL_STATUS)
