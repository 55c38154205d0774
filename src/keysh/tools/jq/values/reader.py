"""The reader: yields the JSON values of text that arrives in chunks.

Python's C scanner parses most values. Those that it refuses or would parse differently from jq are
parsed by the exact reader, which accepts what jq accepts and has jq's error messages.
"""

from __future__ import annotations

import re
from json.decoder import JSONDecoder

from keysh.syntax.parser import MIN_AGED_TEXT_LENGTH, GarbagePause
from keysh.text.chunks import bytes_of_text, text_bytes
from keysh.tools.jq.values.exact import JsonSyntaxError, NeedsMoreText, read_json_value
from keysh.tools.jq.values.number import NAN, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from keysh.tools.jq.run.files import JqInputs

BLANKS = re.compile(r"[ \t\r\n]*")
DELIMITERS = frozenset(' \t\r\n[{"')  # characters that may follow a number or a name
CLOSING_CHARACTERS = ']}"'  # the last characters of values that end by themselves
MAX_TOKEN_CHARS = 16  # an error this near the end of the text may be a token that is cut

# What may be an escape of a lone surrogate, which Python accepts. In `\\\\ud83d\\ude00` the first
# backslash escapes the second one, so that no pair begins there.
LONE_SURROGATE_SEARCH = re.compile(
    r"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]|\\\\u[dD][89abAB]"
).search
MINUS_ZERO_SEARCH = re.compile(r"-0(?![.\w-])").search
SURROGATE_SEARCH = re.compile("[\ud800-\udfff]").search


def parse_fraction(text: str) -> float | None:
    """Parse a number with a point or an exponent; one that `repr` changes keeps its spelling."""
    value = float(text)
    if repr(value) == text and text[-2:] != ".0" and "e" not in text:
        return value
    return number_of(text)


DECODER = JSONDecoder(
    parse_float=parse_fraction, parse_constant=lambda name: NAN if name == "NaN" else float(name)
)
SCAN_JSON: Callable[[str, int], tuple[Any, int]] = DECODER.scan_once  # type: ignore[attr-defined]


def scan_large_json(text: str, start: int) -> tuple[Any, int]:
    """Scan a value, which holds no garbage: in a sixth of the time that collections would take."""
    with GarbagePause(text):
        return SCAN_JSON(text, start)


def replace_invalid_bytes(text: str) -> str:
    """Replace the bytes that are not valid UTF-8, as jq does in all of its input."""
    if text.isascii() or SURROGATE_SEARCH(text) is None:
        return text
    return bytes_of_text(text).decode("utf-8", "replace")


