"""Migration: the places of an sh script that keysh reads differently, each with a fix.

The checker reports what keysh refuses. This reports what it accepts with another meaning than sh:
words that sh splits, globs, last stages of pipelines, arrays assigned like strings, and arguments
that bind by name.
"""

from __future__ import annotations

from itertools import pairwise

from keysh.check.builtin_effects import KEYSH_ONLY_COMMANDS
from keysh.check.checker import check
from keysh.check.last_stage import LastStageRule
from keysh.check.report import CheckReport
from keysh.check.splitting.single_words import SingleWords
from keysh.check.static_words import command_name, makes_many_words
from keysh.check.walk import ScriptWalk
from keysh.diagnostics.diagnostic import Diagnostic
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.check.commands import KnownCommands
    from keysh.check.facts import Facts
    from keysh.schema.command import Command
    from keysh.syntax.ast import Script
    from keysh.syntax.node import Node

EXPANSION_NODES = (ast.Variable, ast.Expand, ast.Replace, ast.Slice)
NUMERIC_ARGUMENT_COMMANDS = ("exit", "return", "shift", "break", "continue")
NUMERIC_COMPARISONS = ("-eq", "-ne", "-lt", "-le", "-gt", "-ge")
# Commands that receive a glob as it is written.
RAW_GLOB_COMMANDS = ("[", "declare", "export", "find", "let", "local", "read", "readonly", "test",
           "typeset", "unset")  # fmt: skip
TEXT_TESTS = ("-R", "-a", "-n", "-o", "-t", "-v", "-z")  # operators of `test` that test no file
GLOB_FIX = "set +o failglob to pass its text as sh does, set -o nullglob for none"
MAX_FIX_EXPANSION_LENGTH = 60  # of an expansion that a fix repeats


def differences(script: Script, registry: KnownCommands) -> list[Diagnostic]:
    """Return a diagnostic for every place that keysh reads differently, in source order."""
    reported = check(script, registry)
    refused = {(found.start, found.end) for found in reported if found.code in ("E204", "E310")}
    migrations = [
        found
        for found in Migration(script, registry).differences()
        if found.code != "W304" or (found.start, found.end) not in refused
    ]
    return sorted([*reported, *migrations], key=lambda found: (found.start, found.code))


