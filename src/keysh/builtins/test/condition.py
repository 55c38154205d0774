"""Condition: parse and evaluate the words of `test` as bash does."""

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

MAX_PARENTHESES_DEPTH = 100  # as many as a Python stack takes


class Condition:
    """The words and the position in them. Up to four words are parsed by their number (POSIX)."""

    __slots__ = ("at", "depth", "sh", "words")

    def __init__(self, sh: Call, words: list[str]) -> None:
        self.sh, self.words, self.at, self.depth = sh, words, 0, 0

    def holds(self) -> bool:
        """Whether the condition is true."""
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
        """Return and consume the next word."""
        if self.at >= len(self.words):
            self.refuse("argument expected")
        self.at += 1
        return self.words[self.at - 1]

    def peek(self, ahead: int = 0) -> str | None:
        """Return a word further on, if there is one."""
        at = self.at + ahead
        return self.words[at] if at < len(self.words) else None

    # ------------------------------------------------------------ up to four words

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

    # ------------------------------------------------------------ five words or more

    def or_list(self) -> bool:
        """C -o C …; every operand is evaluated, so that errors are always reported."""
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
        """Evaluate a condition in parentheses, after the opening one."""
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
        """Evaluate a unary operator, already consumed, and its operand."""
        operand = self.next()
        if operator == "-t" and number_of(operand) is None:
            self.at -= 1  # like bash, do not consume a word that is no number
            return False
        return unary_test(self.sh, operator, operand)

    def binary(self) -> bool:
        left, operator, right = self.next(), self.next(), self.next()
        return binary_test(self.sh, left, operator, right)
