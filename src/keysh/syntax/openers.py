"""Openers: the tokens that begin a construct, and what closes each."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.cursor import Token

# Opener: the token that closes it, and how that is written.
OPENERS = {
    "IF": ("FI", "fi"),
    "WHILE": ("DONE", "done"),
    "UNTIL": ("DONE", "done"),
    "FOR": ("DONE", "done"),
    "CASE": ("ESAC", "esac"),
    "LEFT_BRACE": ("RIGHT_BRACE", "}"),
    "LEFT_PAREN": ("RIGHT_PAREN", ")"),
    "TEST_OPEN": ("TEST_CLOSE", "]]"),
    "T_OPEN": ("T_CLOSE", ")"),
    "ARITHMETIC_OPEN": ("ARITHMETIC_CLOSE", "))"),
    "EXPRESSION_OPEN": ("EXPRESSION_CLOSE", "))"),
    "A_OPEN": ("A_CLOSE", ")"),
    "A_QUESTION": ("A_COLON", ":"),
    "SUBSTITUTION_OPEN": ("SUBSTITUTION_CLOSE", ")"),
    "PROCESS_OPEN": ("SUBSTITUTION_CLOSE", ")"),
    "EXPANSION_OPEN": ("EXPANSION_CLOSE", "}"),
    "SUBSCRIPT_OPEN": ("SUBSCRIPT_CLOSE", "]"),
    "EXTGLOB_OPEN": ("EXTGLOB_CLOSE", ")"),
    "BRACE_OPEN": ("BRACE_CLOSE", "}"),
    "DOUBLE_OPEN": ("DOUBLE_CLOSE", '"'),
    "LIST_OPEN": ("LIST_CLOSE", "]"),
    "RECORD_OPEN": ("RECORD_CLOSE", "}"),
    "ARRAY_OPEN": ("ARRAY_CLOSE", ")"),
    "FUNCTION_DECLARED": ("PARAMETERS_CLOSE", ")"),
    "HEREDOC_OPEN": ("HEREDOC_CLOSE", "the delimiter"),
    "WORD_OPEN": ("WORD_CLOSE", ""),
}
CLOSERS = frozenset(closer for closer, _ in OPENERS.values())


def open_before(tokens: list[Token], index: int) -> list[Token]:
    """The openers still open before a token, the outermost first."""
    stack: list[Token] = []
    closers: list[str] = []
    for token in tokens[:index]:
        kind = token[0]
        if kind == "DO" and closers and closers[-1] == "":
            closers[-1] = "DONE"
        elif kind == "LEFT_BRACE" and closers and closers[-1] == "":
            closers[-1] = "RIGHT_BRACE"
        elif kind in OPENERS:
            stack.append(token)
            closers.append("" if kind == "FOR" else OPENERS[kind][0])
        elif kind in CLOSERS and kind in closers:
            depth = len(closers) - 1 - closers[::-1].index(kind)
            del stack[depth:], closers[depth:]
    return stack
