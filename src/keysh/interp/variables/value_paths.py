"""Value paths such as `u[tags][0]`: read, write and unset them.

The value decides what a subscript means: for a record a key; for a list or a string an index or a
slice `A:B`.
"""

from __future__ import annotations

from keysh.interp.run.options import NOUNSET
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.arithmetic_text import evaluate_arithmetic
from keysh.interp.variables.converted_values import CONVERSIONS, converted_value, integer_sum
from keysh.interp.variables.specials import ARRAY_SPECIALS
from keysh.interp.variables.variable import (
    DECLARED,
    INTEGER,
    READONLY,
    AllKey,
    NameReference,
    missing_element,
    readonly_variable,
    single_element_problem,
    unbound_variable,
)
from keysh.text.shell_numbers import parse_decimal
from keysh.values import (
    ABSENT,
    ARRAYS,
    CONTAINERS,
    ShellList,
    StarList,
    text_of,
    type_with_article,
    unmarked_value,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.state.state import State

ALL_SUBSCRIPTS = ("[@]", "[*]")
MAX_REFERENCE_HOPS = 20  # name references that lead to name references


# ---------------------------------------------------------------- reading


def element(state: State, value: Any, key: object, path: str) -> Any:
    """Return the element at a subscript; E203 if there is none."""
    value_there = lookup(state, value, key)
    if value_there is ABSENT:
        if not isinstance(value, ARRAYS) and not is_lenient_scalar(state, value):
            raise missing_element(value, key, path)
        if state.flags & NOUNSET:
            raise unbound_variable(f"{path}[{text_of(key)}]")
        return None
    return value_there


def is_lenient_scalar(state: State, value: Any) -> bool:
    """Whether a missing element of a value that is no array is empty, as in bash."""
    return state.dialect.reads_first_element and not isinstance(value, CONTAINERS)


def lookup(state: State, value: Any, key: object) -> Any:
    """Return the element at a subscript, or ABSENT."""
    if isinstance(value, dict):
        return value.get(key if key.__class__ is str else text_of(key), ABSENT)
    if isinstance(value, list):
        if key.__class__ is not int and is_slice(text_of(key)):
            return unmarked_value(value[slice_bounds(state, text_of(key), len(value))])
        index = subscript_index(state, key)
        if value.__class__ is ShellList:
            position = value.position_of(index)
            return ABSENT if position is None else value[position]
        return value[index] if -len(value) <= index < len(value) else ABSENT
    if value is None:
        return ABSENT
    text = text_of(value)
    if key.__class__ is not int and is_slice(text_of(key)):
        return text[slice_bounds(state, text_of(key), len(text))]
    # To sh a variable that is no array has one element.
    return ABSENT if subscript_index(state, key) else value


def is_slice(key: str) -> bool:
    """Whether a subscript is a slice `A:B`; with `?` the colon belongs to a conditional."""
    return ":" in key and "?" not in key


def slice_bounds(state: State, key: str, length: int) -> slice:
    """Return the slice for `A:B`."""
    first, _, last = key.partition(":")
    start = subscript_index(state, first) if first.strip() else 0
    end = subscript_index(state, last) if last.strip() else length
    return slice(start, end)


def subscript_index(state: State, key: object) -> int:
    """Return the index that a subscript means: digits or an arithmetic expression."""
    if key.__class__ is int:
        return key
    text = text_of(key)
    known = parse_decimal(text)
    if known is not None:
        return known
    if key.__class__ is AllKey:
        raise single_element_problem(text)
    if not text.strip():
        raise RuntimeDiagnostic("E203", "a subscript is empty", "", "write a key or a number")
    index = evaluate_arithmetic(state, text)
    if not isinstance(index, int):
        raise RuntimeDiagnostic("E208", "a subscript must be a whole number", text)
    return index


def read_path(state: State, name: str, keys: Sequence[object]) -> Any:
    """Return the value at a path; E203 if there is none."""
    value, path = base_value(state, name), name
    if value is ABSENT:
        if state.flags & NOUNSET:
            raise unbound_variable(name)
        value = None
    for key in keys:
        value, path = element(state, value, key, path), f"{path}[{text_of(key)}]"
    return value


def path_value(state: State, name: str, keys: Sequence[object]) -> Any:
    """Return the value at a path, or ABSENT."""
    value = base_value(state, name)
    for key in keys:
        if value is ABSENT:
            return ABSENT
        value = lookup(state, value, key)
    return value


def base_value(state: State, name: str) -> Any:
    """Return the value of the variable at the start of a path, or ABSENT."""
    value = state.variables.get(name, ABSENT)
    if value.__class__ is NameReference:
        reached = follow_reference(state, name)
        return ABSENT if reached is None else scalar_path_value(state, *reached)
    if name not in state.variables:
        computed = state.compiler.special(name)
        if computed is not None:
            return computed(state)
    return value


def text_path_value(state: State, text: str) -> Any:
    """Parse a path and return the value there, or ABSENT."""
    name, keys = state.compiler.path(text, state)(state)
    return scalar_path_value(state, name, keys)


def scalar_path_value(state: State, name: str, keys: Sequence[object]) -> Any:
    """Return the value at a path, or ABSENT; the first element of an array like FUNCNAME."""
    value = path_value(state, name, keys)
    if not keys and name in ARRAY_SPECIALS and isinstance(value, list):
        return value[0] if value else ABSENT
    return value


def read_text_path(state: State, text: str) -> Any:
    """Return the value that `${!r}` or a name reference leads to; in bash `a[@]`: all elements."""
    if text[-3:] in ALL_SUBSCRIPTS and state.dialect.reads_first_element:
        value = text_path_value(state, text[:-3])
        items = () if value is ABSENT else elements(value)
        return StarList(items) if text[-2] == "*" else ShellList(items)
    name, keys = state.compiler.path(text, state)(state)
    if state.variables.get(name).__class__ is NameReference:
        reached = follow_reference(state, name)
        if reached is None:
            return None
        name, keys = reached[0], [*reached[1], *keys]
    if not keys:
        value = base_value(state, name)
        if value is ABSENT:
            return state.variable_value(name, None)
        if name in ARRAY_SPECIALS and isinstance(value, list):
            return value[0] if value else None
        return state.variable_value(name, value)
    return read_path(state, name, keys)


def follow_reference(state: State, name: str) -> tuple[str, list[object]] | None:
    """Return the final target of a name reference; for a cycle warn as bash and return None."""
    keys: list[object] = []
    first = name
    for _ in range(MAX_REFERENCE_HOPS):
        held = state.variables.get(name)
        if held.__class__ is not NameReference:
            return name, keys
        name, more = state.compiler.path(held, state)(state)
        keys = [*more, *keys]
    state.complain(f"warning: {first}: circular name reference")
    return None


def reference_text(state: State, reference: NameReference) -> str:
    """Return the text to which a name reference leads, past references to references."""
    for _ in range(MAX_REFERENCE_HOPS):
        held = state.variables.get(reference)
        if held.__class__ is not NameReference:
            break
        reference = held
    return str(reference)


# ---------------------------------------------------------------- writing


def write_path(
    state: State, name: str, keys: Sequence[object], value: Any, *, append: bool = False
) -> None:
    """Set the value at a path, of which only the last step may be new; takes over `value`."""
    if state.variables.get(name).__class__ is NameReference:
        name, keys = reference_target(state, name, keys)
    bits = state.attributes.get(name, 0)
    if not keys:
        old = state.own_value(name) if append else None
        state.assign(name, assigned_value(state, old, value, bits, append=append))
        return
    if bits & READONLY:
        raise readonly_variable(name)
    holder, path = state.own_value(name), name
    # An unset variable becomes an array, as in sh; if that fails it stays unset.
    if holder is None or isinstance(holder, CONTAINERS):
        root = ShellList() if holder is None else holder
    elif holder == "" or state.dialect.reads_first_element:
        root = ShellList([holder] if state.dialect.reads_first_element else ())
    else:
        root = holder
    step = root
    for key in keys[:-1]:
        step, path = element(state, step, key, path), f"{path}[{text_of(key)}]"
    set_element(state, step, keys[-1], value, path, bits, append=append)
    if root is not holder:
        state.assign(name, root)
    elif state.attributes.get(name, 0) & DECLARED:
        state.attributes[name] &= ~DECLARED


def reference_target(
    state: State, name: str, keys: Sequence[object]
) -> tuple[str, Sequence[object]]:
    """Resolve a name reference to its target; a cycle is an error."""
    reached = follow_reference(state, name)
    if reached is None:
        raise RuntimeDiagnostic(
            "E203", "references form a cycle", name, f"unset -n {name}", fails_in_sh=True
        )
    return reached[0], [*reached[1], *keys]


def set_element(
    state: State, holder: Any, key: object, value: Any, path: str, bits: int, *, append: bool
) -> None:
    """Set an element of a variable with these attributes."""
    if isinstance(holder, dict):
        text = text_of(key)
        holder[text] = assigned_value(state, holder.get(text), value, bits, append=append)
        return
    if not isinstance(holder, list):
        raise RuntimeDiagnostic(
            "E203", f"{type_with_article(holder)} has no elements", f"{path}[{text_of(key)}]",
            f"make {path} a list or a record first: {path}=[] or {path}={{}}",
        )  # fmt: skip
    index = subscript_index(state, key)
    if holder.__class__ is ShellList:
        set_array_element(state, holder, index, value, path, bits, append=append)
    elif index == len(holder):
        holder.append(assigned_value(state, None, value, bits, append=append))
    elif -len(holder) <= index < len(holder):
        holder[index] = assigned_value(state, holder[index], value, bits, append=append)
    else:
        raise RuntimeDiagnostic(
            "E203", "an index is out of range", f"{path}[{index}]",
            f"the list has {len(holder)} elements and grows at its end: push {path} value",
        )  # fmt: skip


def set_array_element(
    state: State, array: ShellList, index: int, value: Any, path: str, bits: int, *, append: bool
) -> None:
    """Set an element of an array of sh, which may have holes."""
    if index < 0:
        index += array.next_index()
        if index < 0:
            fix = f"an index from -{array.next_index()} on"
            datum = f"{path}[{index - array.next_index()}]"
            raise RuntimeDiagnostic("E203", "an index is out of range", datum, fix)
    position = array.position_of(index) if append else None
    old = None if position is None else array[position]
    array.put(index, assigned_value(state, old, value, bits, append=append))


def assigned_value(state: State, old: Any, value: Any, bits: int, *, append: bool) -> Any:
    """Return what `=` or `+=` makes of an old value under a variable's attributes."""
    if bits & CONVERSIONS:
        if append and bits & INTEGER and not isinstance(old, CONTAINERS):
            return integer_sum(state, old, value)
        value = converted_value(state, value, bits)
    return append_value(state, old, value) if append else value


def append_value(state: State, old: Any, new: Any) -> Any:
    """`+=`: append text to text, or elements to a list or record."""
    if isinstance(old, list):
        added = new if isinstance(new, list) else [new]
        if old.__class__ is ShellList and old.places is not None:
            first = old.next_index()
            old.places.extend(range(first, first + len(added)))
        old.extend(added)
        state.check_elements(len(old))
        return old
    if isinstance(old, dict):
        if not isinstance(new, dict):
            raise RuntimeDiagnostic("E203", "only a record can be added to a record", text_of(new),
                          "+={key: value}")  # fmt: skip
        old.update(new)
        state.check_elements(len(old))
        return old
    if isinstance(new, CONTAINERS):
        if old is None or old == "":
            return new
        raise RuntimeDiagnostic("E203",
                      f"{type_with_article(new)} cannot be added to {type_with_article(old)}",
                      text_of(new))  # fmt: skip
    return state.join_values("", (old, new))


def unset_path(state: State, name: str, keys: Sequence[object]) -> None:
    """Unset the value at a path; in a list only the last element, because lists have no holes."""
    if not keys:
        state.unset(name)
        return
    if state.variables.get(name).__class__ is NameReference:
        name, keys = reference_target(state, name, keys)
    if state.attributes.get(name, 0) & READONLY:
        raise readonly_variable(name)
    holder, path = state.own_value(name), name
    if holder is None:
        return
    for key in keys[:-1]:
        holder, path = element(state, holder, key, path), f"{path}[{text_of(key)}]"
    key = keys[-1]
    if isinstance(holder, dict):
        holder.pop(text_of(key), None)
    elif holder.__class__ is ShellList:
        holder.remove_at(subscript_index(state, key))
    elif len(keys) == 1 and not isinstance(holder, CONTAINERS) and not subscript_index(state, key):
        state.unset(name)  # its only element, as sh sees it
    elif isinstance(holder, list):
        index = subscript_index(state, key)
        if index in (len(holder) - 1, -1) and holder:
            holder.pop()
        elif -len(holder) <= index < len(holder):
            index %= len(holder)
            after = f"${{{path}[{index + 1}:]}}"
            rest = f"[...${{{path}[:{index}]}} ...{after}]" if index else after
            raise RuntimeDiagnostic(
                "E203", "a list has no holes", f"{path}[{index}]", f"{path}={rest}"
            )
    else:
        raise RuntimeDiagnostic(
            "E203", f"{type_with_article(holder)} has no elements", f"{path}[{text_of(key)}]"
        )


def elements(value: Any) -> list[Any]:
    """Return what `[@]` yields: the elements of a list, the values of a record, else the value."""
    if isinstance(value, list):
        return list(value)
    if isinstance(value, dict):
        return list(value.values())
    return [] if value is None else [value]
