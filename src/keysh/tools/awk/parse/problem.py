"""Exceptions that interrupt a program."""

from __future__ import annotations


class AwkFatal(Exception):
    """An error that ends the program. With `has_place` the message includes the program's line."""

    def __init__(self, message: str, *, has_place: bool = True) -> None:
        super().__init__(message)
        self.message, self.has_place = message, has_place


class Exit(Exception):
    """`exit`."""


class NextRecord(Exception):
    """`next`, where Python's `continue` cannot reach the loop over the records."""


class NextFile(Exception):
    """`nextfile`."""
