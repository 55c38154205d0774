"""The settings of ls, in which a later option overrides an earlier one."""

from __future__ import annotations

from keysh.gnu import option_values as choices
from keysh.gnu.sizes import BadSizeUnit, SizeUnit, unit_of, unit_of_environment
from keysh.interp.state.call import CommandFailure
from keysh.schema.binder import InvalidArguments
from keysh.text.gnu_quoting import needs_quotes, quoted_name, styled_name
from keysh.text.pattern import name_matcher
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.text.pattern import NameMatcher

WHEN_WORDS = {
    "always": True, "yes": True, "force": True, "never": False, "no": False, "none": False,
    "auto": None, "tty": None, "if-tty": None,
}  # fmt: skip
FORMAT_WORDS = {
    "verbose": "long", "long": "long", "commas": "commas", "horizontal": "across",
    "across": "across", "vertical": "columns", "single-column": "one",
}  # fmt: skip
SORT_WORDS = ("none", "time", "size", "extension", "version", "width")
TIME_WORDS = {"atime": "accessed", "access": "accessed", "use": "accessed", "ctime": "changed",
         "status": "changed", "birth": "birth", "creation": "birth"}  # fmt: skip
INDICATOR_STYLES = ("none", "slash", "file-type", "classify")
# Indicators that are quoted in names; GNU quotes * with file-type, but not with classify.
SPECIAL_INDICATORS = {"file-type": "*=>@|", "classify": "=>@|"}
QUOTING_STYLES = {
    **{word: word for word in ("literal", "shell", "shell-always", "shell-escape")},
    **{word: word for word in ("shell-escape-always", "c", "escape", "locale")},
    "clocale": "locale",
}
LONG_OPTIONS = ("owner_only", "group_only", "numeric_uid_gid", "long")
FORMAT_OPTIONS = {"columns": "columns", "across": "across", "commas": "commas"}
SORT_OPTIONS = {"by_size": "size", "by_time": "time", "unsorted": "none", "by_version": "version",
                "by_extension": "extension"}  # fmt: skip
TIME_OPTIONS = {"by_change": "changed", "by_access": "accessed"}
INDICATOR_OPTIONS = {"indicate": "classify", "file_type": "file-type", "slash": "slash"}
STYLE_OPTIONS = {"escape": "escape", "literal": "literal", "quote_name": "c"}
RECENT_TIME_FORMAT, OLD_TIME_FORMAT = "%b %e %H:%M", "%b %e  %Y"
TIME_STYLES = {
    "full-iso": ("%Y-%m-%d %H:%M:%S.%N %z",) * 2,
    "long-iso": ("%Y-%m-%d %H:%M",) * 2,
    "iso": ("%m-%d %H:%M", "%Y-%m-%d "),
    "locale": (RECENT_TIME_FORMAT, OLD_TIME_FORMAT),
}


class LsOptions:
    """The settings of a run of ls.

    `dot_files` is "" to omit names that start with a dot, "some" to omit only . and .., or "all".
    `follow` is "never", "folders" (operands that are links to one), "operands" or "always".
    """

    __slots__ = (
        "colors", "dot_files", "flags", "follow", "format", "has_hyperlinks", "hides_controls",
        "ignore_matchers", "indicator", "is_terminal", "line_end", "size_unit", "sort", "style",
        "tab_columns", "time", "time_formats", "unit", "width",
    )  # fmt: skip

    def __init__(self, flags: frozenset[str]) -> None:
        self.flags = flags  # options that are on and whose order does not matter
        self.dot_files, self.follow, self.format, self.sort = "", "", "one", ""
        self.time, self.time_formats = "modified", (RECENT_TIME_FORMAT, OLD_TIME_FORMAT)
        self.indicator, self.style, self.line_end = "none", "literal", "\n"
        self.colors = self.hides_controls = self.is_terminal = self.has_hyperlinks = False
        self.unit, self.size_unit = SizeUnit(1024), SizeUnit()
        self.tab_columns, self.width = 8, 80
        self.ignore_matchers: list[Callable[[str], bool]] = []

    @property
    def needs_stat(self) -> bool:
        """Whether more than the names and types of files is needed."""
        is_asked = self.format == "long" or self.has_hyperlinks or self.sort in ("size", "time")
        return is_asked or any(map(self.has, ("size", "inode", "context"))) or self.needs_types

    @property
    def needs_types(self) -> bool:
        """Whether the types of files affect the listing."""
        type_options = ("recursive", "group_directories_first")
        return self.indicator != "none" or self.colors or any(map(self.has, type_options))

    @property
    def is_dired(self) -> bool:
        """Whether the positions of names are printed at the end."""
        return self.has("dired") and self.format == "long" and not self.has_hyperlinks

    @property
    def aligns_quotes(self) -> bool:
        """Whether unquoted names are indented to line up with quoted ones."""
        is_table = self.format == "long" or (self.format in ("columns", "across") and self.width)
        return bool(is_table) and self.style in ("shell", "shell-escape")

    def quoted_name(self, name: str) -> str:
        """Return a name in the quoting style, with indicator characters quoted."""
        return styled_name(
            name, self.style, self.hides_controls, SPECIAL_INDICATORS.get(self.indicator, "")
        )

    def is_quoted(self, name: str) -> bool:
        """Whether a shell quoting style would quote a name."""
        more = SPECIAL_INDICATORS.get(self.indicator, "")
        return needs_quotes(name, more, escapes=self.style == "shell-escape")

    def has(self, name: str) -> bool:
        """Whether an option is on."""
        return name in self.flags


