"""Settings: what the words of a call of tar ask for."""

from __future__ import annotations

import errno

from keysh.archive.tar_reader import RECORD
from keysh.gnu.modes import changes_of
from keysh.gnu.owners import name_of_group, name_of_user
from keysh.interp.state.call import BadCall, why
from keysh.text.dates.moment import Moment
from keysh.text.dates.parser import time_of
from keysh.text.dates.strftime import formatted
from keysh.text.dates.time_zone import zone_named
from keysh.text.gnu_quoting import locale_quoted
from keysh.text.shell_numbers import is_digits
from keysh.tools.tar.list_file import lines_of
from keysh.tools.tar.matching import BACKUPS, VERSION_CONTROL, Manner, Operand, Rule, left_out
from keysh.tools.tar.names import FATAL, fatal, shown_name, unquoted
from keysh.tools.tar.packing import ENDINGS, FORMATS, packing_by, packing_of
from keysh.tools.tar.shape import SHAPES, shape
from keysh.tools.tar.transform import transforms_in
from keysh.vfs.api import failure
from keysh.vfs.paths import bare, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from keysh.gnu.modes import Change
    from keysh.interp.state.call import Call
    from keysh.schema.command import Command
    from keysh.tools.tar.transform import Transform

MODES = {
    "create": "c", "extract": "x", "list": "t", "append": "r", "update": "u", "compare": "d",
    "delete": "D", "concatenate": "A",
}  # fmt: skip
NOT_THERE = "archives are not packed by {}: take -z, -j or -J"
REFUSED = {
    **{name: NOT_THERE.format(name) for name in ("zstd", "lzip", "lzop", "compress")},
    "to_command": "no programs are started for members: take -O for one, or extract them",
    "interactive": "-w asks at a terminal, which a script has not: name the members instead",
    "incremental": "incremental archives are not made: -u puts in what is newer",
    "listed_incremental": "incremental archives are not made: -u puts in what is newer",
}
MANNERS = {
    "wildcards": "wild", "anchored": "anchored", "ignore_case": "folds",
    "wildcards_match_slash": "slashes",
}  # fmt: skip
# What is for the operands behind it only.
POSITIONAL = {
    *MANNERS, "null", "verbatim_files_from", "unquote", "recursion", "exclude_vcs",
    "exclude_backups",
}  # fmt: skip
KNOWN_NAMES = {"exclude_vcs": VERSION_CONTROL, "exclude_backups": BACKUPS}
LONG = 2  # the verbosity from which on lines are long
OVERWRITING = {
    "overwrite": "--overwrite", "keep_old_files": "--keep-old-files",
    "skip_old_files": "--skip-old-files", "keep_newer_files": "--keep-newer-files",
    "unlink_first": "--unlink-first", "overwrite_dir": "--overwrite-dir",
}  # fmt: skip
SIMPLE = ("v7", "ustar")  # that can only hold files as a whole
OLD_FORMS = {"old_archive": "v7", "posix": "pax"}
ONE_MODE = "'-Acdtrux', '--delete' or"
TEST_LABEL = "'--test-label'"


