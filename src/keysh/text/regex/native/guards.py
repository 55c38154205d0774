"""Guards: for which texts a pattern can be left to `re` alone.

Most patterns work with `re` in any text; some only in ASCII texts, in single lines, or up to a
length. For other texts the caller uses the general search.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from keysh.text.regex.regex import Regex

UNLIMITED_LENGTH = 1 << 40
PROBED_LENGTHS = (1 << 16, 1 << 13, 1 << 10, 1 << 8, 1 << 6)
# One text of each kind.
SAMPLE_LINE, SAMPLE_LINES, SAMPLE_NON_ASCII = "a", "a\n", "\u20ac"


class NativeGuard:
    """The pattern for texts that `fits`; None if there are none. `native` returns the pattern for a
    text, or None if the text is too long.
    """

    __slots__ = ("_longest", "_needs_ascii", "_needs_line", "is_for_all", "pattern")

    def __init__(
        self, native: Callable[[str], re.Pattern[str] | None], is_cheap: Callable[[int], bool]
    ) -> None:
        ascii_pattern, lines, others = (
            native(SAMPLE_LINE),
            native(SAMPLE_LINES),
            native(SAMPLE_NON_ASCII),
        )
        self.pattern = ascii_pattern
        self._needs_ascii = (
            others is None or ascii_pattern is None or others.pattern != ascii_pattern.pattern
        )
        self._needs_line = (
            lines is None or ascii_pattern is None or lines.pattern != ascii_pattern.pattern
        )
        self._longest = UNLIMITED_LENGTH
        if not is_cheap(UNLIMITED_LENGTH):
            fits = (length for length in PROBED_LENGTHS if native(SAMPLE_LINE * length) is not None)
            self._longest = next(fits, 1)
        self.is_for_all = ascii_pattern is not None and not self.guard_code("")

    def fits(self, text: str) -> bool:
        """Whether the pattern may be used for a string."""
        return (
            (not self._needs_ascii or text.isascii())
            and len(text) <= self._longest
            and (not self._needs_line or "\n" not in text)
        )

    def guard_code(self, name: str) -> str:
        """Return code for that question about a variable, for a scope with NEWLINE; empty if it is
        always true.
        """
        conditions: list[str] = []
        if self._needs_ascii:
            conditions.append(f"{name}.isascii()")
        if self._longest < UNLIMITED_LENGTH:
            conditions.append(f"len({name}) <= {self._longest}")
        if self._needs_line:
            conditions.append(f"NEWLINE not in {name}")
        return " and ".join(conditions)


def replace_guard(regex: Regex) -> NativeGuard:
    """Return the guard for finding matches with bounds and groups."""
    return NativeGuard(regex.native, regex.is_cheap)


def test_guard(regex: Regex) -> NativeGuard:
    """Return the guard for testing whether a pattern matches."""
    native, captures = regex.tester.native, regex.has_references

    def pattern(text: str) -> re.Pattern[str] | None:
        return native.pattern(text, captures=captures) if native.is_cheap(len(text)) else None

    return NativeGuard(pattern, native.is_cheap)
