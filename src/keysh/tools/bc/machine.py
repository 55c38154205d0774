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
from keysh.tools.bc.arithmetic import Arithmetic
from keysh.tools.bc.arrays import Array, index, put
from keysh.tools.bc.compiler import compiled_function, compiled_item
from keysh.tools.bc.linking import Links, called
from keysh.tools.bc.numerals import EXACT, ONE, ZERO, scale_of, size_of
from keysh.tools.bc.problem import NOWHERE, Fault, Halted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import keysh.tools.bc.tree as tree
    from keysh.tools.bc.compiler import Unit
    from keysh.tools.bc.linking import Signature
    from keysh.tools.bc.output import Output


# Chance: the numbers of `random()`, which are the same in each run, as those of C's random().

FAR, NEAR = 31, 3  # each number is the sum of those that came so many places before
DROPPED = 310
WORD = 1 << 32


class Chance:
    """An additive feedback generator, sown with 1."""

    __slots__ = ("_at", "_last")

    def __init__(self) -> None:
        self._last: list[int] = []  # the last ones, from `_at` on the oldest first
        self._at = 0

    def next(self) -> int:
        """The next number, of 31 bits."""
        if not self._last:
            self._sow()
        return self._step() >> 1

    def _sow(self) -> None:
        seeds = [1]
        for _ in range(FAR - 1):
            seeds.append(seeds[-1] * 16807 % 2147483647)
        self._last, self._at = seeds, NEAR
        for _ in range(DROPPED):
            self._step()

    def _step(self) -> int:
        last, at = self._last, self._at
        last[at] = (last[at] + last[at - NEAR]) % WORD
        self._at = (at + 1) % FAR
        return last[at]


MOST_SCALE = 2147483647
MOST_STACKS = 100
TOO_DEEP = "functions call each other too deep"
LARGEST = {"ibase": 36, "obase": 2147483647}
MOST_STEPPED = {"ibase": 16, "obase": 2147483647}  # by `++`
SLICE, QUICK, SLOW = 512, 0.002, 0.01  # turns between two looks; seconds of a slice of them


# A number among what `read()` reads: a sign, digits, a point.
TYPED = re.compile(r"([-+]?)([0-9A-Z]+(?:\.[0-9A-Z]+)?|\.[0-9A-Z]+)\.?").search