class Migration:
    """Compares a script with its meaning in sh."""

    __slots__ = ("_facts", "_globs_are_plain", "_registry", "_script", "_single_words")

    def __init__(self, script: Script, registry: KnownCommands) -> None:
        self._script, self._registry = script, registry
        walk = ScriptWalk(CheckReport(script, {}))  # for the facts; `check` reports the errors
        if script.body is not None:
            walk.script(script.body)
        self._facts: Facts = walk.facts
        self._single_words = SingleWords(walk.facts, script)
        self._globs_are_plain = any(sets_glob_option(use.node) for use in walk.facts.command_uses)

    def differences(self) -> Iterator[Diagnostic]:
        """Yield the differences, node by node."""
        stages = LastStageRule(self._script, self._facts)
        arrays = self._arrays()
        for node in self._script.walk():
            if isinstance(node, ast.Simple):
                yield from self._command(node)
            elif isinstance(node, ast.Array):
                yield from self._list(node.entries, "a glob that matches nothing is an error here")
            elif isinstance(node, ast.For):
                yield from self._list(
                    node.words or (), "a glob that matches nothing is no word here"
                )
            elif isinstance(node, ast.Pipeline) and (why := stages.difference(node)):
                yield self._warning("W306", node.stages[-1], why,
                                 "( … ) around it, so that what it does ends with it")  # fmt: skip
            elif isinstance(node, ast.Assign) and node.start in arrays and is_text_assignment(node):
                yield self._array(node)

    # ------------------------------------------------------------ words

    def _command(self, node: ast.Simple) -> Iterator[Diagnostic]:
        name = constant_text(node.arguments[0]) if node.arguments and isinstance(
            node.arguments[0], ast.Word
        ) else None  # fmt: skip
        command = None
        if name is not None and name in self._registry.names():
            command = self._registry.command_named(name)
        for index, argument in enumerate(node.arguments):
            if isinstance(argument, ast.Word):
                if not is_numeric_argument(node.arguments, index, name):
                    yield from self._word(argument)
                if any(is_wildcard(part) for part in argument.parts):
                    yield from self._glob(node, index, name, command)
            elif command is not None and binds_by_name(argument, command):
                text = self._source(argument)
                fact = f"this binds to a parameter of {name} here"
                yield self._warning("W307", argument, fact, f"'{text}' for a text")

    def _list(self, words: Sequence[Node], fact: str) -> Iterator[Diagnostic]:
        """Check the words of `( … )` or after `in`."""
        for word in words:
            if isinstance(word, ast.Word):
                yield from self._word(word)
                if not self._globs_are_plain and any(is_wildcard(part) for part in word.parts):
                    yield self._warning("W305", word, fact, GLOB_FIX)

    def _glob(
        self, node: ast.Simple, index: int, name: str | None, command: Command | None
    ) -> Iterator[Diagnostic]:
        """Check a glob among a command's words."""
        word = node.arguments[index]
        if name in RAW_GLOB_COMMANDS or (
            command is not None and takes_pattern(node, index, command)
        ):
            if not follows_file_test(node.arguments, index):
                fact = "sh passes the files that match; here the pattern itself is passed"
                yield self._warning("W305", word, fact, f"'{self._source(word)}'")
        elif not self._globs_are_plain and not (
            command is not None and allows_no_glob_match(node, command)
        ):
            fact = "a glob that matches nothing is an error here"
            yield self._warning("W305", word, fact, GLOB_FIX)

    def _word(self, word: ast.Word) -> Iterator[Diagnostic]:
        for part in word.parts:
            if self._single_words.is_single_word(part) or is_keysh_substitution(part):
                continue
            if isinstance(part, ast.Substitution):
                text = self._substitution(part)
                yield self._warning(
                    "W304", part, "sh splits this at blanks; here each line is one word",
                    f'"{text}" for one word, $(words "{text}") for all',
                )  # fmt: skip
            elif isinstance(part, EXPANSION_NODES) and is_list_expansion(part):
                fact = "sh splits each of these at blanks; here each is one word"
                yield self._warning("W304", part, fact, f'"{quotable_list(self._source(part))}"')
            elif isinstance(part, EXPANSION_NODES):
                text = self._source(part)
                yield self._warning(
                    "W304", part, "sh splits this at blanks; here it is one word",
                    f'"{text}" for one word, $(words {text}) for its words',
                )  # fmt: skip

    def _substitution(self, part: ast.Substitution) -> str:
        """Return a `$(…)` as written, and one in backquotes in a form that can be quoted."""
        text = self._source(part)
        if text[:1] == "`":
            for char in "`$\\":
                text = text.replace(f"\\{char}", char)
            text = f"$({text[1:-1]})"
        return text if len(text) <= MAX_FIX_EXPANSION_LENGTH and "\n" not in text else "$(…)"

    # ------------------------------------------------------------ arrays

    def _arrays(self) -> set[int]:
        """Return the offsets where an array is assigned like a string."""
        offsets: set[int] = set()
        for assignments in self._facts.assignments.values():
            scopes = {assignment.scope for assignment in assignments if assignment.kind == "array"}
            offsets.update(
                assignment.start
                for assignment in assignments
                if assignment.kind not in ("array", "declared")
                and any(self._facts.is_visible(assignment.scope, scope) for scope in scopes)
            )
        return offsets

    def _array(self, node: ast.Assign) -> Diagnostic:
        name, sign = node.target.name, "+=" if node.append else "="
        return self._warning(
            "W310", node, f"sh does this to the first element of the array {name}",
            f"{name}[0]{sign}… for that element, {name}{sign}(…) for the array",
        )  # fmt: skip

    def _source(self, node: Node) -> str:
        return self._script.source.text[node.start : node.end]

    def _warning(self, code: str, node: Node, fact: str, fix: str) -> Diagnostic:
        return Diagnostic(
            code, self._script.source, node.start, node.end, fact, "", fix, severity="warning"
        )


