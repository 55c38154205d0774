"""Plain: the tree of a line of plain words and operators, without the scanner and its tables.

The scanner's expressions need `re`, and to load it, them and the tables takes longer than all else
that a line such as `keysh -c 'make test'` needs. What is not plain is the scanner's, and so are
errors; a test holds the trees against those that the scanner leads to.
"""

from __future__ import annotations

from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    Piece: TypeAlias = tuple[str, int, int]  # a word or an operator, where it begins and ends

OPERATORS = frozenset({"|", "&&", "||", "&", ";"})
OPERATING = frozenset(";&|")
# Characters that mean themselves wherever they stand in a word, blanks, and those of operators.
ALLOWED = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:+-@%^ \t;&|"
)
# The reserved words of such characters; a test holds them against modes/reserved.py.
RESERVED = frozenset({
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "select",
    "then", "time", "until", "while",
})  # fmt: skip


class NotPlain(Exception):
    """The text is for the scanner."""


def plain_block(text: str) -> ast.Block | None:
    """The commands of a plain text; None for any other, and for one that is no script.

    Operators stand between blanks, but `;` may touch the word before it.
    """
    if not ALLOWED.issuperset(text):
        return None
    try:
        return block(pieces_of(text))
    except NotPlain:
        return None


def pieces_of(text: str) -> Iterator[Piece]:
    """The words and operators."""
    end = 0
    for piece in text.split():
        start = text.index(piece, end)
        end = start + len(piece)
        word = "" if piece in OPERATORS else piece.removesuffix(";")
        if not OPERATING.isdisjoint(word):
            raise NotPlain
        if word:
            yield word, start, start + len(word)
        if len(word) < len(piece):
            yield piece[len(word) :], start + len(word), end


def split(pieces: Iterable[Piece], *operators: str) -> Iterator[tuple[list[Piece], Piece]]:
    """The pieces before each of the operators, with it; those behind the last, with no operator."""
    part: list[Piece] = []
    for piece in pieces:
        if piece[0] in operators:
            yield part, piece
            part = []
        else:
            part.append(piece)
    yield part, ("", 0, 0)


def block(pieces: Iterable[Piece]) -> ast.Block:
    """Commands, each with its end, but perhaps the last."""
    commands: list[ast.Command] = []
    for part, (ending, _, end) in split(pieces, ";", "&"):
        if part or ending or not commands:
            command = chain(part)
            commands.append(
                ast.Background(command.start, end, command) if ending == "&" else command
            )
    return ast.Block(commands[0].start, commands[-1].end, commands)


def chain(pieces: Iterable[Piece]) -> ast.Command:
    """`a && b || c`"""
    parts = list(split(pieces, "&&", "||"))
    commands = [pipeline(part) for part, _ in parts]
    if len(commands) == 1:
        return commands[0]
    operators = [operator for _, (operator, _, _) in parts[:-1]]
    return ast.Chain(commands[0].start, commands[-1].end, commands, operators)


def pipeline(pieces: Iterable[Piece]) -> ast.Command:
    """`a | b`"""
    stages: list[ast.Command] = [simple(part) for part, _ in split(pieces, "|")]
    if len(stages) == 1:
        return stages[0]
    operators = ["|"] * (len(stages) - 1)
    return ast.Pipeline(stages[0].start, stages[-1].end, stages, operators, 0, "")


def simple(pieces: list[Piece]) -> ast.Simple:
    """A command's words."""
    if not pieces or pieces[0][0] in RESERVED:
        raise NotPlain
    words: list[ast.Argument] = [
        ast.Word(start, end, [ast.Text(start, end, word)]) for word, start, end in pieces
    ]
    return ast.Simple(words[0].start, words[-1].end, [], words, [])
