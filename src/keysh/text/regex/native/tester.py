"""Test whether there is a match, which is simpler than finding its bounds."""

from __future__ import annotations

from keysh.text.chunks import octets_of_text
from keysh.text.regex.analysis.literals import needles_of, sufficient_text
from keysh.text.regex.analysis.lower_case_search import CaseFolding, NotFoldable
from keysh.text.regex.analysis.reduce import reduce_for_test
from keysh.text.regex.native.native import NativeEngine
from keysh.text.regex.regex_tree import (
    CharacterNode,
    Concatenation,
    LiteralAlternation,
    is_nullable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from keysh.text.regex.analysis.literals import Needles
    from keysh.text.regex.regex_tree import Node

REST_OF_LINE = "[^\\n]*"


class MatchTester:
    """What a pattern requires of a string.

    `node` is the reduced tree; every match contains one of the `needles`; any text that contains
    `sufficient_text` matches; `whole_lines` are all lines that match, if they are known.
    """

    __slots__ = (
        "_excluded_letters", "_folded", "_native", "_syntax", "has_references", "is_nullable",
        "matches_everywhere", "needles", "node", "sufficient_text", "whole_lines",
    )  # fmt: skip

    def __init__(
        self, node: Node, syntax: str, *, has_references: bool, lines: frozenset[str] | None
    ) -> None:
        self.node = node if has_references else reduce_for_test(node)
        self.has_references, self._syntax, self.whole_lines = has_references, syntax, lines
        self._native: NativeEngine | None = None
        self.needles, self.sufficient_text = needles_of(self.node), sufficient_text(self.node)
        self.is_nullable = is_nullable(self.node)
        self.matches_everywhere = isinstance(self.node, Concatenation) and not self.node.parts
        self._folded: MatchTester | None = None
        self._excluded_letters: set[str] | None = None  # set together with `_folded`

    @property
    def native(self) -> NativeEngine:
        """The patterns of `re` for the reduced tree."""
        if self._native is None:
            self._native = NativeEngine(self.node, self._syntax)
        return self._native

    def needles_in(self, octets: str) -> Needles | None:
        """Return the needles if they can be searched in octets instead of text."""
        folded = self.folded_for(octets)
        strays = map(octets_of_text, self._excluded_letters or ()) if folded is not None else ()
        # Looking for the first byte alone is faster.
        if any(one[0] in octets and one in octets for one in strays):
            return None
        needles = (folded or self).needles
        if needles is None or not all(map(str.isascii, needles.texts)):
            return None
        return needles

    def folded_for(self, text: str) -> MatchTester | None:
        """Return a tester for the text in lower case, if case does not matter; otherwise None.

        Also None if the pattern has no letters, or the text has other letters that are case
        variants of the pattern's.
        """
        if self._excluded_letters is None:
            folding = CaseFolding()
            try:
                node = folding.fold_tree(self.node)
            except NotFoldable:
                folding.has_folded = False
            self._excluded_letters = folding.excluded_letters
            if folding.has_folded:
                self._folded = MatchTester(
                    node, self._syntax, has_references=False, lines=self.whole_lines
                )
        has_strays = not text.isascii() and any(one in text for one in self._excluded_letters)
        return None if has_strays else self._folded

    def line_pattern(self, text: str) -> re.Pattern[str]:
        """Return the pattern that finds a match in one of the lines of a string."""
        return self.native.pattern(text, by_line=True, captures=self.has_references)

    def line_end_pattern(self, text: str) -> re.Pattern[str]:
        """Return the pattern that matches up to the end of each matching line."""
        return self.native.pattern(
            text, by_line=True, captures=self.has_references, rest=REST_OF_LINE
        )

    def count_pattern(self, text: str) -> re.Pattern[str]:
        """Return the same for counting; it captures only an empty group."""
        rest = f"(){REST_OF_LINE}"
        return self.native.pattern(text, by_line=True, captures=self.has_references, rest=rest)


def only_text_of(node: Node) -> str | None:
    """Return the only text that a pattern matches, or None."""
    parts = node.parts if isinstance(node, Concatenation) else [node]
    chars = [part.characters.single for part in parts if isinstance(part, CharacterNode)]
    return "".join(chars) if len(chars) == len(parts) and all(chars) else None


def all_texts_of(node: Node) -> frozenset[str] | None:
    """Return all texts that a pattern matches, if they are few and known."""
    alternatives = node.alternatives if isinstance(node, LiteralAlternation) else [node]
    found = [only_text_of(text) for text in alternatives]
    known = [text for text in found if text is not None]
    return frozenset(known) if len(known) == len(found) else None
