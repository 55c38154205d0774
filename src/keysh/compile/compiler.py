"""The compiler: compiles each text once, and connects the modules of this folder by node type."""

from __future__ import annotations

from keysh.compile.commands.blocks import block, chain, group, script_block
from keysh.compile.commands.simple_command import simple_command
from keysh.compile.context import CompileContext, compile_for
from keysh.compile.lazy_compiler import LazyCompiler
from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax import ast
from keysh.syntax.parser import (
    GarbagePause,
    parse,
    parse_arithmetic,
    parse_path,
)
from keysh.text.cache import CacheMemory, TextCache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.syntax.lexer.cursor import Tick
    from keysh.syntax.node import Node

BYTES_PER_CHARACTER = 300  # of a text: the tree that its closures refer to, and the closures
lines_of_text: LazyCompiler[[ast.Script, CompileContext], Body] = LazyCompiler(
    "commands.script_lines.lines_of_text"
)
TABLES: dict[str, Any] = {
    "commands": {
        ast.Simple: simple_command,
        ast.Background: LazyCompiler("commands.subshells.background_command"),
        ast.Coproc: LazyCompiler("commands.subshells.coproc_command"),
        ast.Chain: chain,
        ast.Pipeline: LazyCompiler("commands.pipelines.pipeline_command"),
        ast.Group: group,
        ast.Subshell: LazyCompiler("commands.subshells.subshell_command"),
        ast.If: LazyCompiler("commands.compound.if_command"),
        ast.While: LazyCompiler("commands.compound.while_command"),
        ast.For: LazyCompiler("commands.compound.for_command"),
        ast.Select: LazyCompiler("commands.select.select_command"),
        ast.ForArithmetic: LazyCompiler("commands.compound.for_arithmetic"),
        ast.Case: LazyCompiler("commands.compound.case_command"),
        ast.Test: LazyCompiler("commands.compound.test_command"),
        ast.ArithmeticCommand: LazyCompiler("commands.compound.arithmetic_command"),
        ast.Redirected: LazyCompiler("commands.redirections.redirected_command"),
        ast.Function: LazyCompiler("commands.functions.function_definition"),
    },
    "parts": {
        ast.Variable: LazyCompiler("words.variables.variable_value"),
        ast.Substitution: LazyCompiler("commands.substitutions.substitution_text"),
        ast.ProcessSubstitution: LazyCompiler("commands.substitutions.process_substitution"),
        ast.ArithmeticExpansion: LazyCompiler("commands.substitutions.arithmetic_expansion"),
        ast.Tilde: LazyCompiler("commands.substitutions.tilde_expansion"),
        ast.Expand: LazyCompiler("parameters.expansions.expand"),
        ast.Replace: LazyCompiler("parameters.replace.replace"),
        ast.Slice: LazyCompiler("parameters.slice.slice_of"),
        ast.Length: LazyCompiler("parameters.expansions.length"),
        ast.NamesOf: LazyCompiler("parameters.expansions.names_of"),
    },
    "full_command": LazyCompiler("commands.full_command.full_command"),
    "block": block,
    "text": LazyCompiler("words.words.text"),
    "part_text": LazyCompiler("words.words.part_text"),
    "variable_text": LazyCompiler("words.variables.variable_text"),
    "captured": LazyCompiler("commands.substitutions.captured_value"),
    "value": LazyCompiler("words.values.value"),
    "words": LazyCompiler("words.words.words"),
    "argument_adder": LazyCompiler("words.words.argument_adder"),
    "pattern": LazyCompiler("words.patterns.pattern"),
    "arithmetic": LazyCompiler("arithmetic.expressions.arithmetic"),
    "keys": LazyCompiler("parameters.subscript_keys.subscript_keys"),
    "test": LazyCompiler("commands.conditions.condition"),
    "traced_test": LazyCompiler("commands.traced_test.traced_test"),
}


