"""Change case character by character, so that a string keeps its length."""

from __future__ import annotations

CAPITAL_SIGMA = "\u03a3"  # Python lowers it by its position in the word


def to_upper(text: str) -> str:
    """Convert to upper case, except characters without a single upper-case equivalent."""
    upper = text.upper()
    return upper if len(upper) == len(text) else "".join(map(upper_character, text))


def upper_character(char: str) -> str:
    upper = char.upper()
    return upper if len(upper) == 1 else char


def to_lower(text: str) -> str:
    """Convert to lower case, one character for one."""
    lower = text.lower()
    is_exact = len(lower) == len(text) and (text.isascii() or CAPITAL_SIGMA not in text)
    return lower if is_exact else "".join(map(lower_character, text))


def toggle(text: str) -> str:
    """Convert small letters to capitals, and capitals to small ones."""
    return "".join(map(toggle_character, text))


def toggle_character(char: str) -> str:
    return lower_character(char) if char.isupper() else upper_character(char)


def lower_character(char: str) -> str:
    return char.lower()[:1]  # Python lowers a dotted capital I to two characters
