"""Settings: what the words of a call of tar ask for."""

from __future__ import annotations

import errno

from keysh.commands.tar.names import shown_name
from keysh.commands.tar.transform import transforms_in
from keysh.runtime.call import why
from keysh.runtime.modes import changes_of
from keysh.runtime.owners import name_of_group, name_of_user
from keysh.runtime.quoting import locale_quoted
from keysh.runtime.streams import reader_of
from keysh.schema.bind import Misuse
from keysh.text.date_words import time_of
from keysh.text.time_zone import zone_named
from keysh.vfs.api import failure
from keysh.vfs.paths import bare, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from keysh.commands.tar.transform import Transform
    from keysh.runtime.call import Call
    from keysh.runtime.modes import Change
    from keysh.schema.declare import Command

FATAL = 2
MODES = {
    "create": "c", "extract": "x", "list": "t", "append": "r", "update": "u", "compare": "d",
    "delete": "D", "concatenate": "A",
}  # fmt: skip
FORMATS = {"gzip": "gzip", "bzip2": "bzip2", "xz": "xz"}
ENDINGS = {
    ".gz": "gzip", ".tgz": "gzip", ".taz": "gzip", ".bz2": "bzip2", ".tbz": "bzip2",
    ".tbz2": "bzip2", ".tz2": "bzip2", ".xz": "xz", ".txz": "xz",
}  # fmt: skip
REFUSED = {
    "interactive": "-w asks at a terminal, which a script has not: name the members instead",
    "incremental": "incremental archives are not made: -u puts in what is newer",
    "listed_incremental": "incremental archives are not made: -u puts in what is newer",
}
MOST_BLOCKS = 4096  # in a record
NOT_WRITTEN = (".Z", ".taZ", ".lz", ".lzma", ".tlz", ".lzo", ".zst", ".tzst")
ONE_MODE = "'-Acdtrux', '--delete' or"
TEST_LABEL = "'--test-label'"


class Operand:
    """A name, and the directory it is seen from."""

    __slots__ = ("folder", "is_pattern", "name")

    def __init__(self, name: str, folder: str, *, is_pattern: bool) -> None:
        self.name, self.folder, self.is_pattern = name, folder, is_pattern


class Settings:
    """What is to be done. `folder` is where -C leads at the end of the words."""

    __slots__ = (
        "archive", "changes", "excluded", "folder", "group", "mode", "modified", "operands",
        "options", "owner", "packing", "top", "transforms", "useless", "verbosity",
    )  # fmt: skip

    def __init__(self, cwd: str) -> None:
        self.mode, self.archive, self.packing = "", "-", ""
        self.folder = cwd
        self.operands: list[Operand] = []
        self.excluded: list[str] = []
        self.useless: list[str] = []  # options that come too late
        self.options: dict[str, Any] = {}  # of the others, the last value of each
        self.verbosity = 0
        self.transforms: list[Transform] = []
        self.top = ""  # the directory that --one-top-level makes
        self.owner: tuple[str, int | None] | None = None
        self.group: tuple[str, int | None] | None = None
        self.modified: int | None = None
        self.changes: list[Change] | None = None  # to the permissions

    def has(self, name: str) -> bool:
        """Whether an option is given."""
        return bool(self.options.get(name))


def old_style(command: Command, words: list[str]) -> list[str]:
    """The words behind a first one that is options without a dash: `tar xf a.tar`."""
    rest = iter(words[1:])
    made: list[str] = []
    for letter in words[0]:
        made.append(f"-{letter}")
        parameter = command.by_letter.get(letter)
        if parameter is not None and not parameter.is_flag:
            value = next(rest, None)
            if value is None:
                says = f"Old option '{letter}' requires an argument."
                raise Misuse("E303", -1, says, status=FATAL)
            made.append(value)
    return [*made, *rest]


def settings_of(sh: Call, turns: Iterable[tuple[str, Any]]) -> Settings:
    """The settings that options and operands make, in their order."""
    made = Settings(sh.cwd)
    for name, value in turns:
        if not name:
            add_operand(made, value)
        elif name in MODES:
            if made.mode not in ("", MODES[name]):
                says = f"You may not specify more than one {ONE_MODE}  {TEST_LABEL} option"
                raise Misuse("E305", -1, says, status=FATAL)
            made.mode = MODES[name]
        elif name in FORMATS:
            if made.packing not in ("", name):
                raise Misuse("E305", -1, "Conflicting compression options", status=FATAL)
            made.packing = name
        elif name == "use_compress_program":
            made.packing = packing_by(sh, value)
        else:
            take(sh, made, name, value)
    if not made.mode:
        says = f"You must specify one of the {ONE_MODE} {TEST_LABEL} options"
        raise Misuse("E304", -1, says, status=FATAL)
    if made.mode in ("r", "u", "D", "A") and made.packing:
        verb = "concatenate" if made.mode == "A" else "update"
        raise Misuse("E305", -1, f"Cannot {verb} compressed archives", status=FATAL)
    if made.mode in ("c", "r", "u") and not made.operands and not made.has("files_from"):
        says = "Cowardly refusing to create an empty archive"
        raise Misuse("E304", -1, says, status=FATAL)
    if made.has("one_top_level"):
        made.top = top_of(made)
    if made.mode == "c" and made.has("auto_compress"):
        made.packing = made.packing or packing_of(sh, made.archive)
    return made