def ls_options(sh: Call) -> LsOptions:
    """Return the settings for a call."""
    flags_on = {name for name, value in sh.given if value is True}
    settings = LsOptions(frozenset(flags_on))
    has_time_option = False
    style = sh.env.get("TIME_STYLE")
    if sh.out.width:
        apply_terminal(settings, sh)
    unit = unit_of_environment(sh.env, "LS_BLOCK_SIZE")
    if unit is not None:
        settings.unit = settings.size_unit = unit
    if "kibibytes" in flags_on:
        settings.unit = SizeUnit(1024)
    for name, value in sh.given:
        if value is False:
            continue
        apply_layout_option(settings, name, value)
        apply_size_option(settings, name, value)
        apply_selection_option(settings, name, value, sh.tick)
        apply_name_option(settings, name, value)
        if name in TIME_OPTIONS or name == "time":
            has_time_option = True
        if name == "time_style":
            style = value
        elif name == "full_time":
            style = "full-iso"
    if {"dired", "zero"} <= flags_on and settings.is_dired:
        raise sh.fail("--dired and --zero are incompatible", 2)
    apply_environment(settings, sh, {name for name, _ in sh.given})
    if style is not None:
        settings.time_formats = time_formats_of(sh, style)
    settings.sort = settings.sort or (
        "time" if has_time_option and settings.format != "long" else "name"
    )
    if not settings.follow:
        shows_links = (
            settings.format == "long" or "directory" in flags_on or settings.indicator == "classify"
        )
        settings.follow = "never" if shows_links else "folders"
    return settings


def apply_terminal(settings: LsOptions, sh: Call) -> None:
    """Apply the defaults for terminals: those of GNU ls, and colors."""
    settings.is_terminal = settings.hides_controls = True
    settings.format, settings.style, settings.width = "columns", "shell-escape", sh.out.width
    settings.colors = not sh.env.get("NO_COLOR")


def apply_environment(settings: LsOptions, sh: Call, given_names: set[str]) -> None:
    """Apply COLUMNS and QUOTING_STYLE, unless options override them."""
    columns, style = sh.env.get("COLUMNS"), sh.env.get("QUOTING_STYLE")
    needs_width = settings.format not in ("long", "one") or settings.colors
    if columns and needs_width and "width" not in given_names:
        if is_digits(columns):
            settings.width = bounded_number(columns)
        else:
            message = "ignoring invalid width in environment variable COLUMNS"
            sh.note(f"{message}: {quoted_name(columns)}")
    if style is None or given_names & {*STYLE_OPTIONS, "quoting_style", "zero"}:
        return
    if style in QUOTING_STYLES:
        settings.style = QUOTING_STYLES[style]
    else:
        message = "ignoring invalid value of environment variable QUOTING_STYLE"
        sh.note(f"{message}: {quoted_name(style)}")


def apply_layout_option(settings: LsOptions, name: str, value: Any) -> None:
    """Apply an option for the layout or the order."""
    if name in LONG_OPTIONS or name == "full_time":
        settings.format = "long"
    elif name in FORMAT_OPTIONS:
        settings.format = FORMAT_OPTIONS[name]
    elif name == "one":
        settings.format = "long" if settings.format == "long" else "one"
    elif name == "format":
        settings.format = choose_word("--format", value, FORMAT_WORDS)
    elif name in SORT_OPTIONS:
        settings.sort = SORT_OPTIONS[name]
    elif name == "sort":
        settings.sort = choose_word("--sort", value, {word: word for word in SORT_WORDS})
    elif name in TIME_OPTIONS:
        settings.time = TIME_OPTIONS[name]
    elif name == "time":
        settings.time = choose_word("--time", value, TIME_WORDS)
    elif name == "unsorted_all":
        settings.dot_files, settings.sort, settings.colors = "all", "none", False
        settings.format = "one" if settings.format == "long" else settings.format
        settings.flags -= {"size"}
    elif name == "size":
        settings.flags |= {"size"}


