"""The Python code of the steps of a script."""

from __future__ import annotations

from bisect import bisect_right, insort

from keysh.tools.sed.substitutions import SubstitutionCoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.sed.script import SedScript, Step

LARGE_SPACE_CHARS = 1 << 16  # characters of a space from which on it is looked after
JUMPS_PER_TICK = 256  # jumps back between two looks at the clock
MAX_BLOCK_DEPTH = 40  # of blocks in the code


class StepCoder(SubstitutionCoder):
    """Writes steps, each under its condition."""

    def __init__(self, script: SedScript, *, is_silent: bool, is_posix: bool, end: str) -> None:
        super().__init__(script)
        self.is_silent, self.is_posix = is_silent, is_posix
        self.values["END"], self.values["LARGE"] = end, LARGE_SPACE_CHARS
        names = {step.name for step in self.steps}
        self.waits, self.reads = not names.isdisjoint("arR"), not names.isdisjoint("rR")
        # Where the end of a line goes from space to space, each line begins with its own.
        self.end_of_line = "is_open" if names.isdisjoint("gGx") else "lacks_end"
        self.tests_change = not names.isdisjoint("tT")
        self.grows = not names.isdisjoint("sNGgx")
        self.counts = not names.isdisjoint("nN=q") or any(
            address is not None and address.kind != "regex"
            for step in self.steps
            for address in (step.first, step.second)
        )
        self.paths = script.written_paths
        self.starts = section_starts(self.steps)

    # ------------------------------------------------------------ control

    def step(self, at: int, end: int) -> int:
        """Write a step, with the steps of its block if it has one; the place behind it.

        Others are written beside it up to the end.
        """
        step = self.steps[at]
        condition = self.condition(at)
        if step.name == "{":
            return self.block(at, condition)
        if not condition and at + 2 <= end and self.is_print_then_delete(at):
            self.write_print_then_delete()
            return at + 2
        if condition:
            self.emit(f"if {condition}:")
            self.depth += 1
        getattr(self, STEP_WRITERS[step.name])(at, step)
        self.depth -= bool(condition)
        return at + 1

    def block(self, at: int, condition: str) -> int:
        """`{`; where something jumps into its steps, they stand beside it, and are jumped over."""
        end = self.steps[at].target
        if not condition:
            return at + 1
        if contains_start(self.starts, at, end):
            self.emit(f"if not ({condition}):")
            self.depth += 1
            self.jump(at, end)
            self.depth -= 1
            return at + 1
        self.emit(f"if {condition}:")
        self.depth += 1
        self.emit("pass")
        at += 1
        while at < end:
            at = self.step(at, end)
        self.depth -= 1
        return end

    def jump(self, at: int, target: int) -> None:
        """Go on at another step; behind the last, the cycle ends."""
        if target >= len(self.steps):
            self.write_end()
            return
        self.emit(f"at = {bisect_right(self.starts, target)}")
        if target <= at:
            self.write_turn()
        self.emit("continue")

    def write_turn(self) -> None:
        """Count a jump back."""
        self.emit("turns += 1")
        self.emit(f"if turns > {JUMPS_PER_TICK}:")
        self.emit(" turns = 0")
        self.emit(" yield m.pause(space)")

    def write_end(self) -> None:
        """The end of a cycle."""
        self.write_space()
        self.emit("break")

    def write_space(self) -> None:
        """Print the pattern space, unless that is left to `p`."""
        if not self.is_silent:
            self.write_open("output")

    def write_open(self, output: str) -> None:
        """Write the pattern space, which may lack its end."""
        self.emit("write(space)" if output == "output" else f"{output}.lines.append(space)")
        self.emit(f"if is_open: {output}.leave_open()")

    def write_waiting(self) -> None:
        if self.waits:
            self.emit("if m.waiting: m.flush_waiting()")

    def write_branch(self, at: int, step: Step) -> None:
        self.jump(at, step.target)

    def write_branch_changed(self, at: int, step: Step) -> None:
        self.emit("if is_changed:")
        self.depth += 1
        self.emit("is_changed = False")
        self.jump(at, step.target)
        self.depth -= 1

    def write_branch_unchanged(self, at: int, step: Step) -> None:
        self.emit("if not is_changed:")
        self.depth += 1
        self.jump(at, step.target)
        self.depth -= 1
        self.emit("is_changed = False")

    def write_delete(self, at: int, step: Step) -> None:
        self.emit("break")

    def write_delete_line(self, at: int, step: Step) -> None:
        self.emit("_, newline, rest = space.partition(END)")
        self.emit("if not newline: break")
        self.write_rest()

    def write_rest(self) -> None:
        """Begin anew with what is behind the first line of the space."""
        self.emit("space = rest")
        if self.starts:
            self.emit("at = 0")
        self.write_turn()
        self.emit("continue")

    def is_print_then_delete(self, at: int) -> bool:
        """Whether the steps from here are `P` and `D`, always done together."""
        steps = self.steps[at : at + 2]
        if [step.name for step in steps] != ["P", "D"] or at + 1 in self.starts:
            return False
        return steps[1].first is None and not steps[1].is_negated

    def write_print_then_delete(self) -> None:
        """`P` and `D`."""
        self.emit("first, newline, rest = space.partition(END)")
        self.emit("write(first)")
        self.emit("if not newline:")
        self.emit(" if is_open: output.leave_open()")
        self.emit(" break")
        self.write_rest()

    def write_quit(self, at: int, step: Step) -> None:
        self.write_space()
        self.write_waiting()
        self.emit("output.raw(EMPTY)")  # which ends a line that lacks its end
        self.write_quit_silent(at, step)

    def write_quit_silent(self, at: int, step: Step) -> None:
        self.emit(f"yield m.quit({max(step.number, 0)}, lines)")
        self.emit("return")

    # ------------------------------------------------------------ lines

    def write_next_line(self, at: int, step: Step) -> None:
        self.write_last_line(prints=True)
        self.write_space()
        self.write_waiting()
        self.write_following("space = next(lines)")

    def write_add_line(self, at: int, step: Step) -> None:
        self.write_last_line(prints=not self.is_posix)
        self.write_waiting()
        self.write_following("space += END + next(lines)")
        self.write_grown()

    def write_last_line(self, *, prints: bool) -> None:
        """Where no line follows the cycle ends, and with it the run."""
        self.emit("if number == border and not more():")
        self.depth += 1
        if prints:
            self.write_space()
        self.emit("break")
        self.depth -= 1

    def write_following(self, code: str) -> None:
        taken = f"lines, number, border, {self.end_of_line}"
        self.emit(f"if number == border: {taken} = m.following(number)")
        self.emit(code)
        self.write_read()

    def write_read(self) -> None:
        """What holds for a line that has just been read."""
        if self.counts:
            self.emit("number += 1")
        if self.end_of_line != "is_open":
            self.emit(f"is_open = {self.end_of_line}")
        if self.tests_change:
            self.emit("is_changed = False")

    def write_grown(self) -> None:
        """A space that has become longer."""
        self.emit("if len(space) > LARGE: grown(space)")

    # ------------------------------------------------------------ the spaces

    def write_get(self, at: int, step: Step) -> None:
        self.emit("space, is_open = hold, hold_is_open")

    def write_get_behind(self, at: int, step: Step) -> None:
        self.emit("space += END + hold")
        self.emit("is_open = hold_is_open")
        self.write_grown()

    def write_keep(self, at: int, step: Step) -> None:
        self.emit("hold, hold_is_open = space, is_open")

    def write_keep_behind(self, at: int, step: Step) -> None:
        self.emit("hold += END + space")
        self.emit("hold_is_open = is_open")
        self.emit("if len(hold) > LARGE: grown(hold)")

    def write_exchange(self, at: int, step: Step) -> None:
        self.emit("space, hold = hold, space")
        self.emit("is_open, hold_is_open = hold_is_open, is_open")

    def write_emptying(self, at: int, step: Step) -> None:
        self.emit("space = EMPTY")

    def write_translation(self, at: int, step: Step) -> None:
        self.emit(f"space = space.translate({self.constant(step.table)})")

    # ------------------------------------------------------------ printing

    def write_print(self, at: int, step: Step) -> None:
        self.write_open("output")
        if self.grows:
            self.emit("if len(space) > LARGE: yield m.pause(space)")

    def write_print_line(self, at: int, step: Step) -> None:
        self.write_first_line("output")

    def write_first_line(self, output: str) -> None:
        """Write the space up to its first newline."""
        self.emit("first, newline, _ = space.partition(END)")
        self.emit(f"{output}.lines.append(first)")
        self.emit(f"if is_open and not newline: {output}.leave_open()")

    def write_number(self, at: int, step: Step) -> None:
        self.emit("write(str(number))")

    def write_name(self, at: int, step: Step) -> None:
        self.emit("write(m.name)")

    def write_list(self, at: int, step: Step) -> None:
        self.emit(f"write(m.listed(space, {step.number}))")

    def write_insert(self, at: int, step: Step) -> None:
        code = f"write({self.constant(step.text[:-1])})" if step.text else "pass"
        self.emit(code)

    def write_change(self, at: int, step: Step) -> None:
        """The text stands for a whole range at its end; with `!`, for each line."""
        if step.text:
            goes_on = "" if step.is_negated else self.range_goes_on(at)
            at_end = f"if not {goes_on}: " if goes_on else ""
            self.emit(f"{at_end}write({self.constant(step.text[:-1])})")
        self.emit("break")

    def write_append(self, at: int, step: Step) -> None:
        self.emit(f"m.waiting.append({self.constant(('text', step.text))})")

    def write_file(self, at: int, step: Step) -> None:
        self.emit(f"m.waiting.append({self.constant(('file', step.text))})")

    def write_file_before(self, at: int, step: Step) -> None:
        self.emit(f"m.insert_file({self.constant(step.text)})")

    def write_read_line(self, at: int, step: Step) -> None:
        self.emit(f"m.wait_for_line({self.constant(step.text)})")

    def write_out(self, at: int, step: Step) -> None:
        self.write_open(self.output(step.text))

    def write_out_line(self, at: int, step: Step) -> None:
        self.write_first_line(self.output(step.text))

    def output(self, path: str) -> str:
        """The name of what `w` writes to."""
        return f"w{self.paths.index(path)}"

    # ------------------------------------------------------------ s

    def write_substitute(self, at: int, step: Step) -> None:
        what = step.substitution
        assert what is not None
        self.write_substitution(what)
        self.write_grown()
        if self.tests_change:
            self.emit("is_changed = True")
        if what.prints:
            self.write_print(at, step)
        if what.path:
            self.write_open(self.output(what.path))
        self.depth -= 1


