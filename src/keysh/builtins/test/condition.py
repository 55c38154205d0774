"""Condition: the words of a test, read as bash reads them."""

from __future__ import annotations

from keysh.builtins.test.operator import (
    BINARY_OPERATORS,
    UNARY_OPERATORS,
    binary_test,
    number_of,
    unary_test,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from keysh.interp.state.call import Call

MAX_PARENTHESES_DEPTH = 100  # of parentheses


class Condition:
    """Words and how many of them are read. With up to four, their number decides (POSIX)."""

    __slots__ = ("at", "depth", "sh", "words")

    def __init__(self, sh: Call, words: list[str]) -> None:
        self.sh, self.words, self.at, self.depth = sh, words, 0, 0

    def holds(self) -> bool:
        """Whether all the words together are true."""
        count = len(self.words)
        by_number = (
            self.no_words,
            self.one_word,
            self.two_words,
            self.three_words,
            self.four_words,
        )
        holds = by_number[count]() if count < len(by_number) else self.or_list()
        if count < 4:
            return holds
        if self.at < count:
            word = self.words[self.at]
            is_operator = word[:1] == "-"
            self.refuse(
                f"syntax error: `{word}' unexpected" if is_operator else "too many arguments"
            )
        return holds

    def refuse(self, message: str) -> NoReturn:
        raise self.sh.fail(message, 2)

    def next(self) -> str:
        """The next word, which is then read."""
        if self.at >= len(self.words):
            self.refuse("argument expected")
        self.at += 1
        return self.words[self.at - 1]

    def peek(self, ahead: int = 0) -> str | None:
        """A word further on, if there is one."""
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else None

    # ------------------------------------------------------------ by their number

    def no_words(self) -> bool:
        return False

    def one_word(self) -> bool:
        return self.next() != ""

    def two_words(self) -> bool:
        operator = self.next()
        if operator == "!":
            return not self.one_word()
        if operator not in UNARY_OPERATORS:
            self.refuse(f"{operator}: unary operator expected")
        return self.unary(operator)

    def three_words(self) -> bool:
        first, operator, last = self.words[self.at : self.at + 3]
        if operator in BINARY_OPERATORS:
            return self.binary()
        if operator in ("-a", "-o"):
            self.at += 3
            return first != "" and last != "" if operator == "-a" else first != "" or last != ""
        if first == "!":
            self.at += 1
            return not self.two_words()
        if first == "(" and last == ")":
            self.at += 3
            return operator != ""
        raise self.sh.fail(f"{operator}: binary operator expected", 2)

    def four_words(self) -> bool:
        if self.words[0] == "!":
            self.at = 1
            return not self.three_words()
        if self.words[0] == "(" and self.words[3] == ")":
            self.at = 1
            holds = self.two_words()
            self.at = 4
            return holds
        return self.or_list()

    # ------------------------------------------------------------ by what they are

    def or_list(self) -> bool:
        """C -o C …; every side is judged, for a wrong one is told of in any case."""
        holds = self.and_list()
        while self.peek() == "-o":
            self.at += 1
            holds = self.and_list() or holds
        return holds

    def and_list(self) -> bool:
        holds = self.term()
        while self.peek() == "-a":
            self.at += 1
            holds = self.term() and holds
        return holds

    def term(self) -> bool:
        is_negated = False
        while self.peek() == "!":
            self.at += 1
            is_negated = not is_negated
        first = self.peek()
        if first != "(" and self.peek(1) in BINARY_OPERATORS and self.peek(2) is not None:
            return self.binary() != is_negated
        self.next()
        if first == "(":
            holds = self.group()
        elif first in UNARY_OPERATORS and first is not None and self.at < len(self.words):
            holds = self.unary(first)
        else:
            holds = first != ""
        return holds != is_negated

    def group(self) -> bool:
        """The condition in parentheses, behind the first of them."""
        self.depth += 1
        if self.depth > MAX_PARENTHESES_DEPTH:
            self.refuse(f"more than {MAX_PARENTHESES_DEPTH} parentheses in each other")
        holds = self.or_list()
        self.depth -= 1
        found = self.peek()
        if found != ")":
            self.refuse("`)' expected" + ("" if found is None else f", found {found}"))
        self.at += 1
        return holds

    # ------------------------------------------------------------ operators

    def unary(self, operator: str) -> bool:
        """An operator that is read, and its operand."""
        operand = self.next()
        if operator == "-t" and number_of(operand) is None:
            self.at -= 1  # like bash, leave what is no number unread
            return False
        return unary_test(self.sh, operator, operand)

    def binary(self) -> bool:
        left, operator, right = self.next(), self.next(), self.next()
        return binary_test(self.sh, left, operator, right)
