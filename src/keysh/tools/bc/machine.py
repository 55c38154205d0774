"""Machine: what a running program of bc stands on: its variables, the special ones, its functions.

Generated code runs in `space`: its variables and constants are there, `scale`, and how many turns
are left until the clock is looked at.
"""

from __future__ import annotations

import re
from decimal import Decimal
from time import monotonic

import keysh.tools.bc.numerals as numerals
from keysh.tools.bc.addresses import FIRST_ARRAY, FIRST_VARIABLE
from keysh.tools.bc.arithmetic import BcArithmetic
from keysh.tools.bc.arrays import BcArray, index_of, put_element
from keysh.tools.bc.compiler import compile_function, compile_item
from keysh.tools.bc.linking import FunctionTable, called_functions
from keysh.tools.bc.numerals import EXACT, ONE, ZERO, scale_of, size_of
from keysh.tools.bc.problem import NOWHERE, BcRuntimeError, HaltProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import keysh.tools.bc.tree as tree
    from keysh.tools.bc.compiler import CompiledUnit
    from keysh.tools.bc.linking import Signature
    from keysh.tools.bc.output import WrappedOutput


# Chance: the numbers of `random()`, which are the same in each run, as those of C's random().

RANDOM_DEGREE, RANDOM_SEPARATION = (
    31,
    3,
)  # each number is the sum of those that came so many places before
RANDOM_WARMUP_STEPS = 310
RANDOM_MODULUS = 1 << 32


class CRandom:
    """An additive feedback generator, sown with 1."""

    __slots__ = ("_position", "_state")

    def __init__(self) -> None:
        self._state: list[int] = []  # the last ones, from `_at` on the oldest first
        self._position = 0

    def next(self) -> int:
        """The next number, of 31 bits."""
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
        last, at = self._state, self._position
        last[at] = (last[at] + last[at - RANDOM_SEPARATION]) % RANDOM_MODULUS
        self._position = (at + 1) % RANDOM_DEGREE
        return last[at]


MAX_SCALE = 2147483647
MAX_STACKS = 100
TOO_DEEP = "functions call each other too deep"
MAX_BASES = {"ibase": 36, "obase": 2147483647}
MAX_INCREMENTED_BASES = {"ibase": 16, "obase": 2147483647}  # by `++`
MAX_SLICE_TURNS, QUICK_SLICE_SECONDS, SLOW_SLICE_SECONDS = (
    512,
    0.002,
    0.01,
)  # turns between two looks; seconds of a slice of them


# A number among what `read()` reads: a sign, digits, a point.
FIND_NUMBER = re.compile(r"([-+]?)([0-9A-Z]+(?:\.[0-9A-Z]+)?|\.[0-9A-Z]+)\.?").search