def binds_by_name(argument: ast.Argument, command: Command) -> bool:
    """Whether `key=value` sets a parameter of the command."""
    return isinstance(argument, ast.Named) and argument.key in command.by_key


def sets_glob_option(node: ast.Simple) -> bool:
    """Whether a command sets what a glob without a match means: `set +o failglob` or the like."""
    words = [constant_text(word) for word in node.arguments if isinstance(word, ast.Word)]
    if words[0] == "shopt":
        return ("-s" in words and "nullglob" in words) or ("-u" in words and "failglob" in words)
    pairs = list(pairwise(words))
    return words[0] == "set" and (("+o", "failglob") in pairs or ("-o", "nullglob") in pairs)


def allows_no_glob_match(node: ast.Simple, command: Command) -> bool:
    """Whether an option allows a glob to match nothing, as `rm -f`."""
    option = next(
        (one for one in command.parameters if one.name == command.style.no_glob_match_option), None
    )
    if option is None:
        return False
    texts = [constant_text(word) or "" for word in node.arguments[1:] if isinstance(word, ast.Word)]
    return any(
        text[2:] in option.long_names if text[:2] == "--" else
        text[:1] == "-" and any(letter in text[1:] for letter in option.letters)
        for text in texts
    )  # fmt: skip


def takes_pattern(node: ast.Simple, index: int, command: Command) -> bool:
    """Whether a word is a command's first operand, and that is a pattern."""
    before = [
        constant_text(word) or "" for word in node.arguments[1:index] if isinstance(word, ast.Word)
    ]
    is_first = all(text[:1] == "-" for text in before)
    return is_first and bool(command.operands) and command.operands[0].type.keeps_globs


def follows_file_test(arguments: Sequence[ast.Argument], index: int) -> bool:
    """Whether a word follows `-e` or another file test, which expands globs."""
    before = arguments[index - 1]
    text = (constant_text(before) or "") if isinstance(before, ast.Word) else ""
    return len(text) == 2 and text[0] == "-" and text[1].isalpha() and text not in TEXT_TESTS


def is_numeric_argument(arguments: Sequence[ast.Argument], index: int, name: str | None) -> bool:
    """Whether an argument must be a number, so that several words are an error in any shell."""
    if name in NUMERIC_ARGUMENT_COMMANDS:
        return index == 1
    if name not in ("test", "["):
        return False
    beside = (arguments[index - 1], *arguments[index + 1 : index + 2])
    return any(
        isinstance(one, ast.Word) and constant_text(one) in NUMERIC_COMPARISONS for one in beside
    )


def is_keysh_substitution(part: Node) -> bool:
    """Whether a part is a `$(…)` of a command that only keysh has, as in `$(words $x)`."""
    commands = part.body.commands if isinstance(part, ast.Substitution) and part.body else []
    only = commands[0] if len(commands) == 1 else None
    return (
        isinstance(only, ast.Simple)
        and bool(only.arguments)
        and command_name(only) in KEYSH_ONLY_COMMANDS
    )


def is_text_assignment(node: ast.Assign) -> bool:
    """Whether a whole variable is assigned a string."""
    return not node.target.subscripts and (node.value is None or isinstance(node.value, ast.Word))


def is_list_expansion(part: ast.Variable | ast.Expand | ast.Replace | ast.Slice) -> bool:
    """Whether an expansion is a list of words, as `$@` and `${xs[*]}`."""
    return makes_many_words(part) and (isinstance(part, ast.Variable) or not part.indirect)


def quotable_list(text: str) -> str:
    """Return an expansion of a list that gives one word for each element in quotes."""
    if text.startswith(("$*", "${*")):
        return text.replace("*", "@", 1)
    return text.replace("[*]", "[@]", 1)


def is_wildcard(part: Node) -> bool:
    """Whether a part is `*`, `**` or `?`."""
    return isinstance(part, ast.Glob) and part.value in ("*", "**", "?")
