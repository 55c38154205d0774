"""Compile a script to one Python function, a generator that yields the output.

    def program(m):                                 m is the Execution
        …
        while number < border or more():            the pieces of the input
            if number == border:
                lines, number, border, is_open = take(number)
            for space in lines:                     a cycle
                number += 1
                while True:                         again after a jump back
                    …                               the steps
                    write(space)
                    break
                …                                   the pending texts
            yield m.pause(EMPTY)                    hand on the output

`space` and `hold` are the two spaces; `is_open` and `hold_is_open` say that they lack a newline.
`n` and `N` read from the same `lines`. Each step that is jumped to begins a section, `if at <= 3:`;
a jump sets `at` and restarts the loop. The code never contains text of the script itself.
"""

from __future__ import annotations

from keysh.tools.sed.code import CompiledScript
from keysh.tools.sed.coder import StepCoder
from keysh.tools.sed.substitute import change_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.tools.sed.script import SedScript

# The globals of the generated code. `re` needs `__import__` for a replacement with a backslash.
CODE_GLOBALS: dict[str, object] = {
    "__builtins__": {
        "__import__": __import__, "iter": iter, "len": len, "next": next, "str": str,
    },
    "EMPTY": "", "NEWLINE": "\n", "change_case": change_case,
}  # fmt: skip


def compile_script(
    script: SedScript, is_silent: bool, is_posix: bool, line_end: str
) -> CompiledScript:
    """Compile a script, once for the same options."""
    known: CompiledScript | None = script.compiled.get((is_silent, is_posix, line_end))
    if known is None:
        known = new_compiled_script(script, is_silent, is_posix, line_end)
        script.compiled[is_silent, is_posix, line_end] = known
    return known


def new_compiled_script(
    script: SedScript, is_silent: bool, is_posix: bool, line_end: str
) -> CompiledScript:
    """Compile a script."""
    coder = ScriptCoder(script, is_silent=is_silent, is_posix=is_posix, line_end=line_end)
    coder.write()
    code = compile("\n".join([*coder.functions, *coder.lines, ""]), "<sed>", "exec")
    space: dict[str, Any] = {**CODE_GLOBALS, **coder.values}
    exec(code, space)
    return CompiledScript(space["program"], script, is_silent)


class ScriptCoder(StepCoder):
    """Writes the whole function."""

    def write(self) -> None:
        self.emit("def program(m):")
        self.depth += 1
        self.write_head()
        self.emit("while number < border or more():")
        self.depth += 1
        targets = f"lines, number, border, {self.end_of_line}"
        self.emit(f"if number == border: {targets} = take(number)")
        self.emit("for space in lines:")
        self.depth += 1
        self.write_cycle()
        self.depth -= 1
        if not self.counts:
            self.emit("number = border")
        self.emit("yield m.pause(EMPTY)")
        self.depth -= 2

    def write_head(self) -> None:
        """Write the variables of the function."""
        self.emit("more, take, output, max_space = m.more, m.take, m.output, m.max_space_chars")
        self.emit("out = output.lines")
        self.emit("write, number, border, turns, hold = out.append, 0, 0, 0, EMPTY")
        self.emit("is_open = hold_is_open = is_changed = False")
        for number, path in enumerate(self.paths):
            self.emit(f"w{number} = m.output_for({self.constant(path)})")
        for index, step in enumerate(self.steps):
            if step.second is not None:
                is_under_way = step.first is not None and step.first.is_zero
                self.emit(f"r{index} = {int(is_under_way)}")

    def write_cycle(self) -> None:
        """Write the steps, and the end of the cycle."""
        self.write_read()
        if self.starts:
            self.emit("at = 0")
        self.emit("while True:")
        self.depth += 1
        borders = [0, *self.starts, len(self.steps)]
        for section, first in enumerate(borders[:-1]):
            if not self.starts:
                self.write_steps(first, borders[section + 1])
                continue
            self.emit(f"if at <= {section}:")
            self.depth += 1
            self.emit("pass")
            self.write_steps(first, borders[section + 1])
            self.depth -= 1
        self.write_end()
        self.depth -= 1
        self.write_waiting()
        if self.grows:
            self.emit("if len(space) > LARGE: yield m.pause(space)")
        if self.reads:
            self.emit("if output.held > LARGE: yield m.pause(space)")

    def write_steps(self, index: int, end: int) -> None:
        """Write the steps between two indices."""
        while index < end:
            index = self.step(index, end)
