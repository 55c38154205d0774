"""Migration: the places of an sh script that keysh reads differently, each with a fix and a rank.

The checker reports what keysh refuses. This reports what it accepts with another meaning than sh:
words that sh splits, globs, last stages of pipelines, and arguments that bind by name.

certain  keysh does something else, or refuses the script
likely   it does something else where a value that the script does not show is of a certain kind
style    it does what was probably meant, and sh does not: quotes say so in both
"""

from __future__ import annotations

import re
from itertools import pairwise

from keysh.check.builtin_effects import KEYSH_ONLY_COMMANDS
from keysh.check.checker import check
from keysh.check.last_stage import LastStageRule
from keysh.check.migration_edits import split_edits, stage_edits, text_edits
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
    from typing import Any

    from keysh.check.commands import KnownCommands
    from keysh.check.facts import Facts
    from keysh.check.migration_edits import Edit
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
RANKS = ("certain", "likely", "style")
# Warnings of the checker that are about another meaning, not about a mistake in any shell.
DIFFERENCE_WARNINGS = ("E204", "E310", "E311", "W308", "W311")
# What a variable is called that holds several words: `$CFLAGS`, `$files`, `$opts`, `$CC_CMD`.
LIST_NAME = re.compile(r"(arg|cmd|command|flag|list|opt|option|param)s?$|[^s]s$", re.IGNORECASE)
LIST_COMMANDS = ("eval", "exec", "set")  # commands that take the words of a text apart


class Difference(Diagnostic):
    """A place that keysh reads differently: its rank, and the edits that keep the meaning of sh."""

    __slots__ = ("edits", "rank")

    def __init__(self, *place: Any, rank: str, edits: Sequence[Edit] = (), **more: Any) -> None:
        super().__init__(*place, **more)
        self.rank, self.edits = rank, edits

    def record(self) -> dict[str, object]:
        """Return the difference as a record, for `--json`."""
        return {**super().record(), "rank": self.rank}


def differences(script: Script, registry: KnownCommands) -> list[Difference]:
    """Return every place that keysh reads differently: by rank, and then in source order."""
    reported = [
        reported_difference(found)
        for found in check(script, registry)
        if found.severity == "error" or found.code in DIFFERENCE_WARNINGS
    ]
    refused = {(found.start, found.end) for found in reported if found.code in ("E204", "E310")}
    migrations = [
        found
        for found in Migration(script, registry).differences()
        if found.code != "W304" or (found.start, found.end) not in refused
    ]
    return sorted(
        [*reported, *migrations],
        key=lambda found: (RANKS.index(found.rank), found.start, found.code),
    )


