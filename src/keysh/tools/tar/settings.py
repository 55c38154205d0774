"""Settings: what the words of a call of tar ask for."""

from __future__ import annotations

import errno

from keysh.archive.tar_reader import RECORD_BYTES
from keysh.gnu.modes import parse_mode_changes
from keysh.gnu.owners import name_of_group, name_of_user
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.text.dates.moment import Moment
from keysh.text.dates.parser import parse_date
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import is_digits
from keysh.tools.tar.list_file import list_lines
from keysh.tools.tar.matching import (
    BACKUP_PATTERNS,
    VERSION_CONTROL_NAMES,
    MatchStyle,
    NameRule,
    TarOperand,
    exclusion_rules,
)
from keysh.tools.tar.names import FATAL_STATUS, fatal_error, shown_name, unquoted_name
from keysh.tools.tar.packing import FORMATS, SUFFIX_FORMATS, packing_by, packing_of
from keysh.tools.tar.shape import LAYOUT_OPTIONS, layout_options
from keysh.tools.tar.transform import parse_transforms
from keysh.vfs.api import failure
from keysh.vfs.paths import join, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from keysh.gnu.modes import ModeChange
    from keysh.interp.state.call import Call
    from keysh.schema.command import Command
    from keysh.tools.tar.transform import Transform

MODES = {
    "create": "c", "extract": "x", "list": "t", "append": "r", "update": "u", "compare": "d",
    "delete": "D", "concatenate": "A",
}  # fmt: skip
UNSUPPORTED_PACKING = "archives are not packed by {}: take -z, -j or -J"
UNSUPPORTED_OPTIONS = {
    **{name: UNSUPPORTED_PACKING.format(name) for name in ("zstd", "lzip", "lzop", "compress")},
    "to_command": "no programs are started for members: take -O for one, or extract them",
    "interactive": "-w asks at a terminal, which a script has not: name the members instead",
    "incremental": "incremental archives are not made: -u puts in what is newer",
    "listed_incremental": "incremental archives are not made: -u puts in what is newer",
}
STYLE_ATTRIBUTES = {
    "wildcards": "wild", "anchored": "anchored", "ignore_case": "folds",
    "wildcards_match_slash": "slashes",
}  # fmt: skip
# What is for the operands behind it only.
POSITIONAL_OPTIONS = {
    *STYLE_ATTRIBUTES, "null", "verbatim_files_from", "unquote", "recursion", "exclude_vcs",
    "exclude_backups",
}  # fmt: skip
EXCLUDED_NAMES = {"exclude_vcs": VERSION_CONTROL_NAMES, "exclude_backups": BACKUP_PATTERNS}
LONG_VERBOSITY = 2  # the verbosity from which on lines are long
OVERWRITE_OPTIONS = {
    "overwrite": "--overwrite", "keep_old_files": "--keep-old-files",
    "skip_old_files": "--skip-old-files", "keep_newer_files": "--keep-newer-files",
    "unlink_first": "--unlink-first", "overwrite_dir": "--overwrite-dir",
}  # fmt: skip
SIMPLE_FORMATS = ("v7", "ustar")  # that can only hold files as a whole
FORMAT_OPTIONS = {"old_archive": "v7", "posix": "pax"}
ONE_MODE = "'-Acdtrux', '--delete' or"
TEST_LABEL = "'--test-label'"


