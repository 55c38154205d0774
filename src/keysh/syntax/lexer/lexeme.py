"""Lexeme: a regular expression of the scanner, compiled when it is first used.

Compiling takes a hundred times as long as matching, and most scripts need few expressions.

Possessive repetition is written `x*+` for one character, but `(?>(?:…)*)` for a group: before
Python 3.11.5 `(?:…)*+` could end after a round that had failed half way.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Blanks, newlines and joined lines, where they have no meaning.
SKIP = r"(?>(?:[ \t\n]++|\\\n)*)"


class Lexeme:
    """A regular expression; from the first call on, `match` and `split` are its own methods."""

    __slots__ = ("match", "pattern", "split")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.match: Callable[[str, int], re.Match[str] | None] = self._first_match
        self.split: Callable[[str], list[Any]] = self._first_split

    def _compile(self) -> None:
        compiled = re.compile(self.pattern, re.DOTALL | re.ASCII)
        self.match, self.split = compiled.match, compiled.split

    def _first_match(self, text: str, pos: int) -> re.Match[str] | None:
        self._compile()
        return self.match(text, pos)

    def _first_split(self, text: str) -> list[Any]:
        self._compile()
        return self.split(text)

    def end(self, text: str, pos: int) -> int:
        """Return where a match ends; the match cannot fail."""
        m = self.match(text, pos)
        assert m is not None
        return m.end()


BLANK = Lexeme(SKIP)
