"""Run a program on each input, and print its results and errors."""

from __future__ import annotations

from keysh.tools.jq.compile.failure import JqError, LabelBreak, ProgramHalt
from keysh.tools.jq.values.reader import JqParseError
from keysh.tools.jq.values.writer import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call
    from keysh.tools.jq.compile.code import Filter, Value
    from keysh.tools.jq.run.run import JqRun

# How the run on an input ended, in jq's numbers; those below 0 matter only to --exit-status.
NO_OUTPUT, NULL_OUTPUT, OUTPUT, UNREADABLE, FAILED = -4, -1, 0, 2, 5
TOO_DEEP_MESSAGE = "the program calls itself too deeply"


class JqSession:
    """The run over all inputs; `status` is that of the last one."""

    __slots__ = ("_call", "_code", "_is_over", "_last", "_pending", "_run", "_size", "_waiting",
                 "_format_result", "status")  # fmt: skip

    def __init__(
        self,
        call: Call,
        run: JqRun,
        code: Filter,
        format_result: Callable[[Value], str],
        batch_size: int,
    ) -> None:
        self._call, self._run, self._code = call, run, code
        self._format_result, self._size = format_result, batch_size  # characters to yield at once
        self._pending: list[str] = []
        self._waiting = 0
        self._is_over = False
        self._last = NO_OUTPUT
        self.status = NO_OUTPUT

    def exit_status(self) -> int:
        """Return the status that --exit-status asks for."""
        return abs(self._last if self.status == NO_OUTPUT else self.status)

    def outputs(self, inputs: Iterator[Value]) -> Iterator[str]:
        """Yield what is printed for all inputs."""
        try:
            for value in inputs:
                yield from self.results(value)
                if self._is_over:
                    return
                if self._waiting and self._run.is_drained():
                    yield self.take_pending()
                if self._call.status:  # a file could not be opened
                    break
        except JqParseError as error:
            yield self.take_pending()
            self._call.complain(f"jq: parse error: {error}")
            self.status = FAILED
        yield self.take_pending()
        if self._call.status:
            self.status = UNREADABLE

    def results(self, value: Value) -> Iterator[str]:
        """Yield what is printed for one input."""
        self.status = NO_OUTPUT
        self._run.note_input()
        try:
            for result in self._code.many(value, self._run.root()):
                text = self._format_result(result)
                self.status = NULL_OUTPUT if result is None or result is False else OUTPUT
                self._pending.append(text)
                self._waiting += len(text)
                if self._waiting >= self._size:
                    yield self.take_pending()
        except JqError as error:
            yield self.take_pending()
            self.report_error(error.value)
        except RecursionError:
            yield self.take_pending()
            self.report_error(TOO_DEEP_MESSAGE)
        except LabelBreak:
            yield self.take_pending()
            self.report_error("break")
        except ProgramHalt as halt:
            yield self.take_pending()
            self.halt(halt)
        if self.status in (NULL_OUTPUT, OUTPUT):
            self._last = self.status

    def take_pending(self) -> str:
        """Return the pending output, and forget it."""
        text = "".join(self._pending)
        self._pending.clear()
        self._waiting = 0
        return text

    def report_error(self, message: Value) -> None:
        """Print an uncaught error."""
        location = self._run.location()
        if message.__class__ is str:
            self._call.complain(f"jq: error (at {location}): {message}")
        else:
            text = json_text(message, self._run)
            self._call.complain(f"jq: error (at {location}) (not a string): {text}")
        self.status = FAILED

    def halt(self, halt: ProgramHalt) -> None:
        """End the run."""
        self._is_over, self.status = True, halt.status
        if halt.message is not None:
            self._call.err.write(halt.message)
