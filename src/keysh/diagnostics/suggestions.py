"""Nearness: which known names a mistyped one was probably meant to be."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LETTERS_PER_SLIP = 3  # a name of so many letters may have one slip, of twice as many two
MAX_SLIPS = 3
MAX_MISTYPED_LENGTH = 40  # a longer one is no name that anybody types


def closest_names(word: str, known: Iterable[str], most: int = 1) -> list[str]:
    """The nearest names, at most so many; none where all are far."""
    if not 2 <= len(word) <= MAX_MISTYPED_LENGTH:
        return []
    allowed = min(MAX_SLIPS, max(1, len(word) // LETTERS_PER_SLIP))
    letters, found = set(word), []
    for name in set(known):
        if len(name) > LETTERS_PER_SLIP and word.endswith(f"-{name}"):  # `no-color`
            found.append((MAX_SLIPS, True, True, name))
        elif abs(len(name) - len(word)) <= allowed and len(letters ^ set(name)) <= 2 * allowed:
            slips = edit_distance(word, name)
            if slips <= allowed and is_likely_slip(word, name):
                is_other = sorted(word) != sorted(name)  # letters that changed places come first
                found.append((slips, is_other, name[0] != word[0], name))
    return [name for _, _, _, name in sorted(found)[:most]]


def is_likely_slip(word: str, name: str) -> bool:
    """Whether a slip is one that people make: in a short name, another letter is another name, and
    the first letter is seldom wrong.
    """
    if sorted(word) == sorted(name) or word[1:] == name or name[1:] == word:
        return True
    is_changed = len(word) == len(name)
    shortest = 3 if name[:1] == word[:1] else 4
    return len(word) >= shortest if is_changed else name[:1] == word[:1]


def edit_distance(one: str, other: str) -> int:
    """How many letters must be put in, taken out, changed, or swapped with the next.

    This is the optimal string alignment distance of Damerau: no piece is edited twice.
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        further, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, further[j - 2] + 1)
            row.append(cost)
    return row[-1]
