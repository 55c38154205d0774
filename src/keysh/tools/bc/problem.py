"""Exceptions that end a line of a bc program, or the whole program."""

from __future__ import annotations


class BcRuntimeError(Exception):
    """An error while the program runs. It ends the current line only."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class HaltProgram(Exception):
    """`halt`, or `quit`, which takes effect as soon as it is read."""


class UnexpectedToken(Exception):
    """A token that cannot stand at its position. The parser recovers from it."""


class AbandonProgram(Exception):
    """The rest of the program cannot be read or run."""
