"""What ends a program before its end."""

from __future__ import annotations


class AwkFatal(Exception):
    """An error that ends the program; `has_place` says that the program's line is told with it."""

    def __init__(self, message: str, *, has_place: bool = True) -> None:
        super().__init__(message)
        self.message, self.has_place = message, has_place


class Exit(Exception):
    """`exit`."""


class NextRecord(Exception):
    """`next`, from where the loop over the records cannot simply go on."""


class NextFile(Exception):
    """`nextfile`, from there."""