class TarSettings:
    """What is to be done. `folder` is where -C leads at the end of the words."""

    __slots__ = (
        "archive", "mode_changes", "uses_change_time", "dates", "excluded", "folder", "group", "positional_uses",
        "level", "match_style", "mode", "modified", "newer_than", "operands", "options", "overwrite_option",
        "owner", "packing", "folder_names", "top", "transforms", "verbosity",
    )  # fmt: skip

    def __init__(self, cwd: str) -> None:
        self.mode, self.archive, self.packing = "", "-", ""
        self.level: int | None = None  # of packing
        self.folder = cwd
        self.overwrite_option = ""  # the option for files that are there
        self.folder_names: dict[str, str] = {}  # how -C named each directory
        self.operands: list[TarOperand] = []
        self.match_style = MatchStyle()  # how the patterns match that follow
        self.excluded: list[NameRule] = []
        self.positional_uses: list[
            tuple[str, int]
        ] = []  # options, and how many operands stand before them
        self.options: dict[str, Any] = {}  # of the others, the last value of each
        self.verbosity = 0
        self.transforms: list[Transform] = []
        self.top = ""  # the directory that --one-top-level makes
        self.owner: tuple[str, int | None] | None = None
        self.group: tuple[str, int | None] | None = None
        self.modified: int | None = None
        self.newer_than: int | None = None  # leaves out what is older
        self.uses_change_time = False  # whether a change of a file's traits makes it new too
        self.dates: list[tuple[str, str, int]] = []  # options, their words, and what they mean
        self.mode_changes: list[ModeChange] | None = None  # to the permissions

    def has(self, name: str) -> bool:
        """Whether an option is given."""
        return bool(self.options.get(name))

    @property
    def late_options(self) -> list[str]:
        """Options that come too late for what is put in."""
        count = len(self.operands)
        return [option for option, before in self.positional_uses if before and before == count]

    @property
    def record_size(self) -> int:
        """What an archive's length is a multiple of."""
        return int(self.options.get("record_size", RECORD_BYTES))


def dashed_words(command: Command, words: list[str]) -> list[str]:
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
                raise UsageFailure(says, status=FATAL_STATUS)
            made.append(value)
    return [*made, *rest]


def settings_of(sh: Call, turns: Iterable[tuple[str, Any]]) -> TarSettings:
    """The settings that options and operands make, in their order."""
    made = TarSettings(sh.cwd)
    for name, value in turns:
        if not name:
            add_operand(made, value)
        elif name in MODES:
            if made.mode not in ("", MODES[name]):
                says = f"You may not specify more than one {ONE_MODE}  {TEST_LABEL} option"
                raise UsageFailure(says, status=FATAL_STATUS)
            made.mode = MODES[name]
        elif name in FORMATS:
            if made.packing not in ("", name):
                raise UsageFailure("Conflicting compression options", status=FATAL_STATUS)
            made.packing = name
        elif name == "use_compress_program":
            made.packing, made.level = packing_by(sh, value)
        else:
            if name in POSITIONAL_OPTIONS:
                option = f"--{'' if value else 'no-'}{name.replace('_', '-')}"
                made.positional_uses.append((option, len(made.operands)))
            apply_option(sh, made, name, value)
    check_combinations(made)
    if made.verbosity or made.mode == "t":
        report_dates(sh, made)
    if not made.mode:
        says = f"You must specify one of the {ONE_MODE} {TEST_LABEL} options"
        raise UsageFailure(says, status=FATAL_STATUS)
    if made.mode in ("r", "u", "D", "A") and made.packing:
        verb = "concatenate" if made.mode == "A" else "update"
        raise UsageFailure(f"Cannot {verb} compressed archives", status=FATAL_STATUS)
    if made.mode in ("c", "r", "u") and not made.operands and not made.has("files_from"):
        says = "Cowardly refusing to create an empty archive"
        raise UsageFailure(says, status=FATAL_STATUS)
    if made.has("one_top_level"):
        made.top = top_of(made)
    if made.mode == "c" and made.has("auto_compress"):
        made.packing = made.packing or packing_of(sh, made.archive)
    return made


def check_combinations(made: TarSettings) -> None:
    """See what options mean for each other; BadCall where they do not go together."""
    if made.has("one_top_level") and made.has("absolute_names"):
        says = "'--one-top-level' cannot be used with '--absolute-names'"
        raise UsageFailure(says, status=FATAL_STATUS)
    if made.has("sparse") and made.options.get("format") in SIMPLE_FORMATS:
        raise UsageFailure(
            "GNU features wanted on incompatible archive format", status=FATAL_STATUS
        )
    if made.has("clamp_mtime") and made.modified is None:
        says = "--clamp-mtime needs a date specified using --mtime"
        raise UsageFailure(says, status=FATAL_STATUS)
    if made.has("utc"):
        made.verbosity = max(made.verbosity, LONG_VERBOSITY)
    if any(made.has(name) for name in ("acls", "selinux", "xattrs")):
        made.options.setdefault("format", "pax")


