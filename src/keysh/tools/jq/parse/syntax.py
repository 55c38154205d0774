"""The nodes of a program's tree, each with its syntax."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class JqNode:
    """A node; the constructor takes its parts in the order of the slots."""

    __slots__: tuple[str, ...] = ()

    def __init__(self, *parts: Any) -> None:
        for name, part in zip(self.__slots__, parts, strict=True):
            setattr(self, name, part)


class Identity(JqNode):
    """`.`"""

    __slots__ = ()


class Literal(JqNode):
    """`1`, `null`, `[]`"""

    __slots__ = ("value",)
    value: Any


class InterpolatedString(JqNode):
    r"""`"…\(…)…"` and `@format "…"`: the parts are strings, and nodes to interpolate."""

    __slots__ = ("format", "parts")
    format: str
    parts: list[str | JqNode]


class Format(JqNode):
    """`@base64`"""

    __slots__ = ("name",)
    name: str


class Index(JqNode):
    """`term.key` and `term[key]`"""

    __slots__ = ("key", "term")
    key: JqNode
    term: JqNode


class Slice(JqNode):
    """`term[start:end]`; either bound may be missing"""

    __slots__ = ("end", "start", "term")
    end: JqNode | None
    start: JqNode | None
    term: JqNode


class Iteration(JqNode):
    """`term[]`"""

    __slots__ = ("term",)
    term: JqNode


class Pipe(JqNode):
    """`part | part | …`"""

    __slots__ = ("parts",)
    parts: list[JqNode]


class Comma(JqNode):
    """`part, part, …`"""

    __slots__ = ("parts",)
    parts: list[JqNode]


class Negative(JqNode):
    """`-term`"""

    __slots__ = ("term",)
    term: JqNode


class Binary(JqNode):
    """`left + right`, and the other operators on two values, including `and` and `or`"""

    __slots__ = ("left", "operator", "right")
    left: JqNode
    operator: str
    right: JqNode


class Alternative(JqNode):
    """`left // right`"""

    __slots__ = ("left", "right")
    left: JqNode
    right: JqNode


class Assign(JqNode):
    """`left = right`, `left |= right`, `left += right` and so on"""

    __slots__ = ("left", "operator", "right")
    left: JqNode
    operator: str
    right: JqNode


class ArrayConstruction(JqNode):
    """`[body]`"""

    __slots__ = ("body",)
    body: JqNode


class ObjectConstruction(JqNode):
    """`{key: value, …}`"""

    __slots__ = ("pairs",)
    pairs: list[tuple[JqNode, JqNode]]


class If(JqNode):
    """`if condition then yes else no end`"""

    __slots__ = ("condition", "no", "yes")
    condition: JqNode
    no: JqNode
    yes: JqNode


class Try(JqNode):
    """`try body catch handler`, and `body?`"""

    __slots__ = ("body", "handler")
    body: JqNode
    handler: JqNode | None


class Reduce(JqNode):
    """`reduce source as patterns (start; update)`"""

    __slots__ = ("patterns", "source", "start", "update")
    patterns: list[DestructuringPattern]
    source: JqNode
    start: JqNode
    update: JqNode


class Foreach(JqNode):
    """`foreach source as patterns (start; update; extract)`"""

    __slots__ = ("extract", "patterns", "source", "start", "update")
    extract: JqNode | None
    patterns: list[DestructuringPattern]
    source: JqNode
    start: JqNode
    update: JqNode


class Bind(JqNode):
    """`source as pattern ?// pattern | body`"""

    __slots__ = ("body", "patterns", "source")
    body: JqNode
    patterns: list[DestructuringPattern]
    source: JqNode


class Label(JqNode):
    """`label $name | body`"""

    __slots__ = ("body", "name")
    body: JqNode
    name: str


class BreakTo(JqNode):
    """`break $name`"""

    __slots__ = ("at", "name")
    at: int
    name: str


class Variable(JqNode):
    """`$name`"""

    __slots__ = ("at", "name")
    at: int
    name: str


class Invoke(JqNode):
    """`name` and `name(argument; …)`"""

    __slots__ = ("arguments", "at", "name")
    arguments: list[JqNode]
    at: int
    name: str


class Define(JqNode):
    """`def name(parameter; …): body; rest`; value parameters start with `$`"""

    __slots__ = ("body", "name", "parameters", "rest")
    body: JqNode
    name: str
    parameters: list[str]
    rest: JqNode


class DestructuringPattern:
    """A pattern that destructures a value."""

    __slots__ = ()


class NamePattern(DestructuringPattern):
    """`$name`"""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class ArrayPattern(DestructuringPattern):
    """`[pattern, …]`"""

    __slots__ = ("items",)

    def __init__(self, items: list[DestructuringPattern]) -> None:
        self.items = items


class ObjectPattern(DestructuringPattern):
    """`{key: pattern, $name, $name: pattern}`: tuples of variable, key and pattern"""

    __slots__ = ("items",)

    def __init__(self, items: list[tuple[str | None, JqNode, DestructuringPattern | None]]) -> None:
        self.items = items


def pattern_names(pattern: DestructuringPattern) -> list[str]:
    """Return the variables that a pattern binds."""
    if isinstance(pattern, NamePattern):
        return [pattern.name]
    names: list[str] = []
    if isinstance(pattern, ArrayPattern):
        for item in pattern.items:
            names += pattern_names(item)
    elif isinstance(pattern, ObjectPattern):
        for name, _, inner in pattern.items:
            names += ([name] if name is not None else []) + (pattern_names(inner) if inner else [])
    return names
