"""Settings: the options and operands of one call of tar, checked and combined."""

from __future__ import annotations

import errno

from keysh.archive.tar_reader import RECORD_BYTES
from keysh.gnu.modes import parse_mode_changes
from keysh.gnu.owners import name_of_group, name_of_user
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.text.dates.date_parser import parse_date
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import is_digits
from keysh.tools.tar.compression import FORMATS, SUFFIX_FORMATS, packing_by, packing_of
from keysh.tools.tar.layout_options import LAYOUT_OPTIONS, layout_options
from keysh.tools.tar.list_file import list_lines
from keysh.tools.tar.name_patterns import (
    BACKUP_PATTERNS,
    VERSION_CONTROL_NAMES,
    MatchStyle,
    NameRule,
    TarOperand,
    exclusion_rules,
)
from keysh.tools.tar.safe_names import FATAL_STATUS, fatal_error, shown_name, unquoted_name
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
STYLE_ATTRIBUTES = {
    "wildcards": "wild", "anchored": "anchored", "ignore_case": "folds",
    "wildcards_match_slash": "slashes",
}  # fmt: skip
# Options that affect only the operands after them.
POSITIONAL_OPTIONS = {
    *STYLE_ATTRIBUTES, "null", "verbatim_files_from", "unquote", "recursion", "exclude_vcs",
    "exclude_backups",
}  # fmt: skip
EXCLUDED_NAMES = {"exclude_vcs": VERSION_CONTROL_NAMES, "exclude_backups": BACKUP_PATTERNS}
LONG_VERBOSITY = 2  # the verbosity at which lines are long
OVERWRITE_OPTIONS = {
    "overwrite": "--overwrite", "keep_old_files": "--keep-old-files",
    "skip_old_files": "--skip-old-files", "keep_newer_files": "--keep-newer-files",
    "unlink_first": "--unlink-first", "overwrite_dir": "--overwrite-dir",
}  # fmt: skip
SIMPLE_FORMATS = ("v7", "ustar")  # without sparse files
FORMAT_OPTIONS = {"old_archive": "v7", "posix": "pax"}
ONE_MODE = "'-Acdtrux', '--delete' or"
TEST_LABEL = "'--test-label'"


class TarSettings:
    """What to do. `folder` is the directory that the last -C set."""

    __slots__ = (
        "archive", "dates", "excluded", "folder", "folder_names", "group", "level", "match_style",
        "mode", "mode_changes", "modified", "newer_than", "operands", "options",
        "overwrite_option", "owner", "packing", "positional_uses", "top", "transforms",
        "uses_change_time", "verbosity",
    )  # fmt: skip

    def __init__(self, cwd: str) -> None:
        self.mode, self.archive, self.packing = "", "-", ""
        self.level: int | None = None  # of compression
        self.folder = cwd
        self.overwrite_option = ""  # the option given for existing files
        self.folder_names: dict[str, str] = {}  # each directory as -C named it
        self.operands: list[TarOperand] = []
        self.match_style = MatchStyle()  # of the patterns that follow
        self.excluded: list[NameRule] = []
        # Options, and how many operands precede each.
        self.positional_uses: list[tuple[str, int]] = []
        self.options: dict[str, Any] = {}  # the last value of each other option
        self.verbosity = 0
        self.transforms: list[Transform] = []
        self.top = ""  # the directory of --one-top-level
        self.owner: tuple[str, int | None] | None = None
        self.group: tuple[str, int | None] | None = None
        self.modified: int | None = None
        self.newer_than: int | None = None  # excludes older files
        self.uses_change_time = False  # whether a newer ctime counts too
        self.dates: list[tuple[str, str, int]] = []  # options, their values, and the times
        self.mode_changes: list[ModeChange] | None = None

    def has(self, name: str) -> bool:
        """Whether an option was given."""
        return bool(self.options.get(name))

    @property
    def late_options(self) -> list[str]:
        """Positional options that no operand follows."""
        return [name for name, before in self.positional_uses if 0 < before == len(self.operands)]

    @property
    def record_size(self) -> int:
        """The size of a record in bytes; the size of an archive is a multiple of it."""
        return int(self.options.get("record_size", RECORD_BYTES))


