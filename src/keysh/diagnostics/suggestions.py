"""Suggestions: the known names nearest to a mistyped one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LETTERS_PER_SLIP = 3  # one slip is allowed for every three letters
MAX_SLIPS = 3
MAX_MISTYPED_LENGTH = 40  # longer names are not typed by hand


def closest_names(word: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Return at most `most` of the nearest names; none if all are far."""
    if not 2 <= len(word) <= MAX_MISTYPED_LENGTH:
        return []
    allowed = min(MAX_SLIPS, max(1, len(word) // LETTERS_PER_SLIP))
    letters, ranked = set(word), []
    for name in set(known):
        if len(name) > LETTERS_PER_SLIP and word.endswith(f"-{name}"):  # `no-color`
            ranked.append((MAX_SLIPS, True, True, name))
        elif abs(len(name) - len(word)) <= allowed and len(letters ^ set(name)) <= 2 * allowed:
            slips = edit_distance(word, name)
            if slips <= allowed and is_likely_slip(word, name):
                is_other = sorted(word) != sorted(name)  # transposed letters rank first
                ranked.append((slips, is_other, name[0] != word[0], name))
    return [name for _, _, _, name in sorted(ranked)[:most]]


def is_likely_slip(word: str, name: str) -> bool:
    """Whether a slip is a likely one: in a short name a changed letter makes another name, and the
    first letter is rarely wrong.
    """
    if sorted(word) == sorted(name) or word[1:] == name or name[1:] == word:
        return True
    is_changed = len(word) == len(name)
    shortest = 3 if name[:1] == word[:1] else 4
    return len(word) >= shortest if is_changed else name[:1] == word[:1]


def edit_distance(word: str, name: str) -> int:
    """Return the optimal string alignment distance (Damerau): insertions, deletions, substitutions
    and swaps of adjacent letters, none of them edited twice.
    """
    before: list[int] = []
    row = list(range(len(name) + 1))
    for i, letter in enumerate(word, 1):
        further, before, row = before, row, [i]
        for j, target in enumerate(name, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != target))
            if i > 1 and j > 1 and letter == name[j - 2] and word[i - 2] == target:
                cost = min(cost, further[j - 2] + 1)
            row.append(cost)
    return row[-1]
