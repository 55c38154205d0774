"""The variables of a shell as its host reads and sets them: `Shell.vars`."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH, KEYSH
from keysh.diagnostics.exceptions import KeyshError, refuse
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.value_paths import base_value
from keysh.values import (
    ABSENT,
    CONTAINERS,
    ShellList,
    ShellRecord,
    deep_copy,
    text_of,
    unmarked_value,
    value_of_python,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.state.state import State


class Variables:
    """A mapping of names to values. Values are copied when they are read and when set.

    An array made with sh's syntax is read as a list of the elements that exist; `elements` has
    their indexes, too. In a shell of the bash dialect a variable and an element of an array are
    text, as in bash; in keysh's own they keep their type.
    """

    __slots__ = ("_is_bash", "_state")

    def __init__(self, state: State, dialect: Dialect = KEYSH) -> None:
        self._state, self._is_bash = state, dialect is BASH

    def __getitem__(self, name: str) -> Any:
        value = self._value(name)
        return unmarked_value(value) if isinstance(value, CONTAINERS) else value

    def elements(self, name: str) -> dict[Any, Any]:
        """Return the elements of an array by index, or by key; a text is its element 0.

        After `a=(x y z); unset a[1]` that is `{0: "x", 2: "z"}`.
        """
        value = self._value(name)
        if isinstance(value, dict):
            return dict(value.items())
        if isinstance(value, ShellList):
            return dict(zip(value.indexes(), value, strict=True))
        return dict(enumerate(value)) if isinstance(value, list) else {0: value}

    def _value(self, name: str) -> Any:
        refuse_name(name)
        value = base_value(self._state, name)
        if value is ABSENT:
            raise KeyError(name)
        if isinstance(value, CONTAINERS):
            value = deep_copy(value)
            return with_text_elements(value) if self._is_bash else value
        return text_of(value) if self._is_bash else value

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a variable, or the default if it is unset."""
        refuse_name(name)
        value = base_value(self._state, name)
        return default if value is ABSENT else self[name]

    def __setitem__(self, name: str, value: Any) -> None:
        refuse_name(name)
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

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(
            "variables are not copied or pickled; {name: vars[name] for name in vars} is"
        )

    def __repr__(self) -> str:
        return f"<variables {', '.join(self._state.variables)}>"


def refuse_name(name: object) -> None:
    """Raise TypeError for what is no name of a variable."""
    if not isinstance(name, str):
        refuse("the name of a variable", "a str", name)


def with_text_elements(value: Any) -> Any:
    """Make the elements of an array text, in place; a list or record that is none keeps its own."""
    if isinstance(value, ShellList):
        value[:] = [text_of(element) for element in value]
    elif isinstance(value, ShellRecord):
        for key, element in dict.items(value):
            value[key] = text_of(element)
    return value