def reported_difference(found: Diagnostic) -> Difference:
    """Return what the checker has found as a difference: an error of it is certain."""
    rank = "certain" if found.severity == "error" else "likely"
    edits = split_edits(found) if rank == "certain" else ()
    return Difference(
        found.code, found.source, found.start, found.end, found.fact, found.datum, found.fix,
        found.severity, rank=rank, edits=edits,
    )  # fmt: skip


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

    def differences(self) -> Iterator[Difference]:
        """Yield the differences, node by node."""
        stages = LastStageRule(self._script, self._facts)
        migrated: set[int] = set()  # the offsets of commands that only keysh has
        for node in self._script.walk():
            if isinstance(node, ast.Substitution) and is_keysh_substitution(node):
                assert node.body is not None
                migrated.add(node.body.commands[0].start)
            elif isinstance(node, ast.Simple):
                if node.start not in migrated:
                    yield from self._command(node)
            elif isinstance(node, ast.Array):
                yield from self._list(node.entries, "a glob that matches nothing is an error here")
            elif isinstance(node, ast.For):
                yield from self._list(
                    node.words or (), "a glob that matches nothing is no word here"
                )
            elif isinstance(node, ast.Pipeline) and (why := stages.difference(node)):
                stage = node.stages[-1]
                fix = "( … ) around it, so that what it does ends with it"
                yield self._difference("W306", stage, why, fix, "certain", stage_edits(stage))

    # ------------------------------------------------------------ words

    def _command(self, node: ast.Simple) -> Iterator[Difference]:
        name = constant_text(node.arguments[0]) if node.arguments and isinstance(
            node.arguments[0], ast.Word
        ) else None  # fmt: skip
        command = None
        if name is not None and name in self._registry.names():
            command = self._registry.command_named(name)
        for index, argument in enumerate(node.arguments):
            if isinstance(argument, ast.Word):
                if not is_numeric_argument(node.arguments, index, name):
                    takes_list = index == 0 or name in LIST_COMMANDS
                    yield from self._word(argument, name=name, takes_list=takes_list)
                if any(is_wildcard(part) for part in argument.parts):
                    yield from self._glob(node, index, name, command)
            elif command is not None and binds_by_name(argument, command):
                text = self._source(argument)
                fact = f"this binds to a parameter of {name} here"
                edits = text_edits(argument)
                yield self._difference(
                    "W307", argument, fact, f"'{text}' for a text", "certain", edits
                )

    def _list(self, words: Sequence[Node], fact: str) -> Iterator[Difference]:
        """Check the words of `( … )` or after `in`."""
        for word in words:
            if isinstance(word, ast.Word):
                yield from self._word(word, takes_list=True)
                if not self._globs_are_plain and any(is_wildcard(part) for part in word.parts):
                    yield self._difference("W305", word, fact, GLOB_FIX, "likely")

    def _glob(
        self, node: ast.Simple, index: int, name: str | None, command: Command | None
    ) -> Iterator[Difference]:
        """Check a glob among a command's words."""
        word = node.arguments[index]
        if name in RAW_GLOB_COMMANDS or (
            command is not None and takes_pattern(node, index, command)
        ):
            if not follows_file_test(node.arguments, index):
                fact = "sh passes the files that match; here the pattern itself is passed"
                yield self._difference("W305", word, fact, f"'{self._source(word)}'", "likely")
        elif not self._globs_are_plain and not (
            command is not None and allows_no_glob_match(node, command)
        ):
            fact = "a glob that matches nothing is an error here"
            yield self._difference("W305", word, fact, GLOB_FIX, "likely")

    def _word(
        self, word: ast.Word, *, name: str | None = None, takes_list: bool = False
    ) -> Iterator[Difference]:
        """Check the parts of a word, which is an argument of a command or one of a list."""
        is_text = name in ("[", "test") or len(word.parts) > 1
        for part in word.parts:
            if self._single_words.is_single_word(part) or is_keysh_substitution(part):
                continue
            if isinstance(part, ast.Substitution):
                text = self._substitution(part)
                yield self._difference(
                    "W304", part, "sh splits this at blanks; here each line is one word",
                    f'"{text}" for one word, $(words "{text}") for all',
                    "style" if is_text else "likely",
                )  # fmt: skip
            elif isinstance(part, EXPANSION_NODES) and is_list_expansion(part):
                fact = "sh splits each of these at blanks; here each is one word"
                fix = f'"{quotable_list(self._source(part))}"'
                yield self._difference("W304", part, fact, fix, "likely")
            elif isinstance(part, EXPANSION_NODES):
                text = self._source(part)
                is_list = takes_list or LIST_NAME.search(variable_of(part)) is not None
                yield self._difference(
                    "W304", part, "sh splits this at blanks; here it is one word",
                    f'"{text}" for one word, $(words {text}) for its words',
                    "likely" if is_list and not is_text else "style",
                )  # fmt: skip

    def _substitution(self, part: ast.Substitution) -> str:
        """Return a `$(…)` as written, and one in backquotes in a form that can be quoted."""
        text = self._source(part)
        if text[:1] == "`":
            for char in "`$\\":
                text = text.replace(f"\\{char}", char)
            text = f"$({text[1:-1]})"
        return text if len(text) <= MAX_FIX_EXPANSION_LENGTH and "\n" not in text else "$(…)"

    def _source(self, node: Node) -> str:
        return self._script.source.text[node.start : node.end]

    def _difference(
        self, code: str, node: Node, fact: str, fix: str, rank: str, edits: Sequence[Edit] = ()
    ) -> Difference:
        return Difference(
            code, self._script.source, node.start, node.end, fact, "", fix, "warning",
            rank=rank, edits=edits,
        )  # fmt: skip


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


def variable_of(part: ast.Variable | ast.Expand | ast.Replace | ast.Slice) -> str:
    """Return the variable that an expansion reads."""
    return part.name if isinstance(part, ast.Variable) else part.reference.name


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
