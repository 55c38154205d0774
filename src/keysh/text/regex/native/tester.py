"""Whether there is a match: a simpler question than where it begins and ends."""

from __future__ import annotations

from keysh.text.chunks import octets as in_octets
from keysh.text.regex.analysis.case_folding import Folding, Unfit
from keysh.text.regex.analysis.literals import needles_of, sure_text
from keysh.text.regex.analysis.reduce import essence
from keysh.text.regex.native.native import Native
from keysh.text.regex.tree import One, Sequence, Words, is_nullable

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from keysh.text.regex.analysis.literals import Needles
    from keysh.text.regex.tree import Node

REST = "[^\\n]*"  # of a line


class Tester:
    """What a pattern asks of a text at the least.

    `node` is its tree without what makes no difference, `needles` are texts it cannot match
    without, `sure` is one that holds a match wherever it stands, and `lines` are all the lines it
    matches, where these are known.
    """

    __slots__ = (
        "_folded", "_native", "_strays", "_syntax", "has_references", "is_everywhere",
        "is_nullable", "lines", "needles", "node", "sure",
    )  # fmt: skip

    def __init__(
        self, node: Node, syntax: str, *, has_references: bool, lines: frozenset[str] | None
    ) -> None:
        self.node = node if has_references else essence(node)
        self.has_references, self._syntax, self.lines = has_references, syntax, lines
        self._native: Native | None = None
        self.needles, self.sure = needles_of(self.node), sure_text(self.node)
        self.is_nullable = is_nullable(self.node)
        self.is_everywhere = isinstance(self.node, Sequence) and not self.node.parts
        self._folded: Tester | None = None
        self._strays: set[str] | None = None  # once it is known whether there is one for that

    @property
    def native(self) -> Native:
        """What `re` makes of it."""
        if self._native is None:
            self._native = Native(self.node, self._syntax)
        return self._native

    def needles_in(self, octets: str) -> Needles | None:
        """The needles, if they stand in octets where they stand in their text."""
        folded = self.folded_for(octets)
        strays = map(in_octets, self._strays or ()) if folded is not None else ()
        if any(one[0] in octets and one in octets for one in strays):  # one byte is found faster
            return None
        needles = (folded or self).needles
        if needles is None or not all(map(str.isascii, needles.texts)):
            return None
        return needles

    def folded_for(self, text: str) -> Tester | None:
        """The same for this text in small letters, if no letter's size matters; None if one's does.

        Nor is there one if letters do not come in question, or the text has other letters that are
        the same as those of the pattern.
        """
        if self._strays is None:
            folding = Folding()
            try:
                node = folding.folded(self.node)
            except Unfit:
                folding.has_folded = False
            self._strays = folding.strays
            if folding.has_folded:
                self._folded = Tester(node, self._syntax, has_references=False, lines=self.lines)
        has_strays = not text.isascii() and any(one in text for one in self._strays)
        return None if has_strays else self._folded

    def in_line(self, text: str) -> re.Pattern[str]:
        """What finds a match in one of the lines of a text."""
        return self.native.pattern(text, by_line=True, captures=self.has_references)

    def to_end_of_line(self, text: str) -> re.Pattern[str]:
        """What finds the lines of a text that have a match, from its start on."""
        return self.native.pattern(text, by_line=True, captures=self.has_references, rest=REST)

    def counting(self, text: str) -> re.Pattern[str]:
        """What finds such lines for who only counts them: it keeps nothing but an empty group."""
        rest = f"(){REST}"
        return self.native.pattern(text, by_line=True, captures=self.has_references, rest=rest)


def word_of(node: Node) -> str | None:
    """The one text that a pattern matches; None where there are more."""
    parts = node.parts if isinstance(node, Sequence) else [node]
    chars = [part.characters.single for part in parts if isinstance(part, One)]
    return "".join(chars) if len(chars) == len(parts) and all(chars) else None


def words_of(node: Node) -> frozenset[str] | None:
    """The texts that a pattern matches, where they are few enough to be known."""
    alternatives = node.alternatives if isinstance(node, Words) else [node]
    found = [word_of(one) for one in alternatives]
    known = [one for one in found if one is not None]
    return frozenset(known) if len(known) == len(found) else None
