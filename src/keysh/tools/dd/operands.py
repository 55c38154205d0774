"""The operands of dd: files, numbers of blocks or bytes, and flags."""

from __future__ import annotations

import errno
import os

from keysh.interp.state.call import BadCall
from keysh.schema.types import SIZE, Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.interp.state.call import Call

CONVERSIONS = (
    "lcase", "ucase", "swab", "sync", "excl", "nocreat", "notrunc", "noerror", "fsync",
    "fdatasync", "sparse", "block", "unblock", "ascii", "ebcdic", "ibm",
)  # fmt: skip
# Flags that say how to speak to a device; there is none.
IDLE = ("binary", "direct", "dsync", "noatime", "nocache", "noctty", "nonblock", "sync", "text")
WORDS = {
    "conv": ("conversion", CONVERSIONS),
    "iflag": ("input flag", (*IDLE, "count_bytes", "fullblock", "skip_bytes")),
    "oflag": ("output flag", (*IDLE, "append", "seek_bytes")),
    "status": ("status level", ("none", "noxfer", "progress")),
}
LARGEST = (1 << 63) - 1
NUMBERS = {
    "bs": 1, "ibs": 1, "obs": 1, "cbs": 1, "count": 0, "skip": 0, "iseek": 0, "seek": 0, "oseek": 0,
}  # fmt: skip


def operands(
    sh: Call, words: Iterable[str]
) -> tuple[dict[str, str], dict[str, tuple[int, bool]], dict[str, set[str]]]:
    """The files by `if` and `of`, the numbers by their names, the flags by theirs.

    With a number stands whether it counts bytes.
    """
    files: dict[str, str] = {}
    numbers: dict[str, tuple[int, bool]] = {}
    flags = {key: set[str]() for key in WORDS}
    are_options_over = False
    for word in words:
        if word.startswith("-") and word != "-" and not are_options_over:
            are_options_over = word == "--"
            if not are_options_over:
                is_long = word.startswith("--")
                says = (
                    f"unrecognized option '{word}'" if is_long else f"invalid option -- '{word[1]}'"
                )
                raise BadCall(says)
            continue
        key, equals, value = word.partition("=")
        if not equals or key not in ("if", "of", *WORDS, *NUMBERS):
            raise BadCall(f"unrecognized operand '{word}'")
        if key in NUMBERS:
            numbers[key.replace("iseek", "skip").replace("oseek", "seek")] = number(sh, key, value)
        elif key in WORDS:
            flags[key] |= listed(key, value)
        else:
            files[key] = value
    return files, numbers, flags


def number(sh: Call, key: str, text: str) -> tuple[int, bool]:
    """A number with factors, `2x512`, and whether its end says that it counts bytes."""
    in_bytes = text.endswith("B") and key[-2:] != "bs"
    value = 1
    for factor in text.split("x"):
        bare = factor[:-1] if factor[-2:-1].isdigit() and factor.endswith("B") else factor
        try:
            if factor[:1] in ("-", "+"):
                raise Unfit("a number", factor)
            value *= SIZE.parse(bare)
        except Unfit:
            raise sh.fail(f"invalid number: '{text}'") from None
    if value > LARGEST:
        raise sh.fail(f"invalid number: '{text}': {os.strerror(errno.EOVERFLOW)}")
    if value < NUMBERS[key]:
        raise sh.fail(f"invalid number: '{text}'")
    return value, in_bytes


def listed(key: str, text: str) -> set[str]:
    """The flags of a list."""
    what, known = WORDS[key]
    for word in [text] if key == "status" else text.split(","):
        if word not in known:
            raise BadCall(f"invalid {what}: '{word}'")
    return {text} if key == "status" else set(text.split(","))
