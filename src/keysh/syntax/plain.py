"""Plain: the tokens of a line of plain words and operators, without the scanner.

The scanner's expressions need `re`, and to load it and them takes longer than all else that a line
such as `keysh -c 'make test'` needs. What is not plain here is the scanner's, and so are errors.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.cursor import Token

OPERATORS = {"|": "PIPE", "&&": "AND_IF", "||": "OR_IF", "&": "AMPERSAND", ";": "SEPARATOR"}
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


def plain_tokens(text: str) -> list[Token] | None:
    """What the scanner would make of a plain text; None for any other.

    Operators stand between blanks, but `;` may touch the word before it.
    """
    if not ALLOWED.issuperset(text):
        return None
    tokens: list[Token] = []
    begins_command = True
    end = 0
    for piece in text.split():
        start = text.index(piece, end)
        end = start + len(piece)
        word = "" if piece in OPERATORS else piece.removesuffix(";")
        if word:
            if not OPERATING.isdisjoint(word) or (begins_command and word in RESERVED):
                return None
            tokens.append(("WORD", word, start, start + len(word)))
            begins_command = False
        if operator := piece[len(word) :]:
            tokens.append((OPERATORS[operator], operator, end - len(operator), end))
            begins_command = True
    return tokens
