"""The walk over a script: it gathers facts, and reports what is wrong with a node by itself."""

from __future__ import annotations

from keysh.check.facts import CommandUse
from keysh.check.walk_words import WordWalk
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

Text, Quoted, Word = ast.Text, ast.Quoted, ast.Word

# Nested blocks walked at once: each takes up to eleven calls of Python's thousand.
MAX_BLOCK_DEPTH = 20
MAX_LOOP_WORDS = 20  # words of a `for` head that count one by one
# The builtins that `builtin_effects` has a function for; a test holds this against its table.
BUILTINS_WITH_EFFECTS = frozenset({
    ".", "[", "alias", "break", "builtin", "command", "continue", "declare", "enable", "eval",
    "exec", "exit", "export", "getopts", "hash", "let", "local", "mapfile", "printf", "push",
    "read", "readarray", "readonly", "return", "set", "shopt", "source", "test", "trap", "type",
    "typeset", "unset", "wait", "which",
})  # fmt: skip


class ScriptWalk(WordWalk):
    """A method for each kind of command."""

    __slots__ = ()

    # ------------------------------------------------------------ lists of commands

    def script(self, body: ast.Block) -> None:
        """Walk a whole script."""
        self.block(body)
        while self.postponed_blocks:
            self.block(self.resume())

    def block(self, block: ast.Block) -> None:
        """Walk commands; one whose status the next one reads as `$?` counts as tested."""
        if self.depth == MAX_BLOCK_DEPTH:
            self.postpone(block)
            return
        self.depth += 1
        uses, reads_status = self.facts.command_uses, self.reads_status
        report = self.report
        before = len(uses)
        for command in block.commands:
            first = len(uses)
            report.nodes_left -= 1
            if report.nodes_left < 0:
                report.look()
            self.reads_status = False
            COMMAND_HANDLERS[command.__class__](self, command)
            if self.reads_status:
                for use in uses[before:first]:
                    use.is_tested = True
                reads_status = reads_status or command is block.commands[0]
            before = first
        self.reads_status = reads_status
        self.depth -= 1

    def tested_block(self, block: ast.Block) -> None:
        """Walk commands that are a test or follow one."""
        is_guarded, self.is_guarded = self.is_guarded, True
        self.block(block)
        self.is_guarded = is_guarded

    def conditional_block(self, block: ast.Block) -> None:
        """Walk commands that a test may skip."""
        region = self.facts.enter_region(block.start)
        self.tested_block(block)
        self.facts.region = region

    def fork(self, node: Any) -> None:
        """Walk a command or block whose variables end with it."""
        if node is None:
            return
        scope, has_left = self.scope, self.has_left
        self.scope = len(self.facts.enclosing_scopes)
        self.facts.enclosing_scopes.append(scope)
        self.facts.fork_scopes.add(self.scope)
        COMMAND_HANDLERS[node.__class__](self, node)
        self.scope, self.has_left = scope, has_left

    def background(self, node: ast.Background) -> None:
        self.fork(node.command)

    def coproc(self, node: ast.Coproc) -> None:
        self.facts.add_assignment(node.name, "list", self.scope, node.start)
        self.facts.add_assignment(f"{node.name}_PID", "unknown", self.scope, node.start)
        self.fork(node.command)

    def chain(self, node: ast.Chain) -> None:
        is_guarded, self.is_guarded = self.is_guarded, True
        region = self.facts.region
        for command in node.commands:
            COMMAND_HANDLERS[command.__class__](self, command)
            self.facts.region = region
            self.facts.enter_region(command.end)
        self.is_guarded, self.facts.region = is_guarded, region

    def pipeline(self, node: ast.Pipeline) -> None:
        is_guarded = self.is_guarded
        self.is_guarded = is_guarded or node.negations > 0
        for stage in node.stages[:-1]:
            self.fork(stage)
        for stage in node.stages[-1:]:
            COMMAND_HANDLERS[stage.__class__](self, stage)
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
        from keysh.check.static_words import loop_word_kind  # noqa: PLC0415 - not all scripts loop

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
        """Walk the body of a `for` loop."""
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
        COMMAND_HANDLERS[node.command.__class__](self, node.command)

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
        COMMAND_HANDLERS[node.body.__class__](self, node.body)
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
                if name in BUILTINS_WITH_EFFECTS:
                    from keysh.check.builtin_effects import BUILTIN_EFFECTS  # noqa: PLC0415 - `echo` has none

                    BUILTIN_EFFECTS[name](self, name, arguments[1:])
            if len(arguments) > 1:
                self.arguments(arguments)
            self.command = outer
        if node.redirects:
            self.redirections(node.redirects)
            if arguments and len(node.redirects) > 1:
                from keysh.check.nodes import check_redirections  # noqa: PLC0415 - few commands have two

                check_redirections(node, self.report)

    def arguments(self, arguments: Sequence[ast.Argument]) -> None:
        """Walk the words after a command's name."""
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

    def assignment(self, node: ast.Assign, *, is_for_one: bool) -> None:
        """Walk `x=value`; after an assignment for one command, the value is unknown."""
        target, value = node.target, node.value
        for subscript in target.subscripts:
            self.subscript(subscript)
        if value is not None:
            self.value(value)
        words = None if target.subscripts else [] if value is None else [value]
        if target.subscripts or is_for_one:
            if target.name != "IFS":  # a command's own IFS splits nothing here
                self.facts.add_assignment(
                    target.name, "unknown", self.scope, node.start, words=words
                )
            return
        from keysh.check.static_words import assigned_kind  # noqa: PLC0415 - not all scripts assign

        if target.name.isupper():
            from keysh.check.nodes import check_bash_variable  # noqa: PLC0415 - only for upper-case names

            check_bash_variable(target, self.report)
        kind, text = assigned_kind(value, is_append=node.append)
        self.facts.add_assignment(target.name, kind, self.scope, node.start, text, words)

    def redirections(self, redirects: Sequence[ast.Redirection]) -> None:
        for redirect in redirects:
            if isinstance(redirect, ast.Heredoc):
                self.word(redirect.body)
                if redirect.is_unclosed:
                    from keysh.check.nodes import report_unclosed_heredoc  # noqa: PLC0415 - rare

                    report_unclosed_heredoc(redirect, self.report)
            else:
                self.word(redirect.target)
            if isinstance(redirect.fd, str):  # perhaps with a subscript
                name = redirect.fd.partition("[")[0]
                self.facts.add_assignment(name, "unknown", self.scope, redirect.start)


COMMAND_HANDLERS: Mapping[type, Callable[[ScriptWalk, Any], None]] = {
    ast.Block: ScriptWalk.block, ast.Simple: ScriptWalk.simple,
    ast.Background: ScriptWalk.background, ast.Coproc: ScriptWalk.coproc,
    ast.Chain: ScriptWalk.chain,
    ast.Pipeline: ScriptWalk.pipeline, ast.Group: ScriptWalk.group,
    ast.Subshell: ScriptWalk.subshell, ast.If: ScriptWalk.if_, ast.While: ScriptWalk.while_,
    ast.Select: ScriptWalk.for_,
    ast.For: ScriptWalk.for_, ast.ForArithmetic: ScriptWalk.for_arithmetic,
    ast.Case: ScriptWalk.case, ast.Test: ScriptWalk.test,
    ast.ArithmeticCommand: ScriptWalk.arithmetic_command,
    ast.Redirected: ScriptWalk.redirected_command, ast.Function: ScriptWalk.function,
}  # fmt: skip
