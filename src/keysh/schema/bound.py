"""Bound: the arguments of a call as its command's function takes them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

IMMUTABLE_TYPES = (str, int, float, bool, type(None))  # values that no command can change


class BoundArguments:
    """What a call of the command's function receives, behind the call itself.

    `given` holds every option in the order of the arguments. Nothing is to be called where the
    arguments ask for help or for the version, or where `is_partial` says that some are not known
    yet.
    """

    __slots__ = (
        "asks_help",
        "asks_version",
        "options_in_order",
        "is_partial",
        "options",
        "positional",
    )

    def __init__(self) -> None:
        self.positional: list[Any] = []
        self.options: dict[str, Any] = {}
        self.options_in_order: list[tuple[str, Any]] = []
        self.asks_help = self.asks_version = self.is_partial = False

    def is_immutable(self) -> bool:
        """Whether no call can change what is here, but for the lists among the options."""
        options = self.options.values()
        values = [one for value in options if value.__class__ is list for one in value]
        values += [value for value in options if value.__class__ is not list]
        return all(isinstance(value, IMMUTABLE_TYPES) for value in (*self.positional, *values))

    def fresh_options(self) -> dict[str, Any]:
        """The options for one more call, which may change the lists among them."""
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
