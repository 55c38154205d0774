"""Draft: a text as it is being typed: its tokens, where it is wrong, whether it is complete.

Unlike the parser it produces no diagnostics, which would take longer than a key press may.
"""

from __future__ import annotations

from keysh.diagnostics.dialect import KEYSH
from keysh.diagnostics.source import Source
from keysh.syntax.lalr import ParseFailure
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.parser import SCRIPT_PARSER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.dialect import Dialect
    from keysh.syntax.lexer.cursor import Token

# Longer drafts are not parsed: that would take longer than a key press may.
MAX_DRAFT_TOKENS = 2000

# After these tokens a word is missing, so the text is wrong and not incomplete.
WORD_REQUIRING_TOKENS = ("REDIRECT", "FD")


class Draft:
    """A text that may be wrong or incomplete.

    tokens         the tokens up to where scanning stopped
    error_spans    start and end of what is wrong
    is_incomplete  more lines may complete it
    """

    __slots__ = ("comments", "is_incomplete", "tokens", "error_spans")

    def __init__(self, text: str, dialect: Dialect = KEYSH, *, most: int | None = None) -> None:
        cursor = scan(Source(text, dialect=dialect))
        self.tokens: list[Token] = cursor.tokens
        self.comments = [(start, end) for kind, start, end in cursor.trivia if kind == "comment"]
        self.error_spans = [(found.start, found.end) for found in cursor.diagnostics]
        self.is_incomplete = cursor.is_incomplete and len(self.error_spans) <= 1
        if not self.error_spans and (most is None or len(self.tokens) <= most):
            self._parse(text)
        if not self.error_spans and ends_in_backslash(text, self.comments):
            self.is_incomplete = True
        if self.is_incomplete and not text.endswith("\n"):
            # The next line begins after a newline, where `${x` can no longer be closed.
            begun = scan(Source(f"{text}\n", dialect=dialect))
            self.is_incomplete = begun.is_incomplete or not begun.diagnostics

    def _parse(self, text: str) -> None:
        """Find the first token that cannot stand where it does."""
        end = len(text)
        try:
            SCRIPT_PARSER.parse([*self.tokens, ("$END", "", end, end)])
        except ParseFailure as unexpected:
            kind, _, start, stop = unexpected.token
            if kind == "$END" and self.tokens[-1][0] not in WORD_REQUIRING_TOKENS:
                self.is_incomplete = True
            else:
                self.error_spans.append((start, stop))


def ends_in_backslash(text: str, comments: list[tuple[int, int]]) -> bool:
    """Whether the last line continues on the next one."""
    if comments and comments[-1][1] == len(text):
        return False
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1
