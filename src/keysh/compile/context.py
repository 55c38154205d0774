"""Context: what the compilers of the kinds of nodes know of one another, and of their script.

    command(node)      -> f(state) -> status       block(node), body(node) likewise
    text(word)         -> f(state) -> str           the word as one text, nothing vanishes
    value(node)        -> f(state) -> value         typed, as behind the `=` of an assignment
    words(arguments)   -> f(state) -> list          the words that a command or a list is given
    pattern(word)      -> f(state) -> Pattern       quoted parts stand for themselves
    arithmetic(node)   -> f(state) -> int | float
    keys(subscripts)   -> f(state) -> list          what a path's subscripts are
    test(node)         -> f(state) -> bool

A module compiles the nodes of one concept and asks the context for the others, so that none needs
to import another. Where a node's text is known, `constant` tells it, and the closure can be short.
"""

from __future__ import annotations

from keysh.interp.engine.strand import run_on_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from keysh.diagnostics.source import Source
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast
    from keysh.syntax.node import Node

    # Adds what a word stands for to the words before it.
    Adder = Callable[[State, list[Any]], object]
    CompilerTable = Mapping[type, Callable[..., Any]]


NESTING_PER_STACK = 40


class CompileContext:
    """One script while it is compiled."""

    __slots__ = ("_blocks", "_nesting", "_tables", "source")

    def __init__(self, source: Source, tables: Mapping[str, Any]) -> None:
        self.source = source
        self._tables = tables
        self._nesting = 0
        # A command is compiled in several ways; what is nested in its words only once, lest the
        # work doubles with each level. The nodes are kept because they are known by their id.
        self._blocks: dict[tuple[int, bool], tuple[ast.Block | None, Body]] = {}

    def _compile_nested(self, make: Callable[[], Any]) -> Any:
        """Compile what may nest 200 deep, which is more than one stack takes."""
        self._nesting += 1
        try:
            return make() if self._nesting % NESTING_PER_STACK else run_on_thread(make)
        finally:
            self._nesting -= 1

    def command(self, node: Node, *, tested: bool = False) -> Body:
        """A command. `tested` says that its status decides something, so that `set -e` lets it."""
        made: Body = self._tables["commands"][node.__class__](node, self, tested)
        return made

    # What compiles a command long after what is around it holds the script, and not this context:
    # that holds what it has made, and such circles would be left to the garbage collector.

    def deferred_command(self, node: Node) -> Callable[[], Body]:
        """What compiles a command, whenever that is."""
        source, tables = self.source, self._tables
        return lambda: compile_with_stack_room(lambda: CompileContext(source, tables).command(node))

    def full_command(self, node: ast.Simple, *, tested: bool = False) -> Body:
        """A simple command with no shortcut. Most never run, so the first run compiles it."""
        source, tables = self.source, self._tables
        made: list[Body] = []

        def make() -> Body:
            return tables["long_way"](node, CompileContext(source, tables), tested)  # type: ignore[no-any-return]

        def run(state: State) -> int:
            if not made:
                made.append(compile_with_stack_room(make))
            return made[0](state)

        return run

    def block(self, node: ast.Block | None, *, tested: bool = False) -> Body:
        """Commands, one after the other."""
        found = self._blocks.get((id(node), tested))
        if found is not None:
            return found[1]
        made: Body = self._compile_nested(lambda: self._tables["block"](node, self, tested))
        self._blocks[id(node), tested] = node, made
        return made

    def text(self, word: ast.Word) -> Expression:
        """A word as one text."""
        made: Expression = self._tables["text"](word, self)
        return made

    def part(self, node: Node) -> Expression:
        """One part of a word, as its value: a string, or what the variable holds."""
        made: Expression = self._compile_nested(
            lambda: self._tables["parts"][node.__class__](node, self)
        )
        return made

    def part_text(self, node: Node) -> Expression:
        """One part of a word as text."""
        made: Expression = self._tables["part_text"](node, self)
        return made

    def variable_text(self, node: ast.Variable) -> Expression:
        """`$x` as text."""
        made: Expression = self._tables["variable_text"](node, self)
        return made

    def captured_value(self, node: ast.Substitution) -> Expression:
        """`$(…)`: what it gave, and whether that is a listing of one item a line."""
        made: Expression = self._tables["captured"](node, self)
        return made

    def value(self, node: ast.Value) -> Expression:
        """A value, typed."""
        made: Expression = self._compile_nested(lambda: self._tables["value"](node, self))
        return made

    def words(self, arguments: Sequence[ast.Argument], *, purpose: str) -> Expression:
        """The words of a command (`command`), of a loop's head (`items`), of an array (`array`)."""
        made: Expression = self._tables["words"](arguments, self, purpose)
        return made

    def argument_adder(self, argument: ast.Argument, purpose: str) -> Adder:
        """One argument, as the words that it adds to a list."""
        made: Adder = self._tables["argument_adder"](argument, self, purpose)
        return made

    def pattern(self, word: ast.Word) -> Expression:
        """A word as a shell pattern."""
        made: Expression = self._tables["pattern"](word, self)
        return made

    def arithmetic(self, node: ast.Arithmetic | None) -> Expression:
        """An arithmetic expression; an empty one is 0."""
        made: Expression = self._tables["arithmetic"](node, self)
        return made

    def keys(self, subscripts: Sequence[ast.Subscript | ast.AllSubscript]) -> Expression:
        """What the subscripts of a path are: a list of texts and numbers."""
        made: Expression = self._tables["keys"](subscripts, self)
        return made

    def test(self, node: ast.TestExpression) -> Expression:
        """What stands in `[[ … ]]`."""
        made: Expression = self._tables["test"](node, self)
        return made

    def special_reader(self, name: str) -> Expression | None:
        """How a variable is read that is computed, such as `$#`; None for a plain one."""
        made: Expression | None = self._tables["specials"].get(name)
        return made


def compile_with_stack_room(make: Callable[[], Body]) -> Body:
    """Compile long after what is around has been, however deep the stack is by now."""
    try:
        return make()
    except RecursionError:
        return run_on_thread(make)
