"""Growth: what `reduce` has made itself changes in place, so that n additions cost no more than n.

    reduce .[] as $row ({}; .[$row.name] += $row.size)      reduce .[] as $row ([]; . + [$row.id])

`own` has the containers that were copied since the loop began and that stand in its state in one
place only. What could bring such a container to a second place makes the loop forget them all, and
it copies again.
"""

from __future__ import annotations

from keysh.tools.jq.values.arithmetic import add, check_value_size
from keysh.tools.jq.values.value import MAX_ARRAY_ITEMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.tools.jq.values.value import Value

    Own = dict[int, Any]

MAX_INSPECTED_VALUES = 64  # values in a new one, before it counts as one that may hold anything


def admit_value(value: Value, own: Own) -> None:
    """A value comes into the state: if it may hold what is own, nothing is own any more."""
    if not own or value.__class__ not in (dict, list):
        return
    waiting = [value]
    count = 0
    while waiting:
        here = waiting.pop()
        count += 1 + len(here)
        if count > MAX_INSPECTED_VALUES or id(here) in own:
            own.clear()
            return
        items = here.values() if here.__class__ is dict else here
        waiting += [item for item in items if item.__class__ in (dict, list)]


def add_in_place(state: Value, new: Value, own: Own) -> Value:
    """`state + new`"""
    kind = state.__class__
    if new.__class__ is not kind or kind not in (dict, list):
        return add(state, new)
    admit_value(new, own)
    if id(state) not in own:
        made = add(state, new)
        own[id(made)] = made
        return made
    if kind is dict:
        state.update(new)
    else:
        state += new
        check_value_size(state, MAX_ARRAY_ITEMS)
    return state
