"""What a call of grep asks for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex import Regex
    from keysh.tools.grep.color import GrepColors


class GrepOptions:
    """The options, as the search and the report need them."""

    __slots__ = (
        "after", "before", "binary", "counts", "end", "has_context", "shows_path", "inverts",
        "colors", "is_json", "is_quiet", "label", "lists", "max_count", "shows_number",
        "shows_offset", "only_matching", "path_end", "regex", "separator", "aligns_tabs",
    )  # fmt: skip

    def __init__(self, regex: Regex) -> None:
        self.regex = regex
        self.inverts = self.counts = self.is_quiet = self.is_json = False
        self.shows_path = self.shows_number = self.shows_offset = self.only_matching = False
        self.aligns_tabs = False
        self.colors: GrepColors | None = None
        self.lists = ""  # "with" or "without" matches, the names of files only
        self.binary = "binary"
        self.max_count = -1  # lines to select; any number if negative
        self.before = self.after = 0
        self.has_context = False  # which is asked for even by `-A 0`
        self.end = "\n"
        self.label = "(standard input)"
        self.path_end = ""  # what stands behind a path instead of a separator
        self.separator: str | None = "--"

    @property
    def prints_lines(self) -> bool:
        """Whether lines are what is printed."""
        return not (self.counts or self.lists or self.is_quiet)

    @property
    def prints_plainly(self) -> bool:
        """Whether lines are printed as they are, and all that are selected."""
        return self.prints_simply and not (
            self.shows_path or self.shows_number or self.only_matching
        )

    @property
    def reads_octets(self) -> bool:
        """Whether the input is looked at as octets, until text is needed."""
        if not self.prints_lines:
            return self.max_count < 0 and self.end == "\n"
        return self.prints_simply and not self.only_matching

    @property
    def prints_simply(self) -> bool:
        """Whether nothing but file and line number stands before the lines, or matches, printed."""
        is_odd = (
            self.colors is not None or self.has_context or self.max_count >= 0 or self.end != "\n"
        )
        return not (self.shows_offset or self.is_json or self.aligns_tabs or is_odd)
