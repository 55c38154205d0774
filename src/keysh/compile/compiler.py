"""The compiler: texts become closures, each once; the modules of this folder are joined here."""

from __future__ import annotations

from keysh.compile.cache import TextCache
from keysh.compile.commands.blocks import block, chain, group
from keysh.compile.commands.simple import simple_command
from keysh.compile.context import CompileContext
from keysh.compile.late import LazyCompiler
from keysh.compile.words.words import argument_adder, part_text, text, words
from keysh.diagnostics.source import Source
from keysh.interp.engine.traps import TRAP_SOURCE_NAME as TRAP
from keysh.interp.variables.specials import SPECIAL_VARIABLES, positional_reader
from keysh.syntax import ast
from keysh.syntax.parser import parse, parse_arithmetic, parse_path, parse_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.run.closures import Body, Expression

TABLES: dict[str, Any] = {
    "commands": {
        ast.Simple: simple_command,
        ast.Background: LazyCompiler("commands.subshells.background_command"),
        ast.Chain: chain,
        ast.Pipeline: LazyCompiler("commands.pipelines.pipeline_command"),
        ast.Group: group,
        ast.Subshell: LazyCompiler("commands.subshells.subshell_command"),
        ast.If: LazyCompiler("commands.control.if_command"),
        ast.While: LazyCompiler("commands.control.while_command"),
        ast.For: LazyCompiler("commands.control.for_command"),
        ast.ForArithmetic: LazyCompiler("commands.control.for_arithmetic"),
        ast.Case: LazyCompiler("commands.control.case_command"),
        ast.Test: LazyCompiler("commands.control.test_command"),
        ast.ArithmeticCommand: LazyCompiler("commands.control.arithmetic_command"),
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
    "long_way": LazyCompiler("commands.full.full_command"),
    "block": block,
    "text": text,
    "part_text": part_text,
    "variable_text": LazyCompiler("words.variables.variable_text"),
    "captured": LazyCompiler("commands.substitutions.captured_value"),
    "value": LazyCompiler("words.values.value"),
    "words": words,
    "argument_adder": argument_adder,
    "pattern": LazyCompiler("words.patterns.pattern"),
    "arithmetic": LazyCompiler("arithmetic.expressions.arithmetic"),
    "keys": LazyCompiler("parameters.keys.subscript_keys"),
    "test": LazyCompiler("commands.conditions.condition"),
    "specials": SPECIAL_VARIABLES,
}


class Compiler:
    """What makes texts run. It keeps what it has made; shells share nothing else through it."""

    __slots__ = ("_aliases", "_expressions", "_expanded_texts", "_paths", "_scripts", "_values")

    def __init__(self) -> None:
        # What is long costs the garbage collector of the host more than it saves a second shell.
        self._scripts = TextCache(1 << 16)
        self._expressions, self._paths = TextCache(), TextCache()
        self._values, self._aliases, self._expanded_texts = TextCache(), TextCache(), TextCache()

    def script(self, script_text: str, name: str, parsed: ast.Script | None = None) -> Body:
        """A text as a script, which the caller may have parsed."""

        def make() -> Body:
            return self.compile_script(parsed or parse(Source(script_text, name)))

        return self._scripts.get_or_make(f"{name}\0{script_text}", make)

    def compile_script(self, script: ast.Script) -> Body:
        """A parsed script."""
        return CompileContext(script.source, TABLES).block(script.body)

    def arithmetic(self, expression: str) -> Expression:
        """A text as an expression."""

        def make() -> Expression:
            source = Source(expression, "arithmetic")
            return CompileContext(source, TABLES).arithmetic(parse_arithmetic(source))

        return self._expressions.get_or_make(expression, make)

    def path(self, path: str) -> Expression:
        """A text as a path: what gives the variable's name and the keys. It runs nothing."""

        def make() -> Expression:
            source = Source(path, "path")
            reference = parse_path(source)
            if any(isinstance(node, ast.Substitution) for node in reference.walk()):
                raise ValueError(path)
            found = CompileContext(source, TABLES).keys(reference.subscripts)
            name = reference.name
            return lambda state: (name, found(state))

        return self._paths.get_or_make(path, make)

    def value(self, value_text: str) -> Expression:
        """A text as a value, as it may stand behind `=`."""

        def make() -> Expression:
            source = Source(value_text, "value")
            return CompileContext(source, TABLES).value(parse_value(source))

        return self._values.get_or_make(value_text, make)

    def expanded_text(self, text: str) -> Expression:
        """A text whose expansions are made as in a heredoc, `$PS4` say."""

        def make() -> Expression:
            end = "END"
            while end in text:
                end += "D"
            source = Source(f"<<{end}\n{text}\n{end}\n", TRAP)  # which may ask for a line, too
            bodies = [node.body for node in parse(source).walk() if isinstance(node, ast.Heredoc)]
            read = CompileContext(source, TABLES).text(bodies[0])
            return lambda state: read(state).removesuffix("\n")

        return self._expanded_texts.get_or_make(text, make)

    def special(self, name: str) -> Expression | None:
        """What computes a variable, if it is computed."""
        if name.isdecimal() and name not in SPECIAL_VARIABLES:
            from keysh.text.shell_numbers import bounded_number, is_digits  # noqa: PLC0415 - few names

            return positional_reader(bounded_number(name)) if is_digits(name) else None
        return SPECIAL_VARIABLES.get(name)

    def alias(self, alias_text: str) -> Any:
        """A text as an alias."""

        def make() -> Any:
            from keysh.compile.commands.aliases import compile_alias  # noqa: PLC0415 - few scripts have any

            source = Source(alias_text, "alias")
            return compile_alias(parse(source), CompileContext(source, TABLES))

        return self._aliases.get_or_make(alias_text, make)
