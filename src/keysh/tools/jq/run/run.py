"""Run: what a running program sees of its surroundings: inputs, variables, the clock."""

from __future__ import annotations

import re
from collections import deque

from keysh.tools.jq.compile.failure import JqError
from keysh.tools.jq.library.collection import stream_events
from keysh.tools.jq.run.files import Files
from keysh.tools.jq.values.reader import Documents, JqParseError, repaired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.jq.compile.code import Env, Value
    from keysh.tools.jq.values.writer import Style


# Broken: what `--stream` knows of a value before the place where it turns out to be none.

STRING_OR_MARK = re.compile(r'"(?:[^"\\]|\\.)*"?|[][{},]', re.DOTALL)
LAST = 16  # ends of items that are looked at
CLOSING = {"[": "]", "{": "}"}


def events_before_error(text: str) -> list[Value]:
    """The events of the beginning of a value: each is told where a comma or a bracket ends it."""
    for end, closing in reversed(deque(beginnings(text), LAST)):
        try:
            events = [event for value in Documents([text[:end] + closing])
                      for event in stream_events(value)]  # fmt: skip
        except JqParseError:  # an object that has a value where a key should be
            continue
        return events[: len(events) - len(closing)]  # the others tell of ends that are not there
    return []


def beginnings(text: str) -> Iterator[tuple[int, str]]:
    """The end of each item, and what would close the arrays and objects there."""
    open_ones: list[str] = []
    for match in STRING_OR_MARK.finditer(text):
        mark = match[0]
        if mark in CLOSING:
            open_ones.append(CLOSING[mark])
        elif mark[0] != '"' and open_ones:
            if mark != ",":
                open_ones.pop()
            yield match.end() - (mark == ","), "".join(reversed(open_ones))


class Lines:
    """The inputs as lines of text, without their newlines, or as one text: `--raw-input`."""

    __slots__ = ("_chunks", "_files", "_found", "ends_line", "is_drained", "number")

    def __init__(self, chunks: Iterator[str], files: Files) -> None:
        self._chunks, self._files = chunks, files
        self.number = 0
        self.is_drained = False
        self.ends_line = True  # the input, so far
        self._found = self._split()

    def __iter__(self) -> Iterator[str]:
        return self._found

    def _split(self) -> Iterator[str]:
        rest = ""
        for chunk in self._chunks:
            *ended, rest = (rest + repaired(chunk)).split("\n")
            for i, line in enumerate(ended, 1):
                self.number += 1
                self.is_drained = i == len(ended)
                yield line
        if rest:
            self.ends_line = False
            yield rest

    def whole(self) -> str:
        """All of the text that is left."""
        text = "".join(map(repaired, self._chunks))
        self.number += text.count("\n")
        return text

    def line(self) -> int:
        """How many lines of the input are read."""
        return max(self.number - self._files.lines_before, 0)

    def index(self) -> int:
        """Which input the last line is of."""
        return self._files.index


def values_of(reader: Documents | Lines, *, slurp: bool, stream: bool) -> Iterator[Value]:
    """The values that the program runs on."""
    if isinstance(reader, Lines):
        return whole(reader) if slurp else iter(reader)
    values: Iterator[Value] = iter(reader)
    if stream:
        values = streamed(reader)
    return slurped(values) if slurp else values


def streamed(reader: Documents) -> Iterator[Value]:
    """The events of all values; of one that ends too early, those before the error."""
    try:
        for value in reader:
            yield from stream_events(value)
    except JqParseError:
        yield from events_before_error(reader.broken)
        raise


def whole(reader: Lines) -> Iterator[Value]:
    """The whole input as one text, which is read when it is wanted."""
    yield reader.whole()


def slurped(values: Iterator[Value]) -> Iterator[Value]:
    """All values as one array, which is read when it is wanted."""
    yield list(values)


class Run:
    """One run of a program."""

    __slots__ = (
        "_call", "_ends", "_files", "_is_slurped", "_source", "_values", "debugged", "now", "tell",
        "tick", "variables",
    )  # fmt: skip

    def __init__(
        self,
        call: Call,
        files: Files,
        source: Documents | Lines,
        inputs: Iterator[Value],
        variables: Mapping[str, Value],
        style: Style,
        *,
        is_slurped: bool,
    ) -> None:
        self._call, self._files, self._source = call, files, source
        self._ends = 0  # how often more inputs were asked for than there are
        self._values, self._is_slurped, self.variables = inputs, is_slurped, variables
        self.debugged = style.on_one_line().text
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
        self._ends += 1

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
        name = None if self._is_closed() else self._files.name(self._source.index())
        return "<stdin>" if name == "-" else name

    def line(self) -> int:
        """How many lines of the file are read."""
        return 0 if self._is_closed() else self._source.line()

    def _is_closed(self) -> bool:
        """Whether more was asked for than there is: once, or twice where the end is a line's."""
        return self._ends > (self._source.ends_line and not self._is_slurped)

    def is_drained(self) -> bool:
        """Whether reading on may mean to wait."""
        return self._source.is_drained

    def place(self) -> str:
        """Where in the input an error is said to stand."""
        name = self.filename()
        return "<unknown>" if name is None else f"{name}:{self.line()}"
