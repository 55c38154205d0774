"""Compile the formats of -printf into functions of a file."""

from __future__ import annotations

import errno
import re
import stat as kinds

from keysh.gnu.file_facts import disk_blocks
from keysh.gnu.owners import Owners
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.printf import MAX_FIELD_CHARACTERS, Conversion, parse_size
from keysh.text.printf import format_conversion as formatted_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.tools.find.search import FindRun, FoundFile

    FieldText: TypeAlias = "Callable[[FoundFile], str]"

ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\",
}  # fmt: skip
DIRECTIVE_FLAGS = re.compile(r"[-+ #]*[0-9]*(?:\.[0-9]*)?")
RESERVED_LETTERS = ("{", "[", "(")
TIME_LETTERS = "aAbBcdDFgGhHIjklmMnpPrRsSTtuUVwWxXyYzZeC"
TYPE_LETTERS = {
    kinds.S_IFREG: "f", kinds.S_IFDIR: "d", kinds.S_IFLNK: "l", kinds.S_IFIFO: "p",
    kinds.S_IFSOCK: "s", kinds.S_IFBLK: "b", kinds.S_IFCHR: "c",
}  # fmt: skip


def directory_part(found: FoundFile) -> str:
    """Return the directory part of a path, as %h prints it."""
    path = found.path
    bare = path.rstrip("/")
    above, slash, _ = (bare if path != bare and "/" in bare else path).rpartition("/")
    return above if slash else "."


def name_part(found: FoundFile) -> str:
    """Return the last part of a path, with a slash if the path ends with one."""
    name = found.name
    return f"{name}/" if found.path.endswith("/") and name != "/" else name


def path_below_start(found: FoundFile) -> str:
    return found.path[len(found.start) :].removeprefix("/")


def link_target(found: FoundFile) -> str:
    sh = found.search.sh
    return sh.fs.read_link(sh.path(found.path)) if found.type_bits == kinds.S_IFLNK else ""


