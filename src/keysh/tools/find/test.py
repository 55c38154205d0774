"""What find asks about a file."""

from __future__ import annotations

import stat as kinds

import keysh.tools.find.advice as advice
import keysh.tools.find.owner as owner
import keysh.tools.find.times as times
from keysh.gnu.modes import changed, changes_of
from keysh.interp.state.call import why
from keysh.text.gnu_quoting import locale_quoted
from keysh.text.pattern import Pattern
from keysh.text.regex.parse.emacs import extended_of_emacs
from keysh.text.regex.regex import RegexError, regex_of
from keysh.tools.find.number import compared, holds
from keysh.vfs.access import may
from keysh.vfs.api import identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.find.search import Found, Judge, Search


# -regex and -iregex: the whole path against a regular expression, of one of several kinds.

# The kinds by name: Emacs's own way, the same with a dot that is a newline too, basic, or extended.
REGEX_SYNTAXES = {
    "findutils-default": "default", "ed": "basic", "emacs": "emacs", "gnu-awk": "awk",
    "grep": "basic", "posix-awk": "awk", "awk": "awk", "posix-basic": "basic",
    "posix-egrep": "extended", "egrep": "extended", "posix-extended": "extended",
    "posix-minimal-basic": "basic", "sed": "basic",
}  # fmt: skip


def on_regex(ignore_case: bool) -> Callable[[Search, str], Judge]:
    def make(search: Search, text: str) -> Judge:
        kind = REGEX_SYNTAXES[search.regex_kind]
        pattern, syntax = text, kind
        if kind in ("default", "emacs"):
            pattern = extended_of_emacs(text, spans_lines=kind == "default")
            syntax = "extended"
        try:
            regex = regex_of(pattern, syntax, ignore_case=ignore_case, whole="line")
        except RegexError as error:
            says = f"failed to compile regular expression '{text}'"
            raise search.sh.fail(f"{says}: {error}") from None
        tick = search.sh.tick
        return lambda found: regex.is_in(found.path, tick)

    return make


def set_kind(search: Search, name: str) -> Judge:
    """-regextype: for the patterns behind it."""
    if name not in REGEX_SYNTAXES:
        known = ", ".join(f"'{kind}'" for kind in REGEX_SYNTAXES)
        says = f"Unknown regular expression type '{name}'; valid types are {known}."
        raise search.sh.fail(says)
    search.regex_kind = name
    return lambda found: True


REGEX_TESTS: dict[str, Callable[[Search, str], Judge]] = {
    "-regex": on_regex(False),
    "-iregex": on_regex(True),
    "-regextype": set_kind,
}


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


def on_name(option: str) -> Callable[[Search, str], Judge]:
    ignore_case = option[1] == "i"

    def make(search: Search, text: str) -> Judge:
        advice.on_name(search, option, text)
        pattern = Pattern(text, extended=False, ignore_case=ignore_case)
        return lambda found: pattern.matches(found.name)

    return make


def on_path(option: str) -> Callable[[Search, str], Judge]:
    ignore_case = option[1] == "i"

    def make(search: Search, text: str) -> Judge:
        advice.on_path(search, option, text)
        pattern = Pattern(text, extended=False, ignore_case=ignore_case)
        return lambda found: pattern.matches(found.path)

    return make


def on_type(search: Search, letters: str) -> Judge:
    wanted = kinds_of(search, letters, "-type")
    return lambda found: found.kind in wanted


def on_type_behind(search: Search, letters: str) -> Judge:
    """-xtype: the kind of what a link leads to; where links are followed, of the link itself."""
    wanted = kinds_of(search, letters, "-xtype")

    def judge(found: Found) -> bool:
        path, fs = search.sh.path(found.path), search.sh.fs
        is_followed = search.follow == "L" or (search.follow == "H" and not found.depth)
        try:
            mode = fs.stat(path, follow=not is_followed).mode
        except FileNotFoundError:
            mode = found.stat.mode
        except OSError as error:
            search.complain(found.path, error)
            return False
        return kinds.S_IFMT(mode) in wanted

    return judge


def kinds_of(search: Search, letters: str, option: str) -> set[int]:
    """The kinds that letters name."""
    wanted = set()
    for letter in letters.split(","):
        if not letter:
            raise search.sh.fail(
                f"Last file type in list argument to {option} is missing, "
                "i.e., list is ending on: ','"
                if letters
                else f"Arguments to {option} should contain at least one letter"
            )
        if len(letter) > 1:
            raise search.sh.fail(f"Must separate multiple arguments to {option} using: ','")
        if letter == "D":
            raise search.sh.fail(
                f"{option} D is not supported because Solaris doors are not supported on the "
                "platform find was compiled on."
            )
        if letter not in KINDS:
            raise search.sh.fail(f"Unknown argument to {option}: {letter}")
        wanted.add(KINDS[letter])
    return wanted


