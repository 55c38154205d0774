"""Inputs of several parts, which NUL separates: what lost a separator is no input."""

from __future__ import annotations


class Unfit(Exception):
    """An input is not of the form that its target takes, and says nothing about keysh."""


def fields(data: str, count: int) -> list[str]:
    """Return the parts of an input; the last one may contain NUL."""
    parts = data.split("\0", count - 1)
    if len(parts) != count:
        raise Unfit
    return parts