DIRECTIVES: dict[str, FieldText] = {
    "p": lambda found: found.path,
    "f": name_part,
    "h": directory_part,
    "P": path_below_start,
    "H": lambda found: found.start,
    "s": lambda found: str(found.stat.size),
    "M": lambda found: kinds.filemode(found.stat.mode),
    "y": lambda found: TYPE_LETTERS.get(found.type_bits, "U"),
    "l": link_target,
    "n": lambda found: str(found.stat.links),
    "i": lambda found: str(found.stat.inode),
    "D": lambda found: str(found.stat.device),
    "b": lambda found: str(disk_blocks(found.stat)),
    "k": lambda found: str(-(-disk_blocks(found.stat) // 2)),
    "F": lambda found: found.mount.kind,
    "U": lambda found: str(Owners(found.search.sh).user_number(found.stat)),
    "G": lambda found: str(Owners(found.search.sh).group_number(found.stat)),
    "u": lambda found: owner_name(found),
    "g": lambda found: group_name(found),
    "Y": lambda found: target_type(found),
    "Z": lambda found: missing_security_context(found),
    "t": lambda found: ctime_text(found, found.stat.modified),
    "a": lambda found: ctime_text(found, found.stat.accessed),
    "c": lambda found: ctime_text(found, found.stat.changed),
}
# The conversion of C's printf, and the number.
NUMBER_DIRECTIVES: dict[str, tuple[str, Callable[[FoundFile], int | float]]] = {
    "d": ("d", lambda found: found.depth),
    "m": ("o", lambda found: found.stat.mode & 0o7777),
    "S": ("g", lambda found: sparseness(found)),
}
TIME_DIRECTIVES: dict[str, Callable[[FoundFile], int]] = {
    "T": lambda found: found.stat.modified,
    "A": lambda found: found.stat.accessed,
    "C": lambda found: found.stat.changed,
}
BIRTH_TIME_LETTER = "B"  # %B: unknown


def missing_security_context(found: FoundFile) -> str:
    """Warn for %Z: security contexts need SELinux."""
    found.search.warn(f"getfilecon failed: {locale_quoted_text(found.path)}: No data available")
    return ""


def fraction_digits(nanoseconds: int) -> str:
    return f"{nanoseconds % 10**9:09d}0"


def sparseness(found: FoundFile) -> float:
    """Return the ratio of allocated space to size."""
    size = found.stat.size
    return disk_blocks(found.stat) * 512 / size if size else 1.0


def owner_name(found: FoundFile) -> str:
    owners = Owners(found.search.sh)
    return owners.user(found.stat) or str(owners.user_number(found.stat))


def group_name(found: FoundFile) -> str:
    owners = Owners(found.search.sh)
    return owners.group(found.stat) or str(owners.group_number(found.stat))


def target_type(found: FoundFile) -> str:
    """Return the type of a link's target: N for none, L for a loop."""
    sh = found.search.sh
    try:
        mode = sh.fs.stat(sh.path(found.path), follow=True).mode
    except FileNotFoundError:
        return "N"
    except OSError as error:
        return "L" if error.errno == errno.ELOOP else "N"
    return TYPE_LETTERS.get(kinds.S_IFMT(mode), "U")


def format_time(found: FoundFile, nanoseconds: int, form: str) -> str:
    """Format a time in the zone of TZ."""
    zone = find_zone(found.search.sh.env.get("TZ"))
    return format_moment(form, Moment(nanoseconds, zone))


def ctime_text(found: FoundFile, nanoseconds: int) -> str:
    """Return a time as `Thu Jan  1 00:00:05.0000000000 1970`."""
    return format_time(found, nanoseconds, f"%a %b %e %H:%M:%S.{fraction_digits(nanoseconds)} %Y")


def time_text(found: FoundFile, nanoseconds: int, letter: str) -> str:
    """Format a time by one letter of strftime; `@` is seconds since 1970."""
    if letter == "@":
        return f"{nanoseconds // 10**9}.{fraction_digits(nanoseconds)}"
    if letter == "+":
        return format_time(found, nanoseconds, f"%Y-%m-%d+%H:%M:%S.{fraction_digits(nanoseconds)}")
    if letter == "s":
        return str(nanoseconds // 10**9)
    if letter not in TIME_LETTERS:
        return "%" if letter == "%" else f"%{letter}"
    made = format_time(found, nanoseconds, f"%{letter}")
    return f"{made}.{fraction_digits(nanoseconds)}" if letter in "STX" else made


def compile_format(search: FindRun, form: str) -> FieldText:
    """Return the function that formats a file."""
    texts: list[FieldText] = []
    at = 0
    while at < len(form):
        char = form[at]
        if char == "\\":
            text, at = read_escape(search, form, at + 1)
            if text is None:
                break
            texts.append(constant_text(text))
        elif char == "%":
            made, at = read_directive(search, form, at + 1)
            texts.append(made)
        else:
            texts.append(constant_text(char))
            at += 1
    return lambda found: "".join([text(found) for text in texts])


def constant_text(text: str) -> FieldText:
    return lambda found: text


def read_escape(search: FindRun, form: str, at: int) -> tuple[str | None, int]:
    """Return the text of an escape, or None for \\c, and the position after it."""
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


def read_directive(search: FindRun, form: str, at: int) -> tuple[FieldText, int]:
    """Return the function for a `%` with flags and width, and the position after it."""
    found = DIRECTIVE_FLAGS.match(form, at)
    assert found is not None
    at = found.end()
    flags, letter = found[0], form[at : at + 1]
    if not letter:
        raise search.sh.fail("error: % at end of format string")
    at += 1
    if letter == "%":
        return constant_text(f"%{flags}"), at
    _, width, most = parse_flags(flags)
    if max(width, most or 0) > MAX_FIELD_CHARACTERS:
        raise search.sh.fail(f"error: a field of {max(width, most or 0)} characters")
    if letter in NUMBER_DIRECTIVES:
        return number_text(flags, *NUMBER_DIRECTIVES[letter]), at
    text = DIRECTIVES.get(letter)
    if letter == BIRTH_TIME_LETTER and form[at : at + 1]:
        return padded_text(constant_text(""), flags), at + 1
    if letter in TIME_DIRECTIVES and form[at : at + 1]:
        time_of, unit = TIME_DIRECTIVES[letter], form[at]
        at += 1

        def text(found: FoundFile) -> str:
            return time_text(found, time_of(found), unit)

    if letter in (*TIME_DIRECTIVES, BIRTH_TIME_LETTER) and text is None:
        says = f"format directive `%{letter}' should be followed by another character"
        search.sh.err.write(f"find: warning: {says}\n")
        return constant_text(f"%{flags}{letter}"), at
    if letter in RESERVED_LETTERS:
        raise search.sh.fail(f"error: the format directive `%{letter}' is reserved for future use")
    if text is None:
        search.sh.err.write(f"find: warning: unrecognized format directive `%{letter}'\n")
        return constant_text(f"%{flags}{letter}"), at
    return (padded_text(text, flags) if flags else text), at


def parse_flags(flags: str) -> tuple[str, int, int | None]:
    """Split flags, width and precision."""
    signs = flags[: len(flags) - len(flags.lstrip("-+ #0"))]
    width, dot, most = flags[len(signs) :].partition(".")
    return signs, parse_size(width), parse_size(most) if dot else None


def number_text(
    flags: str, letter: str, number_of: Callable[[FoundFile], int | float]
) -> FieldText:
    """Return a function that formats a number like C's printf."""
    signs, width, precision = parse_flags(flags)
    conversion = Conversion(signs, width, precision, letter)
    return lambda found: formatted_number(conversion, number_of(found))


def padded_text(text: FieldText, flags: str) -> FieldText:
    """Return a function that truncates and pads a text, counting bytes."""
    signs, width, most = parse_flags(flags)

    def made(found: FoundFile) -> str:
        data = bytes_of_text(text(found))[:most]
        data = data.ljust(width) if "-" in signs else data.rjust(width)
        return text_of_bytes(data)

    return made
