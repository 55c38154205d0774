"""The nodes of a program's tree, each with what it is written as."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class JqNode:
    """A part of a program; its parts are its slots, in order."""

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
    r"""`"…\(…)…"` and `@format "…"`: strings, and nodes for what is put in."""

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
    """`term[start:end]`, each of which may be left out"""

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
    """`left + right`, and the other operators that take two values, `and` and `or` among them"""

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
    """`def name(parameter; …): body;` and the program behind it; `$` begins a value's name"""

    __slots__ = ("body", "name", "parameters", "rest")
    body: JqNode
    name: str
    parameters: list[str]
    rest: JqNode


class DestructuringPattern:
    """What a value is taken apart by."""

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
    """`{key: pattern, $name, $name: pattern}`: a name, a key and a pattern, as far as given"""

    __slots__ = ("items",)

    def __init__(self, items: list[tuple[str | None, JqNode, DestructuringPattern | None]]) -> None:
        self.items = items


def pattern_names(pattern: DestructuringPattern) -> list[str]:
    """The variables that a pattern sets."""
    if isinstance(pattern, NamePattern):
        return [pattern.name]
    found: list[str] = []
    if isinstance(pattern, ArrayPattern):
        for item in pattern.items:
            found += pattern_names(item)
    elif isinstance(pattern, ObjectPattern):
        for name, _, inner in pattern.items:
            found += ([name] if name is not None else []) + (pattern_names(inner) if inner else [])
    return found
