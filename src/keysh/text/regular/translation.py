"""A tree as the text of a pattern of `re`."""

from __future__ import annotations

from keysh.text.regular.node import (
    Assertion,
    Choice,
    Group,
    Kept,
    Look,
    One,
    Reference,
    Repeat,
    Sequence,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regular.node import Node

PLACES = {
    "line start": "(?m:^)", "line end": "(?m:$)", "text start": "\\A", "text end": "\\Z",
    "last newline": "(?=\\n?\\Z)", "boundary": "\\b", "no boundary": "(?!\\b)",
    "word start": "\\b(?=\\w)", "word end": "\\b(?<=\\w)", "never": "(?!)",
    "no word before": "(?<!\\w)", "no word behind": "(?!\\w)",
}  # fmt: skip


class Translation:
    """How a tree is written.

    `only_ascii` is for texts that are all ASCII; `by_line` for texts of many lines in which each
    line is one by itself; `captures` says whether groups are remembered; `is_inside` that the text
    goes on before its start, so that it has no start here.
    """

    __slots__ = ("by_line", "captures", "is_inside", "only_ascii")

    def __init__(
        self, *, only_ascii: bool, by_line: bool = False, captures: bool = True,
        is_inside: bool = False,
    ) -> None:  # fmt: skip
        self.only_ascii, self.by_line = only_ascii, by_line
        self.captures, self.is_inside = captures, is_inside

    def text(self, node: Node) -> str:
        """The node where it stands in a sequence."""
        if isinstance(node, One):
            characters = node.characters
            if self.by_line:
                characters = characters.without_newline()
            return characters.text(self.only_ascii)
        if isinstance(node, Sequence):
            return "".join(map(self.text_in_sequence, node.parts))
        if isinstance(node, Choice):
            return "|".join(map(self.text, node.alternatives))
        if isinstance(node, Group):
            return f"({'' if self.captures else '?:'}{self.text(node.body)})"
        if isinstance(node, Repeat):
            return self.repeated(node)
        if isinstance(node, Assertion):
            return self.place(node.kind)
        if isinstance(node, Reference):
            same = "i" if node.ignores_case else ""
            return f"(?{same}:\\{node.number})"
        assert isinstance(node, Look | Kept)
        opening = node.opening if isinstance(node, Look) else "(?>"
        return f"{opening}{self.text(node.body)})"

    def text_in_sequence(self, node: Node) -> str:
        text = self.text(node)
        return f"(?:{text})" if isinstance(node, Choice) else text

    def repeated(self, node: Repeat) -> str:
        body = self.text(node.body)
        if not isinstance(node.body, One | Group | Look | Kept):
            body = f"(?:{body})"
        bounds = (node.least, node.most)
        times = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get(bounds)
        if times is None:
            least, most = bounds
            times = (
                f"{{{least}}}" if most == least else f"{{{least},{'' if most is None else most}}}"
            )
        return f"{body}{times}{'?' * node.is_lazy}"

    def place(self, kind: str) -> str:
        if self.by_line and kind.startswith("text"):
            kind = kind.replace("text", "line")
        if self.is_inside and kind == "text start":
            kind = "never"
        return PLACES[kind]
