"""Split input into words like xargs: at blanks unless quoted or escaped."""

from __future__ import annotations

import re

from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS
from keysh.text.chunks import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Plain characters, quoted text, an escaped character, blanks, or a newline.
WORD_PIECE = re.compile(
    r"""([^\s"'\\]+)|"([^"\n]*)"|'([^'\n]*)'|\\(.)|([ \t]+)|(\n)|(["'\\])|(\s)""", re.DOTALL
)
QUOTE_OR_BACKSLASH = re.compile(r"""["'\\]""")  # a line without these is split at blanks
PLAIN_WORD = re.compile(r"[^ \t\n]+")
LEADING_SPACES = " \t\n\r\f\v"  # skipped before a word; inside a word only blanks end it


class UnclosedQuote(Exception):
    """A quote is not closed on its line."""

    def __init__(self, quote: str) -> None:
        super().__init__(quote)
        self.quote = quote


class InputWords:
    """Splits input at one delimiter, or at blanks with quotes and backslashes.

    `last` is the word that ends the input. `by_line` makes each nonempty line a word, without
    leading blanks.
    """

    __slots__ = ("_by_line", "_check_size", "_delimiter", "_last")

    def __init__(
        self,
        check_size: Callable[[int], None],
        delimiter: str | None,
        last: str | None,
        *,
        by_line: bool,
    ) -> None:
        self._check_size = check_size
        self._delimiter, self._last, self._by_line = delimiter, last, by_line

    def read(self, chunks: Iterable[str]) -> Iterator[tuple[str, bool]]:
        """Yield the words, each with whether a line ends after it."""
        if self._delimiter is not None:
            for line in lines(chunks, self._check_size, self._delimiter):
                yield line.removesuffix(self._delimiter), True
            return
        pending = ""  # lines that end with an escaped newline
        words: Iterable[tuple[str, bool]]
        for line in lines(chunks, self._check_size):
            text = pending + line
            if not QUOTE_OR_BACKSLASH.search(text):
                words = self.plain_words(text)
            elif self.is_continued(text):
                pending = text
                continue
            else:
                words, pending = self.words(text), ""
            for count, (word, ends_line) in enumerate(words, 1):
                # As in GNU, the end word does not count at the very end of a line of several words.
                if word == self._last and (count == 1 or not text.endswith(word)):
                    return
                yield word, ends_line
        if pending:
            yield from self.words(pending)

    def is_continued(self, text: str) -> bool:
        """Tell whether the newline at the end is escaped."""
        bare = text[:-1]
        return text.endswith("\n") and (len(bare) - len(bare.rstrip("\\"))) % 2 == 1

    def plain_words(self, text: str) -> Iterable[tuple[str, bool]]:
        """Return the words of a line without quotes and backslashes."""
        if len(text) > MAX_SLICE_CHARACTERS and not self._by_line:
            return self.many_words(text)
        if self._by_line:
            words = [text.removesuffix("\n")]
        else:
            words = PLAIN_WORD.findall(text)
        result = [(stripped, False) for word in words if (stripped := word.lstrip(LEADING_SPACES))]
        if result:
            result[-1] = result[-1][0], text[-2:-1] not in (" ", "\t")
        return result

    def many_words(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the words of a line that is too long for one list."""
        last = ""
        for match in PLAIN_WORD.finditer(text):
            word = match[0].lstrip(LEADING_SPACES)
            if not word:
                continue
            if last:
                yield last, False
            last = word
        if last:
            yield last, text[-2:-1] not in (" ", "\t")

    def words(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the words of a line; a trailing blank joins the next line to it.

        Like GNU, ignore empty quotes and a lone quote after the last newline.
        """
        previous: str | None = None  # held until it is known whether it ends the line
        word: list[str] | None = None
        line = text.lstrip(LEADING_SPACES) if self._by_line else text
        for match in WORD_PIECE.finditer(line):
            group = match.lastindex
            if match[7] == "\\":  # nothing follows it
                break
            if group == 7 and not any(word or ()) and match.end() == len(line):
                word = None
                break
            if group == 7 and previous is not None:
                yield previous, False
            if group == 7:
                raise UnclosedQuote(match[7])
            is_blank = group == 5 and not self._by_line
            if group == 8 and word is None and match[8] in LEADING_SPACES:
                continue
            if not (is_blank or group == 6):
                word = [*(word or []), match[group or 0]]
            elif word is not None:
                if previous is not None:
                    yield previous, False
                previous, word = "".join(word), None
        if word is not None and not any(word):  # not ended by a newline
            word = None
        for last in (previous, None if word is None else "".join(word)):
            if last is not None:
                is_end = last is not previous or word is None
                yield last, is_end and text[-2:-1] not in (" ", "\t")
