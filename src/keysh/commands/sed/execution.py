"""Running a script of sed, line by line: the pattern space, the hold space, and what waits."""

from __future__ import annotations

from keysh.commands.sed.listing import listed
from keysh.commands.sed.script import END
from keysh.commands.sed.substitute import substituted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.commands.sed.inputs import Inputs
    from keysh.commands.sed.outputs import Files, Output
    from keysh.commands.sed.script import Address, Script, Step
    from keysh.runtime.call import Call
    from keysh.text.regex import Regex

CYCLES = 64  # between two pauses
LARGEST = 1 << 28  # characters that the pattern space and the hold space may have
# Where a step can lead, other than to the next one: to the end of the cycle, with the pattern space
# printed or not, to a further cycle without reading a line, to the end of it all.
SILENT_END, AGAIN, QUIT, SILENT_QUIT = range(END + 1, END + 5)


class Execution:
    """One run of a script over its inputs."""

    __slots__ = (
        "_actions", "_end", "_ends", "_files", "_hold", "_hold_end", "_inputs", "_is_again",
        "_is_posix", "_is_silent", "_last_line", "_last_regex", "_line_end", "_output", "_sh",
        "_space", "_steps", "_substituted", "_waiting", "_width", "is_over", "status",
    )  # fmt: skip

    def __init__(
        self, sh: Call, script: Script, inputs: Inputs, output: Output, files: Files, end: str
    ) -> None:
        self._sh, self._inputs, self._output, self._files = sh, inputs, output, files
        self._steps, self._last_line, self._end = script.steps, script.last_line, end
        self._space = self._hold = ""
        # What stood behind the last line read, nothing where that is missing; and the same of what
        # is held.
        self._line_end = self._hold_end = end
        self._is_silent, self._is_posix, self._width = script.is_silent, False, 70
        self._waiting: list[Callable[[], None]] = []  # what a, r and R write at the end of a cycle
        self._substituted = self._is_again = self.is_over = False
        self.status = 0
        self._last_regex: Regex | None = None
        # The line at which the range of a step ends, for those that are under way; -1 for one that
        # ends where an expression matches.
        self._ends: dict[int, int] = {}
        self._actions: dict[str, Callable[[int, Step], int]] = {
            "{": self.enter, "=": self.line_number, "a": self.append, "b": self.branch,
            "c": self.change, "d": self.delete, "D": self.delete_line, "F": self.file_name,
            "g": self.get, "G": self.get_behind, "h": self.keep, "H": self.keep_behind,
            "i": self.insert, "l": self.list_out, "n": self.next_line, "N": self.add_line,
            "p": self.print_out, "P": self.print_line, "q": self.quit, "Q": self.quit_silent,
            "r": self.read_file, "R": self.read_line, "s": self.substitute,
            "t": self.branch_changed, "T": self.branch_unchanged, "w": self.write_out,
            "W": self.write_line, "x": self.exchange, "y": self.translate, "z": self.empty,
        }  # fmt: skip
        self.open_ranges()

    def settings(self, *, is_silent: bool, is_posix: bool, width: int) -> None:
        self._is_silent = self._is_silent or is_silent
        self._is_posix, self._width = is_posix, width

    def begin_file(self, output: Output) -> None:
        """Go on with a file that has lines of its own number, and perhaps its own output."""
        self._output = output
        self._hold, self._hold_end = "", self._end
        self._files.rewind()
        self._ends.clear()
        self.open_ranges()

    def open_ranges(self) -> None:
        """`0,/re/` is under way before the first line."""
        for number, step in enumerate(self._steps):
            first = step.first
            if first is not None and first.kind == "line" and not first.number:
                self._ends[number] = -1

    def cycles(self) -> Iterator[None]:
        """One cycle after the other, until there are no more lines; now and then it pauses."""
        turns = 0
        while not self.is_over and (self._is_again or self.read()):
            self._is_again = False
            turns += 1
            if not turns % CYCLES:
                self._sh.tick()
                yield
            outcome = self.run()
            if outcome in (END, QUIT) and not self._is_silent:
                self.print_out(0, None)
            if outcome != SILENT_QUIT:
                self.flush_waiting()
            if outcome == QUIT:
                self._output.copy_raw("")  # which ends a line that lacks its end
            self._is_again = outcome == AGAIN
            self.is_over = outcome in (QUIT, SILENT_QUIT)
            if self._inputs.number == self._last_line and not self.is_over:
                yield from self.rest()
        yield

    def rest(self) -> Iterator[None]:
        """Go through lines that no step does anything to."""
        for text in self._inputs.rest():
            self._sh.tick()
            if not self._is_silent:
                self._output.copy(text)
                self._output.flush()
            yield

    def all_cycles(self) -> Iterator[None]:
        """The cycles of all files; where each is separate, a new one begins with each."""
        if not self._inputs.is_separate:
            yield from self.cycles()
            return
        while not self.is_over and self._inputs.advance():
            self.begin_file(self._output)
            yield from self.cycles()

    def read(self) -> bool:
        """Read the next line into the pattern space."""
        line = self._inputs.next()
        if line is None:
            return False
        self._substituted = False
        self._space, self._line_end = line
        return True

    def run(self) -> int:
        """One cycle of the script; how it ends."""
        steps, actions, count, at = self._steps, self._actions, len(self._steps), 0
        while at < count:
            step = steps[at]
            if step.first is None or self.is_chosen(at, step) != step.is_negated:
                following = actions[step.name](at, step)
                if following <= at:
                    self._sh.tick()
                at = following
            else:
                at = step.target if step.name == "{" else at + 1
        return END if at == count else at

    def flush_waiting(self) -> None:
        if self._waiting:
            for write in self._waiting:
                write()
            self._waiting.clear()

    def grown(self, text: str) -> str:
        """A text that has become longer; a script must not fill the memory."""
        if len(text) > LARGEST:
            raise self._sh.fail(f"a line has more than {LARGEST} characters", 4)
        return text

    # ------------------------------------------------------------ addresses

    def is_chosen(self, at: int, step: Step) -> bool:
        """Whether the addresses of a step choose this line."""
        first, second = step.first, step.second
        assert first is not None
        if second is None:
            return self.is_at(first)
        number = self._inputs.number
        end = self._ends.get(at)
        if end is None:
            if not self.is_at(first):
                return False
            end = self.range_end(second, number)
            if end < 0 or end > number:
                self._ends[at] = end
            return True
        if end < 0:
            if self.is_at(second):
                del self._ends[at]
            return True
        if number >= end:
            del self._ends[at]
        return number <= end

    def range_end(self, second: Address, number: int) -> int:
        """The line that a range ends at which begins here; -1 where that is to be seen."""
        if second.kind == "line":
            return second.number
        if second.kind == "further":
            return number + second.number
        if second.kind == "multiple":
            step = second.number
            return number if step < 1 else -(-number // step) * step
        return -1

    def is_at(self, address: Address) -> bool:
        kind = address.kind
        if kind == "regex":
            return self.regex(address.regex).is_in(self._space, self._sh.tick)
        if kind == "line":
            return self._inputs.number == address.number
        if kind == "last":
            return self._inputs.is_last()
        number = self._inputs.number - address.number
        return number >= 0 and number % address.step == 0

    def regex(self, regex: Regex | None) -> Regex:
        """An expression, or the last one that was used."""
        if regex is None:
            regex = self._last_regex
            if regex is None:
                says = "-e expression #1, char 0: no previous regular expression"
                raise self._sh.fail(says, 1)
        self._last_regex = regex
        return regex

    # ------------------------------------------------------------ where to go on

    def enter(self, at: int, step: Step) -> int:
        return at + 1

    def branch(self, at: int, step: Step) -> int:
        return min(END, step.target)

    def branch_changed(self, at: int, step: Step) -> int:
        if not self._substituted:
            return at + 1
        self._substituted = False
        return self.branch(at, step)

    def branch_unchanged(self, at: int, step: Step) -> int:
        if self._substituted:
            self._substituted = False
            return at + 1
        return self.branch(at, step)

    def delete(self, at: int, step: Step) -> int:
        return SILENT_END

    def delete_line(self, at: int, step: Step) -> int:
        _, newline, rest = self._space.partition(self._end)
        if not newline:
            return SILENT_END
        self._space = rest
        return AGAIN

    def quit(self, at: int, step: Step) -> int:
        self.status = max(step.number, 0) & 0xFF
        return QUIT

    def quit_silent(self, at: int, step: Step) -> int:
        self.status = max(step.number, 0) & 0xFF
        return SILENT_QUIT

    def next_line(self, at: int, step: Step) -> int:
        if self._inputs.is_last():
            return SILENT_END if self._is_posix else END
        if not self._is_silent:
            self.print_out(at, step)
        self.flush_waiting()
        substituted = self._substituted
        self.read()
        self._substituted = substituted
        return at + 1

    def add_line(self, at: int, step: Step) -> int:
        if self._inputs.is_last():
            return SILENT_END if self._is_posix else END
        self.flush_waiting()
        line, self._line_end = self._inputs.next() or ("", "")
        self._space = self.grown(f"{self._space}{self._end}{line}")
        return at + 1

    # ------------------------------------------------------------ the spaces

    def get(self, at: int, step: Step) -> int:
        self._space, self._line_end = self._hold, self._hold_end
        return at + 1

    def get_behind(self, at: int, step: Step) -> int:
        self._space = self.grown(f"{self._space}{self._end}{self._hold}")
        return at + 1

    def keep(self, at: int, step: Step) -> int:
        self._hold, self._hold_end = self._space, self._line_end
        return at + 1

    def keep_behind(self, at: int, step: Step) -> int:
        self._hold = self.grown(f"{self._hold}{self._end}{self._space}")
        self._hold_end = self._line_end
        return at + 1

    def exchange(self, at: int, step: Step) -> int:
        self._space, self._hold = self._hold, self._space
        self._line_end, self._hold_end = self._hold_end, self._line_end
        return at + 1

    def empty(self, at: int, step: Step) -> int:
        self._space = ""
        return at + 1

    def translate(self, at: int, step: Step) -> int:
        self._space = self._space.translate(step.table)
        return at + 1

    def substitute(self, at: int, step: Step) -> int:
        what = step.substitution
        assert what is not None
        regex = self.regex(what.regex)
        if what.replacement.groups > regex.groups:
            says = f"invalid reference \\{what.replacement.groups} on `s' command's RHS"
            raise self._sh.fail(says, 1)
        made = substituted(what, regex, self._space, self._sh.tick)
        if made is not None:
            self._space = self.grown(made)
            self._substituted = True
            if what.prints:
                self.print_out(at, step)
            if what.path:
                self.written(what.path).write(made, self._line_end)
        return at + 1

    # ------------------------------------------------------------ printing

    def print_out(self, at: int, step: Step | None) -> int:
        self._output.write(self._space, self._line_end)
        return at + 1

    def print_line(self, at: int, step: Step) -> int:
        self.write_first_line(self._output)
        return at + 1

    def line_number(self, at: int, step: Step) -> int:
        self._output.write(str(self._inputs.number), self._end)
        return at + 1

    def file_name(self, at: int, step: Step) -> int:
        self._output.write(self._inputs.name, "\n")
        return at + 1

    def list_out(self, at: int, step: Step) -> int:
        width = step.number if step.number >= 0 else self._width
        self._output.write(listed(self._space, width, self._end), self._end)
        return at + 1

    def insert(self, at: int, step: Step) -> int:
        self.write_text(step)
        return at + 1

    def change(self, at: int, step: Step) -> int:
        """The text stands for a whole range at its end; with `!`, for each line."""
        if step.is_negated or at not in self._ends:
            self.write_text(step)
        return SILENT_END

    def write_text(self, step: Step) -> None:
        """Write the text of a, i or c, where there is any."""
        if step.text:
            self._output.write(step.text[:-1], self._end)

    def append(self, at: int, step: Step) -> int:
        self._waiting.append(lambda: self._output.copy_raw(step.text))
        return at + 1

    def read_file(self, at: int, step: Step) -> int:
        def write() -> None:
            for text in self._files.text_of(step.text):
                self._output.copy_raw(text)

        self._waiting.append(write)
        return at + 1

    def read_line(self, at: int, step: Step) -> int:
        line = self._files.line_of(step.text)
        if line is not None:
            self._waiting.append(lambda: self._output.copy_raw(line))
        return at + 1

    def write_out(self, at: int, step: Step) -> int:
        self.written(step.text).write(self._space, self._line_end)
        return at + 1

    def write_line(self, at: int, step: Step) -> int:
        self.write_first_line(self.written(step.text))
        return at + 1

    def write_first_line(self, output: Output) -> None:
        line, newline, _ = self._space.partition(self._end)
        output.write(line, newline or self._line_end)

    def written(self, path: str) -> Output:
        return self._files.output(path, self._output)
