"""Case folding: what `grep -i`, `sed s///I` and `nocasematch` take for the same character."""

from __future__ import annotations

from keysh.text.regex.charset import CharacterSet

# Letters that share their upper case with another lower-case letter.
CASE_GROUPS = (
    "\u00b5\u0131\u017f\u01c5\u01c8\u01cb\u01f2\u0345\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5"
    "\u1e9b\u1fbe"
)
MAX_FOLDED_CHARACTERS = 2000  # of a range


def case_variants(char: str) -> set[str]:
    """Return a character's case variants as GNU's tools see them: those with one upper case."""
    capital = single_character(char.upper(), char)
    letters = (single_character(capital.lower(), capital), *CASE_GROUPS)
    return {
        char,
        capital,
        *(each for each in letters if single_character(each.upper(), each) == capital),
    }


def single_character(changed: str, char: str) -> str:
    """Return a changed character if it is still a single one, or else the original."""
    return changed if len(changed) == 1 else char


def case_insensitive_set(original: CharacterSet) -> CharacterSet:
    """Return the set with the case variants of its members."""
    singles: set[str] = set()
    for char in original.singles:
        singles |= case_variants(char)
    for first, last in original.ranges:
        for code in range(first, min(last, first + MAX_FOLDED_CHARACTERS) + 1):
            variants = case_variants(chr(code))
            if len(variants) > 1:
                singles |= variants
    classes = [
        ("alpha" if name in ("lower", "upper") else name, inverted)
        for name, inverted in original.classes
    ]
    return CharacterSet(
        singles,
        original.ranges,
        classes,
        is_negated=original.is_negated,
        is_ascii=original.is_ascii,
    )
