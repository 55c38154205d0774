"""The state of a running bc program: variables, special variables and functions.

Generated code runs in the namespace `space`, which holds its variables, its constants, `scale`,
and `left`, the loop iterations left until the next check of the clock.
"""

from __future__ import annotations

import re
from decimal import Decimal
from time import monotonic

import keysh.tools.bc.numerals as numerals
from keysh.tools.bc.arithmetic import BcArithmetic
from keysh.tools.bc.arrays import BcArray, index_of, put_element
from keysh.tools.bc.compiler import compile_function, compile_item
from keysh.tools.bc.function_links import FunctionTable, called_functions
from keysh.tools.bc.numerals import EXACT, ONE, ZERO, scale_of, size_of
from keysh.tools.bc.problem import BcRuntimeError, HaltProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import keysh.tools.bc.tree as tree
    from keysh.tools.bc.compiler import CompiledUnit
    from keysh.tools.bc.function_links import Signature
    from keysh.tools.bc.output import WrappedOutput

MAX_SCALE = 2147483647
MAX_STACKS = 100
TOO_DEEP = "function calls nest too deeply"
MAX_BASES = {"ibase": 36, "obase": 2147483647}
MAX_INCREMENTED_BASES = {"ibase": 16, "obase": 2147483647}  # by `++`
# A slice is the loop iterations between two checks of the clock; it adapts to these times.
MAX_SLICE_TURNS = 512
QUICK_SLICE_SECONDS, SLOW_SLICE_SECONDS = 0.002, 0.01

# The feedback generator of C's random(): x[i] = x[i - 3] + x[i - 31].
RANDOM_DEGREE, RANDOM_SEPARATION = 31, 3
RANDOM_WARMUP_STEPS = 310
RANDOM_MODULUS = 1 << 32

# A number in a line that `read()` reads: a sign, digits, a point.
FIND_NUMBER = re.compile(r"([-+]?)([0-9A-Z]+(?:\.[0-9A-Z]+)?|\.[0-9A-Z]+)\.?").search


class CRandom:
    """C's random() with the seed 1, so `random()` yields the same numbers in every run."""

    __slots__ = ("_position", "_state")

    def __init__(self) -> None:
        self._state: list[int] = []  # a ring, whose oldest number is at `_position`
        self._position = 0

    def next(self) -> int:
        """Return the next number, of 31 bits."""
        if not self._state:
            self._seed()
        return self._advance() >> 1

    def _seed(self) -> None:
        seeds = [1]
        for _ in range(RANDOM_DEGREE - 1):
            seeds.append(seeds[-1] * 16807 % 2147483647)
        self._state, self._position = seeds, RANDOM_SEPARATION
        for _ in range(RANDOM_WARMUP_STEPS):
            self._advance()

    def _advance(self) -> int:
        state, i = self._state, self._position
        state[i] = (state[i] + state[i - RANDOM_SEPARATION]) % RANDOM_MODULUS
        self._position = (i + 1) % RANDOM_DEGREE
        return state[i]


