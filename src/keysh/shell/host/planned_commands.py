"""The commands and redirections of a `Plan`, as types of their records."""

from __future__ import annotations

from typing import TypedDict


class PlannedRedirection(TypedDict):
    """A redirection that a script would make.

    fd        its descriptor, None for the one that the operator means
    operator  such as ">", "<<"
    target    the file or text, None if it depends on the run
    """

    fd: int | str | None
    operator: str
    target: str | None


class PlannedCommand(TypedDict):
    """A command that a script would run.

    name          its name, None if it depends on the run
    arguments     its arguments, None for each that depends on the run
    redirections  its redirections
    is_function   whether it is a function of the script
    line          the line of the script, from 1
    column        the column of its beginning, from 1
    """

    name: str | None
    arguments: list[str | None]
    redirections: list[PlannedRedirection]
    is_function: bool
    line: int
    column: int


for public in (PlannedRedirection, PlannedCommand):
    public.__module__ = "keysh"
