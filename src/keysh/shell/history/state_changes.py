"""StateChange: what became of variables, functions, options and the like between two moments."""

from __future__ import annotations

from keysh.shell.history.state_facts import FACT_KINDS
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.shell.history.state_version import StateVersion


class StateChange:
    """What became of one fact of a state.

    `kind` is "variable", "function", "alias", "completion", "trap", "option", "directory",
    "directory stack", "arguments", "umask" or "ulimit", and `name` says which one; it is "" for
    what there is only once. `before` and `after` are None where there is none. A variable has a
    `value` and `attributes`; a function, an alias, a completion and a trap are text, an option is a
    bool.
    """

    __module__ = "keysh"
    __slots__ = ("_after", "_before", "kind", "name")

    def __init__(self, kind: str, name: str, before: Any, after: Any) -> None:
        self.kind, self.name = kind, name
        self._before, self._after = before, after

    @property
    def before(self) -> Any:
        """What it was; None if there was none."""
        return None if self._before is ABSENT else FACT_KINDS[self.kind].public_form(self._before)

    @property
    def after(self) -> Any:
        """What it is; None if it is gone."""
        return None if self._after is ABSENT else FACT_KINDS[self.kind].public_form(self._after)

    def __repr__(self) -> str:
        what = f"{self.kind} {self.name}" if self.name else self.kind
        return f"<StateChange {what}: {shown_fact(self.before)} -> {shown_fact(self.after)}>"

    def record(self) -> dict[str, Any]:
        """Return the change as JSON values."""
        kind = FACT_KINDS[self.kind]
        return {
            "kind": self.kind,
            "name": self.name,
            "before": None if self._before is ABSENT else kind.record(self._before),
            "after": None if self._after is ABSENT else kind.record(self._after),
        }


def state_changes(before: StateVersion, after: StateVersion) -> list[StateChange]:
    """Return what is different in the later version, sorted by name within each kind.

    What every command changes is left out: `$?`, `$_`, `$SECONDS`, and the numbers of `$RANDOM`.
    """
    return [
        StateChange(kind.name, name, kind.fact(before, name), kind.fact(after, name))
        for kind in FACT_KINDS.values()
        for name in sorted(kind.differing_names(before, after))
    ]


def shown_fact(value: Any) -> str:
    """Return a fact in a representation, where None is nothing."""
    return "none" if value is None else repr(value)
