"""Split text into fields at the characters of $IFS, as `read` and the words of bash do.

Blanks, tabs and newlines in $IFS are white: any number of them is one separator, and at the
ends of the line they are ignored. Any other character is a separator of its own, together with
the white ones around it.
"""

from __future__ import annotations

import re

from keysh.text.cache import TextCache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WHITE_SEPARATORS = " \t\n"
SPLITTERS = TextCache(200)  # by value of $IFS


class FieldSplitter:
    """Splits by one value of $IFS."""

    __slots__ = ("_border", "_borders", "_separators", "_white")

    def __init__(self, separators: str) -> None:
        self._separators = separators
        self._white = "".join(char for char in WHITE_SEPARATORS if char in separators)
        self._border = re.compile(f"[{re.escape(separators)}]" if separators else "(?!)")
        white = f"[{self._white}]" if self._white else "(?!)"
        other = "".join(char for char in separators if char not in WHITE_SEPARATORS)
        single = f"[{re.escape(other)}]" if other else "(?!)"
        self._borders = re.compile(f"{white}*+({single}){white}*+|{white}++")

    def next_word(self, text: str, position: int) -> tuple[str, int]:
        """Return the word at an offset, and where the next one starts."""
        stop = self.find_separator(text, position)
        word = text[position:stop]
        if stop == len(text):
            return word, stop
        position = self.skip_white(text, stop + 1)
        if (
            text[stop] in self._white
            and position < len(text)
            and text[position] in self._separators
        ):
            position = self.skip_white(text, position + 1)
        return word, position

    def find_separator(self, text: str, position: int) -> int:
        """Return the offset of the next separator, or the text's length."""
        match = self._border.search(text, position)
        return len(text) if match is None else match.start()

    def skip_white(self, text: str, position: int) -> int:
        """Return the next offset that has no white separator."""
        while position < len(text) and text[position] in self._white:
            position += 1
        return position

    def pieces(self, text: str) -> list[Any]:
        """Return the texts around the separators, and between two the one that is not white.

        It is None where they are all white.
        """
        return self._borders.split(text)

    def words(self, text: str) -> list[str]:
        """Return all words."""
        words = self.pieces(text[self.skip_white(text, 0) :])[::2]
        if not words[-1]:
            words.pop()
        return words

    def parts(self, text: str, count: int) -> list[str]:
        """Return `count` words. The last one is the rest of the line; missing ones are empty.

        A trailing separator is part of the last word only if that contains other separators.
        """
        words: list[str] = []
        position = self.skip_white(text, 0)
        while len(words) < count - 1:
            word, position = self.next_word(text, position)
            words.append(word)
        word, end = self.next_word(text, position)
        words.append(word if end == len(text) else text[position:].rstrip(self._white))
        return words


def field_splitter(separators: str) -> FieldSplitter:
    """Return the splitter for one value of $IFS."""
    return SPLITTERS.get_or_make(separators, lambda: FieldSplitter(separators))
