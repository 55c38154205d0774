"""The reader: a text in chunks becomes the JSON values in it, one by one.

The C scanner of Python reads whatever it reads as jq does. What it refuses, and what it would read
differently, goes to the exact reader, which knows jq's own liberties and words.
"""

from __future__ import annotations

import re
from json.decoder import JSONDecoder

from keysh.text.chunks import encoded
from keysh.tools.jq.values.exact import NeedsMore, ParseError, read_exactly
from keysh.tools.jq.values.number import NAN, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from keysh.tools.jq.run.files import Files

BLANKS = re.compile(r"[ \t\r\n]*")
DELIMITERS = frozenset(' \t\r\n[{"')  # what a number or a name may stand before
ENDS = ']}"'  # of values that nothing can go on
LONGEST_TOKEN = 16  # that a refusal near the end of what is read may be due to

# Escapes of half a character, which Python lets pass.
HALVES = re.compile(
    r"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]"
).search
MINUS_ZERO = re.compile(r"-0(?![.\w-])").search
SURROGATES = re.compile("[\ud800-\udfff]").search


def fraction(text: str) -> float | None:
    """A number with a point or an exponent; one that does not print back keeps its spelling."""
    value = float(text)
    if repr(value) == text and text[-2:] != ".0" and "e" not in text:
        return value
    return number_of(text)


DECODER = JSONDecoder(
    parse_float=fraction, parse_constant=lambda name: NAN if name == "NaN" else float(name)
)
SCAN: Callable[[str, int], tuple[Any, int]] = DECODER.scan_once  # type: ignore[attr-defined]


def repaired(text: str) -> str:
    """A text whose bytes that are no UTF-8 are replaced, as jq does with whatever it reads."""
    if text.isascii() or SURROGATES(text) is None:
        return text
    return encoded(text).decode("utf-8", "replace")


