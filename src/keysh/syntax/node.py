"""Node, the base class of the syntax tree, and Trivia, which only the formatter needs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Node:
    """A node of the syntax tree, with its span as offsets in the source.

    Nodes compare by content, not by position. `layout` names the slots that only affect formatting.
    """

    __slots__ = ("end", "start")
    layout: tuple[str, ...] = ()

    start: int
    end: int

    @classmethod
    def fields(cls) -> tuple[str, ...]:
        """Return the names of the slots that carry meaning, in order."""
        return tuple(name for name in cls.__slots__ if name not in cls.layout)

    def children(self) -> Iterator[Node]:
        """Yield the nodes directly below this one, in order."""
        for name in self.fields():
            value = getattr(self, name)
            if isinstance(value, Node):
                yield value
            elif value.__class__ is list:
                yield from (item for item in value if isinstance(item, Node))

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, parents first, in source order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(list(node.children())))

    def __eq__(self, other: object) -> bool:
        """Compare classes and fields; spans and layout do not count."""
        pairs: list[tuple[object, object]] = [(self, other)]
        while pairs:
            one, another = pairs.pop()
            if one.__class__ is not another.__class__:
                return False
            if isinstance(one, Node):
                pairs.extend((getattr(one, name), getattr(another, name)) for name in one.fields())
            elif isinstance(one, list) and isinstance(another, list):
                if len(one) != len(another):
                    return False
                pairs.extend(zip(one, another, strict=True))
            elif one != another:
                return False
        return True

    __hash__ = None  # type: ignore[assignment]  # nodes are mutable while the parser builds them

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__} {self.start}..{self.end}>"


class Trivia:
    """A comment, a blank line or a broken line: no syntax, but kept by the formatter."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, kind: str, start: int, end: int, text: str = "") -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text
