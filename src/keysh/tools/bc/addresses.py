"""Addresses: where something stands in the byte code that GNU bc makes of a program. Its messages
tell them: `Runtime error (func=(main), adr=3): Divide by zero`.

A line and a function begin at 0. An operator is a byte, a jump three, a constant its digits and
two; the name of a variable has one, of those beyond the first 128 two.
"""

from __future__ import annotations

from contextlib import suppress

import keysh.tools.bc.tree as tree
from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

JUMP = 3
FIRST_VARIABLE, FIRST_ARRAY = 5, 1  # what comes before are the special ones
ONE_BYTE = 128


class Found(Exception):
    """The place is reached."""


class Layout:
    """Counts the bytes of a unit, up to the place where something is done at a node."""

    __slots__ = ("_deed", "_node", "_numbers", "at")

    def __init__(self, numbers: Mapping[str, int], node: tree.Node, deed: str) -> None:
        """`numbers` has those of all names, as code writes them."""
        self._numbers, self._node, self._deed = numbers, node, deed
        self.at = 0

    def reach(self, node: tree.Node, deed: str = "") -> None:
        """What is counted so far is up to here."""
        if node is self._node and deed == self._deed:
            raise Found

    def width(self, name: str) -> int:
        """The bytes of a name."""
        return 1 if self._numbers.get(name, 0) < ONE_BYTE else 2

    def count(self, *nodes: tree.Node | None) -> None:
        """Count nodes, one after the other."""
        for node in nodes:
            if node is not None:
                COUNTERS[node.__class__](self, node)

    def body(self, nodes: list[tree.Node]) -> None:
        self.count(*nodes)

    # ------------------------------------------------------------ expressions

    def constant(self, node: tree.Constant) -> None:
        self.at += 1 if node.text in ("0", "1") else len(node.text) + 2

    def variable(self, node: tree.Node) -> None:
        self.at += 1 + self.width_of(node)

    def width_of(self, node: tree.Node) -> int:
        """The bytes of the name of a variable or an array."""
        if isinstance(node, tree.SpecialVariable):
            return 1
        prefix = "v_" if isinstance(node, tree.Name) else "a_"
        name: str = getattr(node, "name", "")
        return self.width(prefix + name)

    def element(self, node: tree.Element) -> None:
        self.count(node.index)
        self.variable(node)
        self.reach(node, "load")

    def whole(self, node: tree.WholeArray) -> None:
        self.at += 2 + len(str(self._numbers.get(f"a_{node.name}", 1)))

    def arithmetic(self, node: tree.Arithmetic) -> None:
        row = [node]
        while isinstance(row[-1].left, tree.Arithmetic):
            row.append(row[-1].left)
        self.count(row[-1].left)
        for one in reversed(row):
            self.count(one.right)
            self.at += 1
            self.reach(one, "calculate")

    def comparison(self, node: tree.Comparison) -> None:
        self.count(node.left, node.right)
        self.at += 1

    def logical(self, node: tree.Logical) -> None:
        before, behind = (JUMP + 2, JUMP + 3) if node.operator == "&&" else (JUMP, 2 * JUMP + 2)
        self.count(node.left)
        self.at += before
        self.count(node.right)
        self.at += behind

    def unary(self, node: tree.Not | tree.Negation) -> None:
        self.count(node.operand)
        self.at += 1

    def group(self, node: tree.Group) -> None:
        self.count(node.inner)

    def assign(self, node: tree.Assign) -> None:
        target = node.target
        if isinstance(target, tree.Element):
            self.count(target.index)
            if node.operator:
                self.at += 1
                self.variable(target)
                self.reach(target, "load")
        elif node.operator:
            self.variable(target)
        self.count(node.value)
        if node.operator:
            self.at += 1
            self.reach(node, "calculate")
        self.variable(target)
        self.reach(node, "store")

    def step(self, node: tree.Increment) -> None:
        target = node.target
        if isinstance(target, tree.Element):
            self.count(target.index)
            self.at += 1
            self.variable(target)
            self.reach(target, "load")
            self.at += 0 if node.is_prefix else 1
        elif not node.is_prefix:
            self.variable(target)
        self.variable(target)
        self.reach(node)
        if node.is_prefix:
            self.variable(target)

    def call(self, node: tree.Call) -> None:
        self.count(*node.arguments)
        self.at += 1 + self.width(f"f_{node.name}")
        self.reach(node, "call")
        for i in range(len(node.arguments) + 1):
            self.at += 1
            self.reach(node, f"argument {i}")

    def builtin(self, node: tree.Builtin) -> None:
        self.count(node.argument)
        self.at += 2
        self.reach(node)

    # ------------------------------------------------------------ statements

    def simple(self, node: tree.ExpressionStatement) -> None:
        self.count(node.expression)
        self.at += 1

    def text(self, node: tree.String) -> None:
        self.at += 2 + len(bytes_of_text(node.text))

    def printed(self, node: tree.Print) -> None:
        for part in node.parts:
            self.count(part)
            self.at += 0 if isinstance(part, tree.String) else 1

    def block(self, node: tree.Block | tree.Function | tree.Item) -> None:
        self.count(*node.body)

    def branches(self, node: tree.If) -> None:
        self.count(node.condition)
        self.at += JUMP
        self.count(node.yes)
        if node.no is not None:
            self.at += JUMP
            self.count(node.no)

    def while_loop(self, node: tree.While) -> None:
        self.count(node.condition)
        self.at += JUMP
        self.count(node.body)
        self.at += JUMP

    def for_loop(self, node: tree.For) -> None:
        self.count(node.first)
        self.at += 1 if node.first is not None else 0
        self.count(node.condition)
        self.at += 2 * JUMP + (1 if node.condition is None else 0)
        self.count(node.step)
        self.at += JUMP + (1 if node.step is not None else 0)
        self.count(node.body)
        self.at += JUMP

    def jump(self, node: tree.Node) -> None:
        self.at += JUMP

    def give_back(self, node: tree.Return) -> None:
        self.count(node.value)
        self.at += 1 if node.value is not None else 2

    def nothing(self, node: tree.Node) -> None:
        self.at += 1 if isinstance(node, tree.Halt) else 0


COUNTERS: dict[type[tree.Node], Callable[..., None]] = {
    tree.Constant: Layout.constant, tree.Name: Layout.variable, tree.SpecialVariable: Layout.variable,
    tree.Element: Layout.element, tree.WholeArray: Layout.whole, tree.Arithmetic: Layout.arithmetic,
    tree.Comparison: Layout.comparison, tree.Logical: Layout.logical, tree.Not: Layout.unary,
    tree.Negation: Layout.unary, tree.Group: Layout.group, tree.Assign: Layout.assign,
    tree.Increment: Layout.step, tree.Call: Layout.call, tree.Builtin: Layout.builtin,
    tree.ExpressionStatement: Layout.simple, tree.String: Layout.text, tree.Print: Layout.printed,
    tree.Notice: Layout.nothing, tree.Block: Layout.block, tree.If: Layout.branches,
    tree.While: Layout.while_loop, tree.For: Layout.for_loop, tree.Break: Layout.jump,
    tree.Continue: Layout.jump, tree.Return: Layout.give_back, tree.Halt: Layout.nothing,
    tree.Function: Layout.block, tree.Item: Layout.block,
}  # fmt: skip


def address(
    numbers: Mapping[str, int], unit: tree.Item | tree.Function, node: tree.Node, deed: str
) -> int:
    """Where in a unit something is done at a node."""
    layout = Layout(numbers, node, deed)
    with suppress(Found):
        layout.count(unit)
    return layout.at
