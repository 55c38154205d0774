"""The state of a running script: its input lines, its output and its pending texts."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text
from keysh.text.escapes import CONTROL_NAMES
from keysh.tools.sed.limit import MAX_SPACE_CHARS, PANIC_STATUS, check_space_size
from keysh.tools.sed.substitute import substitute_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call
    from keysh.text.regex.regex import Regex
    from keysh.tools.sed.code import CompiledScript
    from keysh.tools.sed.inputs import SedInputs
    from keysh.tools.sed.outputs import SedFiles, SedOutput
    from keysh.tools.sed.script import SedSubstitution


# `l`: a line with all that is not plain ASCII escaped, folded where it is long.

LIST_ESCAPES = {**CONTROL_NAMES, ord("\\"): r"\\"}
BYTES_PER_TICK = 8192


def list_line(text: str, width: int, line_end: str, tick: Callable[[], None]) -> str:
    """Escape all but printable ASCII, add `$`, and wrap at `width` columns unless that is 0."""
    data = bytes_of_text(text)
    blocks: list[str] = []
    break_text = f"\\{line_end}"
    length = 0  # of the line so far
    for start in range(0, len(data), BYTES_PER_TICK):
        tick()
        pieces: list[str] = []
        for byte in data[start : start + BYTES_PER_TICK]:
            is_plain = 32 <= byte < 127 and byte != 92
            escaped = chr(byte) if is_plain else LIST_ESCAPES.get(byte) or f"\\{byte:03o}"
            if width and length + len(escaped) > width - 1:
                pieces.append(break_text)
                length = 0
            pieces.append(escaped)
            length += len(escaped)
        blocks.append("".join(pieces))
    return "".join([*blocks, "$"])


MAX_PENDING_TEXTS = 1_000_000


class Execution:
    """One run of a script. The generated code has the spaces, the line number and the states of
    ranges in local variables, and yields the output.
    """

    __slots__ = (
        "_code", "_edits", "_end", "_files", "_inputs", "_is_over", "_last_regex", "_place", "_sh",
        "_width", "max_space_chars", "more", "output", "status", "tick", "pending",
    )  # fmt: skip

    def __init__(
        self, sh: Call, code: CompiledScript, inputs: SedInputs, output: SedOutput,
        files: SedFiles, line_end: str, width: int, place: str,
    ) -> None:  # fmt: skip
        self._sh, self._code, self._inputs, self._files = sh, code, inputs, files
        self._end, self._width, self._place = line_end, width, place
        self.output, self._edits = output, False
        self.more, self.tick = inputs.has_more, sh.tick
        self.max_space_chars = min(sh.max_value_bytes, MAX_SPACE_CHARS)
        self.pending: list[tuple[str, str]] = []  # of a, r and R, written at the end of a cycle
        self._last_regex: Regex | None = None
        self._is_over = False
        self.status = 0

    def run(self) -> Iterator[str]:
        """Run on all files; if they are separate, restart the script for each."""
        if not self._inputs.is_separate:
            yield from self._code.function(self)
            return
        while self.open_next():
            yield from self.run_file(self.output)

    def open_next(self) -> bool:
        """Open the next file; returns whether there is one."""
        return not self._is_over and self._inputs.open_next()

    def run_file(self, output: SedOutput) -> Iterator[str]:
        """Run on one file, which may have its own output."""
        self._edits = output is not self.output
        self.output = output
        self._files.rewind()
        yield from self._code.function(self)

    # ------------------------------------------------------------ lines

    def take(self, number: int) -> tuple[Iterator[str], int, int, bool]:
        """Return the next lines, the number of the line before them, that of the last one, and
        whether that lacks its newline. Lines to which no step applies are copied at once.
        """
        self.tick()
        code, text = self._code, self._inputs.take_text()
        if 0 <= code.last_line <= number:
            border = len(text)
            if code.sees_last:
                border = text.rfind(self._end, 0, border - 1) + 1
            if border:
                passed, text = text[:border], text[border:]
                number += passed.count(self._end) + (not passed.endswith(self._end))
                if not code.is_silent:
                    self.output.copy(passed)
        return self.split_lines(text, number)

    def next_lines(self, number: int) -> tuple[Iterator[str], int, int, bool]:
        """Return the next lines as `take` does, for a step that reads a line itself."""
        self.tick()
        return self.split_lines(self._inputs.take_text(), number)

    def split_lines(self, text: str, number: int) -> tuple[Iterator[str], int, int, bool]:
        lines = text.split(self._end)
        lacks_end = bool(lines.pop()) and bool(text)
        if lacks_end:
            lines.append(text)
        return iter(lines), number, number + len(lines), lacks_end

    def quit(self, status: int, lines: Iterator[str]) -> str:
        """End the script; returns the remaining output."""
        self.status, self._is_over = status & 0xFF, True
        rest = self._end.join([*lines, ""])
        self._inputs.unread(rest)
        return self.output.take()

    @property
    def name(self) -> str:
        """The file of the current line."""
        return self._inputs.name

    # ------------------------------------------------------------ output

    def write_output(self) -> None:
        """Print the output before a failure; a file edited in place stays unchanged."""
        if not self._edits:
            self._sh.out.write(self.output.take())

    def check_space(self, space: str) -> None:
        """Fail if a space is longer than a value may be, or than sed's own limit."""
        self._sh.check_size(len(space))
        check_space_size(space)

    def pause(self, space: str) -> str:
        """Check limits and cancellation; returns the output written so far."""
        self.tick()
        self.check_space(space)
        if len(self.pending) > MAX_PENDING_TEXTS:
            raise self._sh.fail(
                f"more than {MAX_PENDING_TEXTS} texts wait for the end of a line", PANIC_STATUS
            )
        self._files.flush()
        return self.output.take()

    def output_for(self, path: str) -> SedOutput:
        """Return the output that `w` writes to."""
        return self._files.output(path, self.output)

    def queue_line(self, path: str) -> None:
        """`R`: queue the next line of a file for the end of the cycle."""
        line = self._files.next_line(path)
        if line is not None:
            self.pending.append(("text", line))

    def write_pending(self) -> None:
        """Write the pending texts."""
        for kind, text in self.pending:
            if kind == "file":
                self.insert_file(text)
            elif text.endswith(self._end):
                self.output.lines.append(text[:-1])
            else:
                self.output.raw(text)
        self.pending.clear()

    def insert_file(self, path: str) -> None:
        """Write the contents of a file."""
        self.output.raw("")  # adds a missing newline, even if the file is empty
        for piece in self._files.read_chunks(path):
            self.output.raw(piece)

    def list_space(self, space: str, width: int) -> str:
        """`l`."""
        return list_line(space, width if width >= 0 else self._width, self._end, self.tick)

    # ------------------------------------------------------------ expressions

    def matches(self, regex: Regex, space: str) -> bool:
        """Whether a regex matches; it becomes the last regex used."""
        self._last_regex = regex
        return regex.is_in(space, self.tick)

    def last_matches(self, space: str) -> bool:
        """Whether the last regex used matches."""
        return self.last_regex().is_in(space, self.tick)

    def last_regex(self) -> Regex:
        """Return the last regex used."""
        if self._last_regex is None:
            raise self._sh.fail(f"{self._place}: no previous regular expression", 1)
        return self._last_regex

    def substitute(self, substitution: SedSubstitution, space: str) -> str | None:
        """`s` in the general case; returns the changed text, or None if nothing matches."""
        regex = self._last_regex = substitution.regex or self.last_regex()
        number = substitution.replacement.groups
        if number > regex.groups:
            message = f"invalid reference \\{number} on `s' command's RHS"
            raise self._sh.fail(f"{self._place}: {message}", 1)
        return substitute_matches(substitution, regex, space, self.tick)
