"""Openers: the tokens that begin constructs, their closers, and which are open at a token."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.syntax.lexer.cursor import Token

# The closing token of each opener, and how it is written.
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

# Openers of compound commands.
COMMAND_OPENERS = ("IF", "WHILE", "UNTIL", "FOR", "CASE", "LEFT_BRACE", "LEFT_PAREN")

# A reserved word inside one of these closes nothing outside of it.
BARRIER_OPENERS = ("SUBSTITUTION_OPEN", "PROCESS_OPEN", "HEREDOC_OPEN")

# The words that continue or end a command, and their openers.
LOOP_OPENERS = ("WHILE", "UNTIL", "FOR")
OPENERS_BY_WORD = {
    "THEN": ("IF",), "ELIF": ("IF",), "ELSE": ("IF",), "FI": ("IF",),
    "DO": LOOP_OPENERS, "DONE": LOOP_OPENERS, "ESAC": ("CASE",), "CLAUSE_END": ("CASE",),
    "RIGHT_BRACE": ("LEFT_BRACE",),
    "RIGHT_PAREN": ("LEFT_PAREN",), "SUBSTITUTION_CLOSE": ("SUBSTITUTION_OPEN", "PROCESS_OPEN"),
    "TEST_CLOSE": ("TEST_OPEN",), "ARITHMETIC_CLOSE": ("ARITHMETIC_OPEN",),
    "EXPRESSION_CLOSE": ("EXPRESSION_OPEN",), "ARRAY_CLOSE": ("ARRAY_OPEN",),
    "DOUBLE_CLOSE": ("DOUBLE_OPEN",), "EXPANSION_CLOSE": ("EXPANSION_OPEN",),
    "HEREDOC_CLOSE": ("HEREDOC_OPEN",),
}  # fmt: skip
RESERVED_ENDS = ("THEN", "ELIF", "ELSE", "FI", "DO", "DONE", "ESAC", "CLAUSE_END", "RIGHT_BRACE")

STATEMENT_ENDS = ("SEPARATOR", "AMPERSAND")
PART_KEYWORDS = ("THEN", "ELIF", "ELSE", "DO", "IN")
RESERVED_AS_ARGUMENTS = frozenset(["then", "do", "done", "fi", "esac", "else", "elif", "{", "}"])


class OpenConstruct:
    """An opener that is not closed yet, and what stands directly inside it.

    part, part_index  its latest keyword, such as `then`, and the index of that
    second_statement  the index of the second statement after that keyword
    arguments         reserved words that a missing `;` has turned into arguments
    """

    __slots__ = ("arguments", "closer", "index", "kind", "part", "part_index", "second_statement")

    def __init__(self, index: int, kind: str) -> None:
        self.index, self.kind = index, kind
        self.closer = OPENERS[kind][0]
        self.part, self.part_index = kind, index
        self.second_statement = -1
        self.arguments: list[int] = []


class OpenConstructs:
    """The openers that are not closed yet, outermost first, while tokens are fed in."""

    __slots__ = ("stack",)

    def __init__(self, stack: Iterable[OpenConstruct] = ()) -> None:
        self.stack: list[OpenConstruct] = list(stack)

    def take_token(self, index: int, kind: str, value: object = "") -> None:
        """Process one token."""
        stack = self.stack
        if kind in OPENERS:
            stack.append(OpenConstruct(index, kind))
        elif kind in CLOSERS:
            self._close(kind)
        elif stack:
            top = stack[-1]
            if kind in PART_KEYWORDS:
                top.part, top.part_index, top.second_statement, top.arguments = kind, index, -1, []
            elif kind in STATEMENT_ENDS:
                if top.second_statement < 0:
                    top.second_statement = index + 1
            elif kind == "WORD" and value in RESERVED_AS_ARGUMENTS:
                top.arguments.append(index)

    def _close(self, kind: str) -> None:
        """Close the innermost opener of a closer, and all that is open inside it."""
        stack = self.stack
        for depth in range(len(stack) - 1, -1, -1):
            if stack[depth].closer == kind:
                is_body = depth > 0 and stack[depth - 1].kind == "FOR"
                if is_body and kind == "RIGHT_BRACE" and stack[depth - 1].part != "DO":
                    depth -= 1  # `for … { … }`
                del stack[depth:]
                return
            if kind in RESERVED_ENDS and stack[depth].kind in BARRIER_OPENERS:
                return


def constructs_open_before(tokens: list[Token], index: int) -> list[OpenConstruct]:
    """Return the openers that are open before a token, outermost first."""
    openers = OpenConstructs()
    for i in range(index):
        kind, value, _, _ = tokens[i]
        openers.take_token(i, kind, value)
    return openers.stack


def owner_depth(kind: str, frames: list[OpenConstruct]) -> int:
    """Return the depth of the opener that a word continues or ends; -1 without one."""
    for depth in range(len(frames) - 1, -1, -1):
        if frames[depth].kind in OPENERS_BY_WORD.get(kind, ()):
            return depth
        if kind in RESERVED_ENDS and frames[depth].kind in BARRIER_OPENERS:
            break
    return -1