def top_of(made: Settings) -> str:
    """The directory of --one-top-level; by itself the archive's name without its end."""
    asked = made.options["one_top_level"]
    if isinstance(asked, str):
        return bare(asked)
    name = made.archive.rpartition("/")[2]
    ending = next((end for end in ENDINGS if name.endswith(end)), "")
    stem = name.removesuffix(ending).removesuffix(".tar")
    if stem == name or stem in ("", ".", ".."):
        says = "Cannot deduce top-level directory name; please set it explicitly with"
        raise Misuse("E303", -1, f"{says} --one-top-level=DIR", status=FATAL)
    return stem


def add_operand(made: Settings, name: str) -> None:
    is_pattern = made.has("wildcards")
    made.operands.append(Operand(name, made.folder, is_pattern=is_pattern))


def take(sh: Call, made: Settings, name: str, value: Any) -> None:
    """One option that is neither a mode nor a way to pack."""
    made.options[name] = value
    if name == "file":
        made.archive = value
    elif name == "verbose":
        made.verbosity += bool(value)
    elif name == "directory":
        for folder in values(value):
            made.folder = join(made.folder, folder)
    elif name == "exclude":
        exclude(made, f"--exclude '{value[-1]}'", values(value))
    elif name == "exclude_from":
        for path in values(value):
            lines = [line for line in lines_of(sh, path, "\n") if line]
            exclude(made, f"--exclude-from '{path}'", lines)
    elif name == "strip_components" and value < 0:
        raise Misuse("E303", -1, f"{value}: Invalid number of elements", status=FATAL)
    elif name == "files_from":
        for path in values(value):
            end = "\0" if made.has("null") else "\n"
            for line in lines_of(sh, path, end):
                if line:
                    add_operand(made, line)
    elif name == "transform":
        made.transforms += [one for text in values(value) for one in transforms_in(text)]
    else:
        take_trait(sh, made, name, value)


def take_trait(sh: Call, made: Settings, name: str, value: Any) -> None:
    """An option that says what members are to have, instead of what their files have."""
    if name in ("owner", "group"):
        name_of = name_of_user if name == "owner" else name_of_group
        setattr(made, name, owner_of(sh, value, name_of))
    elif name == "mtime":
        made.modified = time_of(value, sh.now(), zone_named(sh.env.get("TZ")))
        if made.modified is None:
            raise sh.fail(f"Invalid mtime: {value}", FATAL)
    elif name == "mode":
        made.changes = changes_of(value)
        if made.changes is None:
            raise fatal(sh, "Invalid mode given on option")
    elif name == "blocking_factor" and not 0 < value <= MOST_BLOCKS:
        raise Misuse("E303", -1, f"{value}: Invalid blocking factor", status=FATAL)
    elif name in REFUSED and value:
        raise sh.fail(REFUSED[name], FATAL)


def exclude(made: Settings, option: str, patterns: list[str]) -> None:
    """Patterns of what to leave out; behind the first name, -c has no use for them."""
    if made.operands and made.mode in ("c", "r", "u"):
        made.useless.append(option)
    else:
        made.excluded += patterns


def values(value: Any) -> list[str]:
    """The values of an option that may be given several times."""
    return value if isinstance(value, list) else [value]


def owner_of(sh: Call, text: str, name_of: Callable[[int], str | None]) -> tuple[str, int | None]:
    """`NAME`, `NAME:NUMBER`, `NUMBER`; a number alone has the name that the machine knows."""
    name, _, digits = text.partition(":")
    if not digits and name.isdecimal():
        number = identity_of(sh, name)
        return name_of(number) or "", number
    return name, identity_of(sh, digits) if digits else None


def identity_of(sh: Call, digits: str) -> int:
    """The number of a user or group."""
    number = digits.lstrip("0") or "0"
    if not (number.isdecimal() and number.isascii() and len(number) < 11 and int(number) < 1 << 32):
        raise fatal(sh, f"{shown_name(digits)}: Invalid owner or group ID")
    return int(number)


def lines_of(sh: Call, path: str, end: str) -> Iterator[str]:
    """The lines of a list."""
    try:
        reader = sh.stdin if path == "-" else reader_of(sh.open(path))
    except OSError as error:
        raise fatal(sh, f"{shown_name(path)}: Cannot stat: {why(error)}") from None
    try:
        for line in reader.lines(end):
            yield line.removesuffix(end)
    finally:
        if reader is not sh.stdin:
            reader.close()


def packing_by(sh: Call, program: str) -> str:
    """The format of a program that packs; none is started."""
    name = program.rpartition("/")[2]
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise sh.fail(f"-I takes one of {known}, not {locale_quoted(program)}", FATAL)
    return FORMATS[name]


def packing_of(sh: Call, path: str) -> str:
    """The format that a name's end asks for."""
    end = next((end for end in NOT_WRITTEN if path.endswith(end)), "")
    if end:
        raise sh.fail(f"{shown_name(path)}: archives are not packed as {locale_quoted(end)}", FATAL)
    return next((kind for end, kind in ENDINGS.items() if path.endswith(end)), "")


def see_folder(sh: Call, folder: str) -> None:
    """See that there is the directory that -C names."""
    try:
        if not sh.fs.stat(folder, follow=True).is_directory:
            raise failure(errno.ENOTDIR, folder)
    except OSError as error:
        shown = folder.removeprefix("/" if sh.cwd == "/" else f"{sh.cwd}/")
        raise fatal(sh, f"{shown_name(shown)}: Cannot open: {why(error)}") from None


def fatal(sh: Call, message: str) -> Exception:
    """The failure that ends all: `raise fatal(sh, "…")`."""
    sh.warn(message, FATAL)
    return sh.fail("Error is not recoverable: exiting now", FATAL)