class BcMachine:
    """One run of one program."""

    __slots__ = (
        "_run_on_fresh_stack", "_random", "_constants", "_counts", "_dependencies", "_read_input_line", "_slice_turns", "_stacks",
        "_tick", "_slice_start", "_input_rest", "_units", "arithmetic", "bases", "last", "links", "numbers",
        "output", "space", "warn",
    )  # fmt: skip

    def __init__(
        self,
        output: WrappedOutput,
        line: Callable[[], str],
        warn: Callable[[str, int], object],
        tick: Callable[[], None],
        apart: Callable[[Callable[[], Decimal]], Decimal],
    ) -> None:
        """`line` reads a line of numbers for `read()`; `warn` tells of what is set right, with
        the site; `apart` does a piece of work on a stack of its own.
        """
        self.output, self._read_input_line, self.warn, self._tick = output, line, warn, tick
        self._run_on_fresh_stack, self._stacks = apart, 0
        self._input_rest = ""  # what `read()` has not taken of a line
        self._random = CRandom()
        self.numbers: dict[str, int] = {}  # of names, in the order in which they came
        self._counts = {"v": FIRST_VARIABLE, "a": FIRST_ARRAY}
        self.bases = {"ibase": 10, "obase": 10}
        self.last = ZERO
        self.links = FunctionTable()
        self._units: dict[str, CompiledUnit] = {}
        self._dependencies: dict[str, tuple[object, ...]] = {}
        self._constants: dict[str, str] = {}
        self._slice_turns, self._slice_start = 16, 0.0
        self.arithmetic = arithmetic = BcArithmetic(tick, warn)
        self.space: dict[str, Any] = {
            "__builtins__": {"Decimal": Decimal},
            "m": self, "ONE": ONE, "ZERO": ZERO, "Array": BcArray, "scale": 0, "left": 16,
            "add": EXACT.add, "subtract": EXACT.subtract, "minus": EXACT.minus,
            "product": arithmetic.product, "quotient": arithmetic.quotient,
            "remainder": arithmetic.remainder, "power": arithmetic.power,
            "root": arithmetic.root, "length": digit_count, "places": fraction_digit_count, "index": index_of,
            "put": put_element, "refuse": refuse_call, "deeper": self.call_on_fresh_stack,
            "show": self.print_number, "write": output.write, "turn": self.checkpoint,
        }  # fmt: skip

    # ------------------------------------------------------------ running

    def define(self, function: tree.Function) -> None:
        """Take in a function."""
        self.links.define(function)
        self._dependencies.pop(function.name, None)

    def define_native(
        self, signatures: dict[str, Signature], functions: dict[str, Callable[..., Decimal]]
    ) -> None:
        """Take in functions that are none of bc's."""
        self.links.signatures.update(signatures)
        self.space.update(functions)

    def load_item(self, item: tree.Item) -> CompiledUnit:
        """Make an item ready to be run by `run`."""
        links = self.links
        nodes = list(item.walk())
        calls = called_functions(nodes)
        for name in links.reachable_functions(calls) if calls else ():
            facts = links.code_dependencies(name)
            if self._dependencies.get(name) != facts:
                function = links.functions[name]
                unit = compile_function(function, links)
                self._dependencies[name], self._units[name] = facts, unit
                self.load_unit(unit)
        unit = compile_item(item, nodes, links.signatures)
        self.load_unit(unit)
        return unit

    def load_unit(self, unit: CompiledUnit) -> None:
        """Bring the code of a unit into the space, with all that it mentions."""
        space = self.space
        for name in unit.names:
            if name not in self.numbers:
                self.numbers[name] = self._next_number(name)
            if name not in space:
                space[name] = ZERO if name.startswith("v_") else BcArray()
        for constant in unit.constants:
            text = constant.text
            name = f"k_{text.replace('.', 'p')}"
            if name not in self._constants:
                self._constants[name] = text
                space[name] = self.parse_numeral(text)
        exec(unit.code, space)

    def _next_number(self, name: str) -> int:
        """The number of a new name: variables and arrays are counted apart."""
        number = self._counts[name[0]]
        self._counts[name[0]] += 1
        return number

    def run_item(self) -> None:
        """Run the item that is loaded."""
        self.space["item"]()

    def unit_of(self, name: str) -> CompiledUnit | None:
        """The unit of a function of generated code."""
        return self._units.get(name.removeprefix("f_")) if name.startswith("f_") else None

    def checkpoint(self) -> int:
        """A look at the clock; how many turns until the next."""
        self._tick()
        now = monotonic()
        took, self._slice_start = now - self._slice_start, now
        if took < QUICK_SLICE_SECONDS:
            self._slice_turns = min(self._slice_turns * 2, MAX_SLICE_TURNS)
        elif took > SLOW_SLICE_SECONDS:
            self._slice_turns = max(1, int(self._slice_turns * SLOW_SLICE_SECONDS / took))
        return self._slice_turns

    def call_on_fresh_stack(self, function: Callable[..., Decimal], *arguments: object) -> Decimal:
        """Call a function where Python's stack has no room for it."""
        if self._stacks == MAX_STACKS:
            raise BcRuntimeError(TOO_DEEP, NOWHERE)
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
        """`limits`, `warranty`"""
        self.output.write(LIMITS_TEXT if name == "limits" else WARRANTY_TEXT)

    # ------------------------------------------------------------ what comes from elsewhere

    def read(self) -> Decimal:
        """`read()`: the next number of standard input; 0 at its end."""
        while (found := FIND_NUMBER(self._input_rest)) is None:
            self._input_rest = self._read_input_line()
            if not self._input_rest:
                return ZERO
        self._input_rest = self._input_rest[found.end() :]
        number = self.parse_numeral(found[2])
        return EXACT.minus(number) if found[1] == "-" else number

    def random(self) -> Decimal:
        """`random()`"""
        return Decimal(self._random.next())

    # ------------------------------------------------------------ special variables

    def parse_numeral(self, text: str) -> Decimal:
        """The number that a text is."""
        return numerals.parse_numeral(text, self.bases["ibase"])

    def special(self, name: str) -> Decimal:
        """The value of a special variable."""
        return self.last if name == "last" else Decimal(self.bases[name])

    def assign(self, name: str, value: Decimal, site: int) -> Decimal:
        """Assign to a special variable; the value as it was given."""
        if name == "last":
            self.last = value
            return value
        least, most = (0, MAX_SCALE) if name == "scale" else (2, MAX_BASES[name])
        if value < 0:
            self.warn(f"negative {name}, set to {least}", site)
            number = least
        elif value >= most + 1:
            self.warn(f"{name} too large, set to {most}", site)
            number = most
        elif value < least:
            self.warn(f"{name} too small, set to {least}", site)
            number = least
        else:
            number = int(value)
        self.set_special(name, number)
        return value

    def set_special(self, name: str, number: int) -> None:
        """Set a special variable that is in bounds."""
        if name == "scale":
            self.space["scale"] = number
            return
        changes = name == "ibase" and number != self.bases["ibase"]
        self.bases[name] = number
        if changes:
            for code, text in self._constants.items():
                self._tick()
                self.space[code] = self.parse_numeral(text)

    def step(self, name: str, operator: str, is_first: bool, site: int) -> Decimal:
        """`++` and `--` of a special variable."""
        if name == "last":
            old = self.last
            self.last = EXACT.add(old, ONE if operator == "+" else -ONE)
            return self.last if is_first else old
        number = self.space["scale"] if name == "scale" else self.bases[name]
        least, most = (0, MAX_SCALE) if name == "scale" else (2, MAX_INCREMENTED_BASES[name])
        new = number + 1 if operator == "+" else number - 1
        if new > most:
            self.warn(f"{name.replace('scale', 'Scale')} too big in ++", site)
        elif new < least:
            is_scale = name == "scale"
            says = "scale can not be negative in -- " if is_scale else f"{name} too small in --"
            self.warn(says, site)
        else:
            self.set_special(name, new)
            return Decimal(new if is_first else number)
        return Decimal(number)


def refuse_call(message: str, site: int, given: tuple[object, ...]) -> Decimal:
    """A call that cannot be, whose arguments have been worked out."""
    raise BcRuntimeError(message, site)


def digit_count(value: Decimal) -> Decimal:
    """How many digits a number has; a 0 before the point does not count beside others."""
    return Decimal(max(size_of(value), 1) if value else max(scale_of(value), 1))


def fraction_digit_count(value: Decimal) -> Decimal:
    """How many digits a number has behind its point."""
    return Decimal(scale_of(value))


LIMITS_TEXT = """BC_BASE_MAX     = 2147483647
BC_DIM_MAX      = 16777215
BC_SCALE_MAX    = 2147483647
BC_STRING_MAX   = 2147483647
MAX Exponent    = 9223372036854775807
Number of vars  = 32767
"""
WARRANTY_TEXT = "There is no warranty: see the licence of keysh.\n"
