"""Pieces: the unquoted parts of arguments, which sh splits each by itself.

cp $dir/notes.txt ${target:-my notes} ${path//:/ } $#
"""

from __future__ import annotations

from keysh.check.facts import Expansion, Read
from keysh.check.static_words import GAP, literal_text
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.check.walk_state import Place
    from keysh.syntax.node import Node

COUNTS = ("#", "?", "$", "!")  # variables of the shell's own that are numbers
NUMBERS = (ast.Length, ast.ArithmeticExpansion)
# Operators of `${x…}` that leave the blanks of x where they are, and those that give another text.
KEEPING = ("", "-", ":-", "=", ":=", "?", ":?", "^", "^^", ",", ",,")
DEFAULTS = ("-", ":-", "=", ":=", "+", ":+")


def note_pieces(place: Place, word: ast.Word, use: str) -> None:
    """Note what sh would split in a word; what is one element of a list is judged as it runs."""
    part = word.parts[0]
    if len(word.parts) > 1:
        for one in word.parts:
            note(place, one)
    elif use != "element" or isinstance(part, NUMBERS) or is_count(part):
        note(place, part, is_alone=True)


def note(place: Place, part: Node, *, is_alone: bool = False) -> None:
    """Note one part; a variable that is all of a word has been noted already."""
    if isinstance(part, ast.Variable):
        if is_count(part):
            expansion(place, part, None)
        elif not is_alone:
            read(place, part.name, part, part)
    elif isinstance(part, NUMBERS):
        expansion(place, part, None)
    elif isinstance(part, ast.Brace):
        for branch in part.branches:
            for one in branch.parts:
                note(place, one)
    elif isinstance(part, ast.Expand):
        note_expand(place, part)
    elif isinstance(part, ast.Replace) and part.replacement is not None:
        text = literal_text(part.replacement.parts)  # which sh splits, quoted or not
        if text.strip(GAP):
            expansion(place, part, text)


def note_expand(place: Place, part: ast.Expand) -> None:
    """`${x:-w}`: x, and what stands unquoted in w."""
    if part.operator in KEEPING and not part.indirect and not part.reference.subscripts:
        read(place, part.reference.name, part.reference, part)
    if part.operator in DEFAULTS and part.operand is not None:
        text = unquoted_text(part.operand.parts)
        if text.strip(GAP):
            expansion(place, part, text)
        for one in part.operand.parts:
            note(place, one)


def is_count(part: Node) -> bool:
    """Whether a part is `$#`, `$?` or the like."""
    return isinstance(part, ast.Variable) and part.name in COUNTS


def unquoted_text(parts: Sequence[Node]) -> str:
    """What stands in a text without quotes, with a gap for all else."""
    return "".join(part.value if isinstance(part, ast.Text | ast.Glob) else GAP for part in parts)


def expansion(place: Place, part: Node, text: str | None) -> None:
    facts = place.facts
    facts.expansions.append(Expansion(part, place.scope, facts.region, text, place.command))


def read(place: Place, name: str, node: Node, shown: Node) -> None:
    """Note that a variable is read where sh splits it."""
    if name.isidentifier():
        facts = place.facts
        facts.reads.append(
            Read(name, node, place.scope, facts.region, "piece", place.command, shown)
        )
