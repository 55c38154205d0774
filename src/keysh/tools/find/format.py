"""The texts of -printf: `%p\\n` and the like become functions of a file."""

from __future__ import annotations

import errno
import re
import stat as kinds

from keysh.gnu.file_facts import blocks_of
from keysh.gnu.owners import Owners
from keysh.text.chunks import encoded, text_of_bytes
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import formatted
from keysh.text.dates.time_zone import zone_named
from keysh.text.gnu_quoting import locale_quoted
from keysh.text.printf import MOST_CHARACTERS, Conversion, written_size
from keysh.text.printf import formatted as formatted_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.tools.find.search import Found, Search

    Text: TypeAlias = "Callable[[Found], str]"

ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\",
}  # fmt: skip
FLAGS = re.compile(r"[-+ #]*[0-9]*(?:\.[0-9]*)?")
RESERVED = ("{", "[", "(")
TIME_LETTERS = "aAbBcdDFgGhHIjklmMnpPrRsSTtuUVwWxXyYzZeC"
LETTERS = {
    kinds.S_IFREG: "f", kinds.S_IFDIR: "d", kinds.S_IFLNK: "l", kinds.S_IFIFO: "p",
    kinds.S_IFSOCK: "s", kinds.S_IFBLK: "b", kinds.S_IFCHR: "c",
}  # fmt: skip


def folder_of(found: Found) -> str:
    """What stands before the last step: `.` if nothing does, and of `d/` itself."""
    path = found.path
    bare = path.rstrip("/")
    above, slash, _ = (bare if path != bare and "/" in bare else path).rpartition("/")
    return above if slash else "."


def last_step(found: Found) -> str:
    """The name, with a slash if the path ends in any."""
    name = found.name
    return f"{name}/" if found.path.endswith("/") and name != "/" else name


def inner(found: Found) -> str:
    return found.path[len(found.start) :].removeprefix("/")


def target(found: Found) -> str:
    sh = found.search.sh
    return sh.fs.read_link(sh.path(found.path)) if found.kind == kinds.S_IFLNK else ""