class JsonReader:
    """Iterates over the values in the input, and reads no further than it must."""

    __slots__ = (
        "_before", "_chunks", "_files", "_input_starts", "_is_over", "_may_need_exact", "_reserve",
        "at", "broken_text", "bytes_before", "dropped", "lines_before", "text", "value_size",
    )  # fmt: skip

    def __init__(
        self,
        chunks: Iterable[str],
        files: JqInputs | None = None,
        reserve: Callable[[int], None] | None = None,
    ) -> None:
        """`reserve` is asked for the memory of a long text before it is made."""
        self._chunks, self._files, self._reserve = iter(chunks), files, reserve
        # For each input: the characters and lines before it, and its index.
        self._input_starts: list[tuple[int, int, int]] = []
        self._before = ""  # the last character dropped
        self.dropped = 0  # characters
        self._is_over = False
        self._may_need_exact = False  # the C scanner may parse some of the text differently
        self.text, self.at = "", 0
        self.value_size = 0  # characters of the last value, or a few more
        self.broken_text = ""  # the text of a malformed value, up to the error
        # Of the dropped text: its lines, and the bytes of its last line.
        self.lines_before = self.bytes_before = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        while True:
            text = self.text
            start = self.at = BLANKS.match(text, self.at).end()  # type: ignore[union-attr]
            if start == len(text):
                if not self.read_more(1):
                    raise StopIteration
                continue
            try:
                value, end = (SCAN_JSON if len(text) < MIN_AGED_TEXT_LENGTH else scan_large_json)(
                    text, start
                )
            except StopIteration as stop:
                error_offset = stop.value
            except RecursionError:
                return self.read_exact()
            except ValueError as error:
                error_offset = getattr(error, "pos", start)
                if str(error).startswith("Unterminated"):
                    error_offset = len(text)
            else:
                if text[end - 1] not in ']}"':  # a number or a name may continue
                    if end == len(text):
                        if self.read_more(len(text)):
                            continue
                        # Reading may have dropped the text before the value.
                        text, end, start = self.text, len(self.text), self.at
                    if end < len(text) and text[end] not in DELIMITERS:
                        return self.read_exact()
                if self._may_need_exact and needs_exact_reader(text, start, end):
                    return self.read_exact()
                self.at = end
                self.value_size = end - start
                return value
            if error_offset + MAX_TOKEN_CHARS < len(text) or not self.read_more(len(text) - start):
                return self.read_exact()

    @property
    def is_drained(self) -> bool:
        """Whether nothing but blanks is left of the text read so far."""
        blanks = BLANKS.match(self.text, self.at)
        return blanks is None or blanks.end() == len(self.text)

    @property
    def ends_line(self) -> bool:
        """Whether the text read so far ends with a newline."""
        return (self.text[-1:] or self._before) in ("", "\n")

    def read_more(self, size: int) -> bool:
        """Read at least `size` more characters; returns whether there were any."""
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
        if len(pieces) == 1:
            return False
        before = len(self.text)
        if len(pieces) > 2 and self._reserve is not None:
            self._reserve(sum(map(text_bytes, pieces)))
        self.text = "".join(pieces)
        self._may_need_exact = needs_exact_reader(self.text, 0, len(self.text))
        is_first = not before and not self.lines_before and not self.bytes_before
        if is_first and self.text[:1] == "\ufeff":
            self.text = self.text[1:]
            self._input_starts = [
                (max(begin - 1, 0), lines, index) for begin, lines, index in self._input_starts
            ]
        return len(self.text) > before

    def drop_consumed(self) -> None:
        """Drop the text already parsed, and keep count of it."""
        if not self.at:
            return
        consumed = self.text[: self.at]
        self.dropped += len(consumed)
        self._before = consumed[-1:] or self._before
        line = consumed.rfind("\n") + 1
        self.lines_before += consumed.count("\n")
        tail = len(bytes_of_text(consumed[line:]))
        self.bytes_before = tail if line else self.bytes_before + tail
        self.text, self.at = self.text[self.at :], 0

    def read_exact(self) -> Any:
        """Parse one value with the exact reader; raises StopIteration if only blanks are left."""
        while True:
            try:
                result = read_json_value(self.text, self.at, is_over=self._is_over)
            except NeedsMoreText:
                self.read_more(len(self.text) - self.at)
                continue
            except JsonSyntaxError as error:
                self.broken_text = self.text[self.at : error.at - (not error.is_at_end)]
                raise JqParseError(self.error_message(error)) from None
            if result is None:
                self.at = len(self.text)
                raise StopIteration
            value, self.at = result
            self.value_size = len(self.text)
            return value

    def error_message(self, error: JsonSyntaxError) -> str:
        """Return the error message with its location in the whole input; columns count bytes."""
        before = self.text[: error.at]
        line = before.rfind("\n") + 1
        column = len(bytes_of_text(before[line:]))
        if not line:
            column += self.bytes_before
        number = self.lines_before + before.count("\n") + 1
        end = self.text.find("\n", error.at - (before[-1:] == "\n"))  # of the last line
        read = len(self.text) if end < 0 else end + 1
        self._is_over, self.text, self.at = True, self.text[:read], read
        return f"{error.message} at line {number}, column {column}"

    def _note_input(self, index: int, pieces: list[str]) -> None:
        """Note where an input begins, if the next piece is its first."""
        if not self._input_starts or self._input_starts[-1][2] != index:
            lines = self.lines_before + sum(piece.count("\n") for piece in pieces)
            self._input_starts.append((self.dropped + sum(map(len, pieces)), lines, index))

    def _end_offset(self) -> int:
        """Return where the character is that ended the last value: after it, for a number."""
        before = self.text[self.at - 1] if self.at else self._before
        return self.at - (before in CLOSING_CHARACTERS and before != "")

    def _input_entry(self) -> int:
        """Return the position in `_input_starts` of the input of the last value; -1 for none."""
        place = self.dropped + self._end_offset()
        entries = [
            entry for entry, (begin, _, _) in enumerate(self._input_starts) if begin <= place
        ]
        return entries[-1] if entries else -1

    def input_index(self) -> int:
        """Return the index of the input that the last value ended in."""
        entry = self._input_entry()
        return self._input_starts[entry][2] if entry >= 0 else -1

    def input_line(self) -> int:
        """Return how many lines of that input were read; jq reads whole lines."""
        entry = self._input_entry()
        if entry < 0:
            return 0
        while self._line_end(entry) is None and self.read_more(1):
            pass
        place = max(self._end_offset(), 0)
        read = self.lines_before + self.text.count("\n", 0, place) - self._input_starts[entry][1]
        return max(read, 0) + bool(self._line_end(entry))

    def _line_end(self, entry: int) -> bool | None:
        """Whether the line of the last value ends in its input; None if more must be read."""
        end = self.text.find("\n", max(self._end_offset(), 0))
        is_known = entry + 1 < len(self._input_starts)
        if end < 0:
            return False if is_known else None
        return not is_known or self.dropped + end < self._input_starts[entry + 1][0]


class JqParseError(Exception):
    """The input is malformed; the message says where."""


def needs_exact_reader(text: str, start: int, end: int) -> bool:
    """Whether the C scanner might parse some of the text differently from jq."""
    if text.find("-0", start, end) >= 0 and MINUS_ZERO_SEARCH(text, start, end) is not None:
        return True
    return text.find("\\u", start, end) >= 0 and LONE_SURROGATE_SEARCH(text, start, end) is not None
