"""The order of arrays that a program asks for: asort, asorti, and PROCINFO["sorted_in"]."""

from __future__ import annotations

from functools import cmp_to_key

from keysh.text.bounds.slices import sorted_in_slices, with_ticks
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.values import Array, NumericString, Unset, comparison_text, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.tools.awk.run.registers import Registers
    from keysh.tools.awk.run.values import Value

    Item = tuple[str, Value]
    CaseFolder = Callable[[str], str]  # lower-cases if IGNORECASE is set


def index_number_key(item: Item, fold_case: CaseFolder) -> Any:
    return number_of(item[0]), fold_case(item[0]), item[0]


def index_text_key(item: Item, fold_case: CaseFolder) -> Any:
    return fold_case(item[0]), item[0]


def value_text_key(item: Item, fold_case: CaseFolder) -> Any:
    value = item[1]
    if value.__class__ is Array:
        return True, "", "", item[0]
    text = comparison_text(value)
    return False, fold_case(text), text, item[0]


def value_number_key(item: Item, fold_case: CaseFolder) -> Any:
    value = item[1]
    if value.__class__ is Array:
        return True, 0.0, "", "", item[0]
    text = comparison_text(value)
    return False, number_of(value), fold_case(text), text, item[0]


def value_type_key(item: Item, fold_case: CaseFolder) -> Any:
    """Sort numbers before strings before arrays, and equal ones by key."""
    value = item[1]
    kind = value.__class__
    if kind is Array:
        return 2, 0.0, "", "", item[0]
    if kind in (float, NumericString, Unset):
        return 0, number_of(value), "", "", item[0]
    return 1, 0.0, fold_case(str(value)), str(value), item[0]


SORT_KEYS: dict[str, Callable[[Item, CaseFolder], Any]] = {
    "ind_str": index_text_key,
    "ind_num": index_number_key,
    "val_str": value_text_key,
    "val_num": value_number_key,
    "val_type": value_type_key,
}


def keys_in_order(registers: Registers, array: Array, order: str) -> list[str]:
    """Return the keys in an order: `@ind_num_asc`, `@val_type_desc`, a function, or others."""
    if order in ("", "@unsorted"):
        return array.order(registers.sh.tick)
    return [key for key, _ in sorted_elements(registers, array, order)]


def sorted_elements(registers: Registers, array: Array, order: str) -> list[Item]:
    """Return the elements in an order."""
    function = registers.functions.get(order)
    if function is not None:
        # Python tests whether the later of two elements is less. Ask the function whether the
        # earlier is greater, so that one that returns only that also sorts: `return v1 > v2`.
        def compare_elements(later: Item, earlier: Item) -> int:
            result = number_of(function(*earlier, *later))
            return (result < 0) - (result > 0)

        tick = registers.sh.tick
        return sorted_in_slices(array.items(), tick, cmp_to_key(compare_elements))
    name, _, direction = order.removeprefix("@").rpartition("_")
    key = SORT_KEYS.get(name)
    if key is None or direction not in ("asc", "desc") or not order.startswith("@"):
        raise AwkFatal(f"sort comparison function `{order}' is not defined")
    fold_case = registers.fold_case
    return sorted_in_slices(
        array.items(),
        registers.sh.tick,
        lambda item: key(item, fold_case),
        reverse=direction == "desc",
    )


def asort(
    registers: Registers, source: Array, target: Array | None = None, order: str = "@val_type_asc"
) -> float:
    """Store the sorted values under 1, 2, 3 … and return their number."""
    values = [value for _, value in sorted_elements(registers, source, order)]
    return refill(registers, source if target is None else target, values)


def asorti(
    registers: Registers, source: Array, target: Array | None = None, order: str = "@ind_str_asc"
) -> float:
    """Store the sorted keys under 1, 2, 3 … and return their number."""
    keys = [key for key, _ in sorted_elements(registers, source, order)]
    return refill(registers, source if target is None else target, keys)


def refill(registers: Registers, array: Array, values: list[Any]) -> float:
    """Replace the contents of an array by these values."""
    array.clear()
    numbered = enumerate(with_ticks(values, registers.sh.tick), 1)
    array.update((str(i), value) for i, value in numbered)
    return float(len(values))