def report_dates(sh: Call, made: TarSettings) -> None:
    """Say what dates mean that are not written as they are shown."""
    for option, text, time in made.dates:
        shown = format_moment("%Y-%m-%d %H:%M:%S", Moment(time, find_zone(sh.env.get("TZ"))))
        if shown != text:
            says = f"Option {option}: Treating date {locale_quoted_text(text)} as {shown}"
            sh.note(says)


def top_of(made: TarSettings) -> str:
    """The directory of --one-top-level; by itself the archive's name without its end."""
    asked = made.options["one_top_level"]
    if isinstance(asked, str):
        return without_slash(asked)
    name = made.archive.rpartition("/")[2]
    ending = next((end for end in SUFFIX_FORMATS if name.endswith(end)), "")
    stem = name.removesuffix(ending).removesuffix(".tar")
    if stem == name or stem in ("", ".", ".."):
        says = "Cannot deduce top-level directory name; please set it explicitly with"
        raise UsageFailure(f"{says} --one-top-level=DIR", status=FATAL_STATUS)
    return stem


def change_folder(made: TarSettings, folder: str) -> None:
    """What -C does."""
    made.folder = join(made.folder, folder)
    made.folder_names[made.folder] = folder


def add_operand(made: TarSettings, name: str) -> None:
    """Add a name as -t would show it."""
    name = unquoted_name(name) if made.options.get("unquote", True) else name
    manner = made.match_style
    is_plain = not manner.wild and manner.anchored is not False and not manner.folds
    rule = None if is_plain else NameRule(name, manner, wild=False, anchored=True)
    add_literal(made, name, rule)


def add_literal(made: TarSettings, name: str, rule: NameRule | None = None) -> None:
    """Add a name that is what it is, or a rule of names."""
    goes_down = bool(made.options.get("recursion", True))
    operand = TarOperand(name, made.folder, rule, len(made.excluded), goes_down=goes_down)
    made.operands.append(operand)


def add_list(sh: Call, made: TarSettings, path: str) -> None:
    """The names of a file, one a line, between which -C may stand."""
    is_verbatim = made.has("null") or made.has("verbatim_files_from")
    end = "\0" if made.has("null") else "\n"
    for at, line in enumerate(list_lines(sh, path, end, may_turn=True), 1):
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
                raise fatal_error(sh, f"{shown_name(path)}:{at}: only -C may stand between names")
            change_folder(made, folder)


def apply_option(sh: Call, made: TarSettings, name: str, value: Any) -> None:
    """One option that is neither a mode nor a way to pack."""
    before = made.options.get(name) or []
    made.options[name] = value
    if name == "file":
        made.archive = value
    elif name == "verbose":
        made.verbosity += bool(value)
    elif name == "directory":
        for folder in option_values(value):
            made.positional_uses.append((f"-C {locale_quoted_text(folder)}", len(made.operands)))
            change_folder(made, folder)
    elif name.startswith("exclude_tag"):
        made.options[name] = [*before, *value]
    elif name.startswith("exclude"):
        apply_exclusion(sh, made, name, value)
    elif name == "add_file":
        for file in value:
            add_literal(made, file)
    elif name == "files_from":
        for path in option_values(value):
            add_list(sh, made, path)
    elif name == "transform":
        made.transforms += [one for text in option_values(value) for one in parse_transforms(text)]
    elif name in OVERWRITE_OPTIONS:
        option = OVERWRITE_OPTIONS[name]
        set_overwrite_option(made, option if value else option.replace("--", "--no-", 1))
    elif name in STYLE_ATTRIBUTES:
        setattr(made.match_style, STYLE_ATTRIBUTES[name], value)
    else:
        apply_metadata_option(sh, made, name, value)


def set_overwrite_option(made: TarSettings, option: str) -> None:
    """See that only one option says what becomes of files that are there."""
    if made.overwrite_option not in ("", option):
        says = f"'{option}' cannot be used with '{made.overwrite_option}'"
        raise UsageFailure(says, status=FATAL_STATUS)
    made.overwrite_option = option


