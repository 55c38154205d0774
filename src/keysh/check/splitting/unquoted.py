"""Pieces: the unquoted parts of arguments, which sh splits each by itself.

cp $dir/notes.txt ${target:-my notes} ${path//:/ } $#
"""

from __future__ import annotations

from keysh.check.facts import UnquotedExpansion, VariableRead
from keysh.check.static_words import EXPANSION_GAP, literal_text
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.check.walk_state import WalkState
    from keysh.syntax.node import Node

NUMERIC_PARAMETERS = ("#", "?", "$", "!")  # variables of the shell's own that are numbers
NUMERIC_NODES = (ast.Length, ast.ArithmeticExpansion)
# Operators of `${x…}` that leave the blanks of x where they are, and those that give another text.
VALUE_KEEPING_OPERATORS = ("", "-", ":-", "=", ":=", "?", ":?", "^", "^^", ",", ",,")
ALTERNATIVE_TEXT_OPERATORS = ("-", ":-", "=", ":=", "+", ":+")


def note_unquoted_parts(place: WalkState, word: ast.Word, use: str) -> None:
    """Note what sh would split in a word; what is one element of a list is judged as it runs."""
    part = word.parts[0]
    if len(word.parts) > 1:
        for one in word.parts:
            note_part(place, one)
    elif use != "element" or isinstance(part, NUMERIC_NODES) or is_numeric_parameter(part):
        note_part(place, part, is_alone=True)


def note_part(place: WalkState, part: Node, *, is_alone: bool = False) -> None:
    """Note one part; a variable that is all of a word has been noted already."""
    if isinstance(part, ast.Variable):
        if is_numeric_parameter(part):
            note_expansion(place, part, None)
        elif not is_alone:
            note_read(place, part.name, part, part)
    elif isinstance(part, NUMERIC_NODES):
        note_expansion(place, part, None)
    elif isinstance(part, ast.Brace):
        for branch in part.branches:
            for one in branch.parts:
                note_part(place, one)
    elif isinstance(part, ast.Expand):
        note_expand(place, part)
    elif isinstance(part, ast.Replace) and part.replacement is not None:
        text = literal_text(part.replacement.parts)  # which sh splits, quoted or not
        if text.strip(EXPANSION_GAP):
            note_expansion(place, part, text)


def note_expand(place: WalkState, part: ast.Expand) -> None:
    """`${x:-w}`: x, and what stands unquoted in w."""
    if (
        part.operator in VALUE_KEEPING_OPERATORS
        and not part.indirect
        and not part.reference.subscripts
    ):
        note_read(place, part.reference.name, part.reference, part)
    if part.operator in ALTERNATIVE_TEXT_OPERATORS and part.operand is not None:
        text = unquoted_text(part.operand.parts)
        if text.strip(EXPANSION_GAP):
            note_expansion(place, part, text)
        for one in part.operand.parts:
            note_part(place, one)


def is_numeric_parameter(part: Node) -> bool:
    """Whether a part is `$#`, `$?` or the like."""
    return isinstance(part, ast.Variable) and part.name in NUMERIC_PARAMETERS


def unquoted_text(parts: Sequence[Node]) -> str:
    """What stands in a text without quotes, with a gap for all else."""
    return "".join(
        part.value if isinstance(part, ast.Text | ast.Glob) else EXPANSION_GAP for part in parts
    )


def note_expansion(place: WalkState, part: Node, text: str | None) -> None:
    facts = place.facts
    facts.expansions.append(UnquotedExpansion(part, place.scope, facts.region, text, place.command))


def note_read(place: WalkState, name: str, node: Node, shown: Node) -> None:
    """Note that a variable is read where sh splits it."""
    if name.isidentifier():
        facts = place.facts
        facts.reads.append(
            VariableRead(name, node, place.scope, facts.region, "piece", place.command, shown)
        )
