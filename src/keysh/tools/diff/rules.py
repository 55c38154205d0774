"""Rules: what a run of diff ignores, and how it shows what it finds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.pattern import Pattern
    from keysh.text.regex.regex import Regex
    from keysh.tools.diff.color import Palette
    from keysh.tools.diff.formats import Formats


class DiffOptions:
    """The options, settled. Those that are taken as they come have the options' names."""

    __slots__ = (
        "all_space", "blank_lines", "brief", "ignores_case", "columns", "context", "excluded_names",
        "expand_tabs", "follows_links", "style", "formats", "function_patterns", "ignored_lines", "initial_tab",
        "is_json", "ignores_name_case", "labels", "left_column", "minimal", "empty_if_missing", "paginates",
        "palette", "recursive", "reports_identical", "space_change", "first_name", "strips_cr",
        "suppress_blank", "suppress_common", "option_text", "tab_expansion", "tab_size", "text",
        "trailing_space",
    )  # fmt: skip

    def __init__(self, form: str, context: int) -> None:
        # The form is "normal", "context", "unified", "side by side", "ed", "forward ed", "rcs" or
        # "merged"; the last one has formats.
        self.style, self.context = form, context
        self.formats: Formats | None = None
        self.palette: Palette | None = None
        self.labels: list[str] = []
        self.excluded_names: list[Pattern] = []
        self.ignored_lines: list[Regex] = []
        self.function_patterns: list[Regex] = []  # what lines look like that name what follows them
        self.option_text = ""  # the options as they are shown before the files of directories
        self.columns, self.tab_size = 130, 8
        self.all_space = self.space_change = self.trailing_space = self.tab_expansion = False
        self.ignores_case = self.blank_lines = self.strips_cr = self.text = self.minimal = False
        self.brief = self.reports_identical = self.recursive = self.is_json = False
        self.empty_if_missing = (
            ""  # "both" or "first": sides that may be missing, and are then empty
        )
        self.expand_tabs = self.initial_tab = self.left_column = self.suppress_common = False
        self.suppress_blank = self.paginates = False
        self.first_name = ""  # of directories: the name to start with
        self.follows_links, self.ignores_name_case = True, False

    @property
    def normalizes_lines(self) -> bool:
        """Whether lines that are not the same may count as equal."""
        return (
            self.all_space or self.space_change or self.trailing_space or self.tab_expansion
            or self.ignores_case
        )  # fmt: skip

    @property
    def ignores_last_newline(self) -> bool:
        """Whether a last line without a newline may equal one that has it."""
        return self.all_space or self.space_change or self.trailing_space

    @property
    def needs_newline(self) -> bool:
        """Whether the form cannot say that a last line has no newline, and gives it one."""
        return self.style in ("ed", "forward ed") and not (self.brief or self.is_json)

    @property
    def prints_common_lines(self) -> bool:
        """Whether the form prints lines without changes, too."""
        return self.style in ("side by side", "merged")

    @property
    def ignores_some_changes(self) -> bool:
        """Whether there are changes that do not count."""
        return self.blank_lines or bool(self.ignored_lines)
