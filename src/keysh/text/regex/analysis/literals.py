"""Find literal texts one of which every match contains: searching for them is fastest."""

from __future__ import annotations

from keysh.text.regex.analysis.cost import flat_parts
from keysh.text.regex.charset import is_word
from keysh.text.regex.regex_tree import (
    Alternation,
    Assertion,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Lookaround,
    Repeat,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.text.regex.regex_tree import Node

MAX_NEEDLES = 4  # searched one by one
MIN_NEEDLE_CHARACTERS = 2  # of an inexact needle: shorter ones occur everywhere
# Assertions that hold between a blank and a letter, and between a letter and a blank.
WORD_START_KINDS = {"no word before", "word start", "boundary"}
WORD_END_KINDS = {"no word behind", "word end", "boundary"}
MAX_NEEDLE_CHARACTERS = 64  # of an inexact needle


class Needles:
    """The texts. With `is_exact`, a string that contains one of them matches."""

    __slots__ = ("is_exact", "texts")

    def __init__(self, texts: tuple[str, ...], *, is_exact: bool) -> None:
        self.texts, self.is_exact = texts, is_exact

    @property
    def is_useful(self) -> bool:
        """Whether searching for them is worthwhile."""
        shortest = min(map(len, self.texts))
        return len(self.texts) <= MAX_NEEDLES and shortest >= (
            1 if self.is_exact else MIN_NEEDLE_CHARACTERS
        )

    @property
    def worth(self) -> int:
        """How selective they are: long texts are rare, and many texts are found soon."""
        return 2 * min(map(len, self.texts)) - len(self.texts)


def needles_of(node: Node) -> Needles | None:
    """Return the useful needles of a tree, or None."""
    needles = required_texts(node)
    return needles if needles is not None and needles.is_useful else None


def sufficient_text(node: Node) -> str | None:
    """Return a string that always contains a match, a whole word between blanks; else None."""
    parts = flat_parts(node)
    kinds = [part.kind if isinstance(part, Assertion) else "" for part in parts]
    first, last = 0, len(parts)
    if kinds and kinds[0] in WORD_START_KINDS:
        first += 1
    if kinds and kinds[-1] in WORD_END_KINDS:
        last -= 1
    word = [part.characters.single for part in parts[first:last] if isinstance(part, CharacterNode)]
    if not word or len(word) < last - first or not all(word) or "\n" in word:
        return None
    return f" {''.join(word)} " if is_word(word[0]) and is_word(word[-1]) else None


def required_texts(node: Node) -> Needles | None:
    """Return texts of which every match contains at least one; None if there are none."""
    if isinstance(node, Alternation):
        return required_by_any(node.alternatives) if len(node.alternatives) <= MAX_NEEDLES else None
    parts = flat_parts(node)
    word = [part.characters.single for part in parts if isinstance(part, CharacterNode)]
    if word and len(word) == len(parts) and all(word) and "\n" not in word:
        return Needles(("".join(word),), is_exact=True)
    candidates = [
        Needles((run[:MAX_NEEDLE_CHARACTERS],), is_exact=False)
        for run in literal_runs(parts)
        if run and "\n" not in run
    ]
    for part in parts:
        body = part.body if isinstance(part, Repeat) and part.least else part
        if (
            isinstance(body, Alternation | Concatenation | CaptureGroup)
            and (inner_needles := required_texts(body)) is not None
        ):
            candidates.append(Needles(inner_needles.texts, is_exact=False))
    return max(candidates, key=lambda needles: needles.worth, default=None)


def required_by_any(alternatives: list[Node]) -> Needles | None:
    """Return the needles of several alternatives."""
    needles_of_each = [
        needles for needles in map(required_texts, alternatives) if needles is not None
    ]
    if not needles_of_each or len(needles_of_each) < len(alternatives):
        return None
    texts = dict.fromkeys(text for needles in needles_of_each for text in needles.texts)
    return Needles(tuple(texts), is_exact=all(needles.is_exact for needles in needles_of_each))


def literal_runs(parts: list[Node]) -> Iterator[str]:
    """Yield the runs of literal characters that every match contains."""
    run = ""
    for part in parts:
        least, is_open = 1, False
        if isinstance(part, Assertion | Lookaround):
            continue
        if isinstance(part, Repeat):
            least, is_open, part = part.least, part.least != part.most, part.body
        char = part.characters.single if isinstance(part, CharacterNode) else ""
        repeated = char * min(least, MAX_NEEDLE_CHARACTERS)
        run += repeated
        if not repeated or is_open or least > MAX_NEEDLE_CHARACTERS:
            yield run
            run = repeated
    yield run
