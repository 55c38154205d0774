"""The syntax tree of a bc program, built by the parser and read by the compiler."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Node:
    """The base class. The constructor fills the slots in order."""

    __slots__: tuple[str, ...] = ()

    def __init__(self, *parts: Any) -> None:
        for name, part in zip(self.__slots__, parts, strict=True):
            setattr(self, name, part)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all its descendants."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            for name in node.__slots__:
                part = getattr(node, name)
                if isinstance(part, Node):
                    waiting.append(part)
                elif part.__class__ is list:
                    waiting.extend(each for each in part if isinstance(each, Node))


# ---------------------------------------------------------------- expressions


class Constant(Node):
    """`12.5`, `FF`: its value depends on ibase at run time."""

    __slots__ = ("text",)
    text: str


class Name(Node):
    """A variable."""

    __slots__ = ("name",)
    name: str


class SpecialVariable(Node):
    """`scale`, `ibase`, `obase`, `last` and `.`"""

    __slots__ = ("name",)
    name: str


class Element(Node):
    """`name[index]`"""

    __slots__ = ("name", "index")
    name: str
    index: Node


class WholeArray(Node):
    """`name[]`: an array as an argument."""

    __slots__ = ("name",)
    name: str


class Arithmetic(Node):
    """`a + b`, and - * / % ^"""

    __slots__ = ("operator", "left", "right")
    operator: str
    left: Node
    right: Node


class Comparison(Node):
    """`a < b`, and > <= >= == !="""

    __slots__ = ("operator", "left", "right")
    operator: str
    left: Node
    right: Node


class Logical(Node):
    """`a && b`, `a || b`"""

    __slots__ = ("operator", "left", "right")
    operator: str
    left: Node
    right: Node


class Not(Node):
    """`! a`"""

    __slots__ = ("operand",)
    operand: Node


class Negation(Node):
    """`- a`"""

    __slots__ = ("operand",)
    operand: Node


class Group(Node):
    """`(a)`"""

    __slots__ = ("inner",)
    inner: Node


class Assign(Node):
    """`a = b`, `a += b`; the operator is empty for a plain `=`."""

    __slots__ = ("target", "operator", "value")
    target: Node
    operator: str
    value: Node


class Increment(Node):
    """`++a`, `a--`; the operator is + or -."""

    __slots__ = ("target", "operator", "is_prefix")
    target: Node
    operator: str
    is_prefix: bool


class Call(Node):
    """`f(a, b[])`"""

    __slots__ = ("name", "arguments", "is_void")
    name: str
    arguments: list[Node]
    is_void: bool


class Builtin(Node):
    """`length(a)`, `scale(a)`, `sqrt(a)`, `read()`, `random()`"""

    __slots__ = ("name", "argument")
    name: str
    argument: Node | None


# ---------------------------------------------------------------- statements


class ExpressionStatement(Node):
    """An expression as a statement, which may print its value."""

    __slots__ = ("expression", "prints_value")
    expression: Node
    prints_value: bool


class String(Node):
    """`"text"`"""

    __slots__ = ("text",)
    text: str


class Print(Node):
    """`print "text", a`"""

    __slots__ = ("parts",)
    parts: list[Node]


class Notice(Node):
    """`limits`, `warranty`"""

    __slots__ = ("name",)
    name: str


class Block(Node):
    """`{ … }`"""

    __slots__ = ("body",)
    body: list[Node]


class If(Node):
    """`if (a) … else …`"""

    __slots__ = ("condition", "yes", "no")
    condition: Node
    yes: Node
    no: Node | None


class While(Node):
    """`while (a) …`"""

    __slots__ = ("condition", "body")
    condition: Node
    body: Node


class For(Node):
    """`for (a; b; c) …`; each of the three may be omitted."""

    __slots__ = ("first", "condition", "step", "body")
    first: Node | None
    condition: Node | None
    step: Node | None
    body: Node


class Break(Node):
    """`break`"""

    __slots__ = ()


class Continue(Node):
    """`continue`"""

    __slots__ = ()


class Return(Node):
    """`return (a)`"""

    __slots__ = ("value",)
    value: Node | None


class Halt(Node):
    """`halt`"""

    __slots__ = ()


# ---------------------------------------------------------------- functions and items


class Parameter(Node):
    """A parameter or an auto variable.

    The form is empty for a number, `[]` for an array, `*[]` for an array passed by reference.
    """

    __slots__ = ("name", "form")
    name: str
    form: str


class Function(Node):
    """`define f(…) { … }`"""

    __slots__ = ("name", "parameters", "autos", "body", "is_void")
    name: str
    parameters: list[Parameter]
    autos: list[Parameter]
    body: list[Node]
    is_void: bool


class Item(Node):
    """The statements of a line, or of several lines that form one construct."""

    __slots__ = ("body",)
    body: list[Node]
