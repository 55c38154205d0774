"""The walk over words: variables read, literals, `[[ … ]]` and arithmetic."""

from __future__ import annotations

from keysh.check.facts import VariableRead
from keysh.check.walk_state import WalkState
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from keysh.syntax.node import Node

DoubleQuoted, Quoted, Text, Variable, Word = (
    ast.DoubleQuoted, ast.Quoted, ast.Text, ast.Variable, ast.Word,
)  # fmt: skip

# Operators of `${x…}` that say what an unset variable means.
UNSET_OPERATORS = (":-", "-", ":=", "=", ":+", "+", ":?", "?")


def may_be_split(part: ast.Part) -> bool:
    """Whether there is something to note in a part that is a whole word; not in `"…"` and `$x`."""
    kind = part.__class__
    if kind is Variable:
        return not part.name.isidentifier()  # type: ignore[union-attr]
    return kind is not DoubleQuoted and kind is not Text and kind is not Quoted


class WordWalk(WalkState):
    """A method for each kind of node in a word; `fork` comes from the walk over commands."""

    __slots__ = ()

    def fork(self, node: Any) -> None:
        """Walk a command or block whose variables end with it."""
        raise NotImplementedError

    # ------------------------------------------------------------ whole words

    def argument(self, word: ast.Word, role: str) -> None:
        """Walk a word whose role decides what a bare variable in it becomes."""
        parts = word.parts
        if len(parts) == 1 and parts[0].__class__ is Variable:
            self.note_read(parts[0].name, parts[0], role)
        else:
            self.word(word)
        if role != "list" and (len(parts) > 1 or may_be_split(parts[0])):
            from keysh.check.splitting.unquoted_words import note_unquoted_parts  # noqa: PLC0415 - constants need none

            note_unquoted_parts(self, word, role)

    def element(self, word: ast.Word) -> None:
        """Walk a word of a `for` head or of `( … )`."""
        self.argument(word, "element")

    def list_word(self, word: ast.Word) -> None:
        """Walk a word that may be a list, as after `...`; sh has no other meaning for it."""
        self.argument(word, "list")

    # ------------------------------------------------------------ parts of words

    def word(self, word: ast.Word) -> None:
        self.parts(word.parts)

    def parts(self, parts: Sequence[ast.Part]) -> None:
        report = self.report
        report.nodes_left -= 1
        if report.nodes_left < 0:
            report.look()
        for part in parts:
            kind = part.__class__
            if kind is not Text and kind is not Quoted:
                WORD_HANDLERS[kind](self, part)

    def skip(self, node: Node) -> None:
        """Skip a node that reads nothing."""

    def note_read(self, name: str, node: Node, role: str = "text") -> None:
        """Note that a variable is read."""
        if name.isidentifier():
            facts = self.facts
            facts.reads.append(
                VariableRead(name, node, self.scope, facts.region, role, self.command, node)
            )
        elif name == "?":
            self.reads_status = True

    def variable(self, part: ast.Variable) -> None:
        self.note_read(part.name, part)

    def double_quoted(self, part: ast.DoubleQuoted) -> None:
        self.parts(part.parts)

    def branches(self, part: ast.Brace | ast.ExtendedGlob) -> None:
        for branch in part.branches:
            self.parts(branch.parts)

    def substitution(self, part: ast.Substitution | ast.ProcessSubstitution) -> None:
        if part.body is None:
            return
        command, self.command = self.command, None
        self.fork(part.body)
        self.command = command

    def arithmetic_expansion(self, part: ast.ArithmeticExpansion) -> None:
        self.arithmetic(part.expression)

    def reference(self, reference: ast.Reference) -> None:
        """Walk a variable with its subscripts."""
        for subscript in reference.subscripts:
            self.subscript(subscript)
        self.note_read(reference.name, reference)
        if reference.name == "PIPESTATUS":
            self.reads_status = True

    def subscript(self, subscript: ast.Subscript | ast.AllSubscript) -> None:
        if isinstance(subscript, ast.Subscript):
            self.word(subscript.word)

    def expand(self, part: ast.Expand) -> None:
        name = part.reference.name
        if part.operator in UNSET_OPERATORS:
            self.facts.possibly_unset.add(name)
            if "=" in part.operator:
                words = [] if part.operand is None else [part.operand]
                self.facts.add_assignment(name, "unknown", self.scope, part.start, words=words)
        self.reference(part.reference)
        if part.operand is not None:
            self.word(part.operand)

    def replace(self, part: ast.Replace) -> None:
        self.reference(part.reference)
        self.word(part.pattern)
        if part.replacement is not None:
            self.word(part.replacement)

    def slice(self, part: ast.Slice) -> None:
        self.reference(part.reference)
        self.arithmetic(part.offset)
        self.arithmetic(part.length)

    def length(self, part: ast.Length) -> None:
        self.reference(part.reference)

    # ------------------------------------------------------------ values

    def value(self, value: ast.Value) -> None:
        """Walk the value of an assignment, an element of a literal, or a default."""
        if isinstance(value, Word):
            self.word(value)
        elif isinstance(value, ast.List):
            for element in value.elements:
                if isinstance(element, ast.Spread):
                    self.list_word(element.word)
                else:
                    self.value(element)
        elif isinstance(value, ast.Record):
            from keysh.check.nodes import check_record  # noqa: PLC0415 - few scripts have any

            check_record(value, self.report)
            for pair in value.pairs:
                if isinstance(pair, ast.Spread):
                    self.list_word(pair.word)
                else:
                    self.word(pair.key)
                    self.value(pair.value)
        else:
            self.array(value)

    def array(self, array: ast.Array) -> None:
        for entry in array.entries:
            if isinstance(entry, Word):
                self.element(entry)
            elif isinstance(entry, ast.Spread):
                self.list_word(entry.word)
            else:
                self.subscript(entry.subscript)
                if entry.value is not None:
                    self.word(entry.value)

    # ------------------------------------------------------------ [[ … ]]

    def test_expression(self, node: ast.TestExpression) -> None:
        """Walk an expression of `[[ … ]]`."""
        if isinstance(node, Word):
            from keysh.check.nodes import check_operand  # noqa: PLC0415 - few scripts test a bare word

            check_operand(node, self.report)
            self.word(node)
        elif isinstance(node, ast.TestUnary):
            if node.operator in ("-v", "-z", "-n"):
                self.note_possibly_unset(node.operand)
            self.word(node.operand)
        elif isinstance(node, ast.TestBinary):
            self.word(node.left)
            self.word(node.right)
            if node.operator == "=~":
                from keysh.check.nodes import check_regex  # noqa: PLC0415 - few scripts match a regex

                check_regex(node.right, self.report)
        elif isinstance(node, ast.TestIn):
            self.word(node.left)
            if isinstance(node.right, Word):
                self.list_word(node.right)
            else:
                self.value(node.right)
        elif isinstance(node, ast.TestChain):
            for term in node.terms:
                self.test_expression(term)
        elif isinstance(node, ast.TestNot):
            self.test_expression(node.term)
        else:
            self.test_expression(node.expression)

    def note_possibly_unset(self, word: ast.Word) -> None:
        """Note that the script tests whether a variable is set or empty."""
        from keysh.check.builtin_effects import variables_in_word  # noqa: PLC0415 - few scripts test for a value

        self.facts.possibly_unset.update(variables_in_word(word))

    # ------------------------------------------------------------ arithmetic

    def arithmetic(self, node: Any) -> None:
        """Walk an arithmetic expression, which may be empty."""
        if node is not None:
            report = self.report
            report.nodes_left -= 1
            if report.nodes_left < 0:
                report.look()
            handler = WORD_HANDLERS.get(node.__class__)
            if handler is not None:
                handler(self, node)
            else:
                for child in node.children():
                    self.arithmetic(child)

    def step(self, node: ast.Step) -> None:
        self.reference(node.reference)
        words = None if node.reference.subscripts else ()
        self.facts.add_assignment(
            node.reference.name, "unknown", self.scope, node.start, words=words
        )

    def target(self, node: ast.Target) -> None:
        self.step(node)  # type: ignore[arg-type]  # it has a reference, too


WORD_HANDLERS: Mapping[type, Callable[[WordWalk, Any], None]] = {
    ast.Word: WordWalk.word, ast.Text: WordWalk.skip, ast.Quoted: WordWalk.skip,
    ast.Glob: WordWalk.skip, ast.Tilde: WordWalk.skip, ast.BraceRange: WordWalk.skip,
    ast.NamesOf: WordWalk.skip, ast.Variable: WordWalk.variable,
    ast.DoubleQuoted: WordWalk.double_quoted, ast.ExtendedGlob: WordWalk.branches,
    ast.Brace: WordWalk.branches, ast.Substitution: WordWalk.substitution,
    ast.ProcessSubstitution: WordWalk.substitution,
    ast.ArithmeticExpansion: WordWalk.arithmetic_expansion, ast.Expand: WordWalk.expand,
    ast.Replace: WordWalk.replace, ast.Slice: WordWalk.slice, ast.Length: WordWalk.length,
    ast.Reference: WordWalk.reference, ast.Step: WordWalk.step, ast.Target: WordWalk.target,
    ast.Number: WordWalk.skip,
}  # fmt: skip