def apply_exclusion(sh: Call, made: TarSettings, name: str, value: Any) -> None:
    """An option that says by patterns what to leave out."""
    if name == "exclude":
        add_exclusions(made, f"--exclude '{value[-1]}'", option_values(value))
    elif name == "exclude_from":
        for path in option_values(value):
            lines = [line for line in list_lines(sh, path, "\n") if line]
            add_exclusions(made, f"--exclude-from '{path}'", lines)
    elif name in EXCLUDED_NAMES and value:
        made.excluded += exclusion_rules(EXCLUDED_NAMES[name], MatchStyle(), goes_down=False)


def apply_metadata_option(sh: Call, made: TarSettings, name: str, value: Any) -> None:
    """An option that says what members are to have, instead of what their files have."""
    if name in ("owner", "group"):
        name_of = name_of_user if name == "owner" else name_of_group
        setattr(made, name, owner_of(sh, value, name_of))
    elif name == "mtime":
        made.modified = option_time(sh, made, name, value)
    elif name in ("after_date", "newer_mtime"):
        made.newer_than = option_time(sh, made, name, value)
        made.uses_change_time = name == "after_date"
    elif name == "no_same_permissions" and value:
        made.options["preserve_permissions"] = False
    elif name in FORMAT_OPTIONS and value:
        made.options["format"] = FORMAT_OPTIONS[name]
    elif name == "mode":
        made.mode_changes = parse_mode_changes(value)
        if made.mode_changes is None:
            raise fatal_error(sh, "Invalid mode given on option")
    elif name in LAYOUT_OPTIONS:
        made.options.update(layout_options(sh, name, value))
    elif name in UNSUPPORTED_OPTIONS and value:
        raise sh.fail(UNSUPPORTED_OPTIONS[name], FATAL_STATUS)


def add_exclusions(made: TarSettings, option: str, patterns: list[str]) -> None:
    """Patterns of what to leave out."""
    made.positional_uses.append((option, len(made.operands)))
    made.excluded += exclusion_rules(patterns, made.match_style)


def option_values(value: Any) -> list[str]:
    """The values of an option that may be given several times."""
    return value if isinstance(value, list) else [value]


def option_time(sh: Call, made: TarSettings, name: str, text: str) -> int:
    """The time that a text means; a path is that of a file with it."""
    if text[:1] in ("/", "."):
        try:
            return sh.fs.stat(sh.path(text), follow=True).modified
        except OSError as error:
            sh.warn(f"{shown_name(text)}: Cannot stat: {os_error_text(error)}")
            raise UsageFailure("Date sample file not found", status=FATAL_STATUS) from None
    found = parse_date(text, sh.now(), find_zone(sh.env.get("TZ")))
    if found is None:
        raise sh.fail(f"Invalid date: {locale_quoted_text(text)}", FATAL_STATUS)
    made.dates.append((f"--{name.replace('_', '-')}", text, found))
    return found


def owner_of(sh: Call, text: str, name_of: Callable[[int], str | None]) -> tuple[str, int | None]:
    """`NAME`, `NAME:NUMBER`, `NUMBER`; a number alone has the name that the machine knows."""
    name, _, digits = text.partition(":")
    if not digits and name.isdecimal():
        number = owner_number(sh, name)
        return name_of(number) or "", number
    return name, owner_number(sh, digits) if digits else None


def owner_number(sh: Call, digits: str) -> int:
    """The number of a user or group."""
    number = digits.lstrip("0") or "0"
    if not (is_digits(number) and len(number) < 11 and int(number) < 1 << 32):
        raise fatal_error(sh, f"{shown_name(digits)}: Invalid owner or group ID")
    return int(number)


def check_folder(sh: Call, settings: TarSettings, folder: str) -> None:
    """See that there is the directory that -C names."""
    try:
        if not sh.fs.stat(folder, follow=True).is_directory:
            raise failure(errno.ENOTDIR, folder)
    except OSError as error:
        said = settings.folder_names.get(folder, folder)
        raise fatal_error(sh, f"{shown_name(said)}: Cannot open: {os_error_text(error)}") from None
