"""The syntax tree of an awk program, built by the parser and read by the compiler.

Every node has its line. A slot holds a node, a list of nodes, a string, a number or None.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Node:
    """The base class. The constructor fills the slots in order."""

    __slots__ = ("line",)

    def __init__(self, line: int, *parts: Any) -> None:
        self.line = line
        for name, part in zip(self.__slots__, parts, strict=True):
            setattr(self, name, part)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all its descendants, parents first."""
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            below: list[Node] = []
            for name in node.__slots__:
                part = getattr(node, name)
                if isinstance(part, Node):
                    below.append(part)
                elif part.__class__ is list:
                    below.extend(each for each in part if isinstance(each, Node))
            waiting.extend(reversed(below))


# ---------------------------------------------------------------- expressions


class Number(Node):
    """`1`, `.5e3`, `0x1A`."""

    __slots__ = ("value",)
    value: float


class String(Node):
    """`"text"`, with escapes replaced."""

    __slots__ = ("value",)
    value: str


class RegexLiteral(Node):
    """`/ERE/`, which by itself matches $0; with `is_typed` `@/ERE/`, a value."""

    __slots__ = ("pattern", "is_typed")
    pattern: str
    is_typed: bool


class Name(Node):
    """A variable or an array."""

    __slots__ = ("name",)
    name: str


class Element(Node):
    """`array[key, key]`. The array may be an element itself: `a[1][2]`."""

    __slots__ = ("array", "keys")
    array: Name | Element
    keys: list[Node]


class Field(Node):
    """`$index`."""

    __slots__ = ("index",)
    index: Node


class Assign(Node):
    """`target = value`, `target += value`; the operator is empty or arithmetic."""

    __slots__ = ("target", "operator", "value")
    target: Node
    operator: str
    value: Node


class Increment(Node):
    """`++target`, `target--`; `amount` is 1 or -1."""

    __slots__ = ("target", "amount", "is_prefix")
    target: Node
    amount: float
    is_prefix: bool


class Unary(Node):
    """`-x`, `+x`, `!x`."""

    __slots__ = ("operator", "operand")
    operator: str
    operand: Node


class Arithmetic(Node):
    """`x + y` and the others: `+ - * / % ^`."""

    __slots__ = ("left", "operator", "right")
    left: Node
    operator: str
    right: Node


class Comparison(Node):
    """`x < y` and the others: `< <= == != > >=`."""

    __slots__ = ("left", "operator", "right")
    left: Node
    operator: str
    right: Node


class Concatenation(Node):
    """`x y z`."""

    __slots__ = ("parts",)
    parts: list[Node]


class Match(Node):
    """`x ~ y`, `x !~ y`."""

    __slots__ = ("text", "pattern", "is_negated")
    text: Node
    pattern: Node
    is_negated: bool


class Membership(Node):
    """`key in array`, `(key, key) in array`."""

    __slots__ = ("keys", "array")
    keys: list[Node]
    array: Name | Element


class Logical(Node):
    """`x && y`, `x || y`."""

    __slots__ = ("left", "operator", "right")
    left: Node
    operator: str
    right: Node


class Conditional(Node):
    """`condition ? yes : no`."""

    __slots__ = ("condition", "yes", "no")
    condition: Node
    yes: Node
    no: Node


class Group(Node):
    """`(x)`, which unlike x cannot be assigned to."""

    __slots__ = ("inner",)
    inner: Node


class Call(Node):
    """`name(arguments)`: a call of a function of the program."""

    __slots__ = ("name", "arguments")
    name: str
    arguments: list[Node]


class IndirectCall(Node):
    """`@name(arguments)`: a call of the function that a variable names."""

    __slots__ = ("name", "arguments")
    name: Name
    arguments: list[Node]


class Builtin(Node):
    """`length(x)`: a call of a built-in function."""

    __slots__ = ("name", "arguments")
    name: str
    arguments: list[Node]


class Getline(Node):
    """`getline`, `getline x`, `getline x < file`, `command | getline x`.

    `kind` is "main", "file" or "command", `source` the file or the command.
    """

    __slots__ = ("kind", "source", "target")
    kind: str
    source: Node | None
    target: Node | None


# ---------------------------------------------------------------- statements


class Block(Node):
    """`{ … }`."""

    __slots__ = ("body",)
    body: list[Node]


class ExpressionStatement(Node):
    """An expression as a statement."""

    __slots__ = ("expression",)
    expression: Node


class Print(Node):
    """`print x, y > destination`; `redirection` is empty, `>`, `>>` or `|`."""

    __slots__ = ("values", "redirection", "destination", "is_formatted")
    values: list[Node]
    redirection: str
    destination: Node | None
    is_formatted: bool


class If(Node):
    """`if (condition) yes else no`."""

    __slots__ = ("condition", "yes", "no")
    condition: Node
    yes: Node
    no: Node | None


class While(Node):
    """`while (condition) body`."""

    __slots__ = ("condition", "body")
    condition: Node
    body: Node


class Do(Node):
    """`do body while (condition)`."""

    __slots__ = ("body", "condition")
    body: Node
    condition: Node


class For(Node):
    """`for (first; condition; step) body`; each of the three may be omitted."""

    __slots__ = ("first", "condition", "step", "body")
    first: Node | None
    condition: Node | None
    step: Node | None
    body: Node


class ForIn(Node):
    """`for (variable in array) body`."""

    __slots__ = ("variable", "array", "body")
    variable: Name
    array: Name | Element
    body: Node


class Switch(Node):
    """`switch (subject) { case label: … default: … }`."""

    __slots__ = ("subject", "cases")
    subject: Node
    cases: list[Node]


class Case(Node):
    """A label and its statements; None is `default`."""

    __slots__ = ("label", "body")
    label: Node | None
    body: list[Node]


class Delete(Node):
    """`delete array`, `delete array[key]`."""

    __slots__ = ("array", "keys")
    array: Name | Element
    keys: list[Node]


class Jump(Node):
    """`break`, `continue`, `next`, `nextfile`."""

    __slots__ = ("kind",)
    kind: str


class ExitOrReturn(Node):
    """`exit status`, `return value`."""

    __slots__ = ("kind", "value")
    kind: str
    value: Node | None


# ---------------------------------------------------------------- the program


class Rule(Node):
    """`pattern { action }`, `first, last { action }`; without an action it prints the record."""

    __slots__ = ("pattern", "last", "action")
    pattern: Node | None
    last: Node | None
    action: Block | None


class Function(Node):
    """`function name(parameters) { … }`."""

    __slots__ = ("name", "parameters", "body")
    name: str
    parameters: tuple[str, ...]
    body: Block


class Program(Node):
    """A program: its rules by when they run, its functions, and warnings with their lines."""

    __slots__ = ("begin", "begin_file", "rules", "end_file", "end", "functions", "warnings")
    begin: list[Block]
    begin_file: list[Block]
    rules: list[Rule]
    end_file: list[Block]
    end: list[Block]
    functions: list[Function]
    warnings: list[tuple[int, str]]