class BcMachine:
    """One run of one program."""

    __slots__ = (
        "_constants", "_dependencies", "_input_rest", "_random", "_read_input_line",
        "_run_on_fresh_stack", "_slice_start", "_slice_turns", "_stacks", "_tick", "arithmetic",
        "bases", "functions", "last", "output", "space", "warn",
    )  # fmt: skip

    def __init__(
        self,
        output: WrappedOutput,
        read_line: Callable[[], str],
        warn: Callable[[str], object],
        tick: Callable[[], None],
        run_on_fresh_stack: Callable[[Callable[[], Decimal]], Decimal],
    ) -> None:
        """`read_line` reads a line of numbers for `read()`; `warn` prints a warning."""
        self.output, self._read_input_line, self.warn, self._tick = output, read_line, warn, tick
        self._run_on_fresh_stack, self._stacks = run_on_fresh_stack, 0
        self._input_rest = ""  # the rest of a line that `read()` has begun
        self._random = CRandom()
        self.bases = {"ibase": 10, "obase": 10}
        self.last = ZERO
        self.functions = FunctionTable()
        self._dependencies: dict[str, tuple[object, ...]] = {}  # of each compiled function
        self._constants: dict[str, str] = {}  # the digits of each by its generated name
        self._slice_turns, self._slice_start = 16, 0.0
        self.arithmetic = arithmetic = BcArithmetic(tick, warn)
        self.space: dict[str, Any] = {
            "__builtins__": {"Decimal": Decimal},
            "m": self, "ONE": ONE, "ZERO": ZERO, "Array": BcArray, "scale": 0, "left": 16,
            "add": EXACT.add, "subtract": EXACT.subtract, "minus": EXACT.minus,
            "product": arithmetic.product, "quotient": arithmetic.quotient,
            "remainder": arithmetic.remainder, "power": arithmetic.power,
            "root": arithmetic.root, "length": digit_count, "places": fraction_digit_count,
            "index": index_of, "put": put_element, "refuse": refuse_call,
            "deeper": self.call_on_fresh_stack, "show": self.print_number, "write": output.write,
            "turn": self.checkpoint,
        }  # fmt: skip

    # ------------------------------------------------------------ running

    def define(self, function: tree.Function) -> None:
        """Add a function, or replace the one of the same name."""
        self.functions.define(function)
        self._dependencies.pop(function.name, None)

    def define_native(
        self, signatures: dict[str, Signature], functions: dict[str, Callable[..., Decimal]]
    ) -> None:
        """Add functions that are written in Python."""
        self.functions.signatures.update(signatures)
        self.space.update(functions)

    def load_item(self, item: tree.Item) -> None:
        """Compile an item, and the functions it needs, for `run_item`."""
        functions = self.functions
        nodes = list(item.walk())
        calls = called_functions(nodes)
        for name in functions.reachable_functions(calls) if calls else ():
            dependencies = functions.code_dependencies(name)
            if self._dependencies.get(name) != dependencies:
                self._dependencies[name] = dependencies
                self.load_unit(compile_function(functions.functions[name], functions))
        self.load_unit(compile_item(item, nodes, functions.signatures))

    def load_unit(self, unit: CompiledUnit) -> None:
        """Execute the definition of a unit, after defining all that it refers to."""
        space = self.space
        for name in unit.names:
            if name not in space:
                space[name] = ZERO if name.startswith("v_") else BcArray()
        for constant in unit.constants:
            text = constant.text
            name = f"k_{text.replace('.', 'p')}"
            if name not in self._constants:
                self._constants[name] = text
                space[name] = self.parse_numeral(text)
        exec(unit.code, space)

    def run_item(self) -> None:
        """Run the item loaded last."""
        self.space["item"]()

    def checkpoint(self) -> int:
        """Check the clock and return the number of iterations until the next check."""
        self._tick()
        now = monotonic()
        took, self._slice_start = now - self._slice_start, now
        if took < QUICK_SLICE_SECONDS:
            self._slice_turns = min(self._slice_turns * 2, MAX_SLICE_TURNS)
        elif took > SLOW_SLICE_SECONDS:
            self._slice_turns = max(1, int(self._slice_turns * SLOW_SLICE_SECONDS / took))
        return self._slice_turns

    def call_on_fresh_stack(self, function: Callable[..., Decimal], *arguments: object) -> Decimal:
        """Call a function that Python's stack has no room for."""
        if self._stacks == MAX_STACKS:
            raise BcRuntimeError(TOO_DEEP)
        self._stacks += 1
        try:
            return self._run_on_fresh_stack(lambda: function(0, *arguments))
        finally:
            self._stacks -= 1

    def halt(self) -> None:
        raise HaltProgram

    # ------------------------------------------------------------ printing

    def print_number(self, value: Decimal, end: str = "\n") -> None:
        """Print a number."""
        self.last = value
        self.output.write(numerals.format_numeral(value, self.bases["obase"], self._tick) + end)

    def notice(self, name: str) -> None:
        """Print the text of `limits` or `warranty`."""
        self.output.write(LIMITS_TEXT if name == "limits" else WARRANTY_TEXT)

    # ------------------------------------------------------------ input and random numbers

    def read(self) -> Decimal:
        """Return the next number of standard input, 0 at its end: `read()`."""
        while (match := FIND_NUMBER(self._input_rest)) is None:
            self._input_rest = self._read_input_line()
            if not self._input_rest:
                return ZERO
        self._input_rest = self._input_rest[match.end() :]
        number = self.parse_numeral(match[2])
        return EXACT.minus(number) if match[1] == "-" else number

    def random(self) -> Decimal:
        """Return a random number: `random()`."""
        return Decimal(self._random.next())

    # ------------------------------------------------------------ special variables

    def parse_numeral(self, text: str) -> Decimal:
        """Return the number that digits stand for in the current ibase."""
        return numerals.parse_numeral(text, self.bases["ibase"])

    def special(self, name: str) -> Decimal:
        """Return the value of a special variable."""
        return self.last if name == "last" else Decimal(self.bases[name])

    def assign(self, name: str, value: Decimal) -> Decimal:
        """Assign to a special variable, within its bounds, and return the value unchanged."""
        if name == "last":
            self.last = value
            return value
        least, most = (0, MAX_SCALE) if name == "scale" else (2, MAX_BASES[name])
        if value < 0:
            self.warn(f"negative {name}, set to {least}")
            number = least
        elif value >= most + 1:
            self.warn(f"{name} too large, set to {most}")
            number = most
        elif value < least:
            self.warn(f"{name} too small, set to {least}")
            number = least
        else:
            number = int(value)
        self.set_special(name, number)
        return value

    def set_special(self, name: str, number: int) -> None:
        """Set a special variable to a number within its bounds."""
        if name == "scale":
            self.space["scale"] = number
            return
        changes = name == "ibase" and number != self.bases["ibase"]
        self.bases[name] = number
        if changes:
            for code, text in self._constants.items():
                self._tick()
                self.space[code] = self.parse_numeral(text)

    def step(self, name: str, operator: str, is_prefix: bool) -> Decimal:
        """Apply `++` or `--` to a special variable."""
        if name == "last":
            old = self.last
            self.last = EXACT.add(old, ONE if operator == "+" else -ONE)
            return self.last if is_prefix else old
        number = self.space["scale"] if name == "scale" else self.bases[name]
        least, most = (0, MAX_SCALE) if name == "scale" else (2, MAX_INCREMENTED_BASES[name])
        new = number + 1 if operator == "+" else number - 1
        if new > most:
            self.warn(f"{name.replace('scale', 'Scale')} too big in ++")
        elif new < least:
            is_scale = name == "scale"
            message = "scale can not be negative in -- " if is_scale else f"{name} too small in --"
            self.warn(message)
        else:
            self.set_special(name, new)
            return Decimal(new if is_prefix else number)
        return Decimal(number)


def refuse_call(message: str, arguments: tuple[object, ...]) -> Decimal:
    """Raise an error for a call that does not fit, once its arguments have been evaluated."""
    raise BcRuntimeError(message)


def digit_count(value: Decimal) -> Decimal:
    """Return the number of digits of a number. A single 0 before the point does not count."""
    return Decimal(max(size_of(value), 1) if value else max(scale_of(value), 1))


def fraction_digit_count(value: Decimal) -> Decimal:
    """Return the number of digits after the point."""
    return Decimal(scale_of(value))


LIMITS_TEXT = """BC_BASE_MAX     = 2147483647
BC_DIM_MAX      = 16777215
BC_SCALE_MAX    = 2147483647
BC_STRING_MAX   = 2147483647
MAX Exponent    = 9223372036854775807
Number of vars  = 32767
"""
WARRANTY_TEXT = "There is no warranty: see the licence of keysh.\n"
