"""The Python code of addresses: whether a step applies to the current line.

A range has a variable, for example `r3` for step 3: 0 outside the range; inside, 1 or the number
of its last line; -1 if it can never begin again.
"""

from __future__ import annotations

from keysh.text.regex.native.guards import test_guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex import Regex
    from keysh.tools.sed.script import LineAddress, SedScript


class AddressCoder:
    """Writes lines of Python, and the conditions of steps. `values` holds the objects of the script
    that the code uses, by name.
    """

    def __init__(self, script: SedScript) -> None:
        self.steps = script.steps
        self.is_dynamic = script.has_empty_regex  # the run must keep track of the last regex
        self.functions: list[str] = []
        self.lines: list[str] = []
        self.depth = 0
        self.values: dict[str, object] = {}

    def emit(self, code: str) -> None:
        """Write a line of code."""
        self.lines.append(" " * self.depth + code)

    def constant(self, value: object) -> str:
        """Return a name for a value in the code."""
        name = f"K{len(self.values)}"
        self.values[name] = value
        return name

    # ------------------------------------------------------------ expressions

    def regex_test(self, regex: Regex | None) -> str:
        """Return the code that tests whether a regex matches the pattern space."""
        if regex is None:
            return "m.last_matches(space)"
        if self.is_dynamic:
            return f"m.matches({self.constant(regex)}, space)"
        if regex.literal is not None:
            return f"{self.constant(regex.literal)} in space"
        matching = test_guard(regex)
        always = f"{self.constant(regex)}.is_in(space, m.tick)"
        if matching.pattern is None:
            return always
        search = f"{self.constant(matching.pattern.search)}(space)"
        guard = matching.guard_code("space")
        return f"({search} if {guard} else {always})" if guard else search

    # ------------------------------------------------------------ addresses

    def condition(self, index: int) -> str:
        """Return the condition of a step, "" for none. A range also writes the lines it needs."""
        step = self.steps[index]
        first, second = step.first, step.second
        if first is None:
            return "False" if step.is_negated else ""
        if second is None:
            code = self.address_test(first)
        elif first.kind == second.kind == "line" and not first.is_zero:
            code = f"{first.number} <= number <= {max(first.number, second.number)}"
        else:
            self.write_range(f"r{index}", first, second)
            code = "chosen"
        return f"not ({code})" if step.is_negated else code

    def address_test(self, address: LineAddress) -> str:
        """Return the code that tests whether the current line has an address."""
        if address.kind == "regex":
            return self.regex_test(address.regex)
        if address.kind == "line":
            return f"number == {address.number}"
        if address.kind == "last":
            return "number == border and not more()"
        reaches = f"number >= {address.number} and " if address.number > 1 else ""
        return f"{reaches}not (number - {address.number}) % {address.step}"

    def write_range(self, state: str, first: LineAddress, second: LineAddress) -> None:
        """Write the code that sets `chosen` if the line is in a range, and updates its state."""
        begins_once = first.kind == "line"
        over = -1 if begins_once else 0
        begins = (
            f"not {state} and number >= {first.number}" if begins_once else self.address_test(first)
        )
        self.emit(f"chosen = {state} > 0")
        self.emit("if chosen:")
        if second.kind == "line":
            self.emit(f" chosen = number <= {second.number}")
            self.emit(f" if number >= {second.number}: {state} = {over}")
        elif second.kind in ("regex", "last", "step"):
            self.emit(f" if {self.address_test(second)}: {state} = {over}")
        else:
            self.emit(f" if number >= {state}: {state} = {over}")
        self.emit(f"elif {begins}:")
        self.emit(" chosen = True")
        if second.kind == "line":
            self.emit(f" if number < {second.number}: {state} = 1")
        elif second.kind == "regex":
            self.emit(f" {state} = 1")
        elif second.kind in ("last", "step"):
            self.emit(f" {state} = {over} if {self.address_test(second)} else 1")
        elif not second.number:
            self.emit(f" {state} = {over}")
        elif second.kind == "further":
            self.emit(f" {state} = number + {second.number}")
        else:
            self.emit(f" {state} = (number // {second.number} + 1) * {second.number}")

    def range_goes_on(self, index: int) -> str:
        """Return the code that tests whether more lines of the step's range follow; "" for none."""
        first, second = self.steps[index].first, self.steps[index].second
        if first is None or second is None:
            return ""
        if first.kind == second.kind == "line" and not first.is_zero:
            return f"number < {second.number}"
        return f"r{index} > 0"
