"""Splitting: where sh would split a text into words and keysh does not; all of it is here."""

from __future__ import annotations

from keysh.diagnostics import shortened
from keysh.runtime.problem import Problem
from keysh.syntax import ast
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.state import State
    from keysh.syntax.node import Node

PATTERN = "*?["


def refuse_unsplit(state: State, text: str, node: Node) -> None:
    """E204 where a bare expansion holds what sh would split at, or would take for a glob."""
    separators = state.variables.get("IFS", " \t\n")
    if separators.__class__ is not str:
        separators = text_of(separators)
    found = next((char for char in text if char in separators), "")
    if found:
        what = "a blank" if found.isspace() else f"`{found}`, a character of `IFS`"
        raise unsplit(text, what, node)
    if any(char in text for char in PATTERN):
        raise unsplit(text, "a pattern", node)


def unsplit(text: str, what: str, node: Node) -> Problem:
    """E204: a text would be several words in sh."""
    if isinstance(node, ast.Variable):
        fix = f'write `"${node.name}"` for one word, or `$(words ${node.name})` for several'
    elif isinstance(node, ast.Substitution):
        fix = 'write `"$(…)"` for one word, `$(words "$(…)")` or `$(lines "$(…)")` for several'
    else:
        fix = 'write `"${…}"` for one word, or `$(words "${…}")` for several'
    fact = f"a list of words is made of text that holds {what}"
    return Problem("E204", fact, f"`{shortened(text)}`", fix).at(node)


def words_of_lines(text: str, is_listing: bool, node: Node) -> list[object]:
    """The words of an unquoted `$(…)`: its lines, none of them empty.

    A line that holds a blank is one word only where the command says that it prints one item a
    line.
    """
    if not text:
        return []
    if "\n" not in text:
        if not is_listing and (" " in text or "\t" in text):
            raise unsplit(text, "a blank", node)
        return [text]
    lines = [line for line in text.split("\n") if line]
    if not is_listing:
        for line in lines:
            if " " in line or "\t" in line:
                raise unsplit(line, "a blank", node)
    return list(lines)
