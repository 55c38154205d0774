"""Unexpected: a token that no rule allows, with what was expected and what is open."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import Diagnostic
from keysh.diagnostics.display import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.source import Source
    from keysh.syntax.errors.openers import OpenConstruct
    from keysh.syntax.lexer.cursor import Token


class Unexpected:
    """An unexpected token.

    frames     the openers around it, without words; `innermost` is the kind of the last
    before     the kind of the token before it
    expected   the kinds that could stand here
    start      the start symbol of the whole text
    """

    __slots__ = (
        "before",
        "expected",
        "frames",
        "index",
        "kind",
        "source",
        "start",
        "tokens",
        "innermost",
        "value",
    )

    def __init__(
        self,
        source: Source,
        tokens: list[Token],
        index: int,
        expected: frozenset[str],
        frames: list[OpenConstruct],
        start: str = "script",
    ) -> None:
        self.start = start
        self.source, self.tokens, self.index, self.expected = source, tokens, index, expected
        self.kind, self.value = tokens[index][0], tokens[index][1]
        self.before = tokens[index - 1][0] if index else ""
        self.frames = [frame for frame in frames if frame.kind != "WORD_OPEN"]
        self.innermost = self.frames[-1].kind if self.frames else ""

    def diagnostic(
        self, code: str, fact: str, fix: str, index: int | None = None, datum: str | None = None
    ) -> Diagnostic:
        """Return a diagnostic, by default at this token and with it as the datum."""
        index = self.index if index is None else index
        start, end = token_span(self.source, self.tokens, index)
        datum = self.token_label(index) if datum is None else datum
        return Diagnostic(code, self.source, start, end, fact, datum, fix)

    def token_label(self, index: int | None = None) -> str:
        """Return a token as messages show it."""
        index = self.index if index is None else index
        kind, value, _, _ = self.tokens[index]
        if kind == "$END":
            return "the end of the text"
        if kind == "SEPARATOR" and value == "\n":
            return "the end of the line"
        if kind == "HEREDOC_CLOSE":
            return "the end of the heredoc"
        return quoted_source(self.token_text(index))

    def token_place(self, index: int | None = None) -> str:
        """Return a token and its line as messages show them."""
        index = self.index if index is None else index
        return f"{self.token_label(index)} on line {self.token_line(index)}"

    def token_text(self, index: int) -> str:
        """Return a token's source; a word of several pieces counts as one."""
        start, end = token_span(self.source, self.tokens, index)
        return self.source.text[start:end]

    def token_line(self, index: int) -> int:
        """Return the line on which a token begins."""
        return self.source.position(self.tokens[index][2])[0]


def quoted_source(text: str) -> str:
    """Return source text as messages show it."""
    return "a backtick" if text == "`" else f"`{shorten(text)}`"


def token_span(source: Source, tokens: list[Token], index: int) -> tuple[int, int]:
    """Return a token's span in the source, with its quotes or `$`."""
    kind, _, start, end = tokens[index]
    if kind == "WORD_OPEN":
        end = word_end(tokens, index)
    elif kind in ("SINGLE", "DOUBLE", "INTERPOLATED", "ANSI", "ESCAPED", "SUBSCRIPT"):
        start -= 1
    elif kind == "VARIABLE":
        start -= 2 if source.text[start - 1] == "{" else 1
    size = len(source.text)
    return min(start, size), min(max(end, start + 1), size)


def word_end(tokens: list[Token], index: int) -> int:
    """Return where a word of several pieces ends, which may be incomplete."""
    depth = 0
    for kind, _, _, end in tokens[index:]:
        depth += (kind == "WORD_OPEN") - (kind == "WORD_CLOSE")
        if depth == 0:
            return end
    return tokens[index][3] + 1


def word_start_index(unexpected: Unexpected) -> int:
    """Return the index at which the word before the token begins."""
    index = unexpected.index - 1
    if unexpected.tokens[index][0] == "WORD_CLOSE":
        while unexpected.tokens[index][0] != "WORD_OPEN":
            index -= 1
    return index
