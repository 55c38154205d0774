"""The tests of find."""

from __future__ import annotations

import stat as kinds

import keysh.tools.find.advice as advice
import keysh.tools.find.owner as owner
import keysh.tools.find.times as times
from keysh.gnu.modes import changed_mode, parse_mode_changes
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.pattern import name_matcher
from keysh.text.regex.parse.emacs import extended_from_emacs
from keysh.text.regex.regex import RegexError, regex_of
from keysh.tools.find.number import is_satisfied, parse_comparison
from keysh.vfs.api import identity
from keysh.vfs.real_paths import is_access_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.find.search import FindRun, FoundFile, Predicate


# -regex and -iregex match the whole path.

# The names of -regextype; "default" is Emacs syntax in which a dot matches a newline.
REGEX_TYPES = {
    "findutils-default": "default", "ed": "basic", "emacs": "emacs", "gnu-awk": "awk",
    "grep": "basic", "posix-awk": "awk", "awk": "awk", "posix-basic": "basic",
    "posix-egrep": "extended", "egrep": "extended", "posix-extended": "extended",
    "posix-minimal-basic": "basic", "sed": "basic",
}  # fmt: skip


def regex_test(ignore_case: bool) -> Callable[[FindRun, str], Predicate]:
    def make(search: FindRun, text: str) -> Predicate:
        kind = REGEX_TYPES[search.regex_type]
        pattern, syntax = text, kind
        if kind in ("default", "emacs"):
            pattern = extended_from_emacs(text, spans_lines=kind == "default")
            syntax = "extended"
        try:
            regex = regex_of(pattern, syntax, ignore_case=ignore_case, whole="line")
        except RegexError as error:
            message = f"failed to compile regular expression '{text}'"
            raise search.sh.fail(f"{message}: {error}") from None
        tick = search.sh.tick
        return lambda file: regex.is_in(file.path, tick)

    return make


def set_regex_type(search: FindRun, name: str) -> Predicate:
    """Apply -regextype to the patterns after it."""
    if name not in REGEX_TYPES:
        known = ", ".join(f"'{kind}'" for kind in REGEX_TYPES)
        message = f"Unknown regular expression type '{name}'; valid types are {known}."
        raise search.sh.fail(message)
    search.regex_type = name
    return lambda file: True


REGEX_TESTS: dict[str, Callable[[FindRun, str], Predicate]] = {
    "-regex": regex_test(False),
    "-iregex": regex_test(True),
    "-regextype": set_regex_type,
}


