"""The operators of test: what they say of texts, numbers and files."""

from __future__ import annotations

import os
import stat as kinds

from keysh.text.lines import encoded
from keysh.vfs.access import may

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.runtime.call import Call
    from keysh.vfs.api import Stat

# -o, -v and -R of bash ask for options and variables of the shell, which no command sees.
KINDS = {
    "-b": kinds.S_IFBLK, "-c": kinds.S_IFCHR, "-d": kinds.S_IFDIR, "-f": kinds.S_IFREG,
    "-p": kinds.S_IFIFO, "-S": kinds.S_IFSOCK,
}  # fmt: skip
BITS = {"-g": kinds.S_ISGID, "-k": kinds.S_ISVTX, "-u": kinds.S_ISUID}
PERMISSIONS = {"-r": 4, "-w": 2, "-x": 1}
OF_FILES: dict[str, Callable[[Stat], bool]] = {
    "-a": lambda found: True,
    "-e": lambda found: True,
    "-s": lambda found: found.size > 0,
    "-O": lambda found: found.owner == os.geteuid(),
    "-G": lambda found: found.group == os.getegid(),
    "-N": lambda found: found.accessed < found.modified,
}
OF_TEXTS: dict[str, Callable[[str], bool]] = {"-n": bool, "-z": lambda text: not text}
UNARY = {*KINDS, *BITS, *PERMISSIONS, *OF_FILES, *OF_TEXTS, "-h", "-L", "-t"}

TEXTS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda left, right: left == right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: encoded(left) < encoded(right),
    ">": lambda left, right: encoded(left) > encoded(right),
}
NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda left, right: left == right,
    "-ne": lambda left, right: left != right,
    "-lt": lambda left, right: left < right,
    "-le": lambda left, right: left <= right,
    "-gt": lambda left, right: left > right,
    "-ge": lambda left, right: left >= right,
}
BINARY = {*TEXTS, *NUMBERS, "-nt", "-ot", "-ef"}


def unary(sh: Call, operator: str, operand: str) -> bool:
    """What an operator says of one operand."""
    if operator in OF_TEXTS:
        return OF_TEXTS[operator](operand)
    found = stat_of(sh, operand, follow=operator not in ("-h", "-L"))
    if found is None:
        return False
    if operator in KINDS:
        return kinds.S_IFMT(found.mode) == KINDS[operator]
    if operator in BITS:
        return bool(found.mode & BITS[operator])
    if operator in PERMISSIONS:
        return may(sh.fs, sh.path(operand), found, PERMISSIONS[operator])
    return OF_FILES[operator](found) if operator in OF_FILES else found.is_link


def binary(sh: Call, left: str, operator: str, right: str) -> bool:
    """What an operator says of two operands."""
    if operator in TEXTS:
        return TEXTS[operator](left, right)
    if operator in NUMBERS:
        return NUMBERS[operator](need_number(sh, left), need_number(sh, right))
    here, there = stat_of(sh, left), stat_of(sh, right)
    if operator == "-ef":
        return here is not None and there is not None and is_same(sh, left, here, right, there)
    if operator == "-ot":
        here, there = there, here
    return here is not None and (there is None or here.modified > there.modified)


def need_number(sh: Call, text: str) -> int:
    number = number_of(text)
    if number is None:
        raise sh.fail(f"{text}: integer expression expected", 2)
    return number


def number_of(text: str) -> int | None:
    """The number that a text is: 64 bits, with blanks around it."""
    number = text.lstrip(" \t\n\v\f\r").rstrip(" \t")
    digits = number[number[:1] in ("+", "-") :]
    if digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) < 20:
        found = int(number)
        if -(1 << 63) <= found < 1 << 63:
            return found
    return None


def stat_of(sh: Call, path: str, *, follow: bool = True) -> Stat | None:
    try:
        return sh.fs.stat(sh.path(path), follow=follow) if path else None
    except OSError:
        return None


def is_same(sh: Call, left: str, here: Stat, right: str, there: Stat) -> bool:
    """Whether two paths are one file; numbers of inodes count within one file system only."""
    fs, inner = sh.fs.locate(sh.path(left))
    other, other_inner = sh.fs.locate(sh.path(right))
    if not here.inode or not there.inode:
        return fs is other and inner == other_inner
    return fs is other and (here.device, here.inode) == (there.device, there.inode)
