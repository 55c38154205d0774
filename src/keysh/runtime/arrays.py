"""Arrays: `([k]=v …)`, whose entries are a list or a record by what the variable is."""

from __future__ import annotations

from keysh.runtime.computing import computed
from keysh.runtime.problem import Problem
from keysh.values import ShellList, ShellRecord, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.state import State


class EntryList(list):  # type: ignore[type-arg]
    """The entries of `([k]=v …)`, as (key or None, value, append), until it is known what for."""

    __slots__ = ()

    def made_for(
        self, state: State, name: str, *, is_added: bool = False
    ) -> ShellList | ShellRecord:
        """`x=(…)` or, added, `x+=(…)`: a record where the variable is one, else an array."""
        old = state.variables.get(name)
        if not isinstance(old, dict):
            return self.array(state)
        return self.pairs() if self and self[0][0] is None else self.record(state, name, old, is_added)

    def pairs(self) -> ShellRecord:
        """`(key value key value)`, where the first word is no `[key]=value`."""
        texts = [
            text_of(value) if key is None else f"[{key}]{'+' * appends}={text_of(value)}"
            for key, value, appends in self
        ]
        return ShellRecord(zip_longest(texts[::2], texts[1::2], fillvalue=""))

    def record(
        self, state: State, name: str, old: dict[str, object], is_added: bool
    ) -> ShellRecord:
        """As `declare -A` takes them. What `[k]+=v` appends to is the variable's own entry."""
        made = ShellRecord(old) if is_added else ShellRecord()
        for key, value, appends in self:
            if key is None:
                state.err.write(f"keysh: {name}: {text_of(value)}: must use subscript when "
                                "assigning associative array\n")  # fmt: skip
                continue
            before = text_of((made if is_added else old).get(key)) if appends else ""
            made[key] = before + text_of(value) if appends else value
        return made

    def array(self, state: State) -> ShellList:
        """As an array takes them: the places must come in order, for lists have no holes."""
        made = ShellList()
        place = 0
        for key, value, appends in self:
            if key is not None:
                found = computed(state, key)
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
