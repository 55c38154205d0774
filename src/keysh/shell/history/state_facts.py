"""The facts of a state: what each kind of them is, when two are the same, how one is taken over.

A fact has a kind and a name, `variable x` or `option nounset`. What there is only once, such as the
directory, has the name "". A table of facts holds the objects of the state itself.
"""

from __future__ import annotations

from itertools import compress, repeat
from operator import is_not

from keysh.interp.engine.traps import TRAP_FLAGS
from keysh.interp.run.options import OPTION_BITS, SHADOWS_BUILTIN, TURNED_OFF_BITS
from keysh.interp.variables.declare_output import function_text
from keysh.interp.variables.variable import ATTRIBUTE_NAMES
from keysh.shell.images.state_records import record_of_function, record_of_trap
from keysh.shell.images.typed_values import value_to_json
from keysh.values import ABSENT, CONTAINERS, deep_copy, is_same_value, unmarked_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from keysh.interp.engine.traps import Trap
    from keysh.interp.run.function import ShellFunction
    from keysh.interp.state.completion_specs import CompletionSpec
    from keysh.interp.state.state import State
    from keysh.shell.history.state_version import StateVersion


class VariableVersion:
    """A variable at one moment: its value, and the names of its attributes."""

    __module__ = "keysh"
    __slots__ = ("attributes", "value")

    def __init__(self, value: Any, attributes: tuple[str, ...]) -> None:
        self.value, self.attributes = value, attributes

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, VariableVersion)
            and self.attributes == other.attributes
            and is_same_value(self.value, other.value)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return " ".join([*self.attributes, repr(self.value)])


