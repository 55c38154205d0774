"""The variables of a shell as its host reads and sets them: `Shell.vars`."""

from __future__ import annotations

from keysh.diagnostics.exceptions import KeyshError
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.value_paths import base_value
from keysh.values import ABSENT, CONTAINERS, deep_copy, unmarked_value, value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.interp.state.state import State


class Variables:
    """A mapping of names to typed values. Values are copied when they are read and when set."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def __getitem__(self, name: str) -> Any:
        value = base_value(self._state, name)
        if value is ABSENT:
            raise KeyError(name)
        return unmarked_value(deep_copy(value)) if isinstance(value, CONTAINERS) else value

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a variable, or the default if it is unset."""
        value = base_value(self._state, name)
        return default if value is ABSENT else self[name]

    def __setitem__(self, name: str, value: Any) -> None:
        if not name.isidentifier() or not name.isascii():
            raise KeyError(name)
        try:
            self._state.assign(name, value_of_python(value))
        except RuntimeDiagnostic as problem:
            raise KeyshError(f"{problem.fact}: {problem.datum}") from None
        except RecursionError:
            raise ValueError("a value nests too deep, or holds itself") from None

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        try:
            self._state.unset(name)
        except RuntimeDiagnostic as problem:
            raise KeyshError(f"{problem.fact}: {problem.datum}") from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and base_value(self._state, name) is not ABSENT

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._state.variables))

    def __len__(self) -> int:
        return len(self._state.variables)

    def __repr__(self) -> str:
        return f"<variables {', '.join(self._state.variables)}>"
