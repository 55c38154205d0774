"""The run of a program: its inputs, its external variables and the clock."""

from __future__ import annotations

import re
from collections import deque
from math import inf

from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.library.collection import stream_events
from keysh.tools.jq.run.files import JqInputs
from keysh.tools.jq.values.bounds import JqBounds
from keysh.tools.jq.values.reader import JqParseError, JsonReader, replace_invalid_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.jq.compile.code import Env, Value
    from keysh.tools.jq.values.writer import JsonStyle


# ---------------------------------------------------------------- malformed values with --stream

STRING_OR_MARK = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{},]', re.DOTALL)
# Characters, as those of null and of numbers with more digits than in the text.
LEAST_VALUE_SIZE = 16
MAX_UNMEASURED_SIZE = 1 << 20  # characters, which the encoder writes in 15 ms
MAX_TRIED_PREFIXES = 16  # how many complete items, counted from the end, to try
CLOSING_MARKS = {"[": "]", "{": "}"}


def events_before_error(text: str) -> list[Value]:
    """Return the events of the text before an error; an item counts once `,` or `]` ends it."""
    for end, closing in reversed(deque(closable_prefixes(text), MAX_TRIED_PREFIXES)):
        try:
            events = [event for value in JsonReader([text[:end] + closing])
                      for event in stream_events(value)]  # fmt: skip
        except JqParseError:  # for example, a value where an object needs a key
            continue
        return events[: len(events) - len(closing)]  # drop the events of the brackets added above
    return []


def closable_prefixes(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each item ends, and the brackets that would close the value there."""
    open_marks: list[str] = []
    for match in STRING_OR_MARK.finditer(text):
        mark = match[0]
        if mark in CLOSING_MARKS:
            open_marks.append(CLOSING_MARKS[mark])
        elif mark[0] != '"' and open_marks:
            if mark != ",":
                open_marks.pop()
            yield match.end() - (mark == ","), "".join(reversed(open_marks))


class RawLineReader:
    """`--raw-input`: iterates over the lines of the inputs, without their newlines."""

    __slots__ = ("_chunks", "_files", "_lines", "ends_line", "is_drained", "number", "value_size")

    def __init__(self, chunks: Iterator[str], files: JqInputs) -> None:
        self._chunks, self._files = chunks, files
        self.number = 0
        self.value_size = inf  # of a line: not noted
        self.is_drained = False
        self.ends_line = True  # whether the text read so far ends with a newline
        self._lines = self._split()

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def _split(self) -> Iterator[str]:
        rest = ""
        for chunk in self._chunks:
            *ended, rest = (rest + replace_invalid_bytes(chunk)).split("\n")
            for i, line in enumerate(ended, 1):
                self.number += 1
                self.is_drained = i == len(ended)
                yield line
        if rest:
            self.ends_line = False
            yield rest

    def rest_of_text(self) -> str:
        """Read the rest of the text."""
        text = "".join(map(replace_invalid_bytes, self._chunks))
        self.number += text.count("\n")
        return text

    def input_line(self) -> int:
        """Return how many lines of the current input were read."""
        return max(self.number - self._files.lines_before, 0)

    def input_index(self) -> int:
        """Return the index of the input that the last line is from."""
        return self._files.current_index


def input_values(
    reader: JsonReader | RawLineReader, *, slurp: bool, stream: bool
) -> Iterator[Value]:
    """Return the inputs of the program."""
    if isinstance(reader, RawLineReader):
        return slurp_text(reader) if slurp else iter(reader)
    values: Iterator[Value] = iter(reader)
    if stream:
        values = stream_values(reader)
    return slurp_values(values) if slurp else values


def stream_values(reader: JsonReader) -> Iterator[Value]:
    """Yield the events of all values; of a malformed one, those before the error."""
    try:
        for value in reader:
            yield from stream_events(value)
    except JqParseError:
        yield from events_before_error(reader.broken_text)
        raise


def slurp_text(reader: RawLineReader) -> Iterator[Value]:
    """Yield the whole input as one string."""
    yield reader.rest_of_text()


def slurp_values(values: Iterator[Value]) -> Iterator[Value]:
    """Yield all values as one array."""
    yield list(values)


class JqRun(JqBounds):
    """One run of a program."""

    __slots__ = (
        "_call", "_files", "_is_slurped", "_missed_reads", "_source", "_style", "_values",
        "expansion", "now", "variables", "write_error",
    )  # fmt: skip

    def __init__(
        self,
        call: Call,
        files: JqInputs,
        source: JsonReader | RawLineReader,
        inputs: Iterator[Value],
        variables: Mapping[str, Value],
        style: JsonStyle,
        *,
        is_slurped: bool,
    ) -> None:
        super().__init__(call.tick, call.check_size)
        self._call, self._files, self._source = call, files, source
        self.expansion = inf  # how many times an input its results can be
        self._missed_reads = 0  # how often the inputs were read to their end
        self._values, self._is_slurped, self.variables = inputs, is_slurped, variables
        self._style = style
        self.now: Callable[[], int] = call.now
        self.write_error: Callable[[str], None] = call.err.write

    def debug_text(self, value: Value) -> str:
        """Return what `debug` prints of a value."""
        return self._style.on_one_line().render(value, self)

    def inputs(self) -> Iterator[Value]:
        """Yield the remaining inputs; a malformed one is an error that the program can catch."""
        try:
            for value in self._values:  # noqa: UP028 - `yield from` ends them where it is left
                yield value
        except JqParseError as error:
            raise JqError(str(error)) from None
        self._missed_reads += 1

    def note_input(self) -> None:
        """Note, from the size of the next input, whether its results are known to be small."""
        size = self._source.value_size + LEAST_VALUE_SIZE
        self.makes_small_values = size * self.expansion <= MAX_UNMEASURED_SIZE

    def input(self) -> Value:
        """Return the next input."""
        for value in self.inputs():
            return value
        raise JqError("break")

    def root(self) -> Env:
        """Return the environment of the program's top level."""
        return (None, None, self)

    def variable(self, name: str) -> Any:
        """Return the value of an external variable."""
        if name == "ENV":
            return dict(self._call.env)
        return self.variables[name]

    def environment(self) -> Mapping[str, str]:
        return self._call.env

    def filename(self) -> str | None:
        """Return the name of the current file; None before the first and after the last."""
        name = None if self._is_closed() else self._files.name(self._source.input_index())
        return "<stdin>" if name == "-" else name

    def line(self) -> int:
        """Return how many lines of the current file were read."""
        return 0 if self._is_closed() else self._source.input_line()

    def _is_closed(self) -> bool:
        """Whether reads failed at the end: once, or twice if the input ends with a newline."""
        return self._missed_reads > (self._source.ends_line and not self._is_slurped)

    def is_drained(self) -> bool:
        """Whether reading the next input may block."""
        return self._source.is_drained

    def location(self) -> str:
        """Return the location in the input, for error messages."""
        name = self.filename()
        return "<unknown>" if name is None else f"{name}:{self.line()}"