class FactKind:
    """One kind of facts. `table` returns them by name; the other methods take facts of it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def table(self, version: StateVersion) -> Mapping[str, Any]:
        raise NotImplementedError

    def fact(self, version: StateVersion, name: str) -> Any:
        """Return one fact; ABSENT if there is none."""
        return self.table(version).get(name, ABSENT)

    def differing_names(self, before: StateVersion, after: StateVersion) -> Iterator[str]:
        """Yield the names of facts that are not the same."""
        was, now = self.table(before), self.table(after)
        for name in differing_objects(was, now):
            if not self.is_same(was.get(name, ABSENT), now.get(name, ABSENT)):
                yield name

    def is_same(self, fact: Any, other: Any) -> bool:
        return fact is other or bool(fact == other)

    def public_form(self, fact: Any) -> Any:
        """Return a fact as hosts see it."""
        return fact

    def record(self, fact: Any) -> Any:
        """Return a fact as JSON values."""
        return self.public_form(fact)

    def put(self, state: State, name: str, fact: Any) -> None:
        """Give a state this fact; ABSENT takes it away.

        Values are shared, so a version of the state must have been made before: then it owns none.
        """
        raise NotImplementedError


class VariableFacts(FactKind):
    """Name -> value and attribute bits."""

    def table(self, version: StateVersion) -> Mapping[str, Any]:
        return {name: self.fact(version, name) for name in version.variables | version.attributes}

    def fact(self, version: StateVersion, name: str) -> Any:
        value, bits = version.variables.get(name, ABSENT), version.attributes.get(name, 0)
        return ABSENT if value is ABSENT and not bits else (value, bits)

    def differing_names(self, before: StateVersion, after: StateVersion) -> Iterator[str]:
        names = dict.fromkeys(differing_objects(before.variables, after.variables))
        if before.attributes != after.attributes:
            names.update(dict.fromkeys(differing_objects(before.attributes, after.attributes)))
        for name in names:
            if not self.is_same(self.fact(before, name), self.fact(after, name)):
                yield name

    def is_same(self, fact: Any, other: Any) -> bool:
        if fact is ABSENT or other is ABSENT:
            return fact is other
        return fact[1] == other[1] and is_same_value(fact[0], other[0])

    def public_form(self, fact: Any) -> VariableVersion:
        value, bits = fact
        if isinstance(value, CONTAINERS):
            value = unmarked_value(deep_copy(value))
        return VariableVersion(None if value is ABSENT else value, attribute_names(bits))

    def record(self, fact: Any) -> Any:
        value, bits = fact
        record = {} if value is ABSENT else {"value": value_to_json(value)}
        return {**record, "attributes": list(attribute_names(bits))}

    def put(self, state: State, name: str, fact: Any) -> None:
        value, bits = (ABSENT, 0) if fact is ABSENT else fact
        if value is ABSENT:
            state.variables.pop(name, None)
        else:
            state.variables[name] = value
        if bits:
            state.attributes[name] = bits
        else:
            state.attributes.pop(name, None)


class FunctionFacts(FactKind):
    """Name -> ShellFunction. Its text counts, its dialect, and whether it is exported."""

    def table(self, version: StateVersion) -> Mapping[str, ShellFunction]:
        return version.functions

    def is_same(self, fact: Any, other: Any) -> bool:
        if fact is ABSENT or other is ABSENT or fact.is_exported != other.is_exported:
            return fact is other
        return fact.node is other.node or self.text_and_dialect(fact) == self.text_and_dialect(
            other
        )

    def text_and_dialect(self, function: ShellFunction) -> tuple[str, str]:
        record = record_of_function(function)
        return record["text"], record["dialect"]

    def public_form(self, fact: Any) -> str:
        return function_text(fact) + (f"declare -fx {fact.name}\n" if fact.is_exported else "")

    def record(self, fact: Any) -> Any:
        return record_of_function(fact)

    def put(self, state: State, name: str, fact: Any) -> None:
        put_into_table(state.functions, name, fact)
        # It is a hint to look: harmless where no function shadows a builtin.
        state.flags |= SHADOWS_BUILTIN


class AliasFacts(FactKind):
    """Name -> text."""

    def table(self, version: StateVersion) -> Mapping[str, str]:
        return version.aliases

    def put(self, state: State, name: str, fact: Any) -> None:
        put_into_table(state.aliases, name, fact)


class CompletionFacts(FactKind):
    """Name of a command -> what `complete` has said of its words."""

    def table(self, version: StateVersion) -> Mapping[str, CompletionSpec]:
        return version.completions

    def differing_names(self, before: StateVersion, after: StateVersion) -> Iterator[str]:
        if before.completions is not after.completions:
            yield from super().differing_names(before, after)

    def is_same(self, fact: Any, other: Any) -> bool:
        if fact is ABSENT or other is ABSENT:
            return fact is other
        return self.public_form(fact) == self.public_form(other)

    def public_form(self, fact: Any) -> str:
        """Return the options of `complete` that say the same."""
        return str(fact.arguments())

    def put(self, state: State, name: str, fact: Any) -> None:
        completions = dict(state.completions)
        put_into_table(completions, name, fact)
        state.completions = completions


class TrapFacts(FactKind):
    """Name -> Trap, or None for a signal that is ignored."""

    def table(self, version: StateVersion) -> Mapping[str, Trap | None]:
        return version.traps

    def is_same(self, fact: Any, other: Any) -> bool:
        if fact is other or fact in (ABSENT, None) or other in (ABSENT, None):
            return fact is other
        return (fact.text, fact.dialect) == (other.text, other.dialect)

    def public_form(self, fact: Any) -> str:
        return "" if fact is None else fact.text

    def record(self, fact: Any) -> Any:
        return record_of_trap(fact)

    def put(self, state: State, name: str, fact: Any) -> None:
        put_into_table(state.traps, name, fact)
        flag = TRAP_FLAGS.get(name, 0)
        state.flags = state.flags & ~flag if fact in (ABSENT, None) else state.flags | flag


class OptionFacts(FactKind):
    """Name -> the option's bits."""

    def table(self, version: StateVersion) -> Mapping[str, int]:
        return {name: self.fact(version, name) for name in OPTION_BITS}

    def fact(self, version: StateVersion, name: str) -> Any:
        return version.flags & option_bits(name)

    def differing_names(self, before: StateVersion, after: StateVersion) -> Iterator[str]:
        different = before.flags ^ after.flags
        if different:
            for name in OPTION_BITS:
                if different & option_bits(name):
                    yield name

    def public_form(self, fact: Any) -> bool:
        return any(fact & bit for bit in OPTION_BITS.values())

    def put(self, state: State, name: str, fact: Any) -> None:
        state.flags = state.flags & ~option_bits(name) | fact


