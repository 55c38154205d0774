"""Array literals: turn `(…)` and `([k]=v …)` into a list or a record."""

from __future__ import annotations

from itertools import zip_longest

from keysh.diagnostics.dialect import BASH
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.arithmetic_text import evaluate_arithmetic
from keysh.interp.variables.value_paths import assigned_value, reference_target
from keysh.interp.variables.variable import READONLY, REFERENCE, NameReference
from keysh.values import ShellList, ShellRecord, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.state.state import State


def array_value(state: State, name: str, value: Any) -> Any:
    """Return the value of an array literal for a variable; any other value unchanged."""
    if state.variables.get(name).__class__ is NameReference:
        name = array_target(state, name)
    if value.__class__ is EntryList:
        return value.value_for(state, name)
    old = state.variables.get(name)
    if value.__class__ is ShellList and isinstance(old, ShellRecord):
        return EntryList((None, word, False) for word in value).pairs(old.__class__)
    return value


def array_target(state: State, name: str) -> str:
    """Return the variable that a name reference leads to; the reference if that is an element."""
    target, keys = reference_target(state, name, ())
    return name if keys else target


class UnexpandedTilde(str):
    """The text of an entry `[k]=~/x` with its tilde expanded, and as it is `written`.

    bash expands it in an array with indexes, but not in one with keys.
    """

    __slots__ = ("written",)
    written: str


class EntryList(list):  # type: ignore[type-arg]
    """The entries of `([k]=v …)` as (key or None, value, append), before their type is known."""

    __slots__ = ()

    def value_for(self, state: State, name: str) -> ShellList | ShellRecord:
        """`x=(…)`: return a record if the variable is one, else an array."""
        old = state.variables.get(name)
        if not isinstance(old, dict):
            return self.array(state, name, ())
        kind = old.__class__ if isinstance(old, ShellRecord) else ShellRecord
        return self.pairs(kind) if self[0][0] is None else self.record(state, name, kind(), old)

    def extended_value(self, state: State, name: str) -> ShellList | ShellRecord:
        """`x+=(…)`: return the old elements followed by the new ones."""
        if state.variables.get(name).__class__ is NameReference:
            name = array_target(state, name)
        old = state.variables.get(name)
        if isinstance(old, dict):
            result: Any = deep_copy(old)
            return self.record(state, name, result, result)
        initial = old if isinstance(old, list) else [] if old is None else [old]
        return self.array(state, name, initial)

    def pairs(self, kind: type[ShellRecord]) -> ShellRecord:
        """Read the entries as `(key value key value)`: the first one has no `[key]=`."""
        texts = [
            text_of(value) if key is None else f"[{key}]{'+' * appends}={text_of(value)}"
            for key, value, appends in self
        ]
        return kind(zip_longest(texts[::2], texts[1::2], fillvalue=""))

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
            if value.__class__ is UnexpandedTilde:
                value = value.written
            bits = state.attributes.get(name, 0)
            result[key] = assigned_value(state, source.get(key), value, bits, append=appends)
        return result

    def array(self, state: State, name: str, initial: Sequence[Any]) -> ShellList:
        """Read the entries as elements; those without a subscript follow the one before.

        In bash a subscript sees the elements before it, as in `a=([0]=5 [a[0]]=x)`.
        """
        elements: Any = deep_copy(initial) if isinstance(initial, ShellList) else ShellList(initial)
        if state.dialect is BASH and not state.attributes.get(name, 0) & (READONLY | REFERENCE):
            state.variables[name] = elements
        index = elements.next_index()
        for key, value, appends in self:
            if key is not None:
                index = self.index_of(state, key, elements)
            if value.__class__ is UnexpandedTilde:
                value = str(value)
            position = elements.position_of(index) if appends else None
            old = None if position is None else elements[position]
            bits = state.attributes.get(name, 0)
            elements.put(index, assigned_value(state, old, value, bits, append=appends))
            index += 1
        return elements  # type: ignore[no-any-return]

    def index_of(self, state: State, key: str, elements: ShellList) -> int:
        """Return the index that a subscript means; a negative one counts from the end."""
        index = evaluate_arithmetic(state, key)
        if not isinstance(index, int):
            raise RuntimeDiagnostic("E208", "a subscript must be a whole number", f"[{key}]")
        if index < 0:
            index += elements.next_index()
        if index < 0:
            fix = "an index from 0 on, or declare -A for keys"
            raise RuntimeDiagnostic("E203", "an index is out of range", f"[{key}]", fix)
        return index
