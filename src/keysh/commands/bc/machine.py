"""Machine: what a running program of bc stands on: its variables, the special ones, its functions.

Generated code runs in `space`: its variables and constants are there, `scale`, and how many turns
are left until the clock is looked at.
"""

from __future__ import annotations

from decimal import Decimal
from time import monotonic

from keysh.commands.bc import numerals
from keysh.commands.bc.arithmetic import Arithmetic
from keysh.commands.bc.compiler import compiled_function, compiled_item
from keysh.commands.bc.linking import Links, called
from keysh.commands.bc.numerals import EXACT, ONE, ZERO, scale_of, size_of
from keysh.commands.bc.problem import Fault, Halted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.commands.bc import tree
    from keysh.commands.bc.compiler import Unit
    from keysh.commands.bc.output import Output

MOST_INDEX = 16777215
MOST_ELEMENTS = 1_000_000
MOST_SCALE = 2147483647
LARGEST = {"ibase": 36, "obase": 2147483647}
SLICE, QUICK, SLOW = 512, 0.002, 0.01  # turns between two looks; seconds of a slice of them


class Array(dict[int, Decimal]):
    """An array, whose elements are 0 at first."""

    __slots__ = ()

    def __missing__(self, key: int) -> Decimal:
        return ZERO

    def copy(self) -> Array:
        return Array(self)

    def put(self, key: int, value: Decimal) -> Decimal:
        """Set an element; the value."""
        self[key] = value
        return value


class Machine:
    """One run of one program."""

    __slots__ = ("_constants", "_facts", "_slice", "_tick", "_turned", "_units", "bases",
                 "last", "links", "output", "read", "space", "warn")  # fmt: skip

    def __init__(
        self,
        output: Output,
        read: Callable[[], str],
        warn: Callable[[str, int], object],
        tick: Callable[[], None],
    ) -> None:
        """`read` is what `read()` takes numbers from; `warn` tells of what is set right."""
        self.output, self.read, self.warn, self._tick = output, read, warn, tick
        self.bases = {"ibase": 10, "obase": 10}
        self.last = ZERO
        self.links = Links()
        self._units: dict[str, Unit] = {}
        self._facts: dict[str, tuple[object, ...]] = {}
        self._constants: dict[str, str] = {}
        self._slice, self._turned = 16, 0.0
        arithmetic = Arithmetic(tick)
        self.space: dict[str, Any] = {
            "__builtins__": {"Decimal": Decimal},
            "m": self, "ONE": ONE, "ZERO": ZERO, "Array": Array, "scale": 0, "left": 16,
            "add": EXACT.add, "subtract": EXACT.subtract, "minus": EXACT.minus,
            "product": arithmetic.product, "quotient": arithmetic.quotient,
            "remainder": arithmetic.remainder, "power": arithmetic.power,
            "root": arithmetic.root, "length": length, "places": places, "index": index,
            "put": put, "show": self.show, "write": output.write, "turn": self.turn,
        }  # fmt: skip

    # ------------------------------------------------------------ running

    def define(self, function: tree.Function) -> None:
        """Take in a function."""
        self.links.define(function)
        self._facts.pop(function.name, None)

    def load(self, item: tree.Item) -> Unit:
        """Make an item ready to be run by `run`."""
        links = self.links
        calls = called(list(item.walk()))
        for name in links.reached(calls) if calls else ():
            facts = links.facts(name)
            if self._facts.get(name) != facts:
                function = links.functions[name]
                unit = compiled_function(function, links.signatures, links.shown(name))
                self._facts[name], self._units[name] = facts, unit
                self.enter(unit)
        unit = compiled_item(item, links.signatures)
        self.enter(unit)
        return unit

    def enter(self, unit: Unit) -> None:
        """Bring the code of a unit into the space, with all that it mentions."""
        space = self.space
        for name in unit.names:
            if name not in space:
                space[name] = ZERO if name.startswith("v_") else Array()
        for constant in unit.constants:
            text = constant.text
            name = f"k_{text.replace('.', 'p')}"
            if name not in self._constants:
                self._constants[name] = text
                space[name] = self.number_in(text)
        exec(unit.code, space)

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
        number = EXACT.to_integral_value(value)
        if number > most or (number < 0 and number.copy_abs() > most):
            self.warn(f"{name} too large, set to {most}", site)
            number = Decimal(most)
        elif number < least:
            fault = "negative" if number < 0 else ""
            says = f"negative {name}" if fault else f"{name} too small"
            self.warn(f"{says}, set to {least}", site)
            number = Decimal(least)
        self.set(name, int(number))
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
                self.space[code] = self.number_in(text)

    def step(self, name: str, operator: str, is_first: bool, site: int) -> Decimal:
        """`++` and `--` of a special variable."""
        if name == "last":
            old = self.last
            self.last = EXACT.add(old, ONE if operator == "+" else -ONE)
            return self.last if is_first else old
        number = self.space["scale"] if name == "scale" else self.bases[name]
        least, most = (0, MOST_SCALE) if name == "scale" else (2, LARGEST[name])
        new = number + 1 if operator == "+" else number - 1
        if new > most:
            self.warn(f"{name.replace('scale', 'Scale')} too big in ++", site)
        elif new < least:
            says = "scale can not be negative in -- " if name == "scale" else f"{name} too small in --"
            self.warn(says, site)
        else:
            self.set(name, new)
            return Decimal(new if is_first else number)
        return Decimal(number)

    # ------------------------------------------------------------ functions

    def refuse_call(self, name: str, given: tuple[object, ...], site: int) -> Decimal:
        """A call that cannot be: of what is no function, or with other arguments than it has."""
        signature = self.links.signatures.get(name)
        if signature is None:
            raise Fault(f"Function {name} not defined.", site)
        raise Fault("Parameter number mismatch", site)


def index(value: Decimal, site: int) -> int:
    """A number as an index of an array."""
    if not -1 < value < MOST_INDEX + 1:
        raise Fault("subscript out of bounds.", site)
    return int(value)


def put(array: Array, key: Decimal, value: Decimal, site: int) -> Decimal:
    """Set an element of an array; the value."""
    return array.put(index(key, site), value)


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
