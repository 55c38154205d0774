"""Draft: a text while it is typed: its tokens, where it goes wrong, and whether it goes on.

Unlike the parser it never says what is wrong: that takes longer than the time between two keys.
"""

from __future__ import annotations

from keysh.diagnostics.source import Source
from keysh.syntax.lalr import ParseFailure
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.parser import SCRIPT_PARSER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Token

# Beyond so many tokens a draft is not parsed: it would take longer than a key may.
MAX_DRAFT_TOKENS = 2000

# What a text may end in that asks for a word and not for another line.
WORD_REQUIRING_TOKENS = ("REDIRECT", "FD")


class Draft:
    """`tokens` as far as there are any; `wrong` the places, start and end, of what is no script.

    `is_incomplete` says that more lines may make it a script: only an end is missing.
    """

    __slots__ = ("comments", "is_incomplete", "tokens", "error_spans")

    def __init__(self, text: str, *, most: int | None = None) -> None:
        cursor = scan(Source(text))
        self.tokens: list[Token] = cursor.tokens
        self.comments = [(start, end) for kind, start, end in cursor.trivia if kind == "comment"]
        self.error_spans = [(found.start, found.end) for found in cursor.diagnostics]
        self.is_incomplete = cursor.is_incomplete and len(self.error_spans) == 1
        if not self.error_spans and (most is None or len(self.tokens) <= most):
            self._parse(text)
        if not self.error_spans and ends_in_backslash(text, self.comments):
            self.is_incomplete = True
        if self.is_incomplete and not text.endswith("\n"):
            # Another line begins behind a newline, where `${x` can no more be closed.
            begun = scan(Source(f"{text}\n"))
            self.is_incomplete = begun.is_incomplete or not begun.diagnostics

    def _parse(self, text: str) -> None:
        """Find the token that cannot stand where it does."""
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
    """Whether the last line is to be joined with one that is still to come."""
    if comments and comments[-1][1] == len(text):
        return False
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1
