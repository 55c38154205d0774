"""The reader: a text in chunks becomes the JSON values in it, one by one.

The C scanner of Python reads whatever it reads as jq does. What it refuses, and what it would read
differently, goes to the exact reader, which knows jq's own liberties and words.
"""

from __future__ import annotations

import re
from json.decoder import JSONDecoder

from keysh.text.chunks import bytes_of_text
from keysh.tools.jq.values.exact import JsonSyntaxError, NeedsMoreText, read_json_value
from keysh.tools.jq.values.number import NAN, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from keysh.tools.jq.run.files import JqInputs

BLANKS = re.compile(r"[ \t\r\n]*")
DELIMITERS = frozenset(' \t\r\n[{"')  # what a number or a name may stand before
CLOSING_CHARACTERS = ']}"'  # of values that nothing can go on
MAX_TOKEN_CHARS = 16  # that a refusal near the end of what is read may be due to

# Escapes of half a character, which Python lets pass.
LONE_SURROGATE_SEARCH = re.compile(
    r"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]"
).search
MINUS_ZERO_SEARCH = re.compile(r"-0(?![.\w-])").search
SURROGATE_SEARCH = re.compile("[\ud800-\udfff]").search


def parse_fraction(text: str) -> float | None:
    """A number with a point or an exponent; one that does not print back keeps its spelling."""
    value = float(text)
    if repr(value) == text and text[-2:] != ".0" and "e" not in text:
        return value
    return number_of(text)


DECODER = JSONDecoder(
    parse_float=parse_fraction, parse_constant=lambda name: NAN if name == "NaN" else float(name)
)
SCAN_JSON: Callable[[str, int], tuple[Any, int]] = DECODER.scan_once  # type: ignore[attr-defined]


def replace_invalid_bytes(text: str) -> str:
    """A text whose bytes that are no UTF-8 are replaced, as jq does with whatever it reads."""
    if text.isascii() or SURROGATE_SEARCH(text) is None:
        return text
    return bytes_of_text(text).decode("utf-8", "replace")


