r"""Names of functions in the bash dialect, which may be any word: `a*() …`, `[x]() …`, `$x() …`.

What has quotes or a `$` is refused when the definition runs, as in bash.
"""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.syntax.lexer.cursor import Cursor
from keysh.syntax.lexer.lexeme import Lexeme
from keysh.syntax.lexer.positions import COMMAND_START
from keysh.syntax.word_roles import WordRoles

# Pieces of a word: plain text, quoted text, an escaped character.
WORD_PIECES = r"(?>(?:[^ \t\n;|&<>()'\"\\]++|'[^']*+'|\"[^\"\\]*+\"|\\.)+)"
FUNCTION_WORD = Lexeme(rf"[ \t]+({WORD_PIECES})")


def name_of_first_word(cursor: Cursor, start: int, end: int) -> bool:
    """Turn the first word of a command, which `(` touches, into the name of a function.

    It returns False where there is no such word.
    """
    tokens = cursor.tokens
    if cursor.source.dialect is not BASH or not tokens or tokens[-1][3] != start:
        return False
    words = WordRoles(tokens).open_nests[-1].command
    if len(words) != 1 or any(token[0] == "REDIRECT" for token in tokens[words[0] :]):
        return False
    begin = tokens[words[0]][2]
    del tokens[words[0] :]
    cursor.offset = end
    cursor.emit("FUNCTION", cursor.text[begin:start], begin)
    cursor.word_position = COMMAND_START
    return True
