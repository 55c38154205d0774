"""Functions called by a name in a variable: `@name(…)`, and comparisons for sorting."""

from __future__ import annotations

from keysh.tools.awk.parse.lexer import BUILTIN_FUNCTIONS
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.values import UNSET, Array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from keysh.tools.awk.run.values import Value


class NamedFunction:
    """A function of the program that checks its arguments at run time.

    `arrays` says of each parameter whether it is an array.
    """

    __slots__ = ("_arrays", "_function", "_name")

    def __init__(self, name: str, function: Callable[..., Value], arrays: tuple[bool, ...]) -> None:
        self._name, self._function, self._arrays = name, function, arrays

    def __call__(self, *values: Value) -> Value:
        if len(values) > len(self._arrays):
            raise AwkFatal(f"function `{self._name}' called with more arguments than declared")
        arguments: list[Value] = []
        for value, is_array in zip(values, self._arrays, strict=False):
            if is_array and value is UNSET:
                value = Array()
            elif is_array and value.__class__ is not Array:
                raise AwkFatal(f"function `{self._name}' takes an array, but is given a scalar")
            arguments.append(value)
        return self._function(*arguments)


def function_of(functions: Mapping[str, NamedFunction], name: str) -> NamedFunction:
    """Return the function with this name."""
    function = functions.get(name)
    if function is not None:
        return function
    if name in BUILTIN_FUNCTIONS:
        raise AwkFatal(f"cannot call built-in function `{name}' indirectly")
    raise AwkFatal(f"`{name}' is not a function, so it cannot be called indirectly")
