"""Roles: which words in a list of tokens name commands, and what the next word would be.

The tokens need be no whole script: they may end where someone is typing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.syntax.lexer.cursor import Token

# What a word is: a command's name, its argument, an assigned value, a redirection's target, the
# value of `key=`, or anything else.
COMMAND_ROLE, ARGUMENT_ROLE, VALUE_ROLE, TARGET_ROLE, KEYED_ROLE, OTHER_ROLE = range(6)

WORD_TOKENS = frozenset(
    ("WORD", "SINGLE", "DOUBLE", "ANSI", "VARIABLE", "INTERPOLATED", "EMPTY_KEY")
)

# A command may begin after these.
COMMAND_STARTERS = frozenset(
    (
        "SEPARATOR", "AMPERSAND", "AND_IF", "OR_IF", "PIPE", "BANG", "TIME", "IF", "THEN", "ELIF",
        "ELSE", "WHILE", "UNTIL", "DO", "LEFT_BRACE", "LEFT_PAREN", "PATTERN_CLOSE", "FUNCTION",
    )
)  # fmt: skip
# Words after these belong to no command.
COMMAND_ENDERS = frozenset(
    (
        "CASE", "FOR", "IN", "CLAUSE_END", "FI", "DONE", "ESAC", "RIGHT_BRACE", "RIGHT_PAREN",
        "ARITHMETIC_CLOSE", "TEST_CLOSE", "PARAMETERS_CLOSE",
    )
)  # fmt: skip
# The role of the next word only.
NEXT_WORD_ROLES = {"ASSIGN": VALUE_ROLE, "ASSIGN_AT": VALUE_ROLE, "REDIRECT": TARGET_ROLE}

# Openers whose inside is not part of the enclosing command, and their closers.
NEST_CLOSERS = {
    "SUBSTITUTION_OPEN": "SUBSTITUTION_CLOSE", "PROCESS_OPEN": "SUBSTITUTION_CLOSE",
    "EXPRESSION_OPEN": "EXPRESSION_CLOSE", "ARITHMETIC_OPEN": "ARITHMETIC_CLOSE",
    "TEST_OPEN": "TEST_CLOSE", "EXPANSION_OPEN": "EXPANSION_CLOSE",
    "SUBSCRIPT_OPEN": "SUBSCRIPT_CLOSE", "ARRAY_OPEN": "ARRAY_CLOSE", "LIST_OPEN": "LIST_CLOSE",
    "RECORD_OPEN": "RECORD_CLOSE", "DOUBLE_OPEN": "DOUBLE_CLOSE", "WORD_OPEN": "WORD_CLOSE",
    "EXTGLOB_OPEN": "EXTGLOB_CLOSE", "HEREDOC_OPEN": "HEREDOC_CLOSE",
    "FUNCTION_DECLARED": "PARAMETERS_CLOSE",
}  # fmt: skip
SUBSTITUTION_OPENERS = ("SUBSTITUTION_OPEN", "PROCESS_OPEN")
# Nests inside a word.
IN_WORD_OPENERS = frozenset(
    ("WORD_OPEN", "DOUBLE_OPEN", "EXPANSION_OPEN", "SUBSCRIPT_OPEN", "EXTGLOB_OPEN", "BRACE_OPEN")
)
VALUE_OPENERS = frozenset(("WORD_OPEN", "ARRAY_OPEN", "LIST_OPEN", "RECORD_OPEN"))


class Nest:
    """An open construct: its opener's kind and index, and the role of the next word in it.

    `command` has the indexes at which the words of the current command begin, its name first.
    """

    __slots__ = ("next_role", "closer", "command", "index", "kind", "role")

    def __init__(self, kind: str, index: int, role: int) -> None:
        self.kind, self.index, self.role = kind, index, role
        self.closer = NEST_CLOSERS.get(kind, "")
        self.next_role = -1  # of the next word only; -1 for none
        self.command: list[int] = []

    @property
    def next_word_role(self) -> int:
        """Return the role of the next word."""
        return self.next_role if self.next_role >= 0 else self.role

    def take_word(self, index: int) -> bool:
        """Note the beginning of a word; return whether it names a command."""
        asked, self.next_role = self.next_role, -1
        if asked >= 0:
            return False
        if self.role == COMMAND_ROLE:
            self.command, self.role = [index], ARGUMENT_ROLE
            return True
        if self.role == ARGUMENT_ROLE:
            self.command.append(index)
        return False

    def begin_command(self, role: int) -> None:
        """Note the end of a command."""
        self.role, self.next_role, self.command = role, -1, []


class WordRoles:
    """The roles of words in a list of tokens.

    name_indexes  the indexes of tokens that name commands
    open_nests    what is open after the last token, outermost first; the first is the text itself
    """

    __slots__ = ("name_indexes", "open_nests")

    def __init__(self, tokens: Iterable[Token]) -> None:
        self.name_indexes: set[int] = set()
        self.open_nests = [Nest("", -1, COMMAND_ROLE)]
        for index, token in enumerate(tokens):
            self._feed(index, token[0])

    def _feed(self, index: int, kind: str) -> None:
        nest = self.open_nests[-1]
        if kind in WORD_TOKENS:
            if nest.take_word(index):
                self.name_indexes.add(index)
        elif kind in COMMAND_STARTERS:
            nest.begin_command(COMMAND_ROLE)
        elif kind in NEXT_WORD_ROLES:
            nest.next_role = NEXT_WORD_ROLES[kind]
        elif kind == "KEY":
            nest.take_word(index)
            nest.next_role = KEYED_ROLE
        elif kind in NEST_CLOSERS:
            self._open(index, kind, nest)
        elif kind == nest.closer:
            self.open_nests.pop()
            if kind in COMMAND_ENDERS:
                self.open_nests[-1].begin_command(
                    COMMAND_ROLE if kind == "PARAMETERS_CLOSE" else OTHER_ROLE
                )
        elif kind in COMMAND_ENDERS:
            nest.begin_command(OTHER_ROLE)

    def _open(self, index: int, kind: str, nest: Nest) -> None:
        """Note an opener, which may begin a word of the enclosing command."""
        if kind in VALUE_OPENERS and nest.kind not in IN_WORD_OPENERS and nest.take_word(index):
            self.name_indexes.add(index)
        self.open_nests.append(
            Nest(kind, index, COMMAND_ROLE if kind in SUBSTITUTION_OPENERS else OTHER_ROLE)
        )