def dashed_words(command: Command, words: list[str]) -> list[str]:
    """Return the words with the first one, options without a dash, split: `tar xf a.tar`."""
    rest = iter(words[1:])
    result: list[str] = []
    for letter in words[0]:
        result.append(f"-{letter}")
        parameter = command.by_letter.get(letter)
        if parameter is not None and not parameter.is_flag:
            value = next(rest, None)
            if value is None:
                message = f"Old option '{letter}' requires an argument."
                raise UsageFailure(message, status=FATAL_STATUS)
            result.append(value)
    return [*result, *rest]


def settings_of(sh: Call, turns: Iterable[tuple[str, Any]]) -> TarSettings:
    """Return the settings that options and operands make, in order."""
    settings = TarSettings(sh.cwd)
    for name, value in turns:
        if not name:
            add_operand(sh, settings, value)
        elif name in MODES:
            if settings.mode not in ("", MODES[name]):
                message = f"You may not specify more than one {ONE_MODE}  {TEST_LABEL} option"
                raise UsageFailure(message, status=FATAL_STATUS)
            settings.mode = MODES[name]
        elif name in FORMATS:
            if settings.packing not in ("", name):
                raise UsageFailure("Conflicting compression options", status=FATAL_STATUS)
            settings.packing = name
        elif name == "use_compress_program":
            settings.packing, settings.level = packing_by(sh, value)
        else:
            if name in POSITIONAL_OPTIONS:
                option = f"--{'' if value else 'no-'}{name.replace('_', '-')}"
                settings.positional_uses.append((option, len(settings.operands)))
            apply_option(sh, settings, name, value)
    check_combinations(settings)
    if settings.verbosity or settings.mode == "t":
        report_dates(sh, settings)
    if not settings.mode:
        message = f"You must specify one of the {ONE_MODE} {TEST_LABEL} options"
        raise UsageFailure(message, status=FATAL_STATUS)
    if settings.mode in ("r", "u", "D", "A") and settings.packing:
        verb = "concatenate" if settings.mode == "A" else "update"
        raise UsageFailure(f"Cannot {verb} compressed archives", status=FATAL_STATUS)
    if (
        settings.mode in ("c", "r", "u")
        and not settings.operands
        and not settings.has("files_from")
    ):
        message = "Cowardly refusing to create an empty archive"
        raise UsageFailure(message, status=FATAL_STATUS)
    if settings.has("one_top_level"):
        settings.top = top_of(settings)
    if settings.mode == "c" and settings.has("auto_compress"):
        settings.packing = settings.packing or packing_of(sh, settings.archive)
    return settings


def check_combinations(settings: TarSettings) -> None:
    """Check and complete combinations of options. Raises UsageFailure."""
    if settings.has("one_top_level") and settings.has("absolute_names"):
        message = "'--one-top-level' cannot be used with '--absolute-names'"
        raise UsageFailure(message, status=FATAL_STATUS)
    if settings.has("sparse") and settings.options.get("format") in SIMPLE_FORMATS:
        message = "GNU features wanted on incompatible archive format"
        raise UsageFailure(message, status=FATAL_STATUS)
    if settings.has("clamp_mtime") and settings.modified is None:
        message = "--clamp-mtime needs a date specified using --mtime"
        raise UsageFailure(message, status=FATAL_STATUS)
    if settings.has("utc"):
        settings.verbosity = max(settings.verbosity, LONG_VERBOSITY)
    if any(settings.has(name) for name in ("acls", "selinux", "xattrs")):
        settings.options.setdefault("format", "pax")


def report_dates(sh: Call, settings: TarSettings) -> None:
    """Print how dates were read that are not in the form in which they are shown."""
    for option, text, time in settings.dates:
        shown = format_moment("%Y-%m-%d %H:%M:%S", Moment(time, find_zone(sh.env.get("TZ"))))
        if shown != text:
            message = f"Option {option}: Treating date {locale_quoted_text(text)} as {shown}"
            sh.note(message)


