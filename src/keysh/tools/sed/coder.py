"""The Python code of the steps of a script."""

from __future__ import annotations

from bisect import bisect_right, insort

from keysh.tools.sed.substitutions import SubstitutionCoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.sed.script import SedScript, Step

LARGE_SPACE_CHARS = 1 << 16  # of a line after which the output is passed on
JUMPS_PER_TICK = 256  # jumps back between two checks of whether the run was cancelled
MAX_BLOCK_DEPTH = 40  # of nested blocks in the code


class StepCoder(SubstitutionCoder):
    """Writes steps, each under its condition."""

    def __init__(
        self, script: SedScript, *, is_silent: bool, is_posix: bool, line_end: str
    ) -> None:
        super().__init__(script)
        self.is_silent, self.is_posix = is_silent, is_posix
        self.values["END"], self.values["LARGE"] = line_end, LARGE_SPACE_CHARS
        names = {step.name for step in self.steps}
        self.waits, self.reads = not names.isdisjoint("arR"), not names.isdisjoint("rR")
        # G, g and x move a missing newline between the spaces, so each cycle sets `is_open`.
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

    def step(self, index: int, end: int) -> int:
        """Write a step, with its block if it has one; returns the index after it.

        `end` is where the surrounding steps end.
        """
        step = self.steps[index]
        condition = self.condition(index)
        if step.name == "{":
            return self.block(index, condition)
        if not condition and index + 2 <= end and self.is_print_then_delete(index):
            self.write_print_then_delete()
            return index + 2
        if condition:
            self.emit(f"if {condition}:")
            self.depth += 1
        getattr(self, STEP_WRITERS[step.name])(index, step)
        self.depth -= bool(condition)
        return index + 1

    def block(self, index: int, condition: str) -> int:
        """`{`. If a branch leads into the block, its steps are not nested but jumped over."""
        end = self.steps[index].target
        if not condition:
            return index + 1
        if contains_start(self.starts, index, end):
            self.emit(f"if not ({condition}):")
            self.depth += 1
            self.jump(index, end)
            self.depth -= 1
            return index + 1
        self.emit(f"if {condition}:")
        self.depth += 1
        self.emit("pass")
        index += 1
        while index < end:
            index = self.step(index, end)
        self.depth -= 1
        return end

    def jump(self, index: int, target: int) -> None:
        """Jump to another step; after the last one, the cycle ends."""
        if target >= len(self.steps):
            self.write_end()
            return
        self.emit(f"at = {bisect_right(self.starts, target)}")
        if target <= index:
            self.write_turn()
        self.emit("continue")

    def write_turn(self) -> None:
        """Write the count of jumps back, which lets endless loops be cancelled."""
        self.emit("turns += 1")
        self.emit(f"if turns > {JUMPS_PER_TICK}:")
        self.emit(" turns = 0")
        self.emit(" yield m.pause(space)")

    def write_end(self) -> None:
        """Write the end of a cycle."""
        self.write_space()
        self.emit("break")

    def write_space(self) -> None:
        """Write the automatic print of the pattern space, unless `-n` is set."""
        if not self.is_silent:
            self.write_open("output")

    def write_open(self, output: str) -> None:
        """Write the output of the pattern space, which may lack its newline."""
        self.emit("write(space)" if output == "output" else f"{output}.lines.append(space)")
        self.emit(f"if is_open: {output}.leave_open()")

    def write_waiting(self) -> None:
        if self.waits:
            self.emit("if m.pending: m.write_pending()")

    def write_branch(self, index: int, step: Step) -> None:
        self.jump(index, step.target)

    def write_branch_changed(self, index: int, step: Step) -> None:
        self.emit("if is_changed:")
        self.depth += 1
        self.emit("is_changed = False")
        self.jump(index, step.target)
        self.depth -= 1

    def write_branch_unchanged(self, index: int, step: Step) -> None:
        self.emit("if not is_changed:")
        self.depth += 1
        self.jump(index, step.target)
        self.depth -= 1
        self.emit("is_changed = False")

    def write_delete(self, index: int, step: Step) -> None:
        self.emit("break")

    def write_delete_line(self, index: int, step: Step) -> None:
        self.emit("_, newline, rest = space.partition(END)")
        self.emit("if not newline: break")
        self.write_restart()

    def write_restart(self) -> None:
        """Start the cycle again with the space after its first line."""
        self.emit("space = rest")
        if self.starts:
            self.emit("at = 0")
        self.write_turn()
        self.emit("continue")

    def is_print_then_delete(self, index: int) -> bool:
        """Whether the next steps are an unconditional `P` and `D`."""
        steps = self.steps[index : index + 2]
        if [step.name for step in steps] != ["P", "D"] or index + 1 in self.starts:
            return False
        return steps[1].first is None and not steps[1].is_negated

    def write_print_then_delete(self) -> None:
        """`P` and `D` together."""
        self.emit("first, newline, rest = space.partition(END)")
        self.emit("write(first)")
        self.emit("if not newline:")
        self.emit(" if is_open: output.leave_open()")
        self.emit(" break")
        self.write_restart()

    def write_quit(self, index: int, step: Step) -> None:
        self.write_space()
        self.write_waiting()
        self.emit("output.raw(EMPTY)")  # adds a missing newline
        self.write_quit_silent(index, step)

    def write_quit_silent(self, index: int, step: Step) -> None:
        self.emit(f"yield m.quit({max(step.number, 0)}, lines)")
        self.emit("return")

    # ------------------------------------------------------------ lines

    def write_next_line(self, index: int, step: Step) -> None:
        self.write_last_line(prints=True)
        self.write_space()
        self.write_waiting()
        self.write_next("space = next(lines)")

    def write_next_append(self, index: int, step: Step) -> None:
        self.write_last_line(prints=not self.is_posix)
        self.write_waiting()
        self.write_next("space += END + next(lines)")
        self.write_size_check()

    def write_last_line(self, *, prints: bool) -> None:
        """Write the end of the run if no line follows."""
        self.emit("if number == border and not more():")
        self.depth += 1
        if prints:
            self.write_space()
        self.emit("break")
        self.depth -= 1

    def write_next(self, code: str) -> None:
        targets = f"lines, number, border, {self.end_of_line}"
        self.emit(f"if number == border: {targets} = m.next_lines(number)")
        self.emit(code)
        self.write_read()

    def write_read(self) -> None:
        """Write the updates after a line was read."""
        if self.counts:
            self.emit("number += 1")
        if self.end_of_line != "is_open":
            self.emit(f"is_open = {self.end_of_line}")
        if self.tests_change:
            self.emit("is_changed = False")

    def write_size_check(self) -> None:
        """Write the size check of a space that has grown."""
        self.emit("if len(space) > max_space: m.check_space(space)")

    # ------------------------------------------------------------ the spaces

    def write_get(self, index: int, step: Step) -> None:
        self.emit("space, is_open = hold, hold_is_open")

    def write_get_append(self, index: int, step: Step) -> None:
        self.emit("space += END + hold")
        self.emit("is_open = hold_is_open")
        self.write_size_check()

    def write_hold(self, index: int, step: Step) -> None:
        self.emit("hold, hold_is_open = space, is_open")

    def write_hold_append(self, index: int, step: Step) -> None:
        self.emit("hold += END + space")
        self.emit("hold_is_open = is_open")
        self.emit("if len(hold) > max_space: m.check_space(hold)")

    def write_exchange(self, index: int, step: Step) -> None:
        self.emit("space, hold = hold, space")
        self.emit("is_open, hold_is_open = hold_is_open, is_open")

    def write_zap(self, index: int, step: Step) -> None:
        self.emit("space = EMPTY")

    def write_translation(self, index: int, step: Step) -> None:
        self.emit(f"space = space.translate({self.constant(step.table)})")

    # ------------------------------------------------------------ printing

    def write_print(self, index: int, step: Step) -> None:
        self.write_open("output")
        if self.grows:
            self.emit("if len(space) > LARGE: yield m.pause(space)")

    def write_print_line(self, index: int, step: Step) -> None:
        self.write_first_line("output")

    def write_first_line(self, output: str) -> None:
        """Write the output of the space up to its first newline."""
        self.emit("first, newline, _ = space.partition(END)")
        self.emit(f"{output}.lines.append(first)")
        self.emit(f"if is_open and not newline: {output}.leave_open()")

    def write_number(self, index: int, step: Step) -> None:
        self.emit("write(str(number))")

    def write_name(self, index: int, step: Step) -> None:
        self.emit("write(m.name)")

    def write_list(self, index: int, step: Step) -> None:
        self.emit(f"write(m.list_space(space, {step.number}))")

    def write_insert(self, index: int, step: Step) -> None:
        code = f"write({self.constant(step.text[:-1])})" if step.text else "pass"
        self.emit(code)

    def write_change(self, index: int, step: Step) -> None:
        """The text replaces a whole range, at its end; with `!`, each line."""
        if step.text:
            goes_on = "" if step.is_negated else self.range_goes_on(index)
            at_end = f"if not {goes_on}: " if goes_on else ""
            self.emit(f"{at_end}write({self.constant(step.text[:-1])})")
        self.emit("break")

    def write_append(self, index: int, step: Step) -> None:
        self.emit(f"m.pending.append({self.constant(('text', step.text))})")

    def write_file(self, index: int, step: Step) -> None:
        self.emit(f"m.pending.append({self.constant(('file', step.text))})")

    def write_file_before(self, index: int, step: Step) -> None:
        self.emit(f"m.insert_file({self.constant(step.text)})")

    def write_read_line(self, index: int, step: Step) -> None:
        self.emit(f"m.queue_line({self.constant(step.text)})")

    def write_out(self, index: int, step: Step) -> None:
        self.write_open(self.output(step.text))

    def write_out_line(self, index: int, step: Step) -> None:
        self.write_first_line(self.output(step.text))

    def output(self, path: str) -> str:
        """Return the name of the output that `w` writes to."""
        return f"w{self.paths.index(path)}"

    # ------------------------------------------------------------ s

    def write_substitute(self, index: int, step: Step) -> None:
        substitution = step.substitution
        assert substitution is not None
        self.write_substitution(substitution)
        self.write_size_check()
        if self.tests_change:
            self.emit("is_changed = True")
        if substitution.prints:
            self.write_print(index, step)
        if substitution.path:
            self.write_open(self.output(substitution.path))
        self.depth -= 1


