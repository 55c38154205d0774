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


def array_value(state: State, name: str, value: Any) -> Any:
    """Return the value of an array literal for a variable; any other value unchanged."""
    if value.__class__ is EntryList:
        return value.value_for(state, name)
    if value.__class__ is ShellList and state.variables.get(name).__class__ is ShellRecord:
        return EntryList((None, word, False) for word in value).pairs()
    return value


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
            result = ShellRecord((key, deep_copy(item)) for key, item in old.items())
            return self.record(state, name, result, result)
        initial = old if isinstance(old, list) else () if old is None else (old,)
        return self.array(state, [deep_copy(item) for item in initial])

    def pairs(self) -> ShellRecord:
        """Read the entries as `(key value key value)`: the first one has no `[key]=`."""
        texts = [
            text_of(value) if key is None else f"[{key}]{'+' * appends}={text_of(value)}"
            for key, value, appends in self
        ]
        return ShellRecord(zip_longest(texts[::2], texts[1::2], fillvalue=""))

    def record(
        self, state: State, name: str, result: ShellRecord, source: dict[str, Any]
    ) -> ShellRecord:
        """Read the entries as `declare -A` does. As in bash, `[k]+=v` appends to `source`."""
        for key, value, appends in self:
            if key is None:
                state.complain(
                    f"{name}: {text_of(value)}: must use subscript when assigning associative array"
                )
                continue
            result[key] = text_of(source.get(key)) + text_of(value) if appends else value
        return result

    def array(self, state: State, initial: Sequence[Any]) -> ShellList:
        """Read the entries as elements; lists have no holes, so subscripts must be in order."""
        elements = ShellList(initial)
        index = len(elements)
        for key, value, appends in self:
            if key is not None:
                subscript = evaluate_arithmetic(state, key)
                if not isinstance(subscript, int) or not 0 <= subscript <= len(elements):
                    raise RuntimeDiagnostic(
                        "E203", "a list has no holes", f"[{key}]",
                        "declare -A for keys, or the elements in order",
                    )  # fmt: skip
                index = subscript
            if index < len(elements):
                elements[index] = text_of(elements[index]) + text_of(value) if appends else value
            else:
                elements.append(value)
            index += 1
        return elements
