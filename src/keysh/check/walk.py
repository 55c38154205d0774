"""Walk: one pass over the tree that gathers facts and judges what stands for itself."""

from __future__ import annotations

from keysh.check.builtin_effects import BUILTIN_EFFECTS, variables_in_word
from keysh.check.facts import CommandUse, VariableRead
from keysh.check.nodes import check_negation, check_record, check_redirections, check_regex
from keysh.check.splitting.unquoted import note_unquoted_parts
from keysh.check.static_words import assigned_kind, loop_word_kind
from keysh.check.walk_state import WalkState
from keysh.syntax import ast
from keysh.syntax.bash_differences import BASH_ONLY_VARIABLES
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from keysh.syntax.node import Node

Text, Quoted, Variable, Word = ast.Text, ast.Quoted, ast.Variable, ast.Word

MAX_BLOCK_DEPTH = (
    20  # blocks in blocks; each takes up to eleven calls of the thousand that Python allows
)

MAX_LOOP_WORDS = 20  # words of a loop's head whose texts are told apart

# Operators of `${x…}` that say what an unset variable means.
UNSET_OPERATORS = (":-", "-", ":=", "=", ":+", "+", ":?", "?")


class ScriptWalk(WalkState):
    """The pass itself: a method for each kind of node."""

    __slots__ = ()

    # ------------------------------------------------------------ lists of commands

    def script(self, body: ast.Block) -> None:
        """The whole of it."""
        self.block(body)
        while self.postponed_blocks:
            self.block(self.resume())

    def block(self, block: ast.Block) -> None:
        """Commands; one whose status the next one reads by `$?` is tested."""
        if self.depth == MAX_BLOCK_DEPTH:
            self.postpone(block)
            return
        self.depth += 1
        uses, reads_status = self.facts.command_uses, self.reads_status
        before = len(uses)
        for command in block.commands:
            here = len(uses)
            self.reads_status = False
            HANDLERS[command.__class__](self, command)
            if self.reads_status:
                for use in uses[before:here]:
                    use.is_tested = True
                reads_status = reads_status or command is block.commands[0]
            before = here
        self.reads_status = reads_status
        self.depth -= 1

    def tested_block(self, block: ast.Block) -> None:
        """Commands that are a test, or stand behind one."""
        is_guarded, self.is_guarded = self.is_guarded, True
        self.block(block)
        self.is_guarded = is_guarded

    def conditional_block(self, block: ast.Block) -> None:
        """Commands that a test may keep from running."""
        region = self.facts.enter_region(block.start)
        self.tested_block(block)
        self.facts.region = region

    def fork(self, node: Any) -> None:
        """A command or block whose variables nobody outside sees."""
        if node is None:
            return
        scope, has_left = self.scope, self.has_left
        self.scope = len(self.facts.enclosing_scopes)
        self.facts.enclosing_scopes.append(scope)
        self.facts.fork_scopes.add(self.scope)
        HANDLERS[node.__class__](self, node)
        self.scope, self.has_left = scope, has_left

    def background(self, node: ast.Background) -> None:
        self.fork(node.command)

    def chain(self, node: ast.Chain) -> None:
        is_guarded, self.is_guarded = self.is_guarded, True
        region = self.facts.region
        for command in node.commands:
            HANDLERS[command.__class__](self, command)
            self.facts.region = region
            self.facts.enter_region(command.end)
        self.is_guarded, self.facts.region = is_guarded, region

    def pipeline(self, node: ast.Pipeline) -> None:
        is_guarded = self.is_guarded
        self.is_guarded = is_guarded or node.negations > 0
        for stage in node.stages[:-1]:
            self.fork(stage)
        for stage in node.stages[-1:]:
            HANDLERS[stage.__class__](self, stage)
        self.is_guarded = is_guarded

    # ------------------------------------------------------------ compound commands

    def group(self, node: ast.Group) -> None:
        self.block(node.body)

    def subshell(self, node: ast.Subshell) -> None:
        self.fork(node.body)

    def if_(self, node: ast.If) -> None:
        self.tested_block(node.condition)
        self.conditional_block(node.body)
        for elif_ in node.elifs:
            self.conditional_block(elif_.condition)
            self.conditional_block(elif_.body)
        if node.otherwise is not None:
            self.conditional_block(node.otherwise)

    def while_(self, node: ast.While) -> None:
        region = self.facts.enter_region(node.start, repeats=True, is_certain=True)
        self.loop_depth += 1  # `while break` leaves the loop, too
        self.tested_block(node.condition)
        self.conditional_block(node.body)
        self.loop_depth -= 1
        self.facts.region = region

    def for_(self, node: ast.For) -> None:
        heads: Sequence[ast.Word | ast.Spread] = node.words or ()
        for word in heads:
            if isinstance(word, ast.Spread):
                self.list_word(word.word)
            else:
                self.element(word)
        region = self.facts.enter_region(node.start, repeats=True)
        texts = [loop_word_kind(word) for word in heads[: MAX_LOOP_WORDS + 1]]
        if not 0 < len(texts) <= MAX_LOOP_WORDS:
            texts = [("unknown", "")]
        for kind, text in texts:
            self.facts.add_assignment(node.name, kind, self.scope, node.start, text, node.words)
        self.loop(node.body)
        self.facts.region = region

    def for_arithmetic(self, node: ast.ForArithmetic) -> None:
        self.arithmetic(node.first)
        region = self.facts.enter_region(node.start, repeats=True)
        self.arithmetic(node.condition)
        self.arithmetic(node.step)
        self.loop(node.body)
        self.facts.region = region

    def loop(self, body: ast.Block) -> None:
        """The body of a loop that no command's status governs."""
        self.loop_depth += 1
        self.block(body)
        self.loop_depth -= 1

    def case(self, node: ast.Case) -> None:
        self.word(node.subject)
        for clause in node.clauses:
            for pattern in clause.patterns:
                self.word(pattern)
            if clause.body is not None:
                self.conditional_block(clause.body)

    def redirected_command(self, node: ast.Redirected) -> None:
        self.redirections(node.redirects)
        HANDLERS[node.command.__class__](self, node.command)

    def function(self, node: ast.Function) -> None:
        facts = self.facts
        facts.functions.setdefault(node.name, []).append(node)
        outer = (self.scope, self.has_left, self.loop_depth, self.reads_status)
        self.scope = len(facts.enclosing_scopes)
        facts.enclosing_scopes.append(outer[0])
        region = facts.enter_region(node.start, repeats=True)
        if node.parameters is not None:
            from keysh.check.parameters import check_parameters  # noqa: PLC0415 - few have any

            check_parameters(node, self.report)
            for parameter in node.parameters:
                facts.add_assignment(parameter.name, "unknown", self.scope, parameter.start)
                if parameter.default is not None:
                    self.value(parameter.default)
        self.function_depth, self.loop_depth = self.function_depth + 1, 0
        HANDLERS[node.body.__class__](self, node.body)
        self.function_depth -= 1
        self.scope, self.has_left, self.loop_depth, self.reads_status = outer
        facts.region = region

    def test(self, node: ast.Test) -> None:
        self.test_expression(node.expression)

    def arithmetic_command(self, node: ast.ArithmeticCommand) -> None:
        self.arithmetic(node.expression)

    # ------------------------------------------------------------ simple commands

    def simple(self, node: ast.Simple) -> None:
        arguments = node.arguments
        for assignment in node.assignments:
            self.assignment(assignment, is_for_one=bool(arguments))
        if arguments:
            outer, self.command = self.command, node
            first: Any = arguments[0]
            name = constant_text(first)
            if name is None:
                self.argument(first, "name")
            else:
                self.facts.command_uses.append(
                    CommandUse(name, node, self.is_guarded or self.has_left)
                )
                special = BUILTIN_EFFECTS.get(name)
                if special is not None:
                    special(self, name, arguments[1:])
            if len(arguments) > 1:
                self.arguments(arguments)
            self.command = outer
        if node.redirects:
            self.redirections(node.redirects)
            if arguments and len(node.redirects) > 1:
                check_redirections(node, self.report)

    def arguments(self, arguments: Sequence[ast.Argument]) -> None:
        """The words behind a command's name."""
        for i in range(1, len(arguments)):
            argument = arguments[i]
            if argument.__class__ is Word:
                kind = argument.parts[0].__class__
                if (kind is Text or kind is Quoted) and len(argument.parts) == 1:
                    continue
                self.argument(argument, "argument")
            elif isinstance(argument, ast.Named):
                if argument.value is not None:
                    self.value(argument.value)
            elif isinstance(argument, ast.Spread):
                self.list_word(argument.word)

    def argument(self, word: ast.Word, place: str) -> None:
        """A word whose place decides what a bare variable in it becomes."""
        parts = word.parts
        if len(parts) == 1 and parts[0].__class__ is Variable:
            self.note_read(parts[0].name, parts[0], place)
        else:
            self.word(word)
        if place != "list":
            note_unquoted_parts(self, word, place)

    def element(self, word: ast.Word) -> None:
        """A word of a `for` head or of `( … )`."""
        self.argument(word, "element")

    def list_word(self, word: ast.Word) -> None:
        """A word that may be a list, as behind `...`, where sh has no other meaning for it."""
        self.argument(word, "list")

    def assignment(self, node: ast.Assign, *, is_for_one: bool) -> None:
        """`x=value`; one that is for one command only leaves nothing certain behind."""
        target, value = node.target, node.value
        for subscript in target.subscripts:
            self.subscript(subscript)
        if value is not None:
            self.value(value)
        words = None if target.subscripts else [] if value is None else [value]
        if target.subscripts or is_for_one:
            if target.name != "IFS":  # one command's own; nothing is split by it
                self.facts.add_assignment(
                    target.name, "unknown", self.scope, node.start, words=words
                )
            return
        if target.name in BASH_ONLY_VARIABLES:
            start, end = target.start, target.end
            self.report.add("W311", start, end, "this variable means something to bash only",
                            f"`{target.name}`", BASH_ONLY_VARIABLES[target.name])  # fmt: skip
        kind, text = assigned_kind(value, is_append=node.append)
        self.facts.add_assignment(target.name, kind, self.scope, node.start, text, words)

    def redirections(self, redirects: Sequence[ast.Redirection]) -> None:
        for redirect in redirects:
            if isinstance(redirect, ast.Heredoc):
                self.word(redirect.body)
            else:
                self.word(redirect.target)
            if redirect.fd.__class__ is str:
                self.facts.add_assignment(str(redirect.fd), "unknown", self.scope, redirect.start)

    # ------------------------------------------------------------ words

    def word(self, word: ast.Word) -> None:
        self.parts(word.parts)

    def parts(self, parts: Sequence[ast.Part]) -> None:
        for part in parts:
            kind = part.__class__
            if kind is not Text and kind is not Quoted:
                HANDLERS[kind](self, part)

    def skip(self, node: Node) -> None:
        """A node in which nothing is read."""

    def note_read(self, name: str, node: Node, place: str = "text") -> None:
        """Note that a variable is read."""
        if name.isidentifier():
            facts = self.facts
            facts.reads.append(
                VariableRead(name, node, self.scope, facts.region, place, self.command, node)
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
        """A variable and its path, read; one with a path does not stand for its first element."""
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
        """What stands behind `=`, in a literal or as a default."""
        if isinstance(value, Word):
            self.word(value)
        elif isinstance(value, ast.List):
            for element in value.elements:
                if isinstance(element, ast.Spread):
                    self.list_word(element.word)
                else:
                    self.value(element)
        elif isinstance(value, ast.Record):
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
        """An expression of `[[ … ]]`."""
        if isinstance(node, Word):
            self.word(node)
        elif isinstance(node, ast.TestUnary):
            if node.operator in ("-v", "-z", "-n"):
                self.note_possibly_unset(node.operand)
            self.word(node.operand)
        elif isinstance(node, ast.TestBinary):
            self.word(node.left)
            self.word(node.right)
            if node.operator == "=~":
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
            check_negation(node, self.report, has_patterns=self.facts.has_extglob)
            self.test_expression(node.term)
        else:
            self.test_expression(node.expression)

    def note_possibly_unset(self, word: ast.Word) -> None:
        """A test asks whether a variable is set or empty: the script knows that it may be."""
        self.facts.possibly_unset.update(variables_in_word(word))

    # ------------------------------------------------------------ arithmetic

    def arithmetic(self, node: Any) -> None:
        """An arithmetic expression, which may be empty."""
        if node is not None:
            handler = HANDLERS.get(node.__class__)
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
        self.step(node)  # type: ignore[arg-type]  # a reference that is assigned, too


HANDLERS: Mapping[type, Callable[[ScriptWalk, Any], None]] = {
    ast.Block: ScriptWalk.block, ast.Simple: ScriptWalk.simple, ast.Background: ScriptWalk.background,
    ast.Chain: ScriptWalk.chain, ast.Pipeline: ScriptWalk.pipeline, ast.Group: ScriptWalk.group,
    ast.Subshell: ScriptWalk.subshell, ast.If: ScriptWalk.if_, ast.While: ScriptWalk.while_, ast.For: ScriptWalk.for_,
    ast.ForArithmetic: ScriptWalk.for_arithmetic, ast.Case: ScriptWalk.case, ast.Test: ScriptWalk.test,
    ast.ArithmeticCommand: ScriptWalk.arithmetic_command, ast.Redirected: ScriptWalk.redirected_command,
    ast.Function: ScriptWalk.function, ast.Word: ScriptWalk.word, ast.Text: ScriptWalk.skip,
    ast.Quoted: ScriptWalk.skip, ast.Glob: ScriptWalk.skip, ast.Tilde: ScriptWalk.skip,
    ast.BraceRange: ScriptWalk.skip, ast.NamesOf: ScriptWalk.skip, ast.Variable: ScriptWalk.variable,
    ast.DoubleQuoted: ScriptWalk.double_quoted, ast.ExtendedGlob: ScriptWalk.branches, ast.Brace: ScriptWalk.branches,
    ast.Substitution: ScriptWalk.substitution, ast.ProcessSubstitution: ScriptWalk.substitution,
    ast.ArithmeticExpansion: ScriptWalk.arithmetic_expansion, ast.Expand: ScriptWalk.expand,
    ast.Replace: ScriptWalk.replace, ast.Slice: ScriptWalk.slice, ast.Length: ScriptWalk.length,
    ast.Reference: ScriptWalk.reference, ast.Step: ScriptWalk.step, ast.Target: ScriptWalk.target,
    ast.Number: ScriptWalk.skip,
}  # fmt: skip
