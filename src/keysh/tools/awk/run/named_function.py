"""Functions of a program that are called by a name in a variable: `@name(…)`, and for asort."""

from __future__ import annotations

from keysh.tools.awk.parse.lexer import BUILTIN_FUNCTIONS
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.values import UNSET, Array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from keysh.tools.awk.run.values import Value


class NamedFunction:
    """A function that is given what nobody has looked at; `arrays` says of each parameter whether
    it is one.
    """

    __slots__ = ("_arrays", "_function", "_name")

    def __init__(self, name: str, function: Callable[..., Value], arrays: tuple[bool, ...]) -> None:
        self._name, self._function, self._arrays = name, function, arrays

    def __call__(self, *values: Value) -> Value:
        if len(values) > len(self._arrays):
            raise AwkFatal(f"function `{self._name}' called with more arguments than declared")
        given: list[Value] = []
        for value, is_array in zip(values, self._arrays, strict=False):
            if is_array and value is UNSET:
                value = Array()
            elif is_array and value.__class__ is not Array:
                raise AwkFatal(f"function `{self._name}' takes an array, but is given a scalar")
            given.append(value)
        return self._function(*given)


def function_of(functions: Mapping[str, NamedFunction], name: str) -> NamedFunction:
    """The function of a name."""
    found = functions.get(name)
    if found is not None:
        return found
    if name in BUILTIN_FUNCTIONS:
        raise AwkFatal(f"cannot call built-in function `{name}' indirectly")
    raise AwkFatal(f"`{name}' is not a function, so it cannot be called indirectly")
