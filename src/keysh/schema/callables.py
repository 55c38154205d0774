"""Callables that are no plain functions, and functions that do not receive the call first.

Methods, partial functions, wrapped functions, builtins and objects with `__call__` are read with
`inspect`. `HostFunction` is what a command calls in their place.
"""

from __future__ import annotations

import inspect
from functools import partial
from types import MethodType

from keysh.schema.signature import FunctionSignature, SignatureError, refuse_keywords
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.schema.signature import ParameterRow

ROLES: Mapping[object, str] = {
    inspect.Parameter.POSITIONAL_ONLY: "text",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "operand",
    inspect.Parameter.VAR_POSITIONAL: "rest",
    inspect.Parameter.KEYWORD_ONLY: "option",
}


def signature_of_callable(target: Any) -> FunctionSignature:
    """Return the signature of anything that can be called but a class; raise SignatureError."""
    if isinstance(target, type) or not callable(target):
        raise SignatureError(f"{target!r} is no function with a signature")
    try:
        parameters = inspect.signature(target).parameters.values()
    except (ValueError, TypeError):
        raise SignatureError(
            f"{target!r} does not tell its parameters; wrap it in a function"
        ) from None
    rows: list[ParameterRow] = []
    for one in parameters:
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            refuse_keywords(one.name)
        annotation = None if one.annotation is one.empty else one.annotation
        default = ABSENT if one.default is one.empty else one.default
        rows.append((one.name, ROLES[one.kind], annotation, default))
    code_owner = code_owner_of(target)
    function: Any = inspect.unwrap(code_owner)
    return FunctionSignature(
        target, rows, names=getattr(function, "__globals__", {}), name=name_of(target),
        doc=doc_of(target), hidden_names=hidden_names(function),
        code_flags=code_flags(code_owner) | code_flags(function),
        returns=getattr(function, "__annotations__", {}).get("return"),
    )  # fmt: skip


def code_owner_of(target: Any) -> Any:
    """Return the function that runs in the end, with its code and the names of its module."""
    while True:
        if isinstance(target, partial):
            target = target.func
        elif isinstance(target, MethodType):
            target = target.__func__
        elif hasattr(target, "__code__") or not hasattr(type(target).__call__, "__code__"):
            return target
        else:
            target = type(target).__call__


def code_flags(function: Any) -> int:
    """Return the flags of a function's code; 0 for a builtin."""
    return int(getattr(getattr(function, "__code__", None), "co_flags", 0))


def name_of(target: Any) -> str:
    """Return the name of a callable; an object has that of its class."""
    while isinstance(target, partial):
        target = target.func
    return str(getattr(target, "__name__", type(target).__name__))


def doc_of(target: Any) -> str:
    """Return the docstring of a callable: its own, or that of an object's `__call__` or class."""
    while isinstance(target, partial):
        target = target.func
    if hasattr(target, "__name__"):
        return target.__doc__ or ""
    return type(target).__call__.__doc__ or type(target).__doc__ or ""


def hidden_names(function: Any) -> tuple[str, ...]:
    """Return all names that a docstring of a function may describe."""
    code = getattr(function, "__code__", None)
    return () if code is None else code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


class HostFunction:
    """A callable as a command calls it: with the call first, wherever it receives that.

    It has the module and the name of the callable, by which another process finds that.
    """

    def __init__(self, target: Any, place: int | str | None, command: Any) -> None:
        self._target, self._place, self.__keysh__ = target, place, command
        self.__module__ = getattr(target, "__module__", None) or ""
        self.__qualname__ = getattr(target, "__qualname__", "")

    def for_target(self, target: Any) -> HostFunction:
        """Return the same for a method that is bound to an object."""
        return HostFunction(target, self._place, self.__keysh__)

    def __call__(self, call: Any, *arguments: object, **options: object) -> object:
        place = self._place
        if isinstance(place, int):
            arguments = (*arguments[:place], call, *arguments[place:])
        elif place is not None:
            options[place] = call
        return self._target(*arguments, **options)
