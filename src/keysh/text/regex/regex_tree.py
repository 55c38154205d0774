"""The tree of a regular expression. Its depth is limited, so that walking it may recurse."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.text.regex.charset import CharacterSet

    Node: TypeAlias = (
        "CharacterNode | Assertion | Concatenation | Alternation | CaptureGroup | Repeat"
        " | BackReference | Lookaround | AtomicGroup"
    )

MAX_TREE_DEPTH = 80


class CharacterNode:
    """One character of a set."""

    __slots__ = ("characters",)

    def __init__(self, characters: CharacterSet) -> None:
        self.characters = characters


class Assertion:
    """A position without width.

    `line start`, `line end`, `text start`, `text end`, `last newline` (the end, or before a newline
    at the end), `boundary`, `no boundary`, `word start`, `word end`, `no word before`,
    `no word behind`, and `never`. With `is_ascii` a word has ASCII characters only.
    """

    __slots__ = ("is_ascii", "kind")

    def __init__(self, kind: str, *, is_ascii: bool = False) -> None:
        self.kind, self.is_ascii = kind, is_ascii


class Concatenation:
    """Parts in sequence."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts


class Alternation:
    """Alternatives, the first preferred."""

    __slots__ = ("alternatives",)

    def __init__(self, alternatives: list[Node]) -> None:
        self.alternatives = alternatives


class LiteralAlternation(Alternation):
    """Alternatives that are literal texts, of which the longest match is wanted."""

    __slots__ = ()


class CaptureGroup:
    """A part that is captured under a number."""

    __slots__ = ("body", "number")

    def __init__(self, number: int, body: Node) -> None:
        self.number, self.body = number, body


class Repeat:
    """A repeated part; `most` is None for no limit. A lazy one prefers fewer turns."""

    __slots__ = ("body", "is_lazy", "least", "most")

    def __init__(self, body: Node, least: int, most: int | None, is_lazy: bool = False) -> None:
        self.body, self.least, self.most, self.is_lazy = body, least, most, is_lazy


class BackReference:
    """The text that a group has matched."""

    __slots__ = ("ignores_case", "number")

    def __init__(self, number: int, ignores_case: bool) -> None:
        self.number, self.ignores_case = number, ignores_case


class Lookaround:
    """`(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`. Perl only."""

    __slots__ = ("body", "opening")

    def __init__(self, opening: str, body: Node) -> None:
        self.opening, self.body = opening, body


class AtomicGroup:
    """`(?>…)`: no backtracking into it. Perl only."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


def concatenate(parts: list[Node]) -> Node:
    """Return parts as one node."""
    return parts[0] if len(parts) == 1 else Concatenation(parts)


def child_nodes(node: Node) -> list[Node]:
    """Return the nodes directly below one."""
    if isinstance(node, Concatenation):
        return node.parts
    if isinstance(node, Alternation):
        return node.alternatives
    if isinstance(node, CaptureGroup | Repeat | Lookaround | AtomicGroup):
        return [node.body]
    return []


def nodes(node: Node) -> list[Node]:
    """Return a node and all nodes below it, in the order of the text."""
    all_nodes: list[Node] = []
    stack = [node]
    while stack:
        node = stack.pop()
        all_nodes.append(node)
        stack.extend(reversed(child_nodes(node)))
    return all_nodes


def automaton_size(node: Node) -> int:
    """Return the number of positions that an automaton would need."""
    if isinstance(node, Repeat):
        times = (node.least + 1) if node.most is None else max(node.most, 1)
        return automaton_size(node.body) * times + 1
    return 1 + sum(map(automaton_size, child_nodes(node)))


def is_nullable(node: Node) -> bool:
    """Whether it can match the empty string. A back reference always can."""
    if isinstance(node, CharacterNode):
        return False
    if isinstance(node, Alternation):
        return any(map(is_nullable, node.alternatives))
    if isinstance(node, Repeat):
        return not node.least or is_nullable(node.body)
    if isinstance(node, Assertion | BackReference | Lookaround):
        return True
    return all(map(is_nullable, child_nodes(node)))
