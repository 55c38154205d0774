"""Unquoted expansions of a bash script that are split at blanks and matched with files.

Most of them are mistakes, which `keysh check --strict` reports. The words of a `for` head and the
name of a command are meant to be split, and words without blanks cannot be.
"""

from __future__ import annotations

from keysh.check.report import CheckReport
from keysh.check.splitting.single_words import SingleWords
from keysh.check.static_words import makes_many_words
from keysh.check.walk import ScriptWalk
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.syntax.node import Node

SPLIT_NODES = (ast.Variable, ast.Expand, ast.Replace, ast.Slice, ast.Substitution)


def unquoted_expansions(script: ast.Script) -> list[Diagnostic]:
    """Return W304 for each unquoted expansion that may become several words."""
    if script.body is None:
        return []
    walk = ScriptWalk(CheckReport(script, {}))  # for the facts; `check` reports the errors
    walk.script(script.body)
    single_words = SingleWords(walk.facts, script)
    report = CheckReport(script, {"W304": "warn"})
    for word in judged_words(script):
        for part in word.parts:
            if isinstance(part, SPLIT_NODES) and not single_words.is_single_word(part):
                text = report.source_of(part)
                quoted = text.replace("$*", "$@") if makes_many_words(part) else text
                fix = f'write `"{quoted}"`' if "\n" not in text else "quote it"
                fact = "this is split at blanks, and matched with files"
                report.add("W304", part.start, part.end, fact, fix=fix)
    return report.sorted_diagnostics()


def judged_words(script: ast.Script) -> Iterator[ast.Word]:
    """Yield the arguments of commands, the elements of arrays, and `$@` in `for` heads."""
    for node in script.walk():
        words: list[Node] = []
        if isinstance(node, ast.Simple):
            words = list(node.arguments[1:])
        elif isinstance(node, ast.Array):
            words = list(node.entries)
        elif isinstance(node, ast.For):
            words = [word for word in node.words or () if is_all_arguments(word)]
        yield from (word for word in words if isinstance(word, ast.Word))


def is_all_arguments(word: Node) -> bool:
    """Whether a word is `$@` or `$*`."""
    part = word.parts[0] if isinstance(word, ast.Word) and len(word.parts) == 1 else None
    return isinstance(part, ast.Variable) and part.name in ("@", "*")
