"""The unquoted parts of arguments, each of which sh splits by itself.

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

NUMERIC_PARAMETERS = ("#", "?", "$", "!")  # the shell's own parameters that are numbers
NUMERIC_NODES = (ast.Length, ast.ArithmeticExpansion)
# Operators of `${x…}` that keep the blanks of x, and operators that give another text.
VALUE_KEEPING_OPERATORS = ("", "-", ":-", "=", ":=", "?", ":?", "^", "^^", ",", ",,", "~", "~~")
ALTERNATIVE_TEXT_OPERATORS = ("-", ":-", "=", ":=", "+", ":+")


def note_unquoted_parts(walk: WalkState, word: ast.Word, role: str) -> None:
    """Note what sh would split in a word; a whole element of a list is checked at run time."""
    part = word.parts[0]
    if len(word.parts) > 1:
        for piece in word.parts:
            note_part(walk, piece)
    elif role != "element" or isinstance(part, NUMERIC_NODES) or is_numeric_parameter(part):
        note_part(walk, part, is_alone=True)


def note_part(walk: WalkState, part: Node, *, is_alone: bool = False) -> None:
    """Note one part; a variable that is a whole word has been noted already."""
    if isinstance(part, ast.Variable):
        if is_numeric_parameter(part):
            note_expansion(walk, part, None)
        elif not is_alone:
            note_read(walk, part.name, part, part)
    elif isinstance(part, NUMERIC_NODES):
        note_expansion(walk, part, None)
    elif isinstance(part, ast.Brace):
        for branch in part.branches:
            for one in branch.parts:
                note_part(walk, one)
    elif isinstance(part, ast.Expand):
        note_expand(walk, part)
    elif isinstance(part, ast.Replace) and part.replacement is not None:
        text = literal_text(part.replacement.parts)  # sh splits it, quoted or not
        if text.strip(EXPANSION_GAP):
            note_expansion(walk, part, text)


def note_expand(walk: WalkState, part: ast.Expand) -> None:
    """Note x and the unquoted parts of w in `${x:-w}`."""
    if (
        part.operator in VALUE_KEEPING_OPERATORS
        and not part.indirect
        and not part.reference.subscripts
    ):
        note_read(walk, part.reference.name, part.reference, part)
    if part.operator in ALTERNATIVE_TEXT_OPERATORS and part.operand is not None:
        text = unquoted_text(part.operand.parts)
        if text.strip(EXPANSION_GAP):
            note_expansion(walk, part, text)
        for one in part.operand.parts:
            note_part(walk, one)


def is_numeric_parameter(part: Node) -> bool:
    """Whether a part is `$#`, `$?` or the like."""
    return isinstance(part, ast.Variable) and part.name in NUMERIC_PARAMETERS


def unquoted_text(parts: Sequence[Node]) -> str:
    """Return the unquoted literal text, with a gap for all else."""
    return "".join(
        part.value if isinstance(part, ast.Text | ast.Glob) else EXPANSION_GAP for part in parts
    )


def note_expansion(walk: WalkState, part: Node, text: str | None) -> None:
    facts = walk.facts
    facts.expansions.append(UnquotedExpansion(part, walk.scope, facts.region, text, walk.command))


def note_read(walk: WalkState, name: str, node: Node, shown_node: Node) -> None:
    """Note that a variable is read where sh splits it."""
    if name.isidentifier():
        facts = walk.facts
        facts.reads.append(
            VariableRead(name, node, walk.scope, facts.region, "piece", walk.command, shown_node)
        )