def section_starts(steps: list[Step]) -> list[int]:
    """Return the sorted indices of the steps that are jumped to, except the first.

    They include the end of each block that is not nested because a branch leads into it, or because
    it is too deep.
    """
    starts = {step.target for step in steps if step.name in ("b", "t", "T")}
    depths: list[int] = []  # the ends of the blocks around a step
    for index, step in enumerate(steps):
        while depths and depths[-1] <= index:
            depths.pop()
        if step.name == "{":
            depths.append(step.target)
            if len(depths) > MAX_BLOCK_DEPTH:
                starts.add(index + 1)
    targets = sorted(start for start in starts if 0 < start < len(steps))
    for index in range(len(steps) - 1, -1, -1):
        if steps[index].name == "{" and contains_start(targets, index, steps[index].target):
            insort(targets, steps[index].target)
    return [start for start in dict.fromkeys(targets) if start < len(steps)]


def contains_start(starts: list[int], first: int, last: int) -> bool:
    """Whether a section starts after `first` and before `last`."""
    number = bisect_right(starts, first)
    return number < len(starts) and starts[number] < last


STEP_WRITERS = {
    "=": "write_number", "a": "write_append", "b": "write_branch", "c": "write_change",
    "d": "write_delete", "D": "write_delete_line", "F": "write_name", "g": "write_get",
    "G": "write_get_append", "h": "write_hold", "H": "write_hold_append", "i": "write_insert",
    "l": "write_list", "n": "write_next_line", "N": "write_next_append", "p": "write_print",
    "P": "write_print_line", "q": "write_quit", "Q": "write_quit_silent", "r": "write_file",
    "R": "write_read_line", "s": "write_substitute", "t": "write_branch_changed",
    "T": "write_branch_unchanged", "w": "write_out", "W": "write_out_line",
    "x": "write_exchange", "y": "write_translation", "z": "write_zap",
    "0r": "write_file_before",
}  # fmt: skip
