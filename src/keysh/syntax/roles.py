"""Roles: which words of a list of tokens name commands, and what a next word would be.

It asks for no whole script: the tokens may end anywhere, which is where someone types.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.syntax.lexer.cursor import Token

# What a word would be: the name of a command, one of its arguments, what an assignment or a
# redirection is about, the value of `key=`; elsewhere it is something else.
NAME, ARGUMENT, VALUE, TARGET, KEYED, OTHER = range(6)

WORDS = frozenset(("WORD", "SINGLE", "DOUBLE", "ANSI", "VARIABLE", "INTERPOLATED", "EMPTY_KEY"))

# Behind these a command may begin.
BEGINNINGS = frozenset(
    (
        "SEPARATOR", "AMPERSAND", "AND_IF", "OR_IF", "PIPE", "BANG", "TIME", "IF", "THEN", "ELIF",
        "ELSE", "WHILE", "UNTIL", "DO", "LEFT_BRACE", "LEFT_PAREN", "PATTERN_CLOSE", "FUNCTION",
    )
)  # fmt: skip
# Behind these there are words, but none that belong to a command.
ENDINGS = frozenset(
    (
        "CASE", "FOR", "IN", "CLAUSE_END", "FI", "DONE", "ESAC", "RIGHT_BRACE", "RIGHT_PAREN",
        "ARITHMETIC_CLOSE", "TEST_CLOSE", "PARAMETERS_CLOSE",
    )
)  # fmt: skip
# What is asked for by the next word only.
ASKS = {"ASSIGN": VALUE, "ASSIGN_AT": VALUE, "REDIRECT": TARGET}

# Openers with something inside that is no part of the command around: and what closes them.
NESTS = {
    "SUBSTITUTION_OPEN": "SUBSTITUTION_CLOSE", "PROCESS_OPEN": "SUBSTITUTION_CLOSE",
    "EXPRESSION_OPEN": "EXPRESSION_CLOSE", "ARITHMETIC_OPEN": "ARITHMETIC_CLOSE",
    "TEST_OPEN": "TEST_CLOSE", "EXPANSION_OPEN": "EXPANSION_CLOSE",
    "SUBSCRIPT_OPEN": "SUBSCRIPT_CLOSE", "ARRAY_OPEN": "ARRAY_CLOSE", "LIST_OPEN": "LIST_CLOSE",
    "RECORD_OPEN": "RECORD_CLOSE", "DOUBLE_OPEN": "DOUBLE_CLOSE", "WORD_OPEN": "WORD_CLOSE",
    "EXTGLOB_OPEN": "EXTGLOB_CLOSE", "HEREDOC_OPEN": "HEREDOC_CLOSE",
    "FUNCTION_DECLARED": "PARAMETERS_CLOSE",
}  # fmt: skip
COMMANDS_INSIDE = ("SUBSTITUTION_OPEN", "PROCESS_OPEN")
# Nests that are a word, or may be all of one.
IN_WORD = frozenset(
    ("WORD_OPEN", "DOUBLE_OPEN", "EXPANSION_OPEN", "SUBSCRIPT_OPEN", "EXTGLOB_OPEN", "BRACE_OPEN")
)
VALUES = frozenset(("WORD_OPEN", "ARRAY_OPEN", "LIST_OPEN", "RECORD_OPEN"))


class Nest:
    """What is open: its opener's kind and index, and what the next word in it would be.

    `command` has the indexes of the tokens that the words of its current command begin with, the
    name first; empty where none has begun.
    """

    __slots__ = ("asked", "closer", "command", "index", "kind", "place")

    def __init__(self, kind: str, index: int, place: int) -> None:
        self.kind, self.index, self.place = kind, index, place
        self.closer = NESTS.get(kind, "")
        self.asked = -1  # by the next word only
        self.command: list[int] = []

    @property
    def next_word(self) -> int:
        """What a word would be here."""
        return self.asked if self.asked >= 0 else self.place

    def take_word(self, index: int) -> bool:
        """A word begins; whether it names a command."""
        asked, self.asked = self.asked, -1
        if asked >= 0:
            return False
        if self.place == NAME:
            self.command, self.place = [index], ARGUMENT
            return True
        if self.place == ARGUMENT:
            self.command.append(index)
        return False

    def begin(self, place: int) -> None:
        """A command is over."""
        self.place, self.asked, self.command = place, -1, []


class Roles:
    """Of some tokens: `names`, the indexes of those that name commands, and `open`, what is open
    behind the last of them, the outermost first; the first is the text itself.
    """

    __slots__ = ("names", "open")

    def __init__(self, tokens: Iterable[Token]) -> None:
        self.names: set[int] = set()
        self.open = [Nest("", -1, NAME)]
        for index, token in enumerate(tokens):
            self._feed(index, token[0])

    def _feed(self, index: int, kind: str) -> None:
        nest = self.open[-1]
        if kind in WORDS:
            if nest.take_word(index):
                self.names.add(index)
        elif kind in BEGINNINGS:
            nest.begin(NAME)
        elif kind in ASKS:
            nest.asked = ASKS[kind]
        elif kind == "KEY":
            nest.take_word(index)
            nest.asked = KEYED
        elif kind in NESTS:
            self._open(index, kind, nest)
        elif kind == nest.closer:
            self.open.pop()
            if kind in ENDINGS:
                self.open[-1].begin(NAME if kind == "PARAMETERS_CLOSE" else OTHER)
        elif kind in ENDINGS:
            nest.begin(OTHER)

    def _open(self, index: int, kind: str, nest: Nest) -> None:
        """Something opens; where it is a word of a command that takes it."""
        if kind in VALUES and nest.kind not in IN_WORD and nest.take_word(index):
            self.names.add(index)
        self.open.append(Nest(kind, index, NAME if kind in COMMANDS_INSIDE else OTHER))
