"""Split a stream of text into records by RS, in batches or one by one."""

from __future__ import annotations

import re

import keysh.tools.awk.run.comma_separated as comma_separated
from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS, split_in_slices
from keysh.text.bounds.text_size import MAX_CHARACTER_BYTES
from keysh.text.chunks import text_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader
    from keysh.text.regex.regex import Regex
    from keysh.tools.awk.generate.sieve import Sieve

    Tick: TypeAlias = Callable[[], object]
    # The bounds of the next separator from a position on, or None if more text may be needed.
    Cut: TypeAlias = Callable[[str, int, bool], tuple[int, int] | None]

RECORDS_PER_TICK = 1024
PARAGRAPH_PATTERN, EMPTY_LINES = re.compile(r"\n\n+"), re.compile(r"\n*")


def text_cutter(separator: str) -> Cut:
    """Return a function that finds a literal separator."""

    def cut(text: str, position: int, is_over: bool) -> tuple[int, int] | None:
        start = text.find(separator, position)
        return None if start < 0 else (start, start + len(separator))

    return cut


def cut_paragraph(text: str, position: int, is_over: bool) -> tuple[int, int] | None:
    """Find the empty lines that end a paragraph."""
    match = PARAGRAPH_PATTERN.search(text, position)
    if match is not None and (match.end() < len(text) or is_over):
        return match.span()
    if match is None and is_over and text.endswith("\n", position):
        return len(text) - 1, len(text)
    return None


def regex_cutter(regex: Regex, tick: Tick) -> Cut:
    """Return a function that finds a match. A match at the end of the text may still grow."""

    def cut(text: str, position: int, is_over: bool) -> tuple[int, int] | None:
        match = regex.search(text, position, tick, not_bol=position > 0)
        while match is not None and match.end == match.start:
            tick()
            if match.end >= len(text):
                return None
            match = regex.search(text, match.end + 1, tick, not_bol=True)
        if match is None or (match.end == len(text) and not is_over):
            return None
        return match.start, match.end

    return cut


class RecordSeparator:
    """Finds the ends of records by RS, or by the rules of CSV."""

    __slots__ = ("cut", "is_paragraph", "literal")

    def __init__(
        self, text: str, regex_of: Callable[[str], Regex], tick: Tick, *, is_csv: bool = False
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
            self.cut = regex_cutter(regex_of(text), tick)


class RecordReader:
    """The records of one stream, whose reader keeps to the limits of the run.

    `terminator` is the RT of the last record, `batch_text` the text that the last batch is from.
    """

    __slots__ = (
        "_at_end", "_call", "_chunks", "_position", "_text", "batch_text", "close", "terminator",
    )  # fmt: skip

    def __init__(self, reader: Reader, call: Call) -> None:
        self._call = call
        self._chunks: Iterator[str] = reader.chunks()
        self._text, self._position, self._at_end = "", 0, False
        self.terminator = self.batch_text = ""
        self.close = reader.close

    def read_more(self) -> bool:
        """Read a chunk, or double the text, so that the total search time stays linear."""
        # A character before the rest tells a regular expression that the input begins earlier.
        begin = max(self._position - 1, 0)
        rest = self._text[begin:]
        pieces = [rest]
        missing = count = len(rest)
        most = self._call.max_value_bytes
        if missing * MAX_CHARACTER_BYTES > most:
            self._call.check_size(text_bytes(rest))
            missing = min(missing, most - missing)
        for chunk in self._chunks:
            pieces.append(chunk)
            missing -= len(chunk)
            count += len(chunk)
            if missing <= 0:
                break
        else:
            self._at_end = True
        self._text, self._position = "".join(pieces), self._position - begin
        self.batch_text = self._text[self._position :]
        return count > len(rest)

    def next_record(self, separator: RecordSeparator) -> str | None:
        """Return the next record; None at the end."""
        while True:
            if separator.is_paragraph:
                lines = EMPTY_LINES.match(self._text, self._position)
                self._position = self._position if lines is None else lines.end()
            text, position = self._text, self._position
            bounds = None
            if position < len(text):
                bounds = separator.cut(text, position, self._at_end)
            if bounds is not None:
                start, self._position = bounds
                self.terminator = text[start : self._position]
                return text[position:start]
            if self._at_end:
                self._position = len(text)
                self.terminator = ""
                return text[position:] if position < len(text) else None
            self.read_more()

    def split(self, text: str, separator: str) -> list[str]:
        """Split a chunk into records; one that a long record has made large, in slices."""
        if len(text) > MAX_SLICE_CHARACTERS:
            return split_in_slices(text, separator, self._call.tick)
        return text.split(separator)

    def next_batch(
        self, separator: RecordSeparator, sieve: Sieve | None = None
    ) -> list[str] | None:
        """Return the records of the next chunk; None at the end.

        If records are lines, a sieve may drop some of them.
        """
        if not separator.literal:
            first = self.next_record(separator)
            if first is None:
                return None
            records = [first]
            size = len(self._text)
            while self._position < size and len(self._text) == size:
                bounds = separator.cut(self._text, self._position, self._at_end)
                if bounds is None:
                    break
                if not len(records) % RECORDS_PER_TICK:
                    self._call.tick()
                records.append(self._text[self._position : bounds[0]])
                self._position = bounds[1]
            return records
        while True:
            if self._position == len(self._text) and not self.read_more():
                return None
            text = self._text[self._position :] if self._position else self._text
            end = text.rfind(separator.literal)
            if end >= 0:
                self._text, self._position = text[end + 1 :], 0
                if sieve is not None and separator.literal == "\n":
                    selection = self.batch_text = sieve.select_lines(text[: end + 1])
                    return self.split(selection[:-1], "\n") if selection else []
                return self.split(text[:end], separator.literal)
            if not self.read_more():
                self._position = len(self._text)
                return [text]
