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
from keysh.text.escapes import C_ESCAPES
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.printf import MAX_FIELD_CHARACTERS, Conversion, format_conversion, parse_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from keysh.tools.find.search import FindRun, FoundFile

    FieldText: TypeAlias = "Callable[[FoundFile], str]"

DIRECTIVE_FLAGS = re.compile(r"[-+ #]*[0-9]*(?:\.[0-9]*)?")
RESERVED_LETTERS = ("{", "[", "(")
TIME_LETTERS = "aAbBcdDFgGhHIjklmMnpPrRsSTtuUVwWxXyYzZeC"
TYPE_LETTERS = {
    kinds.S_IFREG: "f", kinds.S_IFDIR: "d", kinds.S_IFLNK: "l", kinds.S_IFIFO: "p",
    kinds.S_IFSOCK: "s", kinds.S_IFBLK: "b", kinds.S_IFCHR: "c",
}  # fmt: skip


def directory_part(file: FoundFile) -> str:
    """Return the directory part of a path, as %h prints it."""
    path = file.path
    bare = path.rstrip("/")
    above, slash, _ = (bare if path != bare and "/" in bare else path).rpartition("/")
    return above if slash else "."


def name_part(file: FoundFile) -> str:
    """Return the last part of a path, with a slash if the path ends with one."""
    name = file.name
    return f"{name}/" if file.path.endswith("/") and name != "/" else name


def path_below_start(file: FoundFile) -> str:
    return file.path[len(file.start) :].removeprefix("/")


def link_target(file: FoundFile) -> str:
    sh = file.search.sh
    return sh.fs.read_link(sh.path(file.path)) if file.type_bits == kinds.S_IFLNK else ""


