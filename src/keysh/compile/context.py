"""Context: through it the compiler of one node type asks for those of the others.

    command(node)      -> f(state) -> status       block(node), body(node) likewise
    text(word)         -> f(state) -> str           the word as one string
    value(node)        -> f(state) -> value         typed, as after the `=` of an assignment
    words(arguments)   -> f(state) -> list          the words of a command or a list
    pattern(word)      -> f(state) -> Pattern       quoted parts match literally
    arithmetic(node)   -> f(state) -> int | float
    keys(subscripts)   -> f(state) -> list          the subscripts of a path
    test(node)         -> f(state) -> bool

A module compiles the nodes of one concept and asks the context for the rest, so that the modules
need not import one another. Where `constant_text` knows a node's text, the closure is trivial.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from keysh.diagnostics.source import Source
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State
    from keysh.syntax import ast
    from keysh.syntax.lexer.cursor import Tick
    from keysh.syntax.node import Node

    # Appends the words that an argument expands to.
    Adder = Callable[[State, list[Any]], object]
    CompilerTable = Mapping[type, Callable[..., Any]]


NESTING_PER_STACK = 36  # levels that fit on the stack of one thread
NODES_PER_TICK = 256  # of some 10 us each
# A longer script is not kept compiled: the garbage collector would look at its closures again and
# again, which costs more than compiling the script once more saves.
MAX_KEPT_SCRIPT_CHARS = 1 << 16


class CompileContext:
    """One script while it is compiled.

    `tick` is called again and again, and may end the work by an exception. It belongs to a run, and
    what is compiled may outlive that: whoever makes a context takes it out at the end.
    """

    __slots__ = ("_blocks", "_nesting", "_nodes", "_tables", "source", "tick")

    def __init__(self, source: Source, tables: Mapping[str, Any], tick: Tick | None = None) -> None:
        self.source, self.tick = source, tick
        self._tables = tables
        self._nesting = self._nodes = 0
        # A command is compiled in several ways. Blocks nested in its words are compiled once, or
        # the work would double with each level. The node is kept because the key is its id.
        self._blocks: dict[tuple[int, bool], tuple[ast.Block | None, Body]] = {}

    def _compile_nested(self, make: Callable[[], Any]) -> Any:
        """Compile a node that may nest 200 deep, more than one stack takes."""
        self._nesting += 1
        try:
            return make() if self._nesting % NESTING_PER_STACK else compile_on_thread(make)
        finally:
            self._nesting -= 1

    def count_node(self) -> None:
        """Count a node that is compiled."""
        self._nodes += 1
        if self._nodes >= NODES_PER_TICK:
            self._nodes = 0
            if self.tick is not None:
                self.tick()

    def command(self, node: Node, *, tested: bool = False) -> Body:
        """Compile a command. `tested`: its status decides something, so `set -e` ignores it."""
        self.count_node()
        body: Body = self._tables["commands"][node.__class__](node, self, tested)
        return body

    # A compilation that is put off holds the source and the tables, not this context: the context
    # holds its results, and only the garbage collector could free such cycles.

    def deferred_command(self, node: Node) -> Callable[[State], Body]:
        """Return a function that compiles a command when it is called."""
        source, tables = self.source, self._tables

        def compile_now(state: State) -> Body:
            return compile_with_stack_room(
                lambda: compile_for(state, source, tables, lambda context: context.command(node))
            )

        return compile_now

    def script_command(self, node: ast.Command) -> Body:
        """Compile a command of the script itself, which runs once.

        In a long script it is compiled when it runs, and freed after that: 50,000 lines then take
        a third less time and a fifth of the memory.
        """
        if len(self.source.text) <= MAX_KEPT_SCRIPT_CHARS:
            return self.command(node)
        compile_now = self.deferred_command(node)
        return lambda state: compile_now(state)(state)

    def full_command(self, node: ast.Simple, *, tested: bool = False) -> Body:
        """A simple command in full form, compiled when it first runs; most never do."""
        source, tables = self.source, self._tables
        bodies: list[Body] = []

        def make(context: CompileContext) -> Body:
            return tables["full_command"](node, context, tested)  # type: ignore[no-any-return]

        def run(state: State) -> int:
            if not bodies:
                bodies.append(
                    compile_with_stack_room(lambda: compile_for(state, source, tables, make))
                )
            return bodies[0](state)

        return run

    def block(self, node: ast.Block | None, *, tested: bool = False) -> Body:
        """Compile commands that run one after the other."""
        known = self._blocks.get((id(node), tested))
        if known is not None:
            return known[1]
        body: Body = self._compile_nested(lambda: self._tables["block"](node, self, tested))
        self._blocks[id(node), tested] = node, body
        return body

    def text(self, word: ast.Word) -> Expression:
        """Compile a word as one string."""
        self.count_node()
        read: Expression = self._tables["text"](word, self)
        return read

    def part(self, node: Node) -> Expression:
        """Compile one part of a word as its value: a string, or what the variable holds."""
        self.count_node()
        read: Expression = self._compile_nested(
            lambda: self._tables["parts"][node.__class__](node, self)
        )
        return read

    def part_text(self, node: Node) -> Expression:
        """Compile one part of a word as a string."""
        self.count_node()
        read: Expression = self._tables["part_text"](node, self)
        return read

    def variable_text(self, node: ast.Variable) -> Expression:
        """Compile `$x` as a string."""
        self.count_node()
        read: Expression = self._tables["variable_text"](node, self)
        return read

    def captured_value(self, node: ast.Substitution) -> Expression:
        """Compile `$(…)`: its value, and whether that is a listing of one item a line."""
        read: Expression = self._tables["captured"](node, self)
        return read

    def value(self, node: ast.Value) -> Expression:
        """Compile a typed value."""
        self.count_node()
        read: Expression = self._compile_nested(lambda: self._tables["value"](node, self))
        return read

    def words(self, arguments: Sequence[ast.Argument], *, purpose: str) -> Expression:
        """Compile the words of a command (`command`), a loop (`items`) or an array (`array`)."""
        read: Expression = self._tables["words"](arguments, self, purpose)
        return read

    def argument_adder(self, argument: ast.Argument, purpose: str) -> Adder:
        """Compile one argument: f(state, words) appends the words that it expands to."""
        self.count_node()
        add: Adder = self._tables["argument_adder"](argument, self, purpose)
        return add

    def pattern(self, word: ast.Word) -> Expression:
        """Compile a word as a shell pattern."""
        self.count_node()
        read: Expression = self._tables["pattern"](word, self)
        return read

    def arithmetic(self, node: ast.Arithmetic | None) -> Expression:
        """Compile an arithmetic expression; an empty one is 0."""
        compute: Expression = self._tables["arithmetic"](node, self)
        return compute

    def keys(self, subscripts: Sequence[ast.Subscript | ast.AllSubscript]) -> Expression:
        """Compile the subscripts of a path: a list of strings and numbers."""
        read: Expression = self._tables["keys"](subscripts, self)
        return read

    def traced_test(self, node: ast.TestExpression, site: Site) -> Expression:
        """The same for `set -x`, compiled when it first runs; most never do."""
        source, tables = self.source, self._tables
        decisions: list[Expression] = []

        def decide(state: State) -> object:
            if not decisions:
                decisions.append(tables["traced_test"](node, source, tables, site))
            return decisions[0](state)

        return decide

    def test(self, node: ast.TestExpression) -> Expression:
        """Compile the expression of a `[[ … ]]`."""
        decide: Expression = self._tables["test"](node, self)
        return decide


def compile_for(
    state: State | None,
    source: Source,
    tables: Mapping[str, Any],
    make: Callable[[CompileContext], Any],
) -> Any:
    """Compile a part of a source, within the limits of a run if there is one."""
    context = CompileContext(source, tables, None if state is None else state.tick)
    compiled = make(context)
    context.tick = None
    return compiled


def compile_with_stack_room(make: Callable[[], Body]) -> Body:
    """Compile a part long after the script, on a fresh stack if this one is too deep."""
    try:
        return make()
    except RecursionError:
        return compile_on_thread(make)  # type: ignore[no-any-return]


def compile_on_thread(make: Callable[[], Any]) -> Any:
    """Compile a node on a fresh stack."""
    from keysh.interp.engine.thread_handoff import run_on_thread  # noqa: PLC0415 - few scripts nest so deep

    return run_on_thread(make)
