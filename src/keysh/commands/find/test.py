"""What find asks about a file."""

from __future__ import annotations

import stat as kinds
import time

from keysh.commands.find.mode import mode_of
from keysh.commands.find.search import escaped
from keysh.runtime.call import why
from keysh.text.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.commands.find.search import Found, Judge, Search

KINDS = {
    "b": kinds.S_IFBLK, "c": kinds.S_IFCHR, "d": kinds.S_IFDIR, "f": kinds.S_IFREG,
    "l": kinds.S_IFLNK, "p": kinds.S_IFIFO, "s": kinds.S_IFSOCK,
}  # fmt: skip
UNITS = {"b": 512, "c": 1, "w": 2, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
NO_BITS = (
    "you have specified a mode pattern {} (which is equivalent to /000). The meaning of -perm /000 "
    "has now been changed to be consistent with -perm -000; that is, while it used to match no "
    "files, it now matches all files."
)
MINUTE, DAY = 60 * 10**9, 86400 * 10**9


def on_name(ignore_case: bool) -> Callable[[Search, str], Judge]:
    def make(search: Search, text: str) -> Judge:
        pattern = Pattern(text, extended=False, ignore_case=ignore_case)
        return lambda found: pattern.matches(found.name)

    return make


def on_path(ignore_case: bool) -> Callable[[Search, str], Judge]:
    def make(search: Search, text: str) -> Judge:
        pattern = Pattern(text, extended=False, ignore_case=ignore_case)
        return lambda found: pattern.matches(found.path)

    return make


def on_type(search: Search, letters: str) -> Judge:
    wanted = set()
    for letter in letters.split(","):
        if not letter:
            raise search.sh.fail(
                "Last file type in list argument to -type is missing, i.e., list is ending on: ','"
                if letters
                else "Arguments to -type should contain at least one letter"
            )
        if len(letter) > 1:
            raise search.sh.fail("Must separate multiple arguments to -type using: ','")
        if letter not in KINDS:
            raise search.sh.fail(f"Unknown argument to -type: {letter}")
        wanted.add(KINDS[letter])
    return lambda found: found.kind in wanted


def compared(text: str) -> tuple[str, int] | None:
    """`+N`, `-N` or `N`; None for what is no number."""
    sign = text[:1] if text[:1] in ("+", "-") else ""
    digits = text[len(sign) :]
    return (sign, int(digits)) if digits.isascii() and digits.isdigit() else None


def holds(sign: str, value: int, number: int) -> bool:
    return value > number if sign == "+" else value < number if sign == "-" else value == number


def on_size(search: Search, text: str) -> Judge:
    unit = UNITS.get(text[-1:])
    given = compared(text if unit is None else text[:-1])
    if given is None or (unit is None and not text[-1:].isdigit()):
        is_number = compared(text[:-1]) is not None or len(text) == 1
        kind = f"invalid -size type `{text[-1:]}'" if is_number and unit is None else ""
        raise search.sh.fail(kind or f"Invalid argument `{text}' to -size")
    sign, number = given
    size = unit or 512
    return lambda found: holds(sign, -(-found.stat.size // size), number)


def on_links(search: Search, text: str) -> Judge:
    given = compared(text)
    if given is None:
        raise search.sh.fail(f"invalid argument `{text}' to `-links'")
    sign, number = given
    return lambda found: holds(sign, found.stat.links, number)


def on_age(option: str, unit: int) -> Callable[[Search, str], Judge]:
    """Days are counted whole, so 1 is from one day to two; minutes are not: 1 is up to one."""

    def make(search: Search, text: str) -> Judge:
        given = compared(text)
        if given is None:
            raise search.sh.fail(f"invalid argument `{text}' to `{option}'")
        sign, number = given
        now = time.time_ns()

        def judge(found: Found) -> bool:
            age = now - found.stat.modified
            if unit == DAY:
                return holds(sign, age // unit, number)
            if sign:
                return holds(sign, age, number * unit)
            return (number - 1) * unit < age <= number * unit

        return judge

    return make


def on_newer(search: Search, path: str) -> Judge:
    try:
        modified = search.stat(path, 0).modified
    except OSError as error:
        raise search.sh.fail(f"'{escaped(path)}': {why(error)}") from None
    return lambda found: found.stat.modified > modified


def on_mode(search: Search, text: str) -> Judge:
    sign = text[:1] if text[:1] in ("-", "/") else ""
    mode = mode_of(text[len(sign) :])
    if mode is None:
        raise search.sh.fail(f"invalid mode '{text}'")
    if sign == "-":
        return lambda found: found.stat.mode & mode == mode
    if sign == "/" and mode:
        return lambda found: bool(found.stat.mode & mode)
    if sign == "/":
        search.sh.err.write(f"find: warning: {NO_BITS.format(text)}\n")
        return lambda found: True
    return lambda found: found.stat.mode & 0o7777 == mode


def is_empty(found: Found) -> bool:
    if found.kind == kinds.S_IFDIR:
        sh = found.search.sh
        return next(iter(sh.fs.list(sh.path(found.path))), None) is None
    return found.kind == kinds.S_IFREG and not found.stat.size


WITH_OPERAND: dict[str, Callable[[Search, str], Judge]] = {
    "-name": on_name(False),
    "-iname": on_name(True),
    "-path": on_path(False),
    "-wholename": on_path(False),
    "-ipath": on_path(True),
    "-type": on_type,
    "-size": on_size,
    "-links": on_links,
    "-mtime": on_age("-mtime", DAY),
    "-mmin": on_age("-mmin", MINUTE),
    "-newer": on_newer,
    "-perm": on_mode,
}
ALONE: dict[str, Judge] = {
    "-empty": is_empty,
    "-true": lambda found: True,
    "-false": lambda found: False,
}
