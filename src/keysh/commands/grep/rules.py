"""What a call of grep asks for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex import Regex

HIGHLIGHT, PATH, NUMBER, SEPARATOR = "01;31", "35", "32", "36"  # GNU's colours


class Rules:
    """The options, as the search and the report need them."""

    __slots__ = (
        "after", "before", "binary", "counts", "end", "has_context", "heads", "inverts",
        "is_colored", "is_json", "is_quiet", "label", "lists", "most", "numbers",
        "offsets", "only_matching", "path_end", "regex", "separator", "takes_tab",
    )  # fmt: skip

    def __init__(self, regex: Regex) -> None:
        self.regex = regex
        self.inverts = self.counts = self.is_quiet = self.is_json = False
        self.heads = self.numbers = self.offsets = self.only_matching = False
        self.is_colored = self.takes_tab = False
        self.lists = ""  # "with" or "without" matches, the names of files only
        self.binary = "binary"
        self.most = -1  # lines to select; any number if negative
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
        """Whether lines, or matches, are printed as they are, and all of them."""
        return not (self.heads or self.numbers) and self.prints_simply

    @property
    def prints_simply(self) -> bool:
        """The same, but for the name of the file and the number of the line before them."""
        is_odd = self.is_colored or self.has_context or self.most >= 0 or self.end != "\n"
        return not (self.offsets or self.is_json or self.takes_tab or is_odd)