class JsonReader:
    """The values of a text, as an iterator that reads no further than it must."""

    __slots__ = (
        "_before", "_input_starts", "_chunks", "_files", "_is_over", "_may_need_exact", "at", "broken_text",
        "bytes_before", "dropped", "lines_before", "text",
    )  # fmt: skip

    def __init__(self, chunks: Iterable[str], files: JqInputs | None = None) -> None:
        self._chunks, self._files = iter(chunks), files
        # Where each input begins: characters and lines before it, and its index.
        self._input_starts: list[tuple[int, int, int]] = []
        self._before = ""  # the last character that is dropped
        self.dropped = 0  # characters
        self._is_over = False
        self._may_need_exact = False  # something in the text is read otherwise by the C scanner
        self.text, self.at = "", 0
        self.broken_text = ""  # what stands before the place where a value is none
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
                if not self.read_more(1):
                    raise StopIteration
                continue
            try:
                value, end = SCAN_JSON(text, at)
            except StopIteration as stop:
                where = stop.value
            except RecursionError:
                return self.read_exact()
            except ValueError as error:
                where = getattr(error, "pos", at)
                if str(error).startswith("Unterminated"):
                    where = len(text)
            else:
                if text[end - 1] not in ']}"':  # a number or a name may go on
                    if end == len(text):
                        if self.read_more(len(text)):
                            continue
                        # What stands before the value may be dropped now.
                        text, end, at = self.text, len(self.text), self.at
                    if end < len(text) and text[end] not in DELIMITERS:
                        return self.read_exact()
                if self._may_need_exact and needs_exact_reader(text, at, end):
                    return self.read_exact()
                self.at = end
                return value
            if where + MAX_TOKEN_CHARS < len(text) or not self.read_more(len(text) - at):
                return self.read_exact()

    @property
    def is_drained(self) -> bool:
        """Whether nothing but blanks is left of what is read."""
        blanks = BLANKS.match(self.text, self.at)
        return blanks is None or blanks.end() == len(self.text)

    @property
    def ends_line(self) -> bool:
        """Whether what is read so far ends a line."""
        return (self.text[-1:] or self._before) in ("", "\n")

    def read_more(self, size: int) -> bool:
        """Read at least so many characters more; whether there were any."""
        if self._is_over:
            return False
        self.drop_consumed()
        pieces = [self.text]
        for chunk in self._chunks:
            piece = replace_invalid_bytes(chunk)
            if self._files is not None:
                self._note_input(self._files.current_index, pieces)
            pieces.append(piece)
            size -= len(piece)
            if size <= 0:
                break
        else:
            self._is_over = True
        before = len(self.text)
        self.text = "".join(pieces)
        self._may_need_exact = needs_exact_reader(self.text, 0, len(self.text))
        if not before and not self.lines_before and not self.bytes_before:
            self.text = self.text.removeprefix("\ufeff")
            moved = sum(map(len, pieces)) - len(self.text)
            self._input_starts = [
                (max(begin - moved, 0), lines, index) for begin, lines, index in self._input_starts
            ]
        return len(self.text) > before

    def drop_consumed(self) -> None:
        """Forget what is read, but for where it ended."""
        gone = self.text[: self.at]
        self.dropped += len(gone)
        self._before = gone[-1:] or self._before
        line = gone.rfind("\n") + 1
        self.lines_before += gone.count("\n")
        tail = len(bytes_of_text(gone[line:]))
        self.bytes_before = tail if line else self.bytes_before + tail
        self.text, self.at = self.text[self.at :], 0

    def read_exact(self) -> Any:
        """One value by the exact reader; StopIteration where nothing but blanks was left."""
        while True:
            try:
                found = read_json_value(self.text, self.at, is_over=self._is_over)
            except NeedsMoreText:
                self.read_more(len(self.text) - self.at)
                continue
            except JsonSyntaxError as error:
                self.broken_text = self.text[self.at : error.at - (not error.is_at_end)]
                raise JqParseError(self.error_message(error)) from None
            if found is None:
                self.at = len(self.text)
                raise StopIteration
            value, self.at = found
            return value

    def error_message(self, error: JsonSyntaxError) -> str:
        """What is wrong, and where in the whole input: columns count bytes."""
        before = self.text[: error.at]
        line = before.rfind("\n") + 1
        column = len(bytes_of_text(before[line:]))
        if not line:
            column += self.bytes_before
        number = self.lines_before + before.count("\n") + 1
        end = self.text.find("\n", error.at - (before[-1:] == "\n"))  # of the line that was read
        read = len(self.text) if end < 0 else end + 1
        self._is_over, self.text, self.at = True, self.text[:read], read
        return f"{error.message} at line {number}, column {column}"

    def _note_input(self, index: int, pieces: list[str]) -> None:
        """The next piece is of an input; if it is a new one, note where it begins."""
        if not self._input_starts or self._input_starts[-1][2] != index:
            lines = self.lines_before + sum(piece.count("\n") for piece in pieces)
            self._input_starts.append((self.dropped + sum(map(len, pieces)), lines, index))

    def _end_offset(self) -> int:
        """Where the character stands that ended the last value: the one behind, for a number."""
        before = self.text[self.at - 1] if self.at else self._before
        return self.at - (before in CLOSING_CHARACTERS and before != "")

    def _input_entry(self) -> int:
        """The place among the inputs of the one that the last value ended in; -1 for none."""
        place = self.dropped + self._end_offset()
        found = [at for at, (begin, _, _) in enumerate(self._input_starts) if begin <= place]
        return found[-1] if found else -1

    def input_index(self) -> int:
        """Which input the last value ended in."""
        entry = self._input_entry()
        return self._input_starts[entry][2] if entry >= 0 else -1

    def input_line(self) -> int:
        """How many lines of that input are read: jq takes whole ones."""
        entry = self._input_entry()
        if entry < 0:
            return 0
        while self._line_end(entry) is None and self.read_more(1):
            pass
        place = max(self._end_offset(), 0)
        read = self.lines_before + self.text.count("\n", 0, place) - self._input_starts[entry][1]
        return max(read, 0) + bool(self._line_end(entry))

    def _line_end(self, entry: int) -> bool | None:
        """Whether the line of the last value ends in its input; None where more must be read."""
        end = self.text.find("\n", max(self._end_offset(), 0))
        is_known = entry + 1 < len(self._input_starts)
        if end < 0:
            return False if is_known else None
        return not is_known or self.dropped + end < self._input_starts[entry + 1][0]


class JqParseError(Exception):
    """An input is no JSON; the message says where."""


def needs_exact_reader(text: str, start: int, end: int) -> bool:
    """Whether the C scanner could read a part of a text otherwise than jq does."""
    if text.find("-0", start, end) >= 0 and MINUS_ZERO_SEARCH(text, start, end) is not None:
        return True
    return text.find("\\u", start, end) >= 0 and LONE_SURROGATE_SEARCH(text, start, end) is not None
