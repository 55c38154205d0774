"""Compiling a script to one Python function, a generator of what is printed.

    def program(m):                                 m is the Execution
        …
        while number < border or more():            the pieces of the input
            if number == border:
                lines, number, border, is_open = take(number)
            for space in lines:                     a cycle
                number += 1
                while True:                         again where the script jumps
                    …                               its steps
                    write(space)
                    break
                …                                   what waited
            yield output.taken()

`space` and `hold` are the two spaces; `is_open` and `hold_is_open` say that they lack their end;
`n` and `N` take from the same `lines`. Steps that are jumped to begin a section, `if at <= 3:`; a
jump sets `at` and begins the loop anew. Nothing of a script's own text is in the code.
"""

from __future__ import annotations

from functools import lru_cache

from keysh.tools.sed.code import CompiledScript
from keysh.tools.sed.coder import StepCoder
from keysh.tools.sed.limit import check_space_size
from keysh.tools.sed.substitute import change_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.tools.sed.script import SedScript

# All that generated code can name, besides its own; where a replacement has a backslash, `re` asks
# for what reads it by `__import__`.
CODE_GLOBALS: dict[str, object] = {
    "__builtins__": {
        "__import__": __import__, "iter": iter, "len": len, "next": next, "str": str,
    },
    "EMPTY": "", "NEWLINE": "\n", "grown": check_space_size, "in_case": change_case,
}  # fmt: skip
MAX_COMPILED_SCRIPTS = 64


@lru_cache(maxsize=MAX_COMPILED_SCRIPTS)
def compile_script(script: SedScript, is_silent: bool, is_posix: bool, end: str) -> CompiledScript:
    """Compile a script; the ones used last are remembered."""
    coder = ScriptCoder(script, is_silent=is_silent, is_posix=is_posix, end=end)
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
        taken = f"lines, number, border, {self.end_of_line}"
        self.emit(f"if number == border: {taken} = take(number)")
        self.emit("for space in lines:")
        self.depth += 1
        self.write_cycle()
        self.depth -= 1
        if not self.counts:
            self.emit("number = border")
        self.emit("yield m.pause(EMPTY)")
        self.depth -= 2

    def write_head(self) -> None:
        """The names that all code shares."""
        self.emit("more, take, output = m.more, m.take, m.output")
        self.emit("out = output.lines")
        self.emit("write, number, border, turns, hold = out.append, 0, 0, 0, EMPTY")
        self.emit("is_open = hold_is_open = is_changed = False")
        for number, path in enumerate(self.paths):
            self.emit(f"w{number} = m.written({self.constant(path)})")
        for at, step in enumerate(self.steps):
            if step.second is not None:
                is_under_way = step.first is not None and step.first.is_zero
                self.emit(f"r{at} = {int(is_under_way)}")

    def write_cycle(self) -> None:
        """All steps, and what follows them."""
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

    def write_steps(self, at: int, end: int) -> None:
        """The steps from one place to another."""
        while at < end:
            at = self.step(at, end)