class Machine:
    """One run of one program."""

    __slots__ = (
        "_apart", "_chance", "_constants", "_counts", "_facts", "_line", "_slice", "_stacks",
        "_tick", "_turned", "_typed", "_units", "arithmetic", "bases", "last", "links", "numbers",
        "output", "space", "warn",
    )  # fmt: skip

    def __init__(
        self,
        output: Output,
        line: Callable[[], str],
        warn: Callable[[str, int], object],
        tick: Callable[[], None],
        apart: Callable[[Callable[[], Decimal]], Decimal],
    ) -> None:
        """`line` reads a line of numbers for `read()`; `warn` tells of what is set right, with
        the site; `apart` does a piece of work on a stack of its own.
        """
        self.output, self._line, self.warn, self._tick = output, line, warn, tick
        self._apart, self._stacks = apart, 0
        self._typed = ""  # what `read()` has not taken of a line
        self._chance = Chance()
        self.numbers: dict[str, int] = {}  # of names, in the order in which they came
        self._counts = {"v": FIRST_VARIABLE, "a": FIRST_ARRAY}
        self.bases = {"ibase": 10, "obase": 10}
        self.last = ZERO
        self.links = Links()
        self._units: dict[str, Unit] = {}
        self._facts: dict[str, tuple[object, ...]] = {}
        self._constants: dict[str, str] = {}
        self._slice, self._turned = 16, 0.0
        self.arithmetic = arithmetic = Arithmetic(tick, warn)
        self.space: dict[str, Any] = {
            "__builtins__": {"Decimal": Decimal},
            "m": self, "ONE": ONE, "ZERO": ZERO, "Array": Array, "scale": 0, "left": 16,
            "add": EXACT.add, "subtract": EXACT.subtract, "minus": EXACT.minus,
            "product": arithmetic.product, "quotient": arithmetic.quotient,
            "remainder": arithmetic.remainder, "power": arithmetic.power,
            "root": arithmetic.root, "length": length, "places": places, "index": index,
            "put": put, "refuse": refuse, "deeper": self.deeper,
            "show": self.show, "write": output.write, "turn": self.turn,
        }  # fmt: skip

    # ------------------------------------------------------------ running

    def define(self, function: tree.Function) -> None:
        """Take in a function."""
        self.links.define(function)
        self._facts.pop(function.name, None)

    def define_native(
        self, signatures: dict[str, Signature], functions: dict[str, Callable[..., Decimal]]
    ) -> None:
        """Take in functions that are none of bc's."""
        self.links.signatures.update(signatures)
        self.space.update(functions)

    def load(self, item: tree.Item) -> Unit:
        """Make an item ready to be run by `run`."""
        links = self.links
        nodes = list(item.walk())
        calls = called(nodes)
        for name in links.reached(calls) if calls else ():
            facts = links.facts(name)
            if self._facts.get(name) != facts:
                function = links.functions[name]
                unit = compiled_function(function, links)
                self._facts[name], self._units[name] = facts, unit
                self.enter(unit)
        unit = compiled_item(item, nodes, links.signatures)
        self.enter(unit)
        return unit

    def enter(self, unit: Unit) -> None:
        """Bring the code of a unit into the space, with all that it mentions."""
        space = self.space
        for name in unit.names:
            if name not in self.numbers:
                self.numbers[name] = self._next_number(name)
            if name not in space:
                space[name] = ZERO if name.startswith("v_") else Array()
        for constant in unit.constants:
            text = constant.text
            name = f"k_{text.replace('.', 'p')}"
            if name not in self._constants:
                self._constants[name] = text
                space[name] = self.number_in(text)
        exec(unit.code, space)

    def _next_number(self, name: str) -> int:
        """The number of a new name: variables and arrays are counted apart."""
        number = self._counts[name[0]]
        self._counts[name[0]] += 1
        return number

    def run(self) -> None:
        """Run the item that is loaded."""
        self.space["item"]()

    def unit_of(self, name: str) -> Unit | None:
        """The unit of a function of generated code."""
        return self._units.get(name.removeprefix("f_")) if name.startswith("f_") else None

    def turn(self) -> int:
        """A look at the clock; how many turns until the next."""
        self._tick()
        now = monotonic()
        took, self._turned = now - self._turned, now
        if took < QUICK:
            self._slice = min(self._slice * 2, SLICE)
        elif took > SLOW:
            self._slice = max(1, int(self._slice * SLOW / took))
        return self._slice

    def deeper(self, function: Callable[..., Decimal], *arguments: object) -> Decimal:
        """Call a function where Python's stack has no room for it."""
        if self._stacks == MOST_STACKS:
            raise Fault(TOO_DEEP, NOWHERE)
        self._stacks += 1
        try:
            return self._apart(lambda: function(0, *arguments))
        finally:
            self._stacks -= 1

    def halt(self) -> None:
        raise Halted

    # ------------------------------------------------------------ printing

    def show(self, value: Decimal, end: str = "\n") -> None:
        """Print a number."""
        self.last = value
        self.output.write(numerals.text_of(value, self.bases["obase"], self._tick) + end)

    def notice(self, name: str) -> None:
        """`limits`, `warranty`"""
        self.output.write(LIMITS if name == "limits" else WARRANTY)

    # ------------------------------------------------------------ what comes from elsewhere

    def read(self) -> Decimal:
        """`read()`: the next number of standard input; 0 at its end."""
        while (found := TYPED(self._typed)) is None:
            self._typed = self._line()
            if not self._typed:
                return ZERO
        self._typed = self._typed[found.end() :]
        number = self.number_in(found[2])
        return EXACT.minus(number) if found[1] == "-" else number

    def random(self) -> Decimal:
        """`random()`"""
        return Decimal(self._chance.next())

    # ------------------------------------------------------------ special variables

    def number_in(self, text: str) -> Decimal:
        """The number that a text is."""
        return numerals.number_in(text, self.bases["ibase"])

    def special(self, name: str) -> Decimal:
        """The value of a special variable."""
        return self.last if name == "last" else Decimal(self.bases[name])

    def assign(self, name: str, value: Decimal, site: int) -> Decimal:
        """Assign to a special variable; the value as it was given."""
        if name == "last":
            self.last = value
            return value
        least, most = (0, MOST_SCALE) if name == "scale" else (2, LARGEST[name])
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
        self.set(name, number)
        return value

    def set(self, name: str, number: int) -> None:
        """Set a special variable that is in bounds."""
        if name == "scale":
            self.space["scale"] = number
            return
        changes = name == "ibase" and number != self.bases["ibase"]
        self.bases[name] = number
        if changes:
            for code, text in self._constants.items():
                self._tick()
                self.space[code] = self.number_in(text)

    def step(self, name: str, operator: str, is_first: bool, site: int) -> Decimal:
        """`++` and `--` of a special variable."""
        if name == "last":
            old = self.last
            self.last = EXACT.add(old, ONE if operator == "+" else -ONE)
            return self.last if is_first else old
        number = self.space["scale"] if name == "scale" else self.bases[name]
        least, most = (0, MOST_SCALE) if name == "scale" else (2, MOST_STEPPED[name])
        new = number + 1 if operator == "+" else number - 1
        if new > most:
            self.warn(f"{name.replace('scale', 'Scale')} too big in ++", site)
        elif new < least:
            is_scale = name == "scale"
            says = "scale can not be negative in -- " if is_scale else f"{name} too small in --"
            self.warn(says, site)
        else:
            self.set(name, new)
            return Decimal(new if is_first else number)
        return Decimal(number)


def refuse(message: str, site: int, given: tuple[object, ...]) -> Decimal:
    """A call that cannot be, whose arguments have been worked out."""
    raise Fault(message, site)


def length(value: Decimal) -> Decimal:
    """How many digits a number has; a 0 before the point does not count beside others."""
    return Decimal(max(size_of(value), 1) if value else max(scale_of(value), 1))


def places(value: Decimal) -> Decimal:
    """How many digits a number has behind its point."""
    return Decimal(scale_of(value))


LIMITS = """BC_BASE_MAX     = 2147483647
BC_DIM_MAX      = 16777215
BC_SCALE_MAX    = 2147483647
BC_STRING_MAX   = 2147483647
MAX Exponent    = 9223372036854775807
Number of vars  = 32767
"""
WARRANTY = "There is no warranty: see the licence of keysh.\n"
