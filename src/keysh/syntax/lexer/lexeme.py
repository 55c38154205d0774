"""Lexeme: a regular expression of the scanner, compiled when it is first used.

Compiling takes a hundred times as long as matching, and most scripts need few of them.

What repeats and gives nothing back is written `x*+` where it is one character, and `(?>(?:…)*)`
where it is a group: before Python 3.11.5 `(?:…)*+` ends behind a round that has failed half way.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Blanks, newlines and joined lines, where none of them means anything.
SKIP = r"(?>(?:[ \t\n]++|\\\n)*)"


class Lexeme:
    """`match` and `split` are the compiled expression's own, from the first call on."""

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
        """Where a match ends that cannot fail."""
        m = self.match(text, pos)
        assert m is not None
        return m.end()


BLANK = Lexeme(SKIP)
