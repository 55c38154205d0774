"""The order of versions, as `sort -V` and `ls -v` have it: a2 before a10, a~ before a.

gnulib's filevercmp. Names are first compared without their suffixes (`.tar.gz`), then with them.
"""

from __future__ import annotations

import re
import sys

SUFFIX = re.compile(r"[A-Za-z~][A-Za-z0-9~]*")
DIGITS = re.compile(r"([0-9]+)")
# What stands for a character among those that are no digits, and for where these stop.
TILDE, STOP = map(chr, range(2))
PLACES = {
    number: chr(number + (3 if chr(number).isalpha() and number < 128 else 300))
    for number in range(256)
} | {ord("~"): TILDE}

MOST = sys.maxunicode  # lengths below are one character


def version_key(octets: str) -> tuple[int, str, str]:
    """What to order a name by."""
    whole = parts(octets)
    short = bare(octets)
    first = whole if short == octets else parts(short)
    if not octets.startswith("."):
        return (4 if octets else 0, first, whole)
    return ({".": 1, "..": 2}.get(octets, 3), first, whole)


def bare(name: str) -> str:
    """A name without its suffixes."""
    end = len(name)
    while (dot := name.rfind(".", 0, end)) >= 0 and SUFFIX.fullmatch(name, dot + 1, end):
        end = dot
    return name[:end]


def parts(name: str) -> str:
    """A name in steps to compare: what is no number, and the number by its length and digits."""
    steps = DIGITS.split(name)
    if len(steps) > 1 and not steps[-1] and not steps[-2].strip("0"):
        del steps[-2:]  # zeros at the end are as nothing there
    found: list[str] = []
    for text, digits in zip(steps[::2], steps[1::2], strict=False):
        digits = digits.lstrip("0")
        found += (text.translate(PLACES), STOP, size(digits), digits)
    # Behind its end a name goes on as if with nothing, which is more than a tilde.
    found += (steps[-1].translate(PLACES), STOP, size(""), STOP)
    return "".join(found)


def size(digits: str) -> str:
    """What stands for the length of a number."""
    length = len(digits)
    return chr(length) if length < MOST else f"{chr(MOST)}{length:020}"
