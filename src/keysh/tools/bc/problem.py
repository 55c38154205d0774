"""What ends a line of a bc program, or all of it, before its end."""

from __future__ import annotations

NOWHERE = -1  # the site of what goes wrong outside of a program's code


class BcRuntimeError(Exception):
    """An error when the program runs: its line ends. `site` is the place in its code."""

    def __init__(self, message: str, site: int) -> None:
        super().__init__(message)
        self.message, self.site = message, site


class HaltProgram(Exception):
    """`halt`, and `quit`, which counts as soon as it is read."""


class UnexpectedToken(Exception):
    """A token that cannot stand where it does."""


class AbandonProgram(Exception):
    """The rest of the program makes no sense any more."""