class Settings:
    """What is to be done. `folder` is where -C leads at the end of the words."""

    __slots__ = (
        "archive", "changes", "counts_changes", "dates", "excluded", "folder", "group", "late",
        "level", "manner", "mode", "modified", "newer", "operands", "options", "overwriting",
        "owner", "packing", "said", "top", "transforms", "verbosity",
    )  # fmt: skip

    def __init__(self, cwd: str) -> None:
        self.mode, self.archive, self.packing = "", "-", ""
        self.level: int | None = None  # of packing
        self.folder = cwd
        self.overwriting = ""  # the option for files that are there
        self.said: dict[str, str] = {}  # how -C named each directory
        self.operands: list[Operand] = []
        self.manner = Manner()  # how the patterns match that follow
        self.excluded: list[Rule] = []
        self.late: list[tuple[str, int]] = []  # options, and how many operands stand before them
        self.options: dict[str, Any] = {}  # of the others, the last value of each
        self.verbosity = 0
        self.transforms: list[Transform] = []
        self.top = ""  # the directory that --one-top-level makes
        self.owner: tuple[str, int | None] | None = None
        self.group: tuple[str, int | None] | None = None
        self.modified: int | None = None
        self.newer: int | None = None  # leaves out what is older
        self.counts_changes = False  # whether a change of a file's traits makes it new too
        self.dates: list[tuple[str, str, int]] = []  # options, their words, and what they mean
        self.changes: list[Change] | None = None  # to the permissions

    def has(self, name: str) -> bool:
        """Whether an option is given."""
        return bool(self.options.get(name))

    @property
    def useless(self) -> list[str]:
        """Options that come too late for what is put in."""
        count = len(self.operands)
        return [option for option, before in self.late if before and before == count]

    @property
    def record(self) -> int:
        """What an archive's length is a multiple of."""
        return int(self.options.get("record_size", RECORD))


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
                raise BadCall(says, status=FATAL)
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
                raise BadCall(says, status=FATAL)
            made.mode = MODES[name]
        elif name in FORMATS:
            if made.packing not in ("", name):
                raise BadCall("Conflicting compression options", status=FATAL)
            made.packing = name
        elif name == "use_compress_program":
            made.packing, made.level = packing_by(sh, value)
        else:
            if name in POSITIONAL:
                option = f"--{'' if value else 'no-'}{name.replace('_', '-')}"
                made.late.append((option, len(made.operands)))
            take(sh, made, name, value)
    see_together(made)
    if made.verbosity or made.mode == "t":
        tell_dates(sh, made)
    if not made.mode:
        says = f"You must specify one of the {ONE_MODE} {TEST_LABEL} options"
        raise BadCall(says, status=FATAL)
    if made.mode in ("r", "u", "D", "A") and made.packing:
        verb = "concatenate" if made.mode == "A" else "update"
        raise BadCall(f"Cannot {verb} compressed archives", status=FATAL)
    if made.mode in ("c", "r", "u") and not made.operands and not made.has("files_from"):
        says = "Cowardly refusing to create an empty archive"
        raise BadCall(says, status=FATAL)
    if made.has("one_top_level"):
        made.top = top_of(made)
    if made.mode == "c" and made.has("auto_compress"):
        made.packing = made.packing or packing_of(sh, made.archive)
    return made


def see_together(made: Settings) -> None:
    """See what options mean for each other; BadCall where they do not go together."""
    if made.has("one_top_level") and made.has("absolute_names"):
        says = "'--one-top-level' cannot be used with '--absolute-names'"
        raise BadCall(says, status=FATAL)
    if made.has("sparse") and made.options.get("format") in SIMPLE:
        raise BadCall("GNU features wanted on incompatible archive format", status=FATAL)
    if made.has("clamp_mtime") and made.modified is None:
        says = "--clamp-mtime needs a date specified using --mtime"
        raise BadCall(says, status=FATAL)
    if made.has("utc"):
        made.verbosity = max(made.verbosity, LONG)
    if any(made.has(name) for name in ("acls", "selinux", "xattrs")):
        made.options.setdefault("format", "pax")


def tell_dates(sh: Call, made: Settings) -> None:
    """Say what dates mean that are not written as they are shown."""
    for option, text, time in made.dates:
        shown = formatted("%Y-%m-%d %H:%M:%S", Moment(time, zone_named(sh.env.get("TZ"))))
        if shown != text:
            says = f"Option {option}: Treating date {locale_quoted(text)} as {shown}"
            sh.note(says)


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
        raise BadCall(f"{says} --one-top-level=DIR", status=FATAL)
    return stem


def change(made: Settings, folder: str) -> None:
    """What -C does."""
    made.folder = join(made.folder, folder)
    made.said[made.folder] = folder


def add_operand(made: Settings, name: str) -> None:
    """Add a name as -t would show it."""
    name = unquoted(name) if made.options.get("unquote", True) else name
    manner = made.manner
    is_plain = not manner.wild and manner.anchored is not False and not manner.folds
    rule = None if is_plain else Rule(name, manner, wild=False, anchored=True)
    add_literal(made, name, rule)


def add_literal(made: Settings, name: str, rule: Rule | None = None) -> None:
    """Add a name that is what it is, or a rule of names."""
    goes_down = bool(made.options.get("recursion", True))
    operand = Operand(name, made.folder, rule, len(made.excluded), goes_down=goes_down)
    made.operands.append(operand)


def add_list(sh: Call, made: Settings, path: str) -> None:
    """The names of a file, one a line, between which -C may stand."""
    is_verbatim = made.has("null") or made.has("verbatim_files_from")
    end = "\0" if made.has("null") else "\n"
    for at, line in enumerate(lines_of(sh, path, end, may_turn=True), 1):
        if not line:
            continue
        if is_verbatim:
            add_literal(made, line)
        elif line[0] != "-":
            add_operand(made, line)
        else:
            option, _, folder = line.partition(" " if line[1:2] != "-" else "=")
            folder = folder.strip() or line.removeprefix("-C")
            if option not in ("-C", "--directory") and not line.startswith("-C"):
                raise fatal(sh, f"{shown_name(path)}:{at}: only -C may stand between names")
            change(made, folder)


