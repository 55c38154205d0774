"""Field splitting: how `read` cuts a line at the characters of $IFS.

Of these, blanks, tabs and newlines are white: any number of them is one border, and none counts at
the ends of the line. Any other one is a border of its own, with the white ones around it.
"""

from __future__ import annotations

import re

WHITE_SEPARATORS = " \t\n"


class FieldSplitter:
    """A value of $IFS."""

    __slots__ = ("_border", "_borders", "_separators", "_white")

    def __init__(self, separators: str) -> None:
        self._separators = separators
        self._white = "".join(char for char in WHITE_SEPARATORS if char in separators)
        self._border = re.compile(f"[{re.escape(separators)}]" if separators else "(?!)")
        white = f"[{self._white}]" if self._white else "(?!)"
        other = "".join(char for char in separators if char not in WHITE_SEPARATORS)
        single = f"[{re.escape(other)}]" if other else "(?!)"
        self._borders = re.compile(f"{white}*+{single}{white}*+|{white}++")

    def next_word(self, text: str, at: int) -> tuple[str, int]:
        """The word that begins at a place, and where the next one begins."""
        stop = self.find_separator(text, at)
        word = text[at:stop]
        if stop == len(text):
            return word, stop
        at = self.skip_white(text, stop + 1)
        if text[stop] in self._white and at < len(text) and text[at] in self._separators:
            at = self.skip_white(text, at + 1)
        return word, at

    def find_separator(self, text: str, at: int) -> int:
        """Where the next separator stands; the end of the text where none does."""
        found = self._border.search(text, at)
        return len(text) if found is None else found.start()

    def skip_white(self, text: str, at: int) -> int:
        """The next place where no white separator stands."""
        while at < len(text) and text[at] in self._white:
            at += 1
        return at

    def words(self, text: str) -> list[str]:
        """All words."""
        made = self._borders.split(text[self.skip_white(text, 0) :])
        if not made[-1]:
            made.pop()
        return made

    def parts(self, text: str, count: int) -> list[str]:
        """So many words; the last one is all that is left, and those that lack are empty.

        A separator at the end belongs to the last word only where that holds others.
        """
        made: list[str] = []
        at = self.skip_white(text, 0)
        while len(made) < count - 1:
            word, at = self.next_word(text, at)
            made.append(word)
        word, end = self.next_word(text, at)
        made.append(word if end == len(text) else text[at:].rstrip(self._white))
        return made
