"""Array literals: turn `(…)` and `([k]=v …)` into a list or a record."""

from __future__ import annotations

from itertools import zip_longest

from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.interp.variables.arithmetic_text import evaluate_arithmetic
from keysh.values import ShellList, ShellRecord, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.state.state import State


def array_value(state: State, name: str, found: Any) -> Any:
    """Return the value of an array literal for variable `name`; return any other value unchanged."""
    if found.__class__ is EntryList:
        return found.value_for(state, name)
    if found.__class__ is ShellList and state.variables.get(name).__class__ is ShellRecord:
        return EntryList((None, word, False) for word in found).pairs()
    return found


class EntryList(list):  # type: ignore[type-arg]
    """The entries of `([k]=v …)` as (key or None, value, append), before their type is known."""

    __slots__ = ()

    def value_for(self, state: State, name: str) -> ShellList | ShellRecord:
        """`x=(…)`: return a record if the variable is one, else an array."""
        old = state.variables.get(name)
        if not isinstance(old, dict):
            return self.array(state, ())
        return self.pairs() if self[0][0] is None else self.record(state, name, ShellRecord(), old)

    def extended_value(self, state: State, name: str) -> ShellList | ShellRecord:
        """`x+=(…)`: return the old elements followed by the new ones."""
        old = state.variables.get(name)
        if isinstance(old, dict):
            made = ShellRecord((key, deep_copy(item)) for key, item in old.items())
            return self.record(state, name, made, made)
        held = old if isinstance(old, list) else () if old is None else (old,)
        return self.array(state, [deep_copy(item) for item in held])

    def pairs(self) -> ShellRecord:
        """Read the entries as `(key value key value)`: the first one has no `[key]=`."""
        texts = [
            text_of(value) if key is None else f"[{key}]{'+' * appends}={text_of(value)}"
            for key, value, appends in self
        ]
        return ShellRecord(zip_longest(texts[::2], texts[1::2], fillvalue=""))

    def record(
        self, state: State, name: str, made: ShellRecord, source: dict[str, Any]
    ) -> ShellRecord:
        """Read the entries as `declare -A` does. `[k]+=v` appends to the value in `source`, as in bash."""
        for key, value, appends in self:
            if key is None:
                state.err.write(f"keysh: {name}: {text_of(value)}: must use subscript when "
                                "assigning associative array\n")  # fmt: skip
                continue
            made[key] = text_of(source.get(key)) + text_of(value) if appends else value
        return made

    def array(self, state: State, held: Sequence[Any]) -> ShellList:
        """Read the entries as array elements; subscripts must be contiguous because lists have no holes."""
        made = ShellList(held)
        place = len(made)
        for key, value, appends in self:
            if key is not None:
                found = evaluate_arithmetic(state, key)
                if not isinstance(found, int) or not 0 <= found <= len(made):
                    raise RuntimeDiagnostic(
                        "E203", "a list has no holes", f"[{key}]",
                        "declare -A for keys, or the elements in order",
                    )  # fmt: skip
                place = found
            if place < len(made):
                made[place] = text_of(made[place]) + text_of(value) if appends else value
            else:
                made.append(value)
            place += 1
        return made