TYPE_BITS = {
    "b": kinds.S_IFBLK, "c": kinds.S_IFCHR, "d": kinds.S_IFDIR, "f": kinds.S_IFREG,
    "l": kinds.S_IFLNK, "p": kinds.S_IFIFO, "s": kinds.S_IFSOCK,
}  # fmt: skip
SIZE_UNITS = {"b": 512, "c": 1, "w": 2, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
NO_BITS_WARNING = (
    "you have specified a mode pattern {} (which is equivalent to /000). The meaning of -perm /000 "
    "has now been changed to be consistent with -perm -000; that is, while it used to match no "
    "files, it now matches all files."
)


def name_test(option: str) -> Callable[[FindRun, str], Predicate]:
    ignore_case = option[1] == "i"

    def make(search: FindRun, text: str) -> Predicate:
        advice.warn_name_slash(search, option, text)
        matches = name_matcher(text, search.sh.tick, ignore_case=ignore_case)
        return lambda file: matches(file.name)

    return make


def path_test(option: str) -> Callable[[FindRun, str], Predicate]:
    ignore_case = option[1] == "i"

    def make(search: FindRun, text: str) -> Predicate:
        advice.warn_path_slash(search, option, text)
        matches = name_matcher(text, search.sh.tick, ignore_case=ignore_case)
        return lambda file: matches(file.path)

    return make


def type_test(search: FindRun, letters: str) -> Predicate:
    types = parse_types(search, letters, "-type")
    return lambda file: file.type_bits in types


def xtype_test(search: FindRun, letters: str) -> Predicate:
    """Return -xtype: the type of a link's target; if links are followed, of the link."""
    types = parse_types(search, letters, "-xtype")

    def evaluate(file: FoundFile) -> bool:
        path, fs = search.sh.path(file.path), search.sh.fs
        is_followed = search.follow == "L" or (search.follow == "H" and not file.depth)
        try:
            mode = fs.stat(path, follow=not is_followed).mode
        except FileNotFoundError:
            mode = file.stat.mode
        except OSError as error:
            search.report_error(file.path, error)
            return False
        return kinds.S_IFMT(mode) in types

    return evaluate


def parse_types(search: FindRun, letters: str, option: str) -> set[int]:
    """Return the file types for letters."""
    types = set()
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
        if letter not in TYPE_BITS:
            raise search.sh.fail(f"Unknown argument to {option}: {letter}")
        types.add(TYPE_BITS[letter])
    return types


def link_target_test(ignore_case: bool) -> Callable[[FindRun, str], Predicate]:
    """Return -lname: the target of a link."""

    def make(search: FindRun, text: str) -> Predicate:
        matches = name_matcher(text, search.sh.tick, ignore_case=ignore_case)

        def evaluate(file: FoundFile) -> bool:
            if file.type_bits != kinds.S_IFLNK:
                return False
            return matches(search.sh.fs.read_link(search.sh.path(file.path)))

        return evaluate

    return make


def same_file_test(search: FindRun, path: str) -> Predicate:
    try:
        other_stat = search.stat(path, 0)
    except OSError as error:
        raise search.sh.fail(f"{locale_quoted_text(path)}: {os_error_text(error)}") from None
    key = identity(other_stat)
    return lambda file: identity(file.stat) == key


def inode_test(search: FindRun, text: str) -> Predicate:
    comparison = parse_comparison(text)
    if comparison is None:
        raise search.sh.fail(f"invalid argument `{text}' to `-inum'")
    sign, number = comparison
    return lambda file: is_satisfied(sign, file.stat.inode, number)


def file_system_test(search: FindRun, kind: str) -> Predicate:
    return lambda file: file.mount.kind == kind


def is_accessible(file: FoundFile, types: int) -> bool:
    """Whether a file may be read, written or executed; links are followed."""
    sh = file.search.sh
    path = sh.path(file.path)
    try:
        return is_access_allowed(sh.fs, path, sh.fs.stat(path, follow=True), types)
    except OSError:
        return False


def size_test(search: FindRun, text: str) -> Predicate:
    unit = SIZE_UNITS.get(text[-1:])
    comparison = parse_comparison(text if unit is None else text[:-1])
    if not text:
        raise search.sh.fail("invalid null argument to -size")
    if comparison is None or (unit is None and not text[-1:].isdigit()):
        is_number = parse_comparison(text[:-1]) is not None or len(text) == 1
        kind = f"invalid -size type `{text[-1:]}'" if is_number and unit is None else ""
        raise search.sh.fail(kind or f"Invalid argument `{text}' to -size")
    sign, number = comparison
    size = unit or 512
    return lambda file: is_satisfied(sign, -(-file.stat.size // size), number)


def link_count_test(search: FindRun, text: str) -> Predicate:
    comparison = parse_comparison(text)
    if comparison is None:
        raise search.sh.fail(f"invalid argument `{text}' to `-links'")
    sign, number = comparison
    return lambda file: is_satisfied(sign, file.stat.links, number)


def mode_test(search: FindRun, text: str) -> Predicate:
    sign = text[:1] if text[:1] in ("-", "/") else ""
    changes = parse_mode_changes(text[len(sign) :])
    if changes is None or (text[:1] == "+" and text[1:2].isdigit()):
        raise search.sh.fail(f"invalid mode '{text}'")
    # With X, the mode for a directory differs from that for a file.
    of_file, of_folder = (
        changed_mode(0, changes, 0, is_directory=is_one) for is_one in (False, True)
    )

    def types(file: FoundFile) -> int:
        return of_folder if file.type_bits == kinds.S_IFDIR else of_file

    if sign == "-":
        return lambda file: not types(file) & ~file.stat.mode
    if sign == "/" and not (of_file or of_folder):
        search.sh.complain(f"find: warning: {NO_BITS_WARNING.format(text)}")
    if sign == "/":
        return lambda file: not (mode := types(file)) or bool(file.stat.mode & mode)
    return lambda file: file.stat.mode & 0o7777 == types(file)


def is_empty(file: FoundFile) -> bool:
    if file.type_bits == kinds.S_IFDIR:
        sh = file.search.sh
        return next(iter(sh.fs.list(sh.path(file.path))), None) is None
    return file.type_bits == kinds.S_IFREG and not file.stat.size


def follow_links(search: FindRun) -> Predicate:
    """-follow: apply -L from here on."""
    search.follow = "L"
    return lambda file: True


def enable_warnings(search: FindRun) -> Predicate:
    """-warn: print warnings from here on."""
    search.gives_advice = True
    return lambda file: True


def disable_warnings(search: FindRun) -> Predicate:
    """-nowarn: print no warnings from here on."""
    search.gives_advice = False
    return lambda file: True


def enable_rows(search: FindRun) -> Predicate:
    """--json: print rows in place of paths."""
    search.prints_rows = True
    return lambda file: True


OPERAND_TESTS: dict[str, Callable[[FindRun, str], Predicate]] = {
    **{option: name_test(option) for option in ("-name", "-iname")},
    **{option: path_test(option) for option in ("-path", "-wholename", "-ipath", "-iwholename")},
    "-type": type_test,
    "-size": size_test,
    "-links": link_count_test,
    "-perm": mode_test,
    "-xtype": xtype_test,
    "-lname": link_target_test(False),
    "-ilname": link_target_test(True),
    "-samefile": same_file_test,
    "-inum": inode_test,
    "-fstype": file_system_test,
    **times.TIME_TESTS,
    **owner.OWNER_TESTS,
    **REGEX_TESTS,
}
SIMPLE_TESTS: dict[str, Predicate] = {
    "-empty": is_empty,
    "-true": lambda file: True,
    "-false": lambda file: False,
    "-readable": lambda file: is_accessible(file, 4),
    "-writable": lambda file: is_accessible(file, 2),
    "-executable": lambda file: is_accessible(file, 1),
}
# Tests that change or look up something when they are parsed.
SETUP_TESTS: dict[str, Callable[[FindRun], Predicate]] = {
    "-nouser": owner.no_user_test,
    "-nogroup": owner.no_group_test,
    "-daystart": times.count_from_end_of_today,
    "-follow": follow_links,
    "-warn": enable_warnings,
    "-nowarn": disable_warnings,
    "--json": enable_rows,
}
