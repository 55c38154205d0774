"""The nodes of a program's tree, each with what it is written as."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Node:
    """A part of a program; its parts are its slots, in order."""

    __slots__: tuple[str, ...] = ()

    def __init__(self, *parts: Any) -> None:
        for name, part in zip(self.__slots__, parts, strict=True):
            setattr(self, name, part)


class Identity(Node):
    """`.`"""

    __slots__ = ()


class Literal(Node):
    """`1`, `null`, `[]`"""

    __slots__ = ("value",)
    value: Any


class Text(Node):
    r"""`"…\(…)…"` and `@format "…"`: strings, and nodes for what is put in."""

    __slots__ = ("format", "parts")
    format: str
    parts: list[str | Node]


class Format(Node):
    """`@base64`"""

    __slots__ = ("name",)
    name: str


class Index(Node):
    """`term.key` and `term[key]`"""

    __slots__ = ("key", "term")
    key: Node
    term: Node


class Slice(Node):
    """`term[start:end]`, each of which may be left out"""

    __slots__ = ("end", "start", "term")
    end: Node | None
    start: Node | None
    term: Node


class Each(Node):
    """`term[]`"""

    __slots__ = ("term",)
    term: Node


class Pipe(Node):
    """`part | part | …`"""

    __slots__ = ("parts",)
    parts: list[Node]


class Comma(Node):
    """`part, part, …`"""

    __slots__ = ("parts",)
    parts: list[Node]


class Negative(Node):
    """`-term`"""

    __slots__ = ("term",)
    term: Node


class Binary(Node):
    """`left + right`, and the other operators that take two values, `and` and `or` among them"""

    __slots__ = ("left", "operator", "right")
    left: Node
    operator: str
    right: Node


class Otherwise(Node):
    """`left // right`"""

    __slots__ = ("left", "right")
    left: Node
    right: Node


class Assign(Node):
    """`left = right`, `left |= right`, `left += right` and so on"""

    __slots__ = ("left", "operator", "right")
    left: Node
    operator: str
    right: Node


class Collect(Node):
    """`[body]`"""

    __slots__ = ("body",)
    body: Node


class Record(Node):
    """`{key: value, …}`"""

    __slots__ = ("pairs",)
    pairs: list[tuple[Node, Node]]


class If(Node):
    """`if condition then yes else no end`"""

    __slots__ = ("condition", "no", "yes")
    condition: Node
    no: Node
    yes: Node


class Try(Node):
    """`try body catch handler`, and `body?`"""

    __slots__ = ("body", "handler")
    body: Node
    handler: Node | None


class Reduce(Node):
    """`reduce source as patterns (start; update)`"""

    __slots__ = ("patterns", "source", "start", "update")
    patterns: list[Pattern]
    source: Node
    start: Node
    update: Node


class Foreach(Node):
    """`foreach source as patterns (start; update; extract)`"""

    __slots__ = ("extract", "patterns", "source", "start", "update")
    extract: Node | None
    patterns: list[Pattern]
    source: Node
    start: Node
    update: Node


class Bind(Node):
    """`source as pattern ?// pattern | body`"""

    __slots__ = ("body", "patterns", "source")
    body: Node
    patterns: list[Pattern]
    source: Node


class Label(Node):
    """`label $name | body`"""

    __slots__ = ("body", "name")
    body: Node
    name: str


class BreakTo(Node):
    """`break $name`"""

    __slots__ = ("at", "name")
    at: int
    name: str


class Variable(Node):
    """`$name`"""

    __slots__ = ("at", "name")
    at: int
    name: str


class Invoke(Node):
    """`name` and `name(argument; …)`"""

    __slots__ = ("arguments", "at", "name")
    arguments: list[Node]
    at: int
    name: str


class Define(Node):
    """`def name(parameter; …): body;` and the program behind it; `$` begins a value's name"""

    __slots__ = ("body", "name", "parameters", "rest")
    body: Node
    name: str
    parameters: list[str]
    rest: Node


class Pattern:
    """What a value is taken apart by."""

    __slots__ = ()


class NamePattern(Pattern):
    """`$name`"""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class ArrayPattern(Pattern):
    """`[pattern, …]`"""

    __slots__ = ("items",)

    def __init__(self, items: list[Pattern]) -> None:
        self.items = items


class RecordPattern(Pattern):
    """`{key: pattern, $name, $name: pattern}`: a name, a key and a pattern, as far as given"""

    __slots__ = ("items",)

    def __init__(self, items: list[tuple[str | None, Node, Pattern | None]]) -> None:
        self.items = items


def names_of(pattern: Pattern) -> list[str]:
    """The variables that a pattern sets."""
    if isinstance(pattern, NamePattern):
        return [pattern.name]
    found: list[str] = []
    if isinstance(pattern, ArrayPattern):
        for item in pattern.items:
            found += names_of(item)
    elif isinstance(pattern, RecordPattern):
        for name, _, inner in pattern.items:
            found += ([name] if name is not None else []) + (names_of(inner) if inner else [])
    return found
