"""The variables of an isolated shell, as its host reads and sets them: `shell.vars`."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ImageError
from keysh.shell.images.typed_values import value_from_json, value_to_json
from keysh.shell.isolation.frames import FrameError
from keysh.values import CONTAINERS, unmarked_value, value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol

    class WorkerRequest(Protocol):
        """Asks the worker for something."""

        def __call__(self, verb: str, record: dict[str, Any] | None = None) -> tuple[Any, bytes]:
            """Return a value and data."""


class IsolatedVariables:
    """A mapping of names to values, each read from the worker and set there."""

    __slots__ = ("_request",)

    def __init__(self, request: WorkerRequest) -> None:
        self._request = request

    def __getitem__(self, name: str) -> Any:
        value = checked_value(self._request("variable", {"name": name})[0])
        return unmarked_value(value) if isinstance(value, CONTAINERS) else value

    def elements(self, name: str) -> dict[Any, Any]:
        """Return the elements of an array by index, or by key; a text is its element 0."""
        elements = {}
        for pair in checked_list(self._request("elements", {"name": name})[0]):
            match pair:
                case [str() | int() as key, value]:
                    elements[key] = checked_value(value)
                case _:
                    raise FrameError("an element without a key")
        return elements

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a variable, or the default if it is unset."""
        try:
            return self[name]
        except KeyError:
            return default

    def __setitem__(self, name: str, value: Any) -> None:
        try:
            record = value_to_json(value_of_python(value))
        except RecursionError:
            raise ValueError("a value nests too deep, or holds itself") from None
        self._request("assign", {"name": name, "value": record})

    def __delitem__(self, name: str) -> None:
        self._request("unset", {"name": name})

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in set(self)

    def __iter__(self) -> Iterator[str]:
        return iter([checked_string(name) for name in checked_list(self._request("names")[0])])

    def __len__(self) -> int:
        return len(checked_list(self._request("names")[0]))


def checked_value(value: Any) -> Any:
    """Return a value that a worker has sent."""
    try:
        return value_from_json(value)
    except (ImageError, RecursionError):
        raise FrameError("a value of no kind") from None


def checked_list(value: Any) -> list[Any]:
    if value.__class__ is not list:
        raise FrameError("no list")
    return value


def checked_string(value: Any) -> str:
    if value.__class__ is not str:
        raise FrameError("no text")
    return str(value)
