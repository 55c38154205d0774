"""The settings of a run of diff."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.pattern import NameMatcher
    from keysh.text.regex.regex import Regex


class DiffOptions:
    """The settings that the options of a call add up to."""

    __slots__ = (
        "all_space", "blank_lines", "brief", "columns", "context", "empty_if_missing",
        "excluded_names", "expand_tabs", "first_name", "follows_links", "function_patterns",
        "ignored_lines", "ignores_case", "ignores_name_case", "initial_tab", "is_colored",
        "is_json", "labels", "left_column", "macro", "minimal", "option_text", "recursive",
        "reports_identical", "space_change", "strips_cr", "style", "suppress_blank",
        "suppress_common", "tab_expansion", "tab_size", "text", "trailing_space",
    )  # fmt: skip

    def __init__(self, style: str, context: int) -> None:
        # "normal", "context", "unified", "side by side", "ed", "forward ed", "rcs" or "ifdef"
        self.style, self.context = style, context
        self.macro = ""  # of --ifdef
        self.is_colored = False
        self.labels: list[str] = []
        self.excluded_names: list[NameMatcher] = []
        self.ignored_lines: list[Regex] = []
        self.function_patterns: list[Regex] = []  # match the lines that --show-function-line shows
        self.option_text = ""  # the options as printed before the files of directories
        self.columns, self.tab_size = 130, 8
        self.all_space = self.space_change = self.trailing_space = self.tab_expansion = False
        self.ignores_case = self.blank_lines = self.strips_cr = self.text = self.minimal = False
        self.brief = self.reports_identical = self.recursive = self.is_json = False
        self.empty_if_missing = ""  # which missing files count as empty: "both", "first" or ""
        self.expand_tabs = self.initial_tab = self.left_column = self.suppress_common = False
        self.suppress_blank = False
        self.first_name = ""  # where to start in directories
        self.follows_links, self.ignores_name_case = True, False

    @property
    def normalizes_lines(self) -> bool:
        """Whether different lines may count as equal."""
        return (
            self.all_space or self.space_change or self.trailing_space or self.tab_expansion
            or self.ignores_case
        )  # fmt: skip

    @property
    def ignores_last_newline(self) -> bool:
        """Whether a last line without a newline may equal a line with one."""
        return self.all_space or self.space_change or self.trailing_space

    @property
    def needs_newline(self) -> bool:
        """Whether the output style cannot express a missing newline, so that one is added."""
        return self.style in ("ed", "forward ed") and not (self.brief or self.is_json)

    @property
    def prints_common_lines(self) -> bool:
        """Whether the output style also prints common lines."""
        return self.style in ("side by side", "ifdef")

    @property
    def ignores_some_changes(self) -> bool:
        """Whether some changes may be insignificant."""
        return self.blank_lines or bool(self.ignored_lines)