def take(sh: Call, made: Settings, name: str, value: Any) -> None:
    """One option that is neither a mode nor a way to pack."""
    before = made.options.get(name) or []
    made.options[name] = value
    if name == "file":
        made.archive = value
    elif name == "verbose":
        made.verbosity += bool(value)
    elif name == "directory":
        for folder in values(value):
            made.late.append((f"-C {locale_quoted(folder)}", len(made.operands)))
            change(made, folder)
    elif name.startswith("exclude_tag"):
        made.options[name] = [*before, *value]
    elif name.startswith("exclude"):
        take_exclusion(sh, made, name, value)
    elif name == "add_file":
        for file in value:
            add_literal(made, file)
    elif name == "files_from":
        for path in values(value):
            add_list(sh, made, path)
    elif name == "transform":
        made.transforms += [one for text in values(value) for one in transforms_in(text)]
    elif name in OVERWRITING:
        option = OVERWRITING[name]
        see_overwriting(made, option if value else option.replace("--", "--no-", 1))
    elif name in MANNERS:
        setattr(made.manner, MANNERS[name], value)
    else:
        take_trait(sh, made, name, value)


def see_overwriting(made: Settings, option: str) -> None:
    """See that only one option says what becomes of files that are there."""
    if made.overwriting not in ("", option):
        says = f"'{option}' cannot be used with '{made.overwriting}'"
        raise BadCall(says, status=FATAL)
    made.overwriting = option


def take_exclusion(sh: Call, made: Settings, name: str, value: Any) -> None:
    """An option that says by patterns what to leave out."""
    if name == "exclude":
        exclude(made, f"--exclude '{value[-1]}'", values(value))
    elif name == "exclude_from":
        for path in values(value):
            lines = [line for line in lines_of(sh, path, "\n") if line]
            exclude(made, f"--exclude-from '{path}'", lines)
    elif name in KNOWN_NAMES and value:
        made.excluded += left_out(KNOWN_NAMES[name], Manner(), goes_down=False)


def take_trait(sh: Call, made: Settings, name: str, value: Any) -> None:
    """An option that says what members are to have, instead of what their files have."""
    if name in ("owner", "group"):
        name_of = name_of_user if name == "owner" else name_of_group
        setattr(made, name, owner_of(sh, value, name_of))
    elif name == "mtime":
        made.modified = date_of(sh, made, name, value)
    elif name in ("after_date", "newer_mtime"):
        made.newer = date_of(sh, made, name, value)
        made.counts_changes = name == "after_date"
    elif name == "no_same_permissions" and value:
        made.options["preserve_permissions"] = False
    elif name in OLD_FORMS and value:
        made.options["format"] = OLD_FORMS[name]
    elif name == "mode":
        made.changes = changes_of(value)
        if made.changes is None:
            raise fatal(sh, "Invalid mode given on option")
    elif name in SHAPES:
        made.options.update(shape(sh, name, value))
    elif name in REFUSED and value:
        raise sh.fail(REFUSED[name], FATAL)


def exclude(made: Settings, option: str, patterns: list[str]) -> None:
    """Patterns of what to leave out."""
    made.late.append((option, len(made.operands)))
    made.excluded += left_out(patterns, made.manner)


def values(value: Any) -> list[str]:
    """The values of an option that may be given several times."""
    return value if isinstance(value, list) else [value]


def date_of(sh: Call, made: Settings, name: str, text: str) -> int:
    """The time that a text means; a path is that of a file with it."""
    if text[:1] in ("/", "."):
        try:
            return sh.fs.stat(sh.path(text), follow=True).modified
        except OSError as error:
            sh.warn(f"{shown_name(text)}: Cannot stat: {why(error)}")
            raise BadCall("Date sample file not found", status=FATAL) from None
    found = time_of(text, sh.now(), zone_named(sh.env.get("TZ")))
    if found is None:
        raise sh.fail(f"Invalid date: {locale_quoted(text)}", FATAL)
    made.dates.append((f"--{name.replace('_', '-')}", text, found))
    return found


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
    if not (is_digits(number) and len(number) < 11 and int(number) < 1 << 32):
        raise fatal(sh, f"{shown_name(digits)}: Invalid owner or group ID")
    return int(number)


def see_folder(sh: Call, settings: Settings, folder: str) -> None:
    """See that there is the directory that -C names."""
    try:
        if not sh.fs.stat(folder, follow=True).is_directory:
            raise failure(errno.ENOTDIR, folder)
    except OSError as error:
        said = settings.said.get(folder, folder)
        raise fatal(sh, f"{shown_name(said)}: Cannot open: {why(error)}") from None
