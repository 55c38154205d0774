"""In-place updates of the state of `reduce`, so that n additions take time n, not n squared.

    reduce .[] as $row ({}; .[$row.name] += $row.size)      reduce .[] as $row ([]; . + [$row.id])

`own` holds, by id, the containers that the loop has copied and that occur only once in its state.
Anything that could store the container a second time clears `own`, and the loop copies again.
"""

from __future__ import annotations

from keysh.tools.jq.values.arithmetic import add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.tools.jq.values.bounds import JqBounds
    from keysh.tools.jq.values.value import Value

    Own = dict[int, Any]

MAX_INSPECTED_VALUES = 64  # of a new value; a larger one is assumed to contain anything


def admit_value(value: Value, own: Own) -> None:
    """Note that a value enters the state: if it may contain an owned container, clear `own`."""
    if not own or value.__class__ not in (dict, list):
        return
    waiting = [value]
    count = 0
    while waiting:
        container = waiting.pop()
        count += 1 + len(container)
        if count > MAX_INSPECTED_VALUES or id(container) in own:
            own.clear()
            return
        items = container.values() if container.__class__ is dict else container
        waiting += [item for item in items if item.__class__ in (dict, list)]


def add_in_place(state: Value, new: Value, own: Own, bounds: JqBounds) -> Value:
    """`state + new`, in place if the state is owned."""
    state_class = state.__class__
    if new.__class__ is not state_class or state_class not in (dict, list):
        return add(state, new, bounds)
    admit_value(new, own)
    if id(state) not in own:
        result = add(state, new, bounds)
        own[id(result)] = result
        return result
    if state_class is dict:
        state.update(new)
    else:
        bounds.check_items(len(state) + len(new))
        state += new
    return state