def on_target(ignore_case: bool) -> Callable[[Search, str], Judge]:
    """-lname: the text of a link."""

    def make(search: Search, text: str) -> Judge:
        pattern = Pattern(text, extended=False, ignore_case=ignore_case)

        def judge(found: Found) -> bool:
            if found.kind != kinds.S_IFLNK:
                return False
            return pattern.matches(search.sh.fs.read_link(search.sh.path(found.path)))

        return judge

    return make


def on_same_file(search: Search, path: str) -> Judge:
    try:
        same = search.stat(path, 0)
    except OSError as error:
        raise search.sh.fail(f"{locale_quoted(path)}: {why(error)}") from None
    key = identity(same)
    return lambda found: identity(found.stat) == key


def on_inode(search: Search, text: str) -> Judge:
    given = compared(text)
    if given is None:
        raise search.sh.fail(f"invalid argument `{text}' to `-inum'")
    sign, number = given
    return lambda found: holds(sign, found.stat.inode, number)


def on_file_system(search: Search, kind: str) -> Judge:
    return lambda found: found.mount.kind == kind


def is_allowed(found: Found, wanted: int) -> bool:
    """Whether a file, or what a link leads to, may be read, written or executed."""
    sh = found.search.sh
    path = sh.path(found.path)
    try:
        return may(sh.fs, path, sh.fs.stat(path, follow=True), wanted)
    except OSError:
        return False


def on_size(search: Search, text: str) -> Judge:
    unit = UNITS.get(text[-1:])
    given = compared(text if unit is None else text[:-1])
    if not text:
        raise search.sh.fail("invalid null argument to -size")
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


def on_mode(search: Search, text: str) -> Judge:
    sign = text[:1] if text[:1] in ("-", "/") else ""
    changes = changes_of(text[len(sign) :])
    if changes is None or (text[:1] == "+" and text[1:2].isdigit()):
        raise search.sh.fail(f"invalid mode '{text}'")
    # With X a directory's mode is another than a file's.
    of_file, of_folder = (changed(0, changes, 0, is_directory=is_one) for is_one in (False, True))

    def wanted(found: Found) -> int:
        return of_folder if found.kind == kinds.S_IFDIR else of_file

    if sign == "-":
        return lambda found: not wanted(found) & ~found.stat.mode
    if sign == "/" and not (of_file or of_folder):
        search.sh.err.write(f"find: warning: {NO_BITS.format(text)}\n")
    if sign == "/":
        return lambda found: not (mode := wanted(found)) or bool(found.stat.mode & mode)
    return lambda found: found.stat.mode & 0o7777 == wanted(found)


def is_empty(found: Found) -> bool:
    if found.kind == kinds.S_IFDIR:
        sh = found.search.sh
        return next(iter(sh.fs.list(sh.path(found.path))), None) is None
    return found.kind == kinds.S_IFREG and not found.stat.size


def follow_links(search: Search) -> Judge:
    """-follow: as -L, from here on."""
    search.follow = "L"
    return lambda found: True


def give_advice(search: Search) -> Judge:
    """-warn: from here on."""
    search.gives_advice = True
    return lambda found: True


def give_none(search: Search) -> Judge:
    """-nowarn."""
    search.gives_advice = False
    return lambda found: True


def tell_rows(search: Search) -> Judge:
    """--json: rows are printed in place of paths."""
    search.tells_rows = True
    return lambda found: True


WITH_OPERAND: dict[str, Callable[[Search, str], Judge]] = {
    **{option: on_name(option) for option in ("-name", "-iname")},
    **{option: on_path(option) for option in ("-path", "-wholename", "-ipath", "-iwholename")},
    "-type": on_type,
    "-size": on_size,
    "-links": on_links,
    "-perm": on_mode,
    "-xtype": on_type_behind,
    "-lname": on_target(False),
    "-ilname": on_target(True),
    "-samefile": on_same_file,
    "-inum": on_inode,
    "-fstype": on_file_system,
    **times.WITH_OPERAND,
    **owner.WITH_OPERAND,
    **REGEX_TESTS,
}
ALONE: dict[str, Judge] = {
    "-empty": is_empty,
    "-true": lambda found: True,
    "-false": lambda found: False,
    "-readable": lambda found: is_allowed(found, 4),
    "-writable": lambda found: is_allowed(found, 2),
    "-executable": lambda found: is_allowed(found, 1),
}
# What sets or looks up something when it is read.
MADE: dict[str, Callable[[Search], Judge]] = {
    "-nouser": owner.without_user,
    "-nogroup": owner.without_group,
    "-daystart": times.count_from_end_of_today,
    "-follow": follow_links,
    "-warn": give_advice,
    "-nowarn": give_none,
    "--json": tell_rows,
}