def top_of(settings: TarSettings) -> str:
    """Return the directory of --one-top-level, by default the archive's name without its suffix."""
    value = settings.options["one_top_level"]
    if isinstance(value, str):
        return without_slash(value)
    name = settings.archive.rpartition("/")[2]
    suffix = next((end for end in SUFFIX_FORMATS if name.endswith(end)), "")
    stem = name.removesuffix(suffix).removesuffix(".tar")
    if stem == name or stem in ("", ".", ".."):
        message = "Cannot deduce top-level directory name; please set it explicitly with"
        raise UsageFailure(f"{message} --one-top-level=DIR", status=FATAL_STATUS)
    return stem


def change_folder(settings: TarSettings, folder: str) -> None:
    """Apply -C."""
    settings.folder = join(settings.folder, folder)
    settings.folder_names[settings.folder] = folder


def add_operand(sh: Call, settings: TarSettings, name: str) -> None:
    """Add a name as -t shows it."""
    name = unquoted_name(name) if settings.options.get("unquote", True) else name
    style = settings.match_style
    is_plain = not style.wild and style.anchored is not False and not style.folds
    rule = None if is_plain else NameRule(name, style, sh.tick, wild=False, anchored=True)
    add_literal(settings, name, rule)


def add_literal(settings: TarSettings, name: str, rule: NameRule | None = None) -> None:
    """Add a literal name, or a rule."""
    goes_down = bool(settings.options.get("recursion", True))
    operand = TarOperand(name, settings.folder, rule, len(settings.excluded), goes_down=goes_down)
    settings.operands.append(operand)


def add_list(sh: Call, settings: TarSettings, path: str) -> None:
    """Add the names in a file, one a line, among which -C may appear."""
    is_verbatim = settings.has("null") or settings.has("verbatim_files_from")
    terminator = "\0" if settings.has("null") else "\n"
    for number, line in enumerate(list_lines(sh, path, terminator, may_turn=True), 1):
        if not line:
            continue
        if is_verbatim:
            add_literal(settings, line)
        elif line[0] != "-":
            add_operand(sh, settings, line)
        else:
            option, _, folder = line.partition(" " if line[1:2] != "-" else "=")
            folder = folder.strip() or line.removeprefix("-C")
            if option not in ("-C", "--directory") and not line.startswith("-C"):
                raise fatal_error(
                    sh, f"{shown_name(path)}:{number}: only -C is allowed between names"
                )
            change_folder(settings, folder)


def apply_option(sh: Call, settings: TarSettings, name: str, value: Any) -> None:
    """Apply an option that is neither a mode nor a compression."""
    earlier_values = settings.options.get(name) or []
    settings.options[name] = value
    if name == "file":
        settings.archive = value
    elif name == "verbose":
        settings.verbosity += bool(value)
    elif name == "directory":
        for folder in option_values(value):
            settings.positional_uses.append(
                (f"-C {locale_quoted_text(folder)}", len(settings.operands))
            )
            change_folder(settings, folder)
    elif name.startswith("exclude_tag"):
        settings.options[name] = [*earlier_values, *value]
    elif name.startswith("exclude"):
        apply_exclusion(sh, settings, name, value)
    elif name == "add_file":
        for file in value:
            add_literal(settings, file)
    elif name == "files_from":
        for path in option_values(value):
            add_list(sh, settings, path)
    elif name == "transform":
        settings.transforms += [
            one for text in option_values(value) for one in parse_transforms(text)
        ]
    elif name in OVERWRITE_OPTIONS:
        option = OVERWRITE_OPTIONS[name]
        set_overwrite_option(settings, option if value else option.replace("--", "--no-", 1))
    elif name in STYLE_ATTRIBUTES:
        setattr(settings.match_style, STYLE_ATTRIBUTES[name], value)
    else:
        apply_metadata_option(sh, settings, name, value)


def set_overwrite_option(settings: TarSettings, option: str) -> None:
    """Set the option for existing files, refusing a second one."""
    if settings.overwrite_option not in ("", option):
        message = f"'{option}' cannot be used with '{settings.overwrite_option}'"
        raise UsageFailure(message, status=FATAL_STATUS)
    settings.overwrite_option = option


