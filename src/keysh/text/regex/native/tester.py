"""Whether there is a match: a simpler question than where it begins and ends."""

from __future__ import annotations

from keysh.text.chunks import octets_of_text as in_octets
from keysh.text.regex.analysis.case_folding import CaseFolding, NotFoldable
from keysh.text.regex.analysis.literals import needles_of, sufficient_text
from keysh.text.regex.analysis.reduce import reduce_for_test
from keysh.text.regex.native.native import NativeEngine
from keysh.text.regex.tree import CharacterNode, Concatenation, LiteralAlternation, is_nullable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from keysh.text.regex.analysis.literals import Needles
    from keysh.text.regex.tree import Node

REST_OF_LINE = "[^\\n]*"  # of a line


class MatchTester:
    """What a pattern asks of a text at the least.

    `node` is its tree without what makes no difference, `needles` are texts it cannot match
    without, `sure` is one that holds a match wherever it stands, and `lines` are all the lines it
    matches, where these are known.
    """

    __slots__ = (
        "_folded", "_native", "_excluded_letters", "_syntax", "has_references", "matches_everywhere",
        "is_nullable", "whole_lines", "needles", "node", "sufficient_text",
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
        self._excluded_letters: set[str] | None = (
            None  # once it is known whether there is one for that
        )

    @property
    def native(self) -> NativeEngine:
        """What `re` makes of it."""
        if self._native is None:
            self._native = NativeEngine(self.node, self._syntax)
        return self._native

    def needles_in(self, octets: str) -> Needles | None:
        """The needles, if they stand in octets where they stand in their text."""
        folded = self.folded_for(octets)
        strays = map(in_octets, self._excluded_letters or ()) if folded is not None else ()
        if any(one[0] in octets and one in octets for one in strays):  # one byte is found faster
            return None
        needles = (folded or self).needles
        if needles is None or not all(map(str.isascii, needles.texts)):
            return None
        return needles

    def folded_for(self, text: str) -> MatchTester | None:
        """The same for this text in small letters, if no letter's size matters; None if one's does.

        Nor is there one if letters do not come in question, or the text has other letters that are
        the same as those of the pattern.
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
        """What finds a match in one of the lines of a text."""
        return self.native.pattern(text, by_line=True, captures=self.has_references)

    def line_end_pattern(self, text: str) -> re.Pattern[str]:
        """What finds the lines of a text that have a match, from its start on."""
        return self.native.pattern(
            text, by_line=True, captures=self.has_references, rest=REST_OF_LINE
        )

    def count_pattern(self, text: str) -> re.Pattern[str]:
        """What finds such lines for who only counts them: it keeps nothing but an empty group."""
        rest = f"(){REST_OF_LINE}"
        return self.native.pattern(text, by_line=True, captures=self.has_references, rest=rest)


def only_text_of(node: Node) -> str | None:
    """The one text that a pattern matches; None where there are more."""
    parts = node.parts if isinstance(node, Concatenation) else [node]
    chars = [part.characters.single for part in parts if isinstance(part, CharacterNode)]
    return "".join(chars) if len(chars) == len(parts) and all(chars) else None


def all_texts_of(node: Node) -> frozenset[str] | None:
    """The texts that a pattern matches, where they are few enough to be known."""
    alternatives = node.alternatives if isinstance(node, LiteralAlternation) else [node]
    found = [only_text_of(one) for one in alternatives]
    known = [one for one in found if one is not None]
    return frozenset(known) if len(known) == len(found) else None
