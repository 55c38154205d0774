"""The compiler: texts become closures, each once; the modules of this folder are joined here."""

from __future__ import annotations

from keysh.compile.blocks import (
    background,
    block,
    chain,
    group,
    pipeline,
    redirected_command,
    subshelled,
)
from keysh.compile.context import Context
from keysh.compile.late import Late
from keysh.compile.patterns import pattern
from keysh.compile.simple import general, simple
from keysh.compile.values import value
from keysh.compile.variables import variable_text, variable_value
from keysh.compile.words import part_text, text, words
from keysh.runtime.specials import SPECIALS, positional
from keysh.source import Source
from keysh.syntax import ast
from keysh.syntax.parser import parse, parse_arithmetic, parse_path, parse_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from keysh.runtime.session import Body, Expression

    T = TypeVar("T")

TABLES: dict[str, Any] = {
    "commands": {
        ast.Simple: simple,
        ast.Background: background,
        ast.Chain: chain,
        ast.Pipeline: pipeline,
        ast.Group: group,
        ast.Subshell: subshelled,
        ast.If: Late("control.if_command"),
        ast.While: Late("control.while_command"),
        ast.For: Late("control.for_command"),
        ast.ForArithmetic: Late("control.for_arithmetic"),
        ast.Case: Late("control.case_command"),
        ast.Test: Late("control.test_command"),
        ast.ArithmeticCommand: Late("control.arithmetic_command"),
        ast.Redirected: redirected_command,
        ast.Function: Late("functions.function"),
    },
    "parts": {
        ast.Variable: variable_value,
        ast.Substitution: Late("substitutions.substitution"),
        ast.ProcessSubstitution: Late("substitutions.process_substitution"),
        ast.ArithmeticExpansion: Late("substitutions.arithmetic_expansion"),
        ast.Tilde: Late("substitutions.tilde"),
        ast.Expand: Late("expansions.expand"),
        ast.Replace: Late("replacing.replace"),
        ast.Slice: Late("slicing.slice_of"),
        ast.Length: Late("expansions.length"),
        ast.NamesOf: Late("expansions.names_of"),
    },
    "long_way": general,
    "block": block,
    "text": text,
    "part_text": part_text,
    "variable_text": variable_text,
    "captured": Late("substitutions.captured_value"),
    "value": value,
    "words": words,
    "pattern": pattern,
    "arithmetic": Late("arithmetic.arithmetic"),
    "keys": Late("keys.keys"),
    "test": Late("tests.test"),
    "specials": SPECIALS,
}

MOST_KEPT = 512  # compiled texts of each kind
LONGEST_KEPT = 1 << 20  # characters


class Compiler:
    """What makes texts run. It keeps what it has made; shells share nothing else through it."""

    __slots__ = ("_aliases", "_expressions", "_paths", "_scripts", "_values")

    def __init__(self) -> None:
        self._scripts: dict[tuple[str, str], Any] = {}
        self._expressions: dict[str, Expression] = {}
        self._paths: dict[str, Expression] = {}
        self._values: dict[str, Expression] = {}
        self._aliases: dict[str, Any] = {}

    def script(self, script_text: str, name: str) -> Body:
        """A text as a script."""
        return kept(self._scripts, (script_text, name), lambda: self._script(script_text, name))

    def compiled(self, script: ast.Script) -> Body:
        """A parsed script."""
        return Context(script.source, TABLES).block(script.body)

    def _script(self, script_text: str, name: str) -> Body:
        return self.compiled(parse(Source(script_text, name)))

    def arithmetic(self, expression: str) -> Expression:
        """A text as an expression."""

        def make() -> Expression:
            source = Source(expression, "arithmetic")
            return Context(source, TABLES).arithmetic(parse_arithmetic(source))

        return kept(self._expressions, expression, make)

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

        return kept(self._paths, path, make)

    def value(self, value_text: str) -> Expression:
        """A text as a value, as it may stand behind `=`."""

        def make() -> Expression:
            source = Source(value_text, "value")
            return Context(source, TABLES).value(parse_value(source))

        return kept(self._values, value_text, make)

    def special(self, name: str) -> Expression | None:
        """What computes a variable, if it is computed."""
        return SPECIALS.get(name) or (positional(int(name)) if name.isdecimal() else None)

    def alias(self, alias_text: str) -> Any:
        """A text as an alias."""

        def make() -> Any:
            from keysh.compile.aliases import alias  # noqa: PLC0415 - few scripts have any

            source = Source(alias_text, "alias")
            return alias(parse(source), Context(source, TABLES))

        return kept(self._aliases, alias_text, make)


def kept(cache: dict[Any, Any], key: Any, make: Callable[[], T]) -> T:
    """What has been made of a key, the oldest being forgotten first."""
    found = cache.get(key)
    if found is None:
        found = make()
        if len(key if key.__class__ is str else key[0]) <= LONGEST_KEPT:
            if len(cache) >= MOST_KEPT:
                cache.pop(next(iter(cache)), None)
            cache[key] = found
    return found
