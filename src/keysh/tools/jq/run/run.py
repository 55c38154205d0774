"""Run: what a running program sees of its surroundings: inputs, variables, the clock."""

from __future__ import annotations

import re
from collections import deque

from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.library.collection import stream_events
from keysh.tools.jq.run.files import JqInputs
from keysh.tools.jq.values.reader import JqParseError, JsonReader, replace_invalid_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.jq.compile.code import Env, Value
    from keysh.tools.jq.values.writer import JsonStyle


# Broken: what `--stream` knows of a value before the place where it turns out to be none.

STRING_OR_MARK = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{},]', re.DOTALL)
MAX_TRIED_PREFIXES = 16  # ends of items that are looked at
CLOSING_MARKS = {"[": "]", "{": "}"}


def events_before_error(text: str) -> list[Value]:
    """The events of the beginning of a value: each is told where a comma or a bracket ends it."""
    for end, closing in reversed(deque(closable_prefixes(text), MAX_TRIED_PREFIXES)):
        try:
            events = [event for value in JsonReader([text[:end] + closing])
                      for event in stream_events(value)]  # fmt: skip
        except JqParseError:  # an object that has a value where a key should be
            continue
        return events[: len(events) - len(closing)]  # the others tell of ends that are not there
    return []


def closable_prefixes(text: str) -> Iterator[tuple[int, str]]:
    """The end of each item, and what would close the arrays and objects there."""
    open_ones: list[str] = []
    for match in STRING_OR_MARK.finditer(text):
        mark = match[0]
        if mark in CLOSING_MARKS:
            open_ones.append(CLOSING_MARKS[mark])
        elif mark[0] != '"' and open_ones:
            if mark != ",":
                open_ones.pop()
            yield match.end() - (mark == ","), "".join(reversed(open_ones))


class RawLineReader:
    """The inputs as lines of text, without their newlines, or as one text: `--raw-input`."""

    __slots__ = ("_chunks", "_files", "_lines", "ends_line", "is_drained", "number")

    def __init__(self, chunks: Iterator[str], files: JqInputs) -> None:
        self._chunks, self._files = chunks, files
        self.number = 0
        self.is_drained = False
        self.ends_line = True  # the input, so far
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
        """All of the text that is left."""
        text = "".join(map(replace_invalid_bytes, self._chunks))
        self.number += text.count("\n")
        return text

    def input_line(self) -> int:
        """How many lines of the input are read."""
        return max(self.number - self._files.lines_before, 0)

    def input_index(self) -> int:
        """Which input the last line is of."""
        return self._files.current_index


def input_values(
    reader: JsonReader | RawLineReader, *, slurp: bool, stream: bool
) -> Iterator[Value]:
    """The values that the program runs on."""
    if isinstance(reader, RawLineReader):
        return slurp_text(reader) if slurp else iter(reader)
    values: Iterator[Value] = iter(reader)
    if stream:
        values = stream_values(reader)
    return slurp_values(values) if slurp else values


def stream_values(reader: JsonReader) -> Iterator[Value]:
    """The events of all values; of one that ends too early, those before the error."""
    try:
        for value in reader:
            yield from stream_events(value)
    except JqParseError:
        yield from events_before_error(reader.broken_text)
        raise


def slurp_text(reader: RawLineReader) -> Iterator[Value]:
    """The whole input as one text, which is read when it is wanted."""
    yield reader.rest_of_text()


def slurp_values(values: Iterator[Value]) -> Iterator[Value]:
    """All values as one array, which is read when it is wanted."""
    yield list(values)


class JqRun:
    """One run of a program."""

    __slots__ = (
        "_call", "_missed_reads", "_files", "_is_slurped", "_source", "_values", "debugged", "now", "tell",
        "tick", "variables",
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
        self._call, self._files, self._source = call, files, source
        self._missed_reads = 0  # how often more inputs were asked for than there are
        self._values, self._is_slurped, self.variables = inputs, is_slurped, variables
        self.debugged = style.on_one_line().render
        self.tick: Callable[[], None] = call.tick
        self.now: Callable[[], int] = call.now
        self.tell: Callable[[str], None] = call.err.write

    def inputs(self) -> Iterator[Value]:
        """What is left of the inputs; a text that is none is an error of the program."""
        try:
            for found in self._values:  # noqa: UP028 - `yield from` ends them where it is left
                yield found
        except JqParseError as error:
            raise JqError(str(error)) from None
        self._missed_reads += 1

    def input(self) -> Value:
        """The next one."""
        for found in self.inputs():
            return found
        raise JqError("break")

    def root(self) -> Env:
        """The environment in which the program stands."""
        return (None, None, self)

    def variable(self, name: str) -> Any:
        """A variable from outside."""
        if name == "ENV":
            return dict(self._call.env)
        return self.variables[name]

    def environment(self) -> Mapping[str, str]:
        return self._call.env

    def filename(self) -> str | None:
        """The file that is read; null before the first and behind the last."""
        name = None if self._is_closed() else self._files.name(self._source.input_index())
        return "<stdin>" if name == "-" else name

    def line(self) -> int:
        """How many lines of the file are read."""
        return 0 if self._is_closed() else self._source.input_line()

    def _is_closed(self) -> bool:
        """Whether more was asked for than there is: once, or twice where the end is a line's."""
        return self._missed_reads > (self._source.ends_line and not self._is_slurped)

    def is_drained(self) -> bool:
        """Whether reading on may mean to wait."""
        return self._source.is_drained

    def place(self) -> str:
        """Where in the input an error is said to stand."""
        name = self.filename()
        return "<unknown>" if name is None else f"{name}:{self.line()}"
