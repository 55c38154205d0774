"""Translate a tree to the syntax of `re`."""

from __future__ import annotations

from keysh.text.regex.regex_tree import (
    Alternation,
    Assertion,
    AtomicGroup,
    BackReference,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    LiteralAlternation,
    Lookaround,
    Repeat,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex_tree import Node

MAX_FACTOR_DEPTH = 40  # of the tree of words
ASSERTION_TEXTS = {
    "line start": "(?m:^)", "line end": "(?m:$)", "text start": "\\A", "text end": "\\Z",
    "last newline": "(?=\\n?\\Z)", "boundary": "\\b", "no boundary": "(?!\\b)",
    "word start": "\\b(?=\\w)", "word end": "\\b(?<=\\w)", "never": "(?!)",
    "no word before": "(?<!\\w)", "no word behind": "(?!\\w)",
}  # fmt: skip
LINE_ASSERTIONS = {"text start": "line start", "text end": "line end", "last newline": "line end"}
DELAYED_ASSERTIONS = ("no word before", "word start", "boundary", "no boundary", "line start")


class ReTranslation:
    """How a tree is translated.

    `only_ascii` is for ASCII texts; `by_line` for texts whose lines are matched one by one;
    `captures` keeps groups; `is_inside` means that the text is preceded by another, so that its
    start is no start.
    """

    __slots__ = ("by_line", "captures", "is_inside", "only_ascii")

    def __init__(
        self, *, only_ascii: bool, by_line: bool = False, captures: bool = True,
        is_inside: bool = False,
    ) -> None:  # fmt: skip
        self.only_ascii, self.by_line = only_ascii, by_line
        self.captures, self.is_inside = captures, is_inside

    def text(self, node: Node) -> str:
        """Translate a node within a sequence."""
        if isinstance(node, CharacterNode):
            characters = node.characters
            if self.by_line:
                characters = characters.without_newline()
            return characters.re_text(self.only_ascii)
        if isinstance(node, Concatenation):
            return self.sequence_text(node.parts)
        if isinstance(node, LiteralAlternation):
            return factor_words([self.character_texts(one) for one in node.alternatives])
        if isinstance(node, Alternation):
            return "|".join(map(self.text, node.alternatives))
        if isinstance(node, CaptureGroup):
            return f"({'' if self.captures else '?:'}{self.text(node.body)})"
        if isinstance(node, Repeat):
            return self.repeat_text(node)
        if isinstance(node, Assertion):
            return self.assertion_text(node.kind)
        if isinstance(node, BackReference):
            same = "i" if node.ignores_case else ""
            return f"(?{same}:\\{node.number})"
        assert isinstance(node, Lookaround | AtomicGroup)
        opening = node.opening if isinstance(node, Lookaround) else "(?>"
        return f"{opening}{self.text(node.body)})"

    def character_texts(self, node: Node) -> list[str]:
        """Return the translated characters of a word."""
        return [
            self.text(part) for part in (node.parts if isinstance(node, Concatenation) else [node])
        ]

    def sequence_text(self, parts: list[Node]) -> str:
        r"""Translate a sequence.

        An assertion before literal characters is checked after them, `foo(?<=\bfoo)` for `\bfoo`.
        `re` then searches for the literal instead of checking the assertion at each position.
        """
        first = parts[0] if parts else None
        letters: list[str] = []
        if isinstance(first, Assertion) and (first.kind in DELAYED_ASSERTIONS or self.by_line):
            for part in parts[1:]:
                if not (isinstance(part, CharacterNode) and part.characters.single):
                    break
                letters.append(self.text(part))
        if not letters or not isinstance(first, Assertion):
            return "".join(map(self.text_in_sequence, parts))
        text = "".join(letters)
        rest = "".join(map(self.text_in_sequence, parts[len(letters) + 1 :]))
        return f"{text}(?<={self.assertion_text(first.kind)}{text}){rest}"

    def text_in_sequence(self, node: Node) -> str:
        text = self.text(node)
        return f"(?:{text})" if isinstance(node, Alternation) else text

    def repeat_text(self, node: Repeat) -> str:
        body = self.text(node.body)
        if not isinstance(node.body, CharacterNode | CaptureGroup | Lookaround | AtomicGroup):
            body = f"(?:{body})"
        bounds = (node.least, node.most)
        times = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get(bounds)
        if times is None:
            least, most = bounds
            times = (
                f"{{{least}}}" if most == least else f"{{{least},{'' if most is None else most}}}"
            )
        return f"{body}{times}{'?' * node.is_lazy}"

    def assertion_text(self, kind: str) -> str:
        if self.by_line:
            kind = LINE_ASSERTIONS.get(kind, kind)
        if self.is_inside and kind == "text start":
            kind = "never"
        return ASSERTION_TEXTS[kind]


def factor_words(words: list[list[str]], depth: int = 0) -> str:
    """Translate words, each a list of characters, to a tree that prefers the longest match.

    If that would be too deep, the words are tried one by one, longest first.
    """
    if depth == MAX_FACTOR_DEPTH:
        return "|".join(map("".join, sorted(words, key=len, reverse=True)))
    groups: dict[str, list[list[str]]] = {}
    for word in words:
        if word:
            groups.setdefault(word[0], []).append(word)
    branches = []
    for group in groups.values():
        shared = shared_start(group)
        rest = [word[shared:] for word in group]
        text = "".join(group[0][:shared])
        branches.append(text if len(group) == 1 else f"{text}(?:{factor_words(rest, depth + 1)})")
    text = "|".join(branches)
    return f"(?:{text})?" if text and not all(words) else text


def shared_start(words: list[list[str]]) -> int:
    """Return the number of characters with which all words start."""
    least, most = min(words), max(words)
    for index, char in enumerate(least):
        if index == len(most) or most[index] != char:
            return index
    return len(least)
