"""Texts one of which stands in whatever a tree matches: they are found faster than any pattern."""

from __future__ import annotations

from keysh.text.regex.analysis.cost import flattened
from keysh.text.regex.charset import is_word
from keysh.text.regex.tree import Assertion, Choice, Group, Look, One, Repeat, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.text.regex.tree import Node

MOST = 4  # needles that are looked for one by one
LEAST = 2  # characters of a needle that does not tell all, or it would stand everywhere
# What holds between a blank and a letter, and between a letter and a blank.
BEFORE_WORD = {"no word before", "word start", "boundary"}
BEHIND_WORD = {"no word behind", "word end", "boundary"}
LONGEST = 64  # characters of a needle that does not tell all


class Needles:
    """The texts. Where `is_exact`, holding one of them is all that a match needs."""

    __slots__ = ("is_exact", "texts")

    def __init__(self, texts: tuple[str, ...], *, is_exact: bool) -> None:
        self.texts, self.is_exact = texts, is_exact

    @property
    def is_useful(self) -> bool:
        """Whether looking for them is worth it."""
        shortest = min(map(len, self.texts))
        return len(self.texts) <= MOST and shortest >= (1 if self.is_exact else LEAST)

    @property
    def worth(self) -> int:
        """How much they tell: long ones are rare, and of many one is soon found."""
        return 2 * min(map(len, self.texts)) - len(self.texts)


def needles_of(node: Node) -> Needles | None:
    """What a tree needs; None where that is nothing, or too much."""
    found = sought(node)
    return found if found is not None and found.is_useful else None


def sure_text(node: Node) -> str | None:
    """A text that holds a match wherever it stands: a whole word between blanks. None without."""
    parts = flattened(node)
    kinds = [part.kind if isinstance(part, Assertion) else "" for part in parts]
    first, last = 0, len(parts)
    if kinds and kinds[0] in BEFORE_WORD:
        first += 1
    if kinds and kinds[-1] in BEHIND_WORD:
        last -= 1
    word = [part.characters.single for part in parts[first:last] if isinstance(part, One)]
    if not word or len(word) < last - first or not all(word) or "\n" in word:
        return None
    return f" {''.join(word)} " if is_word(word[0]) and is_word(word[-1]) else None


def sought(node: Node) -> Needles | None:
    """The needles of a part: texts of which one stands wherever it matches. None without."""
    if isinstance(node, Choice):
        return union(node.alternatives) if len(node.alternatives) <= MOST else None
    parts = flattened(node)
    word = [part.characters.single for part in parts if isinstance(part, One)]
    if word and len(word) == len(parts) and all(word) and "\n" not in word:
        return Needles(("".join(word),), is_exact=True)
    found = [
        Needles((run[:LONGEST],), is_exact=False) for run in runs(parts) if run and "\n" not in run
    ]
    for part in parts:
        body = part.body if isinstance(part, Repeat) and part.least else part
        if isinstance(body, Choice | Sequence | Group) and (inside := sought(body)) is not None:
            found.append(Needles(inside.texts, is_exact=False))
    return max(found, key=lambda one: one.worth, default=None)


def union(alternatives: list[Node]) -> Needles | None:
    """What one of several alternatives needs."""
    found = [one for one in map(sought, alternatives) if one is not None]
    if not found or len(found) < len(alternatives):
        return None
    texts = dict.fromkeys(text for one in found for text in one.texts)
    return Needles(tuple(texts), is_exact=all(one.is_exact for one in found))


def runs(parts: list[Node]) -> Iterator[str]:
    """The texts of characters that follow each other whatever is matched."""
    run = ""
    for part in parts:
        least, is_open = 1, False
        if isinstance(part, Assertion | Look):
            continue
        if isinstance(part, Repeat):
            least, is_open, part = part.least, part.least != part.most, part.body
        char = part.characters.single if isinstance(part, One) else ""
        repeated = char * min(least, LONGEST)
        run += repeated
        if not repeated or is_open or least > LONGEST:
            yield run
            run = repeated
    yield run
