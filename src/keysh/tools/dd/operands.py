"""Parse dd's operands: files, numbers of blocks or bytes, and flags."""

from __future__ import annotations

import errno
import os

from keysh.interp.state.call import UsageFailure
from keysh.schema.types import SIZE, UnfitValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.interp.state.call import Call

CONVERSIONS = (
    "lcase", "ucase", "swab", "sync", "excl", "nocreat", "notrunc", "noerror", "fsync",
    "fdatasync", "sparse",
)  # fmt: skip
UNSUPPORTED = {"ascii", "ebcdic", "ibm", "block", "unblock"}  # conversions
# Flags for devices, which have no effect here.
IGNORED_FLAGS = (
    "binary",
    "direct",
    "dsync",
    "noatime",
    "nocache",
    "noctty",
    "nonblock",
    "sync",
    "text",
)
FLAG_LISTS = {
    "conv": ("conversion", CONVERSIONS),
    "iflag": ("input flag", (*IGNORED_FLAGS, "count_bytes", "fullblock", "skip_bytes")),
    "oflag": ("output flag", (*IGNORED_FLAGS, "append", "seek_bytes")),
    "status": ("status level", ("none", "noxfer", "progress")),
}
MAX_NUMBER = (1 << 63) - 1
MIN_NUMBERS = {
    "bs": 1, "ibs": 1, "obs": 1, "count": 0, "skip": 0, "iseek": 0, "seek": 0, "oseek": 0,
}  # fmt: skip


def parse_operands(
    sh: Call, words: Iterable[str]
) -> tuple[dict[str, str], dict[str, tuple[int, bool]], dict[str, set[str]]]:
    """Return the files by `if` and `of`, the numbers by name, and the sets of flags by name.

    Each number comes with whether it counts bytes.
    """
    files: dict[str, str] = {}
    numbers: dict[str, tuple[int, bool]] = {}
    flags = {key: set[str]() for key in FLAG_LISTS}
    are_options_over = False
    for word in words:
        if word.startswith("-") and word != "-" and not are_options_over:
            are_options_over = word == "--"
            if not are_options_over:
                is_long = word.startswith("--")
                message = (
                    f"unrecognized option '{word}'" if is_long else f"invalid option -- '{word[1]}'"
                )
                raise UsageFailure(message)
            continue
        key, equals, value = word.partition("=")
        if (key == "cbs" and equals) or (key == "conv" and UNSUPPORTED & set(value.split(","))):
            raise sh.fail(f"{word}: EBCDIC and fixed-length records are not supported")
        if not equals or key not in ("if", "of", *FLAG_LISTS, *MIN_NUMBERS):
            raise UsageFailure(f"unrecognized operand '{word}'")
        if key in MIN_NUMBERS:
            numbers[key.replace("iseek", "skip").replace("oseek", "seek")] = parse_number(
                sh, key, value
            )
        elif key in FLAG_LISTS:
            flags[key] |= parse_flags(key, value)
        else:
            files[key] = value
    return files, numbers, flags


def parse_number(sh: Call, key: str, text: str) -> tuple[int, bool]:
    """Parse a number with factors as in `2x512`; return it and whether it counts bytes."""
    in_bytes = text.endswith("B") and key[-2:] != "bs"
    value = 1
    for factor in text.split("x"):
        bare = factor[:-1] if factor[-2:-1].isdigit() and factor.endswith("B") else factor
        try:
            if factor[:1] in ("-", "+"):
                raise UnfitValue("a number", factor)
            value *= SIZE.parse(bare)
        except UnfitValue:
            raise sh.fail(f"invalid number: '{text}'") from None
    if value > MAX_NUMBER:
        raise sh.fail(f"invalid number: '{text}': {os.strerror(errno.EOVERFLOW)}")
    if value < MIN_NUMBERS[key]:
        raise sh.fail(f"invalid number: '{text}'")
    return value, in_bytes


def parse_flags(key: str, text: str) -> set[str]:
    what, known = FLAG_LISTS[key]
    for word in [text] if key == "status" else text.split(","):
        if word not in known:
            raise UsageFailure(f"invalid {what}: '{word}'")
    return {text} if key == "status" else set(text.split(","))
