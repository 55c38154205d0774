"""The options of grep."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex import Regex
    from keysh.tools.grep.color import GrepColors


class GrepOptions:
    """The options, as FileSearch and GrepReport need them."""

    __slots__ = (
        "after", "before", "binary", "counts", "has_context", "shows_path", "inverts",
        "colors", "is_json", "is_quiet", "label", "line_end", "lists", "max_count", "shows_number",
        "shows_offset", "only_matching", "path_end", "regex", "separator", "aligns_tabs",
    )  # fmt: skip

    def __init__(self, regex: Regex) -> None:
        self.regex = regex
        self.inverts = self.counts = self.is_quiet = self.is_json = False
        self.shows_path = self.shows_number = self.shows_offset = self.only_matching = False
        self.aligns_tabs = False
        self.colors: GrepColors | None = None
        self.lists = ""  # print only file names "with" or "without" matches
        self.binary = "binary"
        self.max_count = -1  # lines to select per file; unlimited if negative
        self.before = self.after = 0
        self.has_context = False  # even `-A 0` prints separators
        self.line_end = "\n"
        self.label = "(standard input)"
        self.path_end = ""  # printed after a file name instead of a separator
        self.separator: str | None = "--"

    @property
    def prints_lines(self) -> bool:
        """Whether lines are printed, not counts or names."""
        return not (self.counts or self.lists or self.is_quiet)

    @property
    def prints_plainly(self) -> bool:
        """Whether all selected lines are printed unchanged."""
        return self.prints_simply and not (
            self.shows_path or self.shows_number or self.only_matching
        )

    @property
    def reads_octets(self) -> bool:
        """Whether the input is read as octets, and decoded only if necessary."""
        if not self.prints_lines:
            return self.max_count < 0 and self.line_end == "\n"
        return self.prints_simply and not self.only_matching

    @property
    def prints_simply(self) -> bool:
        """Whether lines or matches are printed with no more than file name and line number."""
        is_odd = (
            self.colors is not None
            or self.has_context
            or self.max_count >= 0
            or self.line_end != "\n"
        )
        return not (self.shows_offset or self.is_json or self.aligns_tabs or is_odd)
