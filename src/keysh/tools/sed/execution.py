"""Execution: what a compiled script stands on while it runs: its lines, its output, what waits."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text
from keysh.tools.sed.limit import PANIC_STATUS, check_space_size
from keysh.tools.sed.substitute import substitute_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.text.regex.regex import Regex
    from keysh.tools.sed.code import CompiledScript
    from keysh.tools.sed.inputs import SedInputs
    from keysh.tools.sed.outputs import SedFiles, SedOutput
    from keysh.tools.sed.script import SedSubstitution


# `l`: a line with all that is not plain ASCII escaped, folded where it is long.

LIST_ESCAPES = {
    7: "\\a",
    8: "\\b",
    9: "\\t",
    10: "\\n",
    11: "\\v",
    12: "\\f",
    13: "\\r",
    92: "\\\\",
}


def list_line(text: str, width: int, end: str) -> str:
    """The line with a `$` at its end; a width of 0 folds nothing, `end` ends the folds."""
    folded: list[str] = []
    line: list[str] = []
    length = 0
    for byte in bytes_of_text(text):
        is_plain = 32 <= byte < 127 and byte != 92
        shown = chr(byte) if is_plain else LIST_ESCAPES.get(byte) or f"\\{byte:03o}"
        if width and length + len(shown) > width - 1:
            folded.append("".join([*line, f"\\{end}"]))
            line.clear()
            length = 0
        line.append(shown)
        length += len(shown)
    return "".join([*folded, *line, "$"])


MAX_PENDING_TEXTS = 1_000_000


class Execution:
    """One run of a script over its inputs. Generated code keeps the spaces, the line's number and
    the ranges that are under way; `yield` in it hands on what is printed.
    """

    __slots__ = (
        "_code", "_edits", "_end", "_files", "_inputs", "_is_over", "_last_regex", "_place", "_sh",
        "_width", "more", "output", "status", "tick", "waiting",
    )  # fmt: skip

    def __init__(
        self, sh: Call, code: CompiledScript, inputs: SedInputs, output: SedOutput, files: SedFiles, end: str,
        width: int, place: str,
    ) -> None:  # fmt: skip
        self._sh, self._code, self._inputs, self._files = sh, code, inputs, files
        self._end, self._width, self._place = end, width, place
        self.output, self._edits = output, False
        self.more, self.tick = inputs.has_more, sh.tick
        self.waiting: list[tuple[str, str]] = []  # what a, r and R write at the end of a cycle
        self._last_regex: Regex | None = None
        self._is_over = False
        self.status = 0

    def run(self) -> Iterator[str]:
        """All files; where each is separate, the script begins anew with each."""
        if not self._inputs.is_separate:
            yield from self._code.function(self)
            return
        while self.open_next():
            yield from self.run_file(self.output)

    def open_next(self) -> bool:
        """Whether there is another file to go on with."""
        return not self._is_over and self._inputs.open_next()

    def run_file(self, output: SedOutput) -> Iterator[str]:
        """Run over one file, which may have an output of its own."""
        self._edits = output is not self.output
        self.output = output
        self._files.rewind()
        yield from self._code.function(self)

    # ------------------------------------------------------------ lines

    def take(self, number: int) -> tuple[Iterator[str], int, int, bool]:
        """The next lines; the number of the line before them, that of the last, and whether that
        lacks its end. Lines that no step does anything to are passed over.
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

    def following(self, number: int) -> tuple[Iterator[str], int, int, bool]:
        """The next lines, as `take` gives them, for a step that reads one while it runs."""
        self.tick()
        return self.split_lines(self._inputs.take_text(), number)

    def split_lines(self, text: str, number: int) -> tuple[Iterator[str], int, int, bool]:
        lines = text.split(self._end)
        lacks_end = bool(lines.pop()) and bool(text)
        if lacks_end:
            lines.append(text)
        return iter(lines), number, number + len(lines), lacks_end

    def quit(self, status: int, lines: Iterator[str]) -> str:
        """The script ends here; what is still to be handed on."""
        self.status, self._is_over = status & 0xFF, True
        rest = self._end.join([*lines, ""])
        self._inputs.unread(rest)
        return self.output.taken()

    @property
    def name(self) -> str:
        """The file of the present line."""
        return self._inputs.name

    # ------------------------------------------------------------ output

    def write_output(self) -> None:
        """Print what was written before the run failed; an edited file stays as it was."""
        if not self._edits:
            self._sh.out.write(self.output.taken())

    def pause(self, space: str) -> str:
        """Look up from the work; what has been written meanwhile."""
        self.tick()
        check_space_size(space)
        if len(self.waiting) > MAX_PENDING_TEXTS:
            raise self._sh.fail(
                f"more than {MAX_PENDING_TEXTS} texts wait for the end of a line", PANIC_STATUS
            )
        self._files.flush()
        return self.output.taken()

    def written(self, path: str) -> SedOutput:
        """Where `w` writes to."""
        return self._files.output(path, self.output)

    def wait_for_line(self, path: str) -> None:
        """`R`: the next line of a file waits for the end of the cycle."""
        line = self._files.next_line(path)
        if line is not None:
            self.waiting.append(("text", line))

    def flush_waiting(self) -> None:
        """Write what waits."""
        for kind, text in self.waiting:
            if kind == "file":
                self.insert_file(text)
            elif text.endswith(self._end):
                self.output.lines.append(text[:-1])
            else:
                self.output.raw(text)
        self.waiting.clear()

    def insert_file(self, path: str) -> None:
        """Write a file as it is."""
        self.output.raw("")  # which ends a line, even if there is nothing behind it
        for piece in self._files.read_chunks(path):
            self.output.raw(piece)

    def listed(self, space: str, width: int) -> str:
        """`l`."""
        return list_line(space, width if width >= 0 else self._width, self._end)

    # ------------------------------------------------------------ expressions

    def is_in(self, regex: Regex, space: str) -> bool:
        """Whether an expression matches, which is remembered as the last that was used."""
        self._last_regex = regex
        return regex.is_in(space, self.tick)

    def last_is_in(self, space: str) -> bool:
        """Whether the last expression that was used matches."""
        return self.last_regex().is_in(space, self.tick)

    def last_regex(self) -> Regex:
        """The last expression that was used."""
        if self._last_regex is None:
            raise self._sh.fail(f"{self._place}: no previous regular expression", 1)
        return self._last_regex

    def substituted(self, what: SedSubstitution, space: str) -> str | None:
        """`s` in the general case: the changed text, None where nothing matches."""
        regex = self._last_regex = what.regex or self.last_regex()
        number = what.replacement.groups
        if number > regex.groups:
            says = f"invalid reference \\{number} on `s' command's RHS"
            raise self._sh.fail(f"{self._place}: {says}", 1)
        return substitute_matches(what, regex, space, self.tick)
