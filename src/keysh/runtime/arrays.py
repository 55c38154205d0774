"""Arrays: `([k]=v …)`, whose entries are a list or a record by what the variable is."""

from __future__ import annotations

from keysh.runtime.problem import Problem
from keysh.values import ShellList, ShellRecord, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.state import State


class EntryList(list):  # type: ignore[type-arg]
    """The entries of `([k]=v …)`, as (key or None, value, append), until it is known what for."""

    __slots__ = ()

    def record(self, state: State) -> ShellRecord:
        """As `declare -A` takes them."""
        made = ShellRecord()
        at = 0
        while at < len(self):
            key, value, appends = self[at]
            at += 1
            if key is None:  # `(key value key value)`
                key = text_of(value)
                value = self[at][1] if at < len(self) else ""
                at += 1
            made[key] = text_of(made.get(key)) + text_of(value) if appends else value
        return made

    def array(self, state: State) -> ShellList:
        """As an array takes them: the places must come in order, for lists have no holes."""
        made = ShellList()
        place = 0
        for key, value, appends in self:
            if key is not None:
                found = state.session.compiler.arithmetic(key)(state)
                if not isinstance(found, int) or not 0 <= found <= len(made):
                    raise Problem(
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
