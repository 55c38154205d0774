"""The compiler: texts become closures, each once; the modules of this folder are joined here."""

from __future__ import annotations

from keysh.compile.cache import Kept
from keysh.compile.commands.blocks import block, chain, group
from keysh.compile.commands.simple import simple
from keysh.compile.context import Context
from keysh.compile.late import Late
from keysh.compile.words.words import part_text, text, words
from keysh.diagnostics.source import Source
from keysh.interp.engine.traps import SOURCE as TRAP
from keysh.interp.variables.specials import SPECIALS, positional
from keysh.syntax import ast
from keysh.syntax.parser import parse, parse_arithmetic, parse_path, parse_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.run.closures import Body, Expression

TABLES: dict[str, Any] = {
    "commands": {
        ast.Simple: simple,
        ast.Background: Late("commands.subshells.background"),
        ast.Chain: chain,
        ast.Pipeline: Late("commands.pipelines.pipeline"),
        ast.Group: group,
        ast.Subshell: Late("commands.subshells.subshelled"),
        ast.If: Late("commands.control.if_command"),
        ast.While: Late("commands.control.while_command"),
        ast.For: Late("commands.control.for_command"),
        ast.ForArithmetic: Late("commands.control.for_arithmetic"),
        ast.Case: Late("commands.control.case_command"),
        ast.Test: Late("commands.control.test_command"),
        ast.ArithmeticCommand: Late("commands.control.arithmetic_command"),
        ast.Redirected: Late("commands.redirections.redirected_command"),
        ast.Function: Late("commands.functions.function"),
    },
    "parts": {
        ast.Variable: Late("words.variables.variable_value"),
        ast.Substitution: Late("commands.substitutions.substitution"),
        ast.ProcessSubstitution: Late("commands.substitutions.process_substitution"),
        ast.ArithmeticExpansion: Late("commands.substitutions.arithmetic_expansion"),
        ast.Tilde: Late("commands.substitutions.tilde"),
        ast.Expand: Late("parameters.expansions.expand"),
        ast.Replace: Late("parameters.replace.replace"),
        ast.Slice: Late("parameters.slice.slice_of"),
        ast.Length: Late("parameters.expansions.length"),
        ast.NamesOf: Late("parameters.expansions.names_of"),
    },
    "long_way": Late("commands.full.general"),
    "block": block,
    "text": text,
    "part_text": part_text,
    "variable_text": Late("words.variables.variable_text"),
    "captured": Late("commands.substitutions.captured_value"),
    "value": Late("words.values.value"),
    "words": words,
    "pattern": Late("words.patterns.pattern"),
    "arithmetic": Late("arithmetic.expressions.arithmetic"),
    "keys": Late("parameters.keys.keys"),
    "test": Late("commands.conditions.test"),
    "specials": SPECIALS,
}


class Compiler:
    """What makes texts run. It keeps what it has made; shells share nothing else through it."""

    __slots__ = ("_aliases", "_expressions", "_inscriptions", "_paths", "_scripts", "_values")

    def __init__(self) -> None:
        # What is long costs the garbage collector of the host more than it saves a second shell.
        self._scripts = Kept(1 << 16)
        self._expressions, self._paths = Kept(), Kept()
        self._values, self._aliases, self._inscriptions = Kept(), Kept(), Kept()

    def script(self, script_text: str, name: str, parsed: ast.Script | None = None) -> Body:
        """A text as a script, which the caller may have parsed."""

        def make() -> Body:
            return self.compiled(parsed or parse(Source(script_text, name)))

        return self._scripts.made(f"{name}\0{script_text}", make)

    def compiled(self, script: ast.Script) -> Body:
        """A parsed script."""
        return Context(script.source, TABLES).block(script.body)

    def arithmetic(self, expression: str) -> Expression:
        """A text as an expression."""

        def make() -> Expression:
            source = Source(expression, "arithmetic")
            return Context(source, TABLES).arithmetic(parse_arithmetic(source))

        return self._expressions.made(expression, make)

    def path(self, path: str) -> Expression:
        """A text as a path: what gives the variable's name and the keys. It runs nothing."""

        def make() -> Expression:
            source = Source(path, "path")
            reference = parse_path(source)
            if any(isinstance(node, ast.Substitution) for node in reference.walk()):
                raise ValueError(path)
            found = Context(source, TABLES).keys(reference.subscripts)
            name = reference.name
            return lambda state: (name, found(state))

        return self._paths.made(path, make)

    def value(self, value_text: str) -> Expression:
        """A text as a value, as it may stand behind `=`."""

        def make() -> Expression:
            source = Source(value_text, "value")
            return Context(source, TABLES).value(parse_value(source))

        return self._values.made(value_text, make)

    def inscription(self, text: str) -> Expression:
        """A text whose expansions are made as in a heredoc, `$PS4` say."""

        def make() -> Expression:
            end = "END"
            while end in text:
                end += "D"
            source = Source(f"<<{end}\n{text}\n{end}\n", TRAP)  # which may ask for a line, too
            bodies = [node.body for node in parse(source).walk() if isinstance(node, ast.Heredoc)]
            read = Context(source, TABLES).text(bodies[0])
            return lambda state: read(state).removesuffix("\n")

        return self._inscriptions.made(text, make)

    def special(self, name: str) -> Expression | None:
        """What computes a variable, if it is computed."""
        if name.isdecimal() and name not in SPECIALS:
            from keysh.text.shell_numbers import is_digits, known_number  # noqa: PLC0415 - few names

            return positional(known_number(name)) if is_digits(name) else None
        return SPECIALS.get(name)

    def alias(self, alias_text: str) -> Any:
        """A text as an alias."""

        def make() -> Any:
            from keysh.compile.commands.aliases import alias  # noqa: PLC0415 - few scripts have any

            source = Source(alias_text, "alias")
            return alias(parse(source), Context(source, TABLES))

        return self._aliases.made(alias_text, make)
