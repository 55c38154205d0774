"""BoundArguments: the arguments of a call as the command's function receives them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

IMMUTABLE_TYPES = (str, int, float, bool, type(None))


class BoundArguments:
    """What a command's function receives after the call itself.

    options_in_order  every option as it was given, repetitions included
    asks_help         the words ask for help (or `asks_version`): nothing is called
    is_partial        some words are unknown, so the rest was not bound: nothing is called
    """

    __slots__ = (
        "asks_help", "asks_version", "is_partial", "options", "options_in_order", "positional",
    )  # fmt: skip

    def __init__(self) -> None:
        self.positional: list[Any] = []
        self.options: dict[str, Any] = {}
        self.options_in_order: list[tuple[str, Any]] = []
        self.asks_help = self.asks_version = self.is_partial = False

    def is_immutable(self) -> bool:
        """Whether the same object may serve every call; lists of options are copied for each."""
        options = self.options.values()
        values = [item for value in options if value.__class__ is list for item in value]
        values += [value for value in options if value.__class__ is not list]
        return all(isinstance(value, IMMUTABLE_TYPES) for value in (*self.positional, *values))

    def fresh_options(self) -> dict[str, Any]:
        """Return the options for one more call, which may change its lists."""
        options = self.options
        for value in options.values():
            if value.__class__ is list:
                break
        else:
            return options
        return {
            name: value.copy() if value.__class__ is list else value
            for name, value in options.items()
        }
