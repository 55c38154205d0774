"""Names as rules compare them: what a file system or a person may take for the same name."""

from __future__ import annotations

from unicodedata import category, normalize

from keysh.text.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

PATTERN_CHARACTERS = frozenset("*?[\\")
FORMAT_CATEGORY = "Cf"  # characters that nobody sees, which HFS+ ignores in names


def folded_name(name: str) -> str:
    """Return a name without the differences that some file systems ignore.

    These are the case, the form in which Unicode writes a letter, and characters that are not
    seen. A rule that asks or denies compares names like this, so that `.GIT` is `.git` for it; one
    that allows compares them as they are.
    """
    if name.isascii():
        return name.lower()
    seen = "".join(char for char in name if category(char) != FORMAT_CATEGORY)
    return normalize("NFC", normalize("NFC", seen).casefold())


def has_pattern(text: str) -> bool:
    """Whether a text of a rule is a pattern and not one name."""
    return not PATTERN_CHARACTERS.isdisjoint(text)


def name_test(text: str, *, is_folded: bool) -> Callable[[str], bool]:
    """Return what tells whether a name matches a text of a rule, with `*`, `?` and `[…]`.

    The name must be folded already, if `is_folded`.
    """
    wanted = folded_name(text) if is_folded else text
    return Pattern(wanted, extended=False).matches if has_pattern(text) else wanted.__eq__