def section_starts(steps: list[Step]) -> list[int]:
    """The places that are jumped to, but for the first, in order.

    So is the end of a block whose steps cannot stand in it, since something else jumps to them, or
    since it is too deep.
    """
    starts = {step.target for step in steps if step.name in ("b", "t", "T")}
    depths: list[int] = []  # the ends of the blocks around a step
    for at, step in enumerate(steps):
        while depths and depths[-1] <= at:
            depths.pop()
        if step.name == "{":
            depths.append(step.target)
            if len(depths) > MAX_BLOCK_DEPTH:
                starts.add(at + 1)
    found = sorted(start for start in starts if 0 < start < len(steps))
    for at in range(len(steps) - 1, -1, -1):
        if steps[at].name == "{" and contains_start(found, at, steps[at].target):
            insort(found, steps[at].target)
    return [start for start in dict.fromkeys(found) if start < len(steps)]


def contains_start(starts: list[int], first: int, last: int) -> bool:
    """Whether a place that is jumped to is between two others."""
    number = bisect_right(starts, first)
    return number < len(starts) and starts[number] < last


STEP_WRITERS = {
    "=": "write_number", "a": "write_append", "b": "write_branch", "c": "write_change",
    "d": "write_delete", "D": "write_delete_line", "F": "write_name", "g": "write_get",
    "G": "write_get_behind", "h": "write_keep", "H": "write_keep_behind", "i": "write_insert",
    "l": "write_list", "n": "write_next_line", "N": "write_add_line", "p": "write_print",
    "P": "write_print_line", "q": "write_quit", "Q": "write_quit_silent", "r": "write_file",
    "R": "write_read_line", "s": "write_substitute", "t": "write_branch_changed",
    "T": "write_branch_unchanged", "w": "write_out", "W": "write_out_line",
    "x": "write_exchange", "y": "write_translation", "z": "write_emptying",
    "0r": "write_file_before",
}  # fmt: skip