DIRECTIVES: dict[str, Text] = {
    "p": lambda found: found.path,
    "f": last_step,
    "h": folder_of,
    "P": inner,
    "H": lambda found: found.start,
    "s": lambda found: str(found.stat.size),
    "M": lambda found: kinds.filemode(found.stat.mode),
    "y": lambda found: LETTERS.get(found.kind, "U"),
    "l": target,
    "n": lambda found: str(found.stat.links),
    "i": lambda found: str(found.stat.inode),
    "D": lambda found: str(found.stat.device),
    "b": lambda found: str(blocks_of(found.stat)),
    "k": lambda found: str(-(-blocks_of(found.stat) // 2)),
    "F": lambda found: found.mount.kind,
    "U": lambda found: str(Owners(found.search.sh).user_number(found.stat)),
    "G": lambda found: str(Owners(found.search.sh).group_number(found.stat)),
    "u": lambda found: owner(found),
    "g": lambda found: group(found),
    "Y": lambda found: kind_behind(found),
    "Z": lambda found: no_context(found),
    "t": lambda found: moment(found, found.stat.modified),
    "a": lambda found: moment(found, found.stat.accessed),
    "c": lambda found: moment(found, found.stat.changed),
}
# The letter that C writes them by, and the number.
NUMBERS: dict[str, tuple[str, Callable[[Found], int | float]]] = {
    "d": ("d", lambda found: found.depth),
    "m": ("o", lambda found: found.stat.mode & 0o7777),
    "S": ("g", lambda found: sparseness(found)),
}
TIMES: dict[str, Callable[[Found], int]] = {
    "T": lambda found: found.stat.modified,
    "A": lambda found: found.stat.accessed,
    "C": lambda found: found.stat.changed,
}
NEVER_KNOWN = "B"  # the time of birth


def no_context(found: Found) -> str:
    """%Z: the security context, which only SELinux knows."""
    found.search.warn(f"getfilecon failed: {locale_quoted(found.path)}: No data available")
    return ""


def fraction(nanoseconds: int) -> str:
    return f"{nanoseconds % 10**9:09d}0"


def sparseness(found: Found) -> float:
    """The part of its size that a file takes on its disk."""
    size = found.stat.size
    return blocks_of(found.stat) * 512 / size if size else 1.0


def owner(found: Found) -> str:
    owners = Owners(found.search.sh)
    return owners.user(found.stat) or str(owners.user_number(found.stat))


def group(found: Found) -> str:
    owners = Owners(found.search.sh)
    return owners.group(found.stat) or str(owners.group_number(found.stat))


def kind_behind(found: Found) -> str:
    """The kind of what a link leads to: N for nothing, L for a loop."""
    sh = found.search.sh
    try:
        mode = sh.fs.stat(sh.path(found.path), follow=True).mode
    except FileNotFoundError:
        return "N"
    except OSError as error:
        return "L" if error.errno == errno.ELOOP else "N"
    return LETTERS.get(kinds.S_IFMT(mode), "U")


def shown_time(found: Found, nanoseconds: int, form: str) -> str:
    """A time in the zone of TZ."""
    zone = zone_named(found.search.sh.env.get("TZ"))
    return formatted(form, Moment(nanoseconds, zone))


def moment(found: Found, nanoseconds: int) -> str:
    """`Thu Jan  1 00:00:05.0000000000 1970`."""
    return shown_time(found, nanoseconds, f"%a %b %e %H:%M:%S.{fraction(nanoseconds)} %Y")


def time_text(found: Found, nanoseconds: int, letter: str) -> str:
    """One letter of strftime; with `@` the seconds since 1970."""
    if letter == "@":
        return f"{nanoseconds // 10**9}.{fraction(nanoseconds)}"
    if letter == "+":
        return shown_time(found, nanoseconds, f"%Y-%m-%d+%H:%M:%S.{fraction(nanoseconds)}")
    if letter == "s":
        return str(nanoseconds // 10**9)
    if letter not in TIME_LETTERS:
        return "%" if letter == "%" else f"%{letter}"
    made = shown_time(found, nanoseconds, f"%{letter}")
    return f"{made}.{fraction(nanoseconds)}" if letter in "STX" else made


def reader(search: Search, form: str) -> Text:
    """The function that writes a file as a format says."""
    texts: list[Text] = []
    at = 0
    while at < len(form):
        char = form[at]
        if char == "\\":
            text, at = escape(search, form, at + 1)
            if text is None:
                break
            texts.append(constant(text))
        elif char == "%":
            made, at = directive(search, form, at + 1)
            texts.append(made)
        else:
            texts.append(constant(char))
            at += 1
    return lambda found: "".join([text(found) for text in texts])


def constant(text: str) -> Text:
    return lambda found: text


def escape(search: Search, form: str, at: int) -> tuple[str | None, int]:
    """What a backslash stands for, None for the end of all, and the place behind it."""
    char = form[at : at + 1]
    if char == "c":
        return None, at
    if char in ESCAPES:
        return ESCAPES[char], at + 1
    digits = form[at : at + 3]
    digits = digits[: len(digits) - len(digits.lstrip("01234567"))]
    if digits:
        number = int(digits, 8) & 0xFF
        return chr(number if number < 0x80 else 0xDC00 + number), at + len(digits)
    if not char:
        search.sh.err.write("find: warning: escape `\\' followed by nothing at all\n")
        return "\\", at
    search.sh.err.write(f"find: warning: unrecognized escape `\\{char}'\n")
    return f"\\{char}", at + 1


def directive(search: Search, form: str, at: int) -> tuple[Text, int]:
    """The function for a `%`, and the place behind it. Flags and a width may stand between."""
    found = FLAGS.match(form, at)
    assert found is not None
    at = found.end()
    flags, letter = found[0], form[at : at + 1]
    if not letter:
        raise search.sh.fail("error: % at end of format string")
    at += 1
    if letter == "%":
        return constant(f"%{flags}"), at
    _, width, most = sizes_in(flags)
    if max(width, most or 0) > MOST_CHARACTERS:
        raise search.sh.fail(f"error: a field of {max(width, most or 0)} characters")
    if letter in NUMBERS:
        return number(flags, *NUMBERS[letter]), at
    text = DIRECTIVES.get(letter)
    if letter == NEVER_KNOWN and form[at : at + 1]:
        return padded(constant(""), flags), at + 1
    if letter in TIMES and form[at : at + 1]:
        time_of, unit = TIMES[letter], form[at]
        at += 1

        def text(found: Found) -> str:
            return time_text(found, time_of(found), unit)

    if letter in (*TIMES, NEVER_KNOWN) and text is None:
        says = f"format directive `%{letter}' should be followed by another character"
        search.sh.err.write(f"find: warning: {says}\n")
        return constant(f"%{flags}{letter}"), at
    if letter in RESERVED:
        raise search.sh.fail(f"error: the format directive `%{letter}' is reserved for future use")
    if text is None:
        search.sh.err.write(f"find: warning: unrecognized format directive `%{letter}'\n")
        return constant(f"%{flags}{letter}"), at
    return (padded(text, flags) if flags else text), at


def sizes_in(flags: str) -> tuple[str, int, int | None]:
    """The flags by themselves, the width, and the precision if there is one."""
    signs = flags[: len(flags) - len(flags.lstrip("-+ #0"))]
    width, dot, most = flags[len(signs) :].partition(".")
    return signs, written_size(width), written_size(most) if dot else None


def number(flags: str, letter: str, number_of: Callable[[Found], int | float]) -> Text:
    """The function that writes a number as C's printf does."""
    signs, width, precision = sizes_in(flags)
    conversion = Conversion(signs, width, precision, letter)
    return lambda found: formatted_number(conversion, number_of(found))


def padded(text: Text, flags: str) -> Text:
    """The text cut and filled to a width, both in bytes."""
    signs, width, most = sizes_in(flags)

    def made(found: Found) -> str:
        data = encoded(text(found))[:most]
        data = data.ljust(width) if "-" in signs else data.rjust(width)
        return text_of_bytes(data)

    return made
