"""Words of an input as xargs reads them: blanks end them, quotes and backslashes keep blanks."""

from __future__ import annotations

import re

from keysh.text.chunks import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A run of plain characters, a quoted piece, an escaped character, or blanks.
WORD_PIECE = re.compile(
    r"""([^\s"'\\]+)|"([^"\n]*)"|'([^'\n]*)'|\\(.)|([ \t]+)|(\n)|(["'\\])|(\s)""", re.DOTALL
)
QUOTE_OR_BACKSLASH = re.compile(r"""["'\\]""")  # without which a line is words between blanks
PLAIN_WORD = re.compile(r"[^ \t\n]+")
LEADING_SPACES = " \t\n\r\f\v"  # what a word does not begin with; within a word only blanks end it


class UnclosedQuote(Exception):
    """A quote is not closed on its line."""

    def __init__(self, quote: str) -> None:
        super().__init__(quote)
        self.quote = quote


class InputWords:
    """How words are found: by one character that ends each, or by blanks and quotes.

    `last` is a word that ends the input. `by_line` makes a word of each line that is not empty,
    without the blanks it begins with.
    """

    __slots__ = ("_by_line", "_end", "_last")

    def __init__(self, end: str | None, last: str | None, *, by_line: bool) -> None:
        self._end, self._last, self._by_line = end, last, by_line

    def read(self, chunks: Iterable[str]) -> Iterator[tuple[str, bool]]:
        """The words, each with whether a line ends behind it."""
        if self._end is not None:
            for line in lines(chunks, self._end):
                yield line.removesuffix(self._end), True
            return
        pending = ""  # a line whose newline is escaped
        found: Iterable[tuple[str, bool]]
        for line in lines(chunks):
            text = pending + line
            if not QUOTE_OR_BACKSLASH.search(text):
                found = self.plain_words(text)
            elif self.is_continued(text):
                pending = text
                continue
            else:
                found, pending = self.words(text), ""
            for count, (word, ends_line) in enumerate(found, 1):
                # As in GNU's, what the very end of the input ends is no last word, but alone.
                if word == self._last and (count == 1 or not text.endswith(word)):
                    return
                yield word, ends_line
        if pending:
            yield from self.words(pending)

    def is_continued(self, text: str) -> bool:
        """Whether the newline at the end does not end the line: it is escaped."""
        bare = text[:-1]
        return text.endswith("\n") and (len(bare) - len(bare.rstrip("\\"))) % 2 == 1

    def plain_words(self, text: str) -> list[tuple[str, bool]]:
        """The words of a line without quotes and backslashes."""
        if self._by_line:
            words = [text.removesuffix("\n")]
        else:
            words = PLAIN_WORD.findall(text)
        found = [(bare, False) for word in words if (bare := word.lstrip(LEADING_SPACES))]
        if found:
            found[-1] = found[-1][0], text[-2:-1] not in (" ", "\t")
        return found

    def words(self, text: str) -> Iterator[tuple[str, bool]]:
        """The words of a line; a blank at its end makes the next line a part of it.

        Behind the last newline GNU's takes empty quotes, and one that stands alone, for nothing.
        """
        held: str | None = None  # until it is known whether it is the last of its line
        word: list[str] | None = None
        begun = text.lstrip(LEADING_SPACES) if self._by_line else text
        for match in WORD_PIECE.finditer(begun):
            kind = match.lastindex
            if match[7] == "\\":  # there is nothing behind it to keep
                break
            if kind == 7 and not any(word or ()) and match.end() == len(begun):
                word = None
                break
            if kind == 7 and held is not None:
                yield held, False
            if kind == 7:
                raise UnclosedQuote(match[7])
            is_blank = kind == 5 and not self._by_line
            if kind == 8 and word is None and match[8] in LEADING_SPACES:
                continue
            if not (is_blank or kind == 6):
                word = [*(word or []), match[kind or 0]]
            elif word is not None:
                if held is not None:
                    yield held, False
                held, word = "".join(word), None
        if word is not None and not any(word):  # no newline has ended it
            word = None
        for last in (held, None if word is None else "".join(word)):
            if last is not None:
                is_end = last is not held or word is None
                yield last, is_end and text[-2:-1] not in (" ", "\t")
