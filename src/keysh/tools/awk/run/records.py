"""Records: how RS cuts a stream of text, in batches or one by one."""

from __future__ import annotations

import re

import keysh.tools.awk.run.comma_separated as comma_separated
from keysh.tools.awk.parse.problem import AwkFatal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from keysh.interp.streams.streams import Reader
    from keysh.text.regex.regex import Regex
    from keysh.tools.awk.generate.sieve import Sieve

    # The bounds of the next separator from a place on, or None where there is none to be sure of.
    Cut: TypeAlias = Callable[[str, int, bool], tuple[int, int] | None]

MAX_RECORD_CHARACTERS = 1 << 28
PARAGRAPH_PATTERN = re.compile(r"\n\n+")


def text_cutter(separator: str) -> Cut:
    """Records that end with a character."""

    def cut(text: str, at: int, is_over: bool) -> tuple[int, int] | None:
        start = text.find(separator, at)
        return None if start < 0 else (start, start + len(separator))

    return cut


def cut_paragraph(text: str, at: int, is_over: bool) -> tuple[int, int] | None:
    """Records that end with empty lines."""
    found = PARAGRAPH_PATTERN.search(text, at)
    if found is not None and (found.end() < len(text) or is_over):
        return found.span()
    if found is None and is_over and text.endswith("\n", at):
        return len(text) - 1, len(text)
    return None


def regex_cutter(regex: Regex) -> Cut:
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


class RecordSeparator:
    """RS, as the records are cut by it; CSV has a way of its own."""

    __slots__ = ("cut", "is_paragraph", "literal")

    def __init__(
        self, text: str, regex_of: Callable[[str], Regex], *, is_csv: bool = False
    ) -> None:
        self.is_paragraph = not text and not is_csv
        self.literal = text if len(text) == 1 and not is_csv else ""
        if is_csv:
            self.cut: Cut = comma_separated.next_record_end
        elif not text:
            self.cut = cut_paragraph
        elif self.literal:
            self.cut = text_cutter(text)
        else:
            self.cut = regex_cutter(regex_of(text))


class RecordReader:
    """The records of one stream. `end` is what ended the last, RT; `text` is what the last batch
    was cut from.
    """

    __slots__ = ("_position", "_chunks", "_at_end", "_text", "close", "terminator", "batch_text")

    def __init__(self, reader: Reader) -> None:
        self._chunks: Iterator[str] = reader.chunks()
        self._text, self._position, self._at_end = "", 0, False
        self.terminator = self.batch_text = ""
        self.close = reader.close

    def read_more(self) -> bool:
        """Read on: a chunk, or as much again as there is, so that no text is searched often."""
        rest = self._text[self._position :]
        pieces = [rest]
        wanted = count = len(rest)
        if wanted > MAX_RECORD_CHARACTERS:
            raise AwkFatal(f"a record is longer than {MAX_RECORD_CHARACTERS} characters")
        for chunk in self._chunks:
            pieces.append(chunk)
            wanted -= len(chunk)
            count += len(chunk)
            if wanted <= 0:
                break
        else:
            self._at_end = True
        self._text, self._position = "".join(pieces), 0
        self.batch_text = self._text
        return count > len(rest)

    def next_record(self, separator: RecordSeparator) -> str | None:
        """The next record; None at the end."""
        while True:
            if separator.is_paragraph:
                while self._text.startswith("\n", self._position):
                    self._position += 1
            text, at = self._text, self._position
            found = None
            if at < len(text):
                found = separator.cut(text, at, self._at_end)
            if found is not None:
                start, self._position = found
                self.terminator = text[start : self._position]
                return text[at:start]
            if self._at_end:
                self._position = len(text)
                self.terminator = ""
                return text[at:] if at < len(text) else None
            self.read_more()

    def next_batch(
        self, separator: RecordSeparator, sieve: Sieve | None = None
    ) -> list[str] | None:
        """The records that have come in with the next chunk; None at the end. Where records are
        lines, a sieve may hold some of them back.
        """
        if not separator.literal:
            first = self.next_record(separator)
            if first is None:
                return None
            records = [first]
            size = len(self._text)
            while self._position < size and len(self._text) == size:
                found = separator.cut(self._text, self._position, self._at_end)
                if found is None:
                    break
                records.append(self._text[self._position : found[0]])
                self._position = found[1]
            return records
        while True:
            if self._position == len(self._text) and not self.read_more():
                return None
            text = self._text[self._position :] if self._position else self._text
            end = text.rfind(separator.literal)
            if end >= 0:
                self._text, self._position = text[end + 1 :], 0
                if sieve is not None and separator.literal == "\n":
                    chosen = self.batch_text = sieve.select_lines(text[: end + 1])
                    return chosen[:-1].split("\n") if chosen else []
                return text[:end].split(separator.literal)
            if not self.read_more():
                self._position = len(self._text)
                return [text]
