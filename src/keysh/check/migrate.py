"""Migrating: the places of an sh script that keysh reads differently, each with what to write.

What keysh refuses the checker says; here is what it takes, and means otherwise than sh: words that
sh splits, globs that match nothing, pipelines whose last stage is this shell, and names that bind.
"""

from __future__ import annotations

from keysh.check.checker import check
from keysh.check.report import Report
from keysh.check.walk import Walk
from keysh.check.whole import Wholes
from keysh.check.words import is_many
from keysh.diagnostics import Diagnostic
from keysh.syntax import ast
from keysh.syntax.literals import constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.check.registry import Registry
    from keysh.syntax.ast import Script
    from keysh.syntax.node import Node

BODIES = (ast.While, ast.For, ast.ForArithmetic, ast.Group, ast.If, ast.Case)
EXPANSIONS = (ast.Variable, ast.Expand, ast.Replace, ast.Slice)
CHANGING = (ast.Assign, ast.For, ast.Step, ast.Assignments)
NUMBERED = ("exit", "return", "shift", "break", "continue")
COMPARISONS = ("-eq", "-ne", "-lt", "-le", "-gt", "-ge")
SETTERS = ("read", "mapfile", "readarray", "cd", "exit", "export", "declare", "let", "printf")


def differences(script: Script, registry: Registry) -> list[Diagnostic]:
    """Every place that keysh reads differently, in the order of the source."""
    found = Migration(script, registry)
    told = check(script, registry)
    return sorted([*told, *found.places()], key=lambda one: (one.start, one.code))


class Migration:
    """One script, looked at as sh would."""

    __slots__ = ("_registry", "_script", "_wholes")

    def __init__(self, script: Script, registry: Registry) -> None:
        self._script, self._registry = script, registry
        walk = Walk(Report(script, {}))  # for the facts; what is wrong `check` says
        if script.body is not None:
            walk.script(script.body)
        self._wholes = Wholes(walk.facts, script)

    def places(self) -> Iterator[Diagnostic]:
        """The differences, by kind of node."""
        for node in self._script.walk():
            if isinstance(node, ast.Simple):
                yield from self._command(node)
            elif isinstance(node, ast.For):
                for word in node.words or ():
                    yield from self._word(word)
            elif isinstance(node, ast.Pipeline):
                yield from self._pipeline(node)

    def _command(self, node: ast.Simple) -> Iterator[Diagnostic]:
        name = first(node) if is_named(node) else None
        for at, argument in enumerate(node.arguments):
            if isinstance(argument, ast.Word):
                if not is_number(node.arguments, at, name):
                    yield from self._word(argument)
                if any(is_star(part) for part in argument.parts):
                    yield self._told(
                        "W305", argument, "a glob that matches nothing is an error here",
                        "set +o failglob to pass its text, set -o nullglob for none",
                    )  # fmt: skip
            elif isinstance(argument, ast.Named):
                yield from self._named(node, argument)

    def _named(self, node: ast.Simple, argument: ast.Named) -> Iterator[Diagnostic]:
        name = constant(node.arguments[0]) if isinstance(node.arguments[0], ast.Word) else None
        if name is None or name not in self._registry.names():
            return
        command = self._registry.command_named(name)
        if command is not None and argument.key in command.by_key:
            text = self._source(argument)
            fact = f"this binds to a parameter of {name} here"
            yield self._told("W307", argument, fact, f"'{text}' for a text")

    def _word(self, word: ast.Word) -> Iterator[Diagnostic]:
        for part in word.parts:
            if self._wholes.holds(part):
                continue
            if isinstance(part, ast.Substitution):
                yield self._told(
                    "W304", part, "sh splits this at blanks; here each line is one word",
                    f'"{self._source(part)}" for one word, $(words "{self._source(part)}") for all',
                )  # fmt: skip
            elif isinstance(part, EXPANSIONS) and not is_many(part):
                text = self._source(part)
                yield self._told(
                    "W304", part, "sh splits this at blanks; here it is one word",
                    f'"{text}" for one word, $(words {text}) for its words',
                )  # fmt: skip

    def _pipeline(self, node: ast.Pipeline) -> Iterator[Diagnostic]:
        if len(node.stages) < 2:
            return
        last = node.stages[-1]
        name = first(last) if is_named(last) else None
        changes = isinstance(last, BODIES) and any(
            isinstance(inner, CHANGING) or (is_named(inner) and first(inner) in SETTERS)
            for inner in last.walk()
        )
        if changes or name in SETTERS:
            yield self._told(
                "W306", last, "the last stage of a pipeline changes this shell here",
                "( … ) around it, so that what it sets ends with it",
            )  # fmt: skip

    def _source(self, node: Node) -> str:
        return self._script.source.text[node.start : node.end]

    def _told(self, code: str, node: Node, fact: str, fix: str) -> Diagnostic:
        return Diagnostic(
            code, self._script.source, node.start, node.end, fact, "", fix, severity="warning"
        )


def is_number(arguments: Sequence[ast.Argument], at: int, name: str | None) -> bool:
    """Whether an argument must be a number, so that more than one word is an error in any shell."""
    if name in NUMBERED:
        return at == 1
    if name not in ("test", "["):
        return False
    beside = (arguments[at - 1], *arguments[at + 1 : at + 2])
    return any(isinstance(one, ast.Word) and constant(one) in COMPARISONS for one in beside)


def is_star(part: Node) -> bool:
    """Whether a part stands for any text, or any character."""
    return isinstance(part, ast.Glob) and part.value in ("*", "**", "?")


def is_named(node: Node) -> bool:
    """Whether a node is a command that begins with a word."""
    return (
        isinstance(node, ast.Simple)
        and bool(node.arguments)
        and isinstance(node.arguments[0], ast.Word)
    )


def first(node: Node) -> str | None:
    """The name of a command."""
    assert isinstance(node, ast.Simple)
    word = node.arguments[0]
    return constant(word) if isinstance(word, ast.Word) else None
