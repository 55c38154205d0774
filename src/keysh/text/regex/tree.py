"""The tree of a regular expression. It nests no deeper than DEEPEST, so walking it may recurse."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.text.regex.charset import Characters

    Node: TypeAlias = (
        "One | Assertion | Sequence | Choice | Group | Repeat | Reference | Look | Kept"
    )

DEEPEST = 80


class One:
    """One character of a set."""

    __slots__ = ("characters",)

    def __init__(self, characters: Characters) -> None:
        self.characters = characters


class Assertion:
    """A place without width.

    `line start`, `line end`, `text start`, `text end`, `last newline` (the end, or before a
    newline that ends the text), `boundary`, `no boundary`, `word start`, `word end`,
    `no word before`, `no word behind`, and `never`.
    """

    __slots__ = ("kind",)

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Sequence:
    """Parts, one behind the other."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts


class Choice:
    """Alternatives, the first preferred."""

    __slots__ = ("alternatives",)

    def __init__(self, alternatives: list[Node]) -> None:
        self.alternatives = alternatives


class Words(Choice):
    """Alternatives that are plain texts, of which the longest that is there is meant."""

    __slots__ = ()


class Group:
    """A part that is remembered under a number."""

    __slots__ = ("body", "number")

    def __init__(self, number: int, body: Node) -> None:
        self.number, self.body = number, body


class Repeat:
    """A part so many times; `most` is None for any number. A lazy one prefers fewer."""

    __slots__ = ("body", "is_lazy", "least", "most")

    def __init__(self, body: Node, least: int, most: int | None, is_lazy: bool = False) -> None:
        self.body, self.least, self.most, self.is_lazy = body, least, most, is_lazy


class Reference:
    """The text that a group has matched."""

    __slots__ = ("ignores_case", "number")

    def __init__(self, number: int, ignores_case: bool) -> None:
        self.number, self.ignores_case = number, ignores_case


class Look:
    """`(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`: what stands here, or not. Perl only."""

    __slots__ = ("body", "opening")

    def __init__(self, opening: str, body: Node) -> None:
        self.opening, self.body = opening, body


class Kept:
    """`(?>…)`: what it has matched is not given back. Perl only."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body


def sequence(parts: list[Node]) -> Node:
    """Parts as one node."""
    return parts[0] if len(parts) == 1 else Sequence(parts)


def inner(node: Node) -> list[Node]:
    """The nodes directly below one."""
    if isinstance(node, Sequence):
        return node.parts
    if isinstance(node, Choice):
        return node.alternatives
    if isinstance(node, Group | Repeat | Look | Kept):
        return [node.body]
    return []


def nodes(node: Node) -> list[Node]:
    """A node and all below it, in the order of the text."""
    found: list[Node] = []
    stack = [node]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(reversed(inner(node)))
    return found


def size(node: Node) -> int:
    """How many places an automaton would need."""
    if isinstance(node, Repeat):
        times = (node.least + 1) if node.most is None else max(node.most, 1)
        return size(node.body) * times + 1
    return 1 + sum(map(size, inner(node)))


def is_nullable(node: Node) -> bool:
    """Whether it can match the empty text; a reference always may."""
    if isinstance(node, One):
        return False
    if isinstance(node, Choice):
        return any(map(is_nullable, node.alternatives))
    if isinstance(node, Repeat):
        return not node.least or is_nullable(node.body)
    if isinstance(node, Assertion | Reference | Look):
        return True
    return all(map(is_nullable, inner(node)))