DIRECTIVES: dict[str, FieldText] = {
    "p": lambda file: file.path,
    "f": name_part,
    "h": directory_part,
    "P": path_below_start,
    "H": lambda file: file.start,
    "s": lambda file: str(file.stat.size),
    "M": lambda file: kinds.filemode(file.stat.mode),
    "y": lambda file: TYPE_LETTERS.get(file.type_bits, "U"),
    "l": link_target,
    "n": lambda file: str(file.stat.links),
    "i": lambda file: str(file.stat.inode),
    "D": lambda file: str(file.stat.device),
    "b": lambda file: str(disk_blocks(file.stat)),
    "k": lambda file: str(-(-disk_blocks(file.stat) // 2)),
    "F": lambda file: file.mount.kind,
    "U": lambda file: str(Owners(file.search.sh).user_number(file.stat)),
    "G": lambda file: str(Owners(file.search.sh).group_number(file.stat)),
    "u": lambda file: owner_name(file),
    "g": lambda file: group_name(file),
    "Y": lambda file: target_type(file),
    "Z": lambda file: missing_security_context(file),
    "t": lambda file: ctime_text(file, file.stat.modified),
    "a": lambda file: ctime_text(file, file.stat.accessed),
    "c": lambda file: ctime_text(file, file.stat.changed),
}
# The conversion of C's printf, and the number.
NUMBER_DIRECTIVES: dict[str, tuple[str, Callable[[FoundFile], int | float]]] = {
    "d": ("d", lambda file: file.depth),
    "m": ("o", lambda file: file.stat.mode & 0o7777),
    "S": ("g", lambda file: sparseness(file)),
}
TIME_DIRECTIVES: dict[str, Callable[[FoundFile], int]] = {
    "T": lambda file: file.stat.modified,
    "A": lambda file: file.stat.accessed,
    "C": lambda file: file.stat.changed,
}
BIRTH_TIME_LETTER = "B"  # %B: unknown


def missing_security_context(file: FoundFile) -> str:
    """Warn for %Z: security contexts need SELinux."""
    file.search.warn(f"getfilecon failed: {locale_quoted_text(file.path)}: No data available")
    return ""


def fraction_digits(nanoseconds: int) -> str:
    return f"{nanoseconds % 10**9:09d}0"


def sparseness(file: FoundFile) -> float:
    """Return the ratio of allocated space to size."""
    size = file.stat.size
    return disk_blocks(file.stat) * 512 / size if size else 1.0


def owner_name(file: FoundFile) -> str:
    owners = Owners(file.search.sh)
    return owners.user(file.stat) or str(owners.user_number(file.stat))


def group_name(file: FoundFile) -> str:
    owners = Owners(file.search.sh)
    return owners.group(file.stat) or str(owners.group_number(file.stat))


def target_type(file: FoundFile) -> str:
    """Return the type of a link's target: N for none, L for a loop."""
    sh = file.search.sh
    try:
        mode = sh.fs.stat(sh.path(file.path), follow=True).mode
    except FileNotFoundError:
        return "N"
    except OSError as error:
        return "L" if error.errno == errno.ELOOP else "N"
    return TYPE_LETTERS.get(kinds.S_IFMT(mode), "U")


def format_time(file: FoundFile, nanoseconds: int, format_text: str) -> str:
    """Format a time in the zone of TZ."""
    zone = find_zone(file.search.sh.env.get("TZ"))
    return format_moment(format_text, Moment(nanoseconds, zone))


def ctime_text(file: FoundFile, nanoseconds: int) -> str:
    """Return a time as `Thu Jan  1 00:00:05.0000000000 1970`."""
    return format_time(file, nanoseconds, f"%a %b %e %H:%M:%S.{fraction_digits(nanoseconds)} %Y")


def time_text(file: FoundFile, nanoseconds: int, letter: str) -> str:
    """Format a time by one letter of strftime; `@` is seconds since 1970."""
    if letter == "@":
        return f"{nanoseconds // 10**9}.{fraction_digits(nanoseconds)}"
    if letter == "+":
        return format_time(file, nanoseconds, f"%Y-%m-%d+%H:%M:%S.{fraction_digits(nanoseconds)}")
    if letter == "s":
        return str(nanoseconds // 10**9)
    if letter not in TIME_LETTERS:
        return "%" if letter == "%" else f"%{letter}"
    text = format_time(file, nanoseconds, f"%{letter}")
    return f"{text}.{fraction_digits(nanoseconds)}" if letter in "STX" else text


def compile_format(search: FindRun, format_text: str) -> FieldText:
    """Return the function that formats a file."""
    texts: list[FieldText] = []
    position = 0
    while position < len(format_text):
        char = format_text[position]
        if char == "\\":
            text, position = read_escape(search, format_text, position + 1)
            if text is None:
                break
            texts.append(constant_text(text))
        elif char == "%":
            formatter, position = read_directive(search, format_text, position + 1)
            texts.append(formatter)
        else:
            texts.append(constant_text(char))
            position += 1
    return lambda file: "".join([text(file) for text in texts])


def constant_text(text: str) -> FieldText:
    return lambda file: text


def read_escape(search: FindRun, format_text: str, position: int) -> tuple[str | None, int]:
    """Return the text of an escape, or None for \\c, and the position after it."""
    char = format_text[position : position + 1]
    if char == "c":
        return None, position
    if char in C_ESCAPES:
        return C_ESCAPES[char], position + 1
    digits = format_text[position : position + 3]
    digits = digits[: len(digits) - len(digits.lstrip("01234567"))]
    if digits:
        number = int(digits, 8) & 0xFF
        return chr(number if number < 0x80 else 0xDC00 + number), position + len(digits)
    if not char:
        search.sh.complain("find: warning: escape `\\' followed by nothing at all")
        return "\\", position
    search.sh.complain(f"find: warning: unrecognized escape `\\{char}'")
    return f"\\{char}", position + 1


def read_directive(search: FindRun, format_text: str, position: int) -> tuple[FieldText, int]:
    """Return the function for a `%` with flags and width, and the position after it."""
    match = DIRECTIVE_FLAGS.match(format_text, position)
    assert match is not None
    position = match.end()
    flags, letter = match[0], format_text[position : position + 1]
    if not letter:
        raise search.sh.fail("error: % at end of format string")
    position += 1
    if letter == "%":
        return constant_text(f"%{flags}"), position
    _, width, most = parse_flags(flags)
    if max(width, most or 0) > MAX_FIELD_CHARACTERS:
        raise search.sh.fail(f"error: a field of {max(width, most or 0)} characters")
    if letter in NUMBER_DIRECTIVES:
        return number_text(flags, *NUMBER_DIRECTIVES[letter]), position
    text = DIRECTIVES.get(letter)
    if letter == BIRTH_TIME_LETTER and format_text[position : position + 1]:
        return padded_text(constant_text(""), flags), position + 1
    if letter in TIME_DIRECTIVES and format_text[position : position + 1]:
        time_field, unit = TIME_DIRECTIVES[letter], format_text[position]
        position += 1

        def text(file: FoundFile) -> str:
            return time_text(file, time_field(file), unit)

    if letter in (*TIME_DIRECTIVES, BIRTH_TIME_LETTER) and text is None:
        message = f"format directive `%{letter}' should be followed by another character"
        search.sh.complain(f"find: warning: {message}")
        return constant_text(f"%{flags}{letter}"), position
    if letter in RESERVED_LETTERS:
        raise search.sh.fail(f"error: the format directive `%{letter}' is reserved for future use")
    if text is None:
        search.sh.complain(f"find: warning: unrecognized format directive `%{letter}'")
        return constant_text(f"%{flags}{letter}"), position
    return (padded_text(text, flags) if flags else text), position


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
    return lambda file: format_conversion(conversion, number_of(file))


def padded_text(text: FieldText, flags: str) -> FieldText:
    """Return a function that truncates and pads a string, counting bytes."""
    signs, width, most = parse_flags(flags)

    def formatter(file: FoundFile) -> str:
        data = bytes_of_text(text(file))[:most]
        data = data.ljust(width) if "-" in signs else data.rjust(width)
        return text_of_bytes(data)

    return formatter