class Compiler:
    """Compiles texts of a dialect and keeps the results. Shells that use one share nothing else.

    Each method takes the state whose run it is for: reading a text counts for the run's limits.
    """

    __slots__ = (
        "_aliases", "_expressions", "_expanded_texts", "_paths", "_scripts", "_specials",
        "dialect",
    )  # fmt: skip

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._specials: Mapping[str, Expression] | None = None
        memory = CacheMemory()
        self._scripts = TextCache(BYTES_PER_CHARACTER, memory)
        self._expressions = TextCache(BYTES_PER_CHARACTER, memory)
        self._paths = TextCache(BYTES_PER_CHARACTER, memory)
        self._aliases = TextCache(BYTES_PER_CHARACTER, memory)
        self._expanded_texts = TextCache(BYTES_PER_CHARACTER, memory)

    def script(
        self,
        script_text: str,
        name: str,
        state: State | None = None,
        parsed: ast.Script | None = None,
    ) -> Body:
        """Compile a script. The caller may pass it parsed."""

        def make() -> Body:
            if state is not None and parsed is None:
                state.tick()  # a short text is read without any: `eval eval eval … echo`
            with GarbagePause(script_text):
                source = Source(script_text, name, self.dialect)
                return self.compile_script(parsed or parse(source, tick_of(state)), state)

        return self._scripts.get_or_make(f"{name}\0{script_text}", make)

    def compile_script(self, script: ast.Script, state: State | None = None) -> Body:
        """Compile a parsed script."""

        def make(context: CompileContext) -> Body:
            if self.dialect is BASH:
                return lines_of_text(script, context)
            return script_block(script.body, context)

        body: Body = compile_for(state, script.source, TABLES, make)
        return body

    def arithmetic(self, expression: str, state: State | None = None) -> Expression:
        """Compile an arithmetic expression."""

        def make() -> Expression:
            source = Source(expression, "arithmetic", self.dialect)
            node = parse_arithmetic(source, tick_of(state))
            if node is not None and runs_command(node):
                # Bash would run the commands that a variable or the input holds.
                raise ScriptError([command_in_data(source, expression, "expression")])
            compiled: Expression = compile_for(
                state, source, TABLES, lambda context: context.arithmetic(node)
            )
            return compiled

        return self._expressions.get_or_make(expression, make)

    def path(self, path: str, state: State | None = None) -> Expression:
        """Compile a path such as `x[0].name`: f(state) -> (name, keys). It runs no command."""

        def make() -> Expression:
            source = Source(path, "path", self.dialect)
            reference = parse_path(source, tick_of(state))
            if runs_command(reference):
                raise ValueError(path)
            subscripts = reference.subscripts
            keys = compile_for(state, source, TABLES, lambda context: context.keys(subscripts))
            name = reference.name
            return lambda state: (name, keys(state))

        return self._paths.get_or_make(path, make)

    def expanded_text(
        self, text: str, state: State | None = None, *, is_data: bool = False
    ) -> Expression:
        """Compile a text that is expanded like a heredoc's body, such as `$PS4`.

        A text that is data may not run a command.
        """

        def make() -> Expression:
            from keysh.interp.engine.traps import TRAP_SOURCE_NAME  # noqa: PLC0415 - only for traces

            delimiter = "END"
            while delimiter in text:
                delimiter += "D"
            # A last `\` would join the delimiter's line with the text's.
            has_last_backslash = (len(text) - len(text.rstrip("\\"))) % 2
            body = text + "\\" * has_last_backslash
            # Under this name `$LINENO` is the line of the traced command.
            source = Source(f"<<{delimiter}\n{body}\n{delimiter}\n", TRAP_SOURCE_NAME, self.dialect)
            script = parse(source, tick_of(state))
            bodies = [node.body for node in script.walk() if isinstance(node, ast.Heredoc)]
            if is_data and runs_command(bodies[0]):
                raise ScriptError([command_in_data(source, text, "prompt")])
            read = compile_for(state, source, TABLES, lambda context: context.text(bodies[0]))
            return lambda state: read(state).removesuffix("\n")

        return self._expanded_texts.get_or_make(f"\0{text}" if is_data else text, make)

    def special(self, name: str) -> Expression | None:
        """Return the reader of a variable that is computed; None for any other."""
        specials = self._specials
        if specials is None:
            from keysh.interp.variables.specials import SPECIAL_VARIABLES  # noqa: PLC0415 - few scripts ask

            specials = self._specials = SPECIAL_VARIABLES
        if name.isdecimal() and name not in specials:
            from keysh.interp.variables.specials import positional_reader  # noqa: PLC0415 - few names
            from keysh.text.shell_numbers import bounded_number, is_digits  # noqa: PLC0415 - few names

            return positional_reader(bounded_number(name)) if is_digits(name) else None
        return specials.get(name)

    def alias(self, alias_text: str, state: State | None = None) -> Any:
        """Compile the text of an alias."""

        def make() -> Any:
            from keysh.compile.commands.aliases import compile_alias  # noqa: PLC0415 - few scripts have any

            source = Source(alias_text, "alias", self.dialect)
            script = parse(source, tick_of(state))
            return compile_for(
                state, source, TABLES, lambda context: compile_alias(script, context)
            )

        return self._aliases.get_or_make(alias_text, make)


def tick_of(state: State | None) -> Tick | None:
    """Return what ends the reading of a text for a run."""
    return None if state is None else state.tick


def runs_command(node: Node) -> bool:
    """Whether a node contains a `$(…)`."""
    return any(isinstance(inner, ast.Substitution) for inner in node.walk())


def command_in_data(source: Source, text: str, kind: str) -> Diagnostic:
    """E208 for a text that arrives as data and holds a command."""
    from keysh.diagnostics.diagnostic import Diagnostic  # noqa: PLC0415 - only for an error

    fact = f"text is never run, and this {kind} holds a command"
    fix = "run the command first, and use what it prints"
    return Diagnostic("E208", source, 0, len(source.text), fact, text, fix)


class CompilerTable(dict["Dialect", Compiler]):
    """The compilers by dialect, made when the first text of each is compiled."""

    __slots__ = ()

    def __missing__(self, dialect: Dialect) -> Compiler:
        made = self[dialect] = Compiler(dialect)
        return made