class UlimitFacts(FactKind):
    """Name -> soft and hard limit."""

    def table(self, version: StateVersion) -> Mapping[str, tuple[int, int]]:
        return version.ulimits

    def public_form(self, fact: Any) -> list[int]:
        return list(fact)

    def put(self, state: State, name: str, fact: Any) -> None:
        limits = dict(state.ulimits)
        put_into_table(limits, name, fact)
        state.ulimits = limits


class SingleFact(FactKind):
    """What a state has only once."""

    def table(self, version: StateVersion) -> Mapping[str, Any]:
        return {"": self.value(version)}

    def value(self, version: StateVersion) -> Any:
        raise NotImplementedError


class DirectoryFacts(SingleFact):
    """Where scripts run."""

    def value(self, version: StateVersion) -> str:
        return version.cwd

    def put(self, state: State, name: str, fact: Any) -> None:
        state.cwd = fact


class DirectoryStackFacts(SingleFact):
    """The directories of `pushd`."""

    def value(self, version: StateVersion) -> tuple[str, ...]:
        return version.directories

    def public_form(self, fact: Any) -> list[str]:
        return list(fact)

    def put(self, state: State, name: str, fact: Any) -> None:
        state.directories = fact


class ArgumentFacts(SingleFact):
    """`$1` and the others."""

    def value(self, version: StateVersion) -> list[object]:
        return version.arguments

    def is_same(self, fact: Any, other: Any) -> bool:
        return is_same_value(fact, other)

    def public_form(self, fact: Any) -> Any:
        return deep_copy(fact)

    def record(self, fact: Any) -> Any:
        return [value_to_json(value) for value in fact]

    def put(self, state: State, name: str, fact: Any) -> None:
        state.arguments = fact


class UmaskFacts(SingleFact):
    """The mask, and whether a script has set it."""

    def value(self, version: StateVersion) -> tuple[int, bool]:
        return version.umask, version.has_set_umask

    def public_form(self, fact: Any) -> int:
        return int(fact[0])

    def put(self, state: State, name: str, fact: Any) -> None:
        state.umask, state.has_set_umask = fact


# In the order in which changes are listed.
FACT_KINDS = {
    kind.name: kind
    for kind in (
        VariableFacts("variable"), FunctionFacts("function"), AliasFacts("alias"),
        CompletionFacts("completion"), TrapFacts("trap"),
        OptionFacts("option"), DirectoryFacts("directory"), DirectoryStackFacts("directory stack"),
        ArgumentFacts("arguments"), UmaskFacts("umask"), UlimitFacts("ulimit"),
    )
}  # fmt: skip


def differing_objects(table: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the names that do not have the same object in two tables; most have."""
    if table is other:
        return []
    found = map(table.get, other, repeat(ABSENT))
    names = [*compress(other, map(is_not, found, other.values()))]
    if len(table) != len(other) or any(name not in table for name in names):
        names += [name for name in table if name not in other]
    return names


def attribute_names(bits: int) -> tuple[str, ...]:
    return tuple(word for word, bit in ATTRIBUTE_NAMES.items() if bits & bit)


def option_bits(name: str) -> int:
    """Return the bits that an option consists of."""
    return OPTION_BITS[name] | TURNED_OFF_BITS.get(name, 0)


def put_into_table(table: dict[str, Any], name: str, fact: Any) -> None:
    if fact is ABSENT:
        table.pop(name, None)
    else:
        table[name] = fact
