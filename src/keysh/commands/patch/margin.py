"""Margins: what copying has put around the lines of a patch, blanks before them and a CR behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

INDENT = " \tX"  # what may stand before each line; mail has put an X there
TAB = 8


class Margin:
    """The columns before each line, and whether each ends in CR LF."""

    __slots__ = ("has_returns", "indent")

    def __init__(self, indent: int = 0, has_returns: bool = False) -> None:
        self.indent, self.has_returns = indent, has_returns

    def without(self, line: str) -> str:
        """A line without its margin, as far as it has one."""
        at = column = 0
        while column < self.indent and line[at] in INDENT:
            column = column + TAB - column % TAB if line[at] == "\t" else column + 1
            at += 1
        if self.has_returns and line.endswith("\r\n"):
            return f"{line[at:-2]}\n"
        return line[at:]

    def inner(self, lines: Sequence[str]) -> Sequence[str]:
        """The lines without it."""
        return Inner(lines, self) if self.indent or self.has_returns else lines


class Inner(Sequence[str]):
    """Lines without their margin, which is taken off as they are asked for."""

    __slots__ = ("_lines", "_margin")

    def __init__(self, lines: Sequence[str], margin: Margin) -> None:
        self._lines, self._margin = lines, margin

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self._margin.without(line) for line in self._lines[at]]
        return self._margin.without(self._lines[at])


def indent_of(line: str) -> int:
    """The columns before a line."""
    return len(line[: len(line) - len(line.lstrip(INDENT))].replace("X", " ").expandtabs(TAB))