class Documents:
    """The values of a text, as an iterator that reads no further than it must."""

    __slots__ = (
        "_before", "_begins", "_chunks", "_files", "_is_over", "_may_be_odd", "at", "broken",
        "bytes_before", "dropped", "lines_before", "text",
    )  # fmt: skip

    def __init__(self, chunks: Iterable[str], files: Files | None = None) -> None:
        self._chunks, self._files = iter(chunks), files
        # Where each input begins: characters and lines before it, and its index.
        self._begins: list[tuple[int, int, int]] = []
        self._before = ""  # the last character that is dropped
        self.dropped = 0  # characters
        self._is_over = False
        self._may_be_odd = False  # something in the text is read otherwise by the C scanner
        self.text, self.at = "", 0
        self.broken = ""  # what stands before the place where a value is none
        self.lines_before = self.bytes_before = (
            0  # of the text that is dropped; since its last line
        )

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        while True:
            text = self.text
            at = self.at = BLANKS.match(text, self.at).end()  # type: ignore[union-attr]
            if at == len(text):
                if not self.more(1):
                    raise StopIteration
                continue
            try:
                value, end = SCAN(text, at)
            except StopIteration as stop:
                where = stop.value
            except RecursionError:
                return self.exact()
            except ValueError as error:
                where = getattr(error, "pos", at)
                if str(error).startswith("Unterminated"):
                    where = len(text)
            else:
                if text[end - 1] not in ']}"':  # a number or a name may go on
                    if end == len(text):
                        if self.more(len(text)):
                            continue
                        # What stands before the value may be dropped now.
                        text, end, at = self.text, len(self.text), self.at
                    if end < len(text) and text[end] not in DELIMITERS:
                        return self.exact()
                if self._may_be_odd and is_odd(text, at, end):
                    return self.exact()
                self.at = end
                return value
            if where + LONGEST_TOKEN < len(text) or not self.more(len(text) - at):
                return self.exact()

    @property
    def is_drained(self) -> bool:
        """Whether nothing but blanks is left of what is read."""
        blanks = BLANKS.match(self.text, self.at)
        return blanks is None or blanks.end() == len(self.text)

    @property
    def ends_line(self) -> bool:
        """Whether what is read so far ends a line."""
        return (self.text[-1:] or self._before) in ("", "\n")

    def more(self, size: int) -> bool:
        """Read at least so many characters more; whether there were any."""
        if self._is_over:
            return False
        self.drop()
        pieces = [self.text]
        for chunk in self._chunks:
            piece = repaired(chunk)
            if self._files is not None:
                self._note(self._files.index, pieces)
            pieces.append(piece)
            size -= len(piece)
            if size <= 0:
                break
        else:
            self._is_over = True
        before = len(self.text)
        self.text = "".join(pieces)
        self._may_be_odd = is_odd(self.text, 0, len(self.text))
        if not before and not self.lines_before and not self.bytes_before:
            self.text = self.text.removeprefix("\ufeff")
            moved = sum(map(len, pieces)) - len(self.text)
            self._begins = [
                (max(begin - moved, 0), lines, index) for begin, lines, index in self._begins
            ]
        return len(self.text) > before

    def drop(self) -> None:
        """Forget what is read, but for where it ended."""
        gone = self.text[: self.at]
        self.dropped += len(gone)
        self._before = gone[-1:] or self._before
        line = gone.rfind("\n") + 1
        self.lines_before += gone.count("\n")
        tail = len(encoded(gone[line:]))
        self.bytes_before = tail if line else self.bytes_before + tail
        self.text, self.at = self.text[self.at :], 0

    def exact(self) -> Any:
        """One value by the exact reader; StopIteration where nothing but blanks was left."""
        while True:
            try:
                found = read_exactly(self.text, self.at, is_over=self._is_over)
            except NeedsMore:
                self.more(len(self.text) - self.at)
                continue
            except ParseError as error:
                self.broken = self.text[self.at : error.at - (not error.is_at_end)]
                raise JqParseError(self.told(error)) from None
            if found is None:
                self.at = len(self.text)
                raise StopIteration
            value, self.at = found
            return value

    def told(self, error: ParseError) -> str:
        """What is wrong, and where in the whole input: columns count bytes."""
        before = self.text[: error.at]
        line = before.rfind("\n") + 1
        column = len(encoded(before[line:]))
        if not line:
            column += self.bytes_before
        number = self.lines_before + before.count("\n") + 1
        end = self.text.find("\n", error.at - (before[-1:] == "\n"))  # of the line that was read
        read = len(self.text) if end < 0 else end + 1
        self._is_over, self.text, self.at = True, self.text[:read], read
        return f"{error.message} at line {number}, column {column}"

    def _note(self, index: int, pieces: list[str]) -> None:
        """The next piece is of an input; if it is a new one, note where it begins."""
        if not self._begins or self._begins[-1][2] != index:
            lines = self.lines_before + sum(piece.count("\n") for piece in pieces)
            self._begins.append((self.dropped + sum(map(len, pieces)), lines, index))

    def _place(self) -> int:
        """Where the character stands that ended the last value: the one behind, for a number."""
        before = self.text[self.at - 1] if self.at else self._before
        return self.at - (before in ENDS and before != "")

    def _entry(self) -> int:
        """The place among the inputs of the one that the last value ended in; -1 for none."""
        place = self.dropped + self._place()
        found = [at for at, (begin, _, _) in enumerate(self._begins) if begin <= place]
        return found[-1] if found else -1

    def index(self) -> int:
        """Which input the last value ended in."""
        entry = self._entry()
        return self._begins[entry][2] if entry >= 0 else -1

    def line(self) -> int:
        """How many lines of that input are read: jq takes whole ones."""
        entry = self._entry()
        if entry < 0:
            return 0
        while self._line_end(entry) is None and self.more(1):
            pass
        place = max(self._place(), 0)
        read = self.lines_before + self.text.count("\n", 0, place) - self._begins[entry][1]
        return max(read, 0) + bool(self._line_end(entry))

    def _line_end(self, entry: int) -> bool | None:
        """Whether the line of the last value ends in its input; None where more must be read."""
        end = self.text.find("\n", max(self._place(), 0))
        is_known = entry + 1 < len(self._begins)
        if end < 0:
            return False if is_known else None
        return not is_known or self.dropped + end < self._begins[entry + 1][0]


class JqParseError(Exception):
    """An input is no JSON; the message says where."""


def is_odd(text: str, start: int, end: int) -> bool:
    """Whether the C scanner could read a part of a text otherwise than jq does."""
    if text.find("-0", start, end) >= 0 and MINUS_ZERO(text, start, end) is not None:
        return True
    return text.find("\\u", start, end) >= 0 and HALVES(text, start, end) is not None