def apply_size_option(settings: LsOptions, name: str, value: Any) -> None:
    """Apply an option for sizes and widths."""
    if name in ("human_readable", "si"):
        settings.unit = settings.size_unit = SizeUnit(
            base=1024 if name == "human_readable" else 1000
        )
    elif name == "block_size":
        try:
            settings.unit = settings.size_unit = unit_of(value)
        except BadSizeUnit as fault:
            raise CommandFailure(str(fault), 2) from None
    elif name == "tabsize":
        settings.tab_columns = value
    elif name == "width":
        settings.width = value


def apply_selection_option(
    settings: LsOptions, name: str, value: Any, tick: Callable[[], object]
) -> None:
    """Apply an option for which names are listed and which links are followed."""
    if name in ("all", "almost_all"):
        settings.dot_files = "all" if name == "all" else "some"
    elif name == "ignore_backups":
        settings.ignore_matchers.append(lambda file_name: file_name.endswith("~"))
    elif name == "ignore":
        settings.ignore_matchers += [name_matcher(text, tick) for text in value]
    elif name == "hide":
        settings.ignore_matchers += [hide_matcher(settings, text, tick) for text in value]
    elif name == "dereference_command_line":
        settings.follow = "operands"
    elif name == "dereference":
        settings.follow = "always"
    elif name == "dereference_command_line_symlink_to_dir":
        settings.follow = "folders"


def apply_name_option(settings: LsOptions, name: str, value: Any) -> None:
    """Apply an option for how names are printed."""
    if name in INDICATOR_OPTIONS:
        settings.indicator = INDICATOR_OPTIONS[name]
    elif name == "indicator_style":
        settings.indicator = choose_word(
            "--indicator-style", value, {word: word for word in INDICATOR_STYLES}
        )
    elif name == "classify" and is_enabled(settings, "--classify", value):
        settings.indicator = "classify"
    elif name == "color":
        settings.colors = is_enabled(settings, "--color", value)
    elif name in STYLE_OPTIONS:
        settings.style = STYLE_OPTIONS[name]
    elif name == "quoting_style":
        settings.style = choose_word("--quoting-style", value, QUOTING_STYLES)
    elif name == "hyperlink":
        settings.has_hyperlinks = is_enabled(settings, "--hyperlink", value)
    elif name in ("hide_control_chars", "show_control_chars"):
        settings.hides_controls = name == "hide_control_chars"
    elif name == "zero":
        settings.line_end, settings.style = "\0", "literal"
        settings.colors = settings.hides_controls = False
        settings.format = settings.format if settings.format == "long" else "one"


def is_enabled(settings: LsOptions, option: str, value: Any) -> bool:
    """Whether WHEN is always, or auto on a terminal."""
    if value is True:
        return True
    answer: bool | None = choose_word(option, value, WHEN_WORDS)
    return settings.is_terminal if answer is None else answer


def choose_word(option: str, text: str, words: dict[str, Any]) -> Any:
    """Return the meaning of a word; an invalid word exits with status 1, not 2."""
    try:
        return choices.choice_of(option, text, words)
    except InvalidArguments as error:
        error.status = 1
        raise


def hide_matcher(settings: LsOptions, text: str, tick: Callable[[], object]) -> NameMatcher:
    """Return the test of --hide, which has no effect with -a or -A."""
    matches = name_matcher(text, tick)
    return lambda name: not settings.dot_files and matches(name)


def time_formats_of(sh: Call, style: str) -> tuple[str, str]:
    """Return the time formats for recent and for older files."""
    style = style.removeprefix("posix-")
    if style.startswith("+"):
        recent, newline, old = style[1:].partition("\n")
        return (old, recent) if newline else (recent, recent)
    if style in TIME_STYLES:
        return TIME_STYLES[style]
    fitting = [name for name in TIME_STYLES if style and name.startswith(style)]
    if len(fitting) == 1:
        return TIME_STYLES[fitting[0]]
    lines = [
        f"{'ambiguous' if fitting else 'invalid'} argument {quoted_name(style)} for 'time style'"
    ]
    lines += ["Valid arguments are:", "  - [posix-]full-iso", "  - [posix-]long-iso",
              "  - [posix-]iso", "  - [posix-]locale",
              "  - +FORMAT (e.g., +%H:%M) for a 'date'-style format",
              "Try 'ls --help' for more information."]  # fmt: skip
    raise sh.fail("\n".join(lines), 2)