def apply_exclusion(sh: Call, settings: TarSettings, name: str, value: Any) -> None:
    """Apply an option with patterns to exclude."""
    if name == "exclude":
        add_exclusions(sh, settings, f"--exclude '{value[-1]}'", option_values(value))
    elif name == "exclude_from":
        for path in option_values(value):
            lines = [line for line in list_lines(sh, path, "\n") if line]
            add_exclusions(sh, settings, f"--exclude-from '{path}'", lines)
    elif name in EXCLUDED_NAMES and value:
        settings.excluded += exclusion_rules(
            EXCLUDED_NAMES[name], MatchStyle(), sh.tick, goes_down=False
        )


def apply_metadata_option(sh: Call, settings: TarSettings, name: str, value: Any) -> None:
    """Apply an option that overrides what members take from their files."""
    if name in ("owner", "group"):
        name_of = name_of_user if name == "owner" else name_of_group
        setattr(settings, name, owner_of(sh, value, name_of))
    elif name == "mtime":
        settings.modified = option_time(sh, settings, name, value)
    elif name in ("after_date", "newer_mtime"):
        settings.newer_than = option_time(sh, settings, name, value)
        settings.uses_change_time = name == "after_date"
    elif name == "no_same_permissions" and value:
        settings.options["preserve_permissions"] = False
    elif name in FORMAT_OPTIONS and value:
        settings.options["format"] = FORMAT_OPTIONS[name]
    elif name == "mode":
        settings.mode_changes = parse_mode_changes(value)
        if settings.mode_changes is None:
            raise fatal_error(sh, "Invalid mode given on option")
    elif name in LAYOUT_OPTIONS:
        settings.options.update(layout_options(sh, name, value))


def add_exclusions(sh: Call, settings: TarSettings, option: str, patterns: list[str]) -> None:
    """Add patterns to exclude."""
    settings.positional_uses.append((option, len(settings.operands)))
    settings.excluded += exclusion_rules(patterns, settings.match_style, sh.tick)


def option_values(value: Any) -> list[str]:
    """Return the values of an option that may be given more than once."""
    return value if isinstance(value, list) else [value]


def option_time(sh: Call, settings: TarSettings, name: str, text: str) -> int:
    """Return the time that a value names; a path stands for its file's time."""
    if text[:1] in ("/", "."):
        try:
            return sh.fs.stat(sh.path(text), follow=True).modified
        except OSError as error:
            sh.warn(f"{shown_name(text)}: Cannot stat: {os_error_text(error)}")
            raise UsageFailure("Date sample file not found", status=FATAL_STATUS) from None
    time = parse_date(text, sh.now(), find_zone(sh.env.get("TZ")))
    if time is None:
        raise sh.fail(f"Invalid date: {locale_quoted_text(text)}", FATAL_STATUS)
    settings.dates.append((f"--{name.replace('_', '-')}", text, time))
    return time


def owner_of(sh: Call, text: str, name_of: Callable[[int], str | None]) -> tuple[str, int | None]:
    """Parse `NAME`, `NAME:NUMBER` or `NUMBER`. A number alone gets its name on this machine."""
    name, _, digits = text.partition(":")
    if not digits and name.isdecimal():
        number = owner_number(sh, name)
        return name_of(number) or "", number
    return name, owner_number(sh, digits) if digits else None


def owner_number(sh: Call, digits: str) -> int:
    """Parse the number of a user or group."""
    number = digits.lstrip("0") or "0"
    if not (is_digits(number) and len(number) < 11 and int(number) < 1 << 32):
        raise fatal_error(sh, f"{shown_name(digits)}: Invalid owner or group ID")
    return int(number)


def check_folder(sh: Call, settings: TarSettings, folder: str) -> None:
    """Raise a fatal error unless the directory of -C exists."""
    try:
        if not sh.fs.stat(folder, follow=True).is_directory:
            raise failure(errno.ENOTDIR, folder)
    except OSError as error:
        name = settings.folder_names.get(folder, folder)
        raise fatal_error(sh, f"{shown_name(name)}: Cannot open: {os_error_text(error)}") from None
