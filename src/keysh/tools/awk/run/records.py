"""Records: how RS cuts a stream of text, in batches or one by one."""

from __future__ import annotations

import re

import keysh.tools.awk.run.comma_separated as comma_separated
from keysh.tools.awk.parse.problem import Fatal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from keysh.interp.streams.streams import Reader
    from keysh.text.regex.regex import Regex
    from keysh.tools.awk.generate.sieve import Sieve

    # The bounds of the next separator from a place on, or None where there is none to be sure of.
    Cut: TypeAlias = Callable[[str, int, bool], tuple[int, int] | None]

LONGEST_RECORD = 1 << 28
PARAGRAPH = re.compile(r"\n\n+")


def by_text(separator: str) -> Cut:
    """Records that end with a character."""

    def cut(text: str, at: int, is_over: bool) -> tuple[int, int] | None:
        start = text.find(separator, at)
        return None if start < 0 else (start, start + len(separator))

    return cut


def by_paragraph(text: str, at: int, is_over: bool) -> tuple[int, int] | None:
    """Records that end with empty lines."""
    found = PARAGRAPH.search(text, at)
    if found is not None and (found.end() < len(text) or is_over):
        return found.span()
    if found is None and is_over and text.endswith("\n", at):
        return len(text) - 1, len(text)
    return None


def by_regex(regex: Regex) -> Cut:
    """Records that end with a match, which is sure only where the text goes on behind it."""

    def cut(text: str, at: int, is_over: bool) -> tuple[int, int] | None:
        found = regex.search(text, at, not_bol=at > 0)
        while found is not None and found.end == found.start:
            if found.end >= len(text):
                return None
            found = regex.search(text, found.end + 1, not_bol=True)
        if found is None or (found.end == len(text) and not is_over):
            return None
        return found.start, found.end

    return cut


class Separator:
    """RS, as the records are cut by it; CSV has a way of its own."""

    __slots__ = ("cut", "is_paragraph", "literal")

    def __init__(
        self, text: str, regex_of: Callable[[str], Regex], *, is_csv: bool = False
    ) -> None:
        self.is_paragraph = not text and not is_csv
        self.literal = text if len(text) == 1 and not is_csv else ""
        if is_csv:
            self.cut: Cut = comma_separated.cut
        elif not text:
            self.cut = by_paragraph
        elif self.literal:
            self.cut = by_text(text)
        else:
            self.cut = by_regex(regex_of(text))


class Records:
    """The records of one stream. `end` is what ended the last, RT; `text` is what the last batch
    was cut from.
    """

    __slots__ = ("_at", "_chunks", "_is_over", "_text", "close", "end", "text")

    def __init__(self, reader: Reader) -> None:
        self._chunks: Iterator[str] = reader.chunks()
        self._text, self._at, self._is_over = "", 0, False
        self.end = self.text = ""
        self.close = reader.close

    def more(self) -> bool:
        """Read on: a chunk, or as much again as there is, so that no text is searched often."""
        rest = self._text[self._at :]
        pieces = [rest]
        wanted = count = len(rest)
        if wanted > LONGEST_RECORD:
            raise Fatal(f"a record is longer than {LONGEST_RECORD} characters")
        for chunk in self._chunks:
            pieces.append(chunk)
            wanted -= len(chunk)
            count += len(chunk)
            if wanted <= 0:
                break
        else:
            self._is_over = True
        self._text, self._at = "".join(pieces), 0
        self.text = self._text
        return count > len(rest)

    def one(self, separator: Separator) -> str | None:
        """The next record; None at the end."""
        while True:
            if separator.is_paragraph:
                while self._text.startswith("\n", self._at):
                    self._at += 1
            text, at = self._text, self._at
            found = None
            if at < len(text):
                found = separator.cut(text, at, self._is_over)
            if found is not None:
                start, self._at = found
                self.end = text[start : self._at]
                return text[at:start]
            if self._is_over:
                self._at = len(text)
                self.end = ""
                return text[at:] if at < len(text) else None
            self.more()

    def batch(self, separator: Separator, sieve: Sieve | None = None) -> list[str] | None:
        """The records that have come in with the next chunk; None at the end. Where records are
        lines, a sieve may hold some of them back.
        """
        if not separator.literal:
            first = self.one(separator)
            if first is None:
                return None
            records = [first]
            size = len(self._text)
            while self._at < size and len(self._text) == size:
                found = separator.cut(self._text, self._at, self._is_over)
                if found is None:
                    break
                records.append(self._text[self._at : found[0]])
                self._at = found[1]
            return records
        while True:
            if self._at == len(self._text) and not self.more():
                return None
            text = self._text[self._at :] if self._at else self._text
            end = text.rfind(separator.literal)
            if end >= 0:
                self._text, self._at = text[end + 1 :], 0
                if sieve is not None and separator.literal == "\n":
                    chosen = self.text = sieve.chosen(text[: end + 1])
                    return chosen[:-1].split("\n") if chosen else []
                return text[:end].split(separator.literal)
            if not self.more():
                self._at = len(self._text)
                return [text]
