"""The order of arrays: asort, asorti, and how a `for` comes by the keys."""

from __future__ import annotations

import re
from functools import cmp_to_key

from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.values import Array, NumericString, Unset, comparison_text, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.tools.awk.run.registers import Registers
    from keysh.tools.awk.run.values import Value

    Item = tuple[str, Value]
    CaseFolder = Callable[[str], str]  # a text without its case, where IGNORECASE says so

# At most 18 digits: more are no exact number of awk's.
IS_INTEGER = re.compile("0|-?[1-9][0-9]{0,17}").fullmatch


def index_number_key(item: Item, folded: CaseFolder) -> Any:
    return number_of(item[0]), folded(item[0]), item[0]


def index_text_key(item: Item, folded: CaseFolder) -> Any:
    return folded(item[0]), item[0]


def value_text_key(item: Item, folded: CaseFolder) -> Any:
    value = item[1]
    if value.__class__ is Array:
        return True, "", "", item[0]
    text = comparison_text(value)
    return False, folded(text), text, item[0]


def value_number_key(item: Item, folded: CaseFolder) -> Any:
    value = item[1]
    if value.__class__ is Array:
        return True, 0.0, "", "", item[0]
    text = comparison_text(value)
    return False, number_of(value), folded(text), text, item[0]


def value_type_key(item: Item, folded: CaseFolder) -> Any:
    """Numbers stand before texts, texts before arrays; equal ones by their keys."""
    value = item[1]
    kind = value.__class__
    if kind is Array:
        return 2, 0.0, "", "", item[0]
    if kind in (float, NumericString, Unset):
        return 0, number_of(value), "", "", item[0]
    return 1, 0.0, folded(str(value)), str(value), item[0]


SORT_KEYS: dict[str, Callable[[Item, CaseFolder], Any]] = {
    "ind_str": index_text_key,
    "ind_num": index_number_key,
    "val_str": value_text_key,
    "val_num": value_number_key,
    "val_type": value_type_key,
}


def default_order(array: Array) -> list[str]:
    """Return the keys in ascending order if all are integers, else in order of insertion."""
    keys = [*array]
    if all(map(IS_INTEGER, keys)):
        keys.sort(key=int)
    return keys


def keys_in_order(registers: Registers, array: Array, order: str) -> list[str]:
    """The keys in one of the orders: `@ind_num_asc`, `@val_type_desc`, or a function's."""
    if order in ("", "@unsorted"):
        return default_order(array)
    return [key for key, _ in sorted_elements(registers, array, order)]


def sorted_elements(registers: Registers, array: Array, order: str) -> list[Item]:
    """The elements in one of the orders."""
    function = registers.functions.get(order)
    if function is not None:
        # Python asks whether the later of two is less. The function is asked whether the earlier
        # is more, so that one which only tells that sorts, too: `return v1 > v2`.
        def compared(later: Item, earlier: Item) -> int:
            made = number_of(function(*earlier, *later))
            return (made < 0) - (made > 0)

        return sorted(array.items(), key=cmp_to_key(compared))
    name, _, direction = order.removeprefix("@").rpartition("_")
    key = SORT_KEYS.get(name)
    if key is None or direction not in ("asc", "desc") or not order.startswith("@"):
        raise AwkFatal(f"sort comparison function `{order}' is not defined")
    folded = registers.fold_case
    return sorted(array.items(), key=lambda item: key(item, folded), reverse=direction == "desc")


def asort(
    registers: Registers, source: Array, target: Array | None = None, order: str = "@val_type_asc"
) -> float:
    """The values in order, under 1, 2, 3 …; how many there are."""
    values = [value for _, value in sorted_elements(registers, source, order)]
    return refill(source if target is None else target, values)


def asorti(
    registers: Registers, source: Array, target: Array | None = None, order: str = "@ind_str_asc"
) -> float:
    """The keys in order, under 1, 2, 3 …; how many there are."""
    keys = [key for key, _ in sorted_elements(registers, source, order)]
    return refill(source if target is None else target, keys)


def refill(array: Array, values: list[Any]) -> float:
    """Give an array these values and no others."""
    array.clear()
    array.update((str(i), value) for i, value in enumerate(values, 1))
    return float(len(values))
