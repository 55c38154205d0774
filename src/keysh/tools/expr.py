"""expr - an expression worked out, word by word."""

from __future__ import annotations

from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OutputStyle, Refusals, command
from keysh.text.chunks import octets_of_text
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call, CommandFailure
    from keysh.schema.types import Raw

# From the weakest to the strongest.
PRECEDENCE = (("|",), ("&",), ("<", "<=", "=", "==", "!=", ">=", ">"), ("+", "-"), ("*", "/", "%"),
          (":",))  # fmt: skip
USAGE_STATUS, INVALID_STATUS = 2, 2
MAX_NESTING = 100  # parentheses, and functions of functions
MAX_NUMBER_DIGITS = 4000


@command(
    output=OutputStyle(write_error=(3, "write error: {}")),
    refusals=Refusals(usage_status=USAGE_STATUS),
)
def expr(sh: Call, *words: Raw) -> int:
    r"""Print the value of an expression, each part of which is a word.

    words ...  the expression

    A | B, A & B           the first that is neither 0 nor empty; A if both are so, else 0
    A < B, <= = != >= >    1 if that is so, else 0; of numbers or texts
    A + B, - * / %         arithmetic of numbers of any size
    TEXT : REGEX           what \( \) finds at the start of the text, or how many characters match
    match TEXT REGEX       the same
    substr TEXT POS LEN    a part of the text; positions count from 1
    index TEXT CHARS       where one of the characters stands first, or 0
    length TEXT            how many characters it has
    + WORD, ( ... )        the word as it is; an expression

    The status is 0, or 1 where the value is empty or 0; 2 for what makes no sense.
    """
    texts = expanded_texts(words)
    if texts[:1] == ["--"]:
        del texts[0]
    if not texts:
        sh.warn("missing operand")
        sh.err.write(f"Try '{sh.name} --help' for more information.\n")
        return USAGE_STATUS
    value = ExprParser(sh, texts).value()
    sh.out.write(f"{value}\n")
    return 0 if is_true(value) else 1


def is_true(value: str) -> bool:
    """Whether a value is neither empty nor zero."""
    return bool(value.removeprefix("-").strip("0")) or value == "-"


def integer_value(value: str) -> int | None:
    """The number that a value is, if it is one."""
    digits = value.removeprefix("-")
    is_number = is_digits(digits) and len(digits) < MAX_NUMBER_DIGITS
    return int(value) if is_number else None


class ExprParser:
    """An expression, read from left to right and worked out on the way."""

    __slots__ = ("_at", "_depth", "_sh", "_words")

    def __init__(self, sh: Call, words: Sequence[str]) -> None:
        self._sh, self._words, self._at, self._depth = sh, words, 0, 0

    def value(self) -> str:
        """The value of all words."""
        value = self._level(0, True)
        if self._at < len(self._words):
            raise self._syntax_error("unexpected argument", self._words[self._at])
        return value

    def _syntax_error(self, what: str, word: str) -> CommandFailure:
        return self._sh.fail(f"syntax error: {what} {locale_quoted_text(word)}", INVALID_STATUS)

    def _next_word(self) -> str:
        """The next word, which must be there."""
        if self._at >= len(self._words):
            raise self._syntax_error("missing argument after", self._words[self._at - 1])
        self._at += 1
        return self._words[self._at - 1]

    def _level(self, level: int, counts: bool) -> str:
        """Operators of a level and all stronger ones. Where nothing counts, nothing can fail."""
        if level == len(PRECEDENCE):
            return self._operand(counts)
        left = self._level(level + 1, counts)
        while self._at < len(self._words) and self._words[self._at] in PRECEDENCE[level]:
            self._sh.tick()
            operator = self._next_word()
            decided = operator in "|&" and is_true(left) == (operator == "|")
            right = self._level(level + 1, counts and not decided)
            if operator == "|":
                left = left if is_true(left) else right if is_true(right) else "0"
            elif operator == "&":
                left = left if is_true(left) and is_true(right) else "0"
            elif level == 2:
                left = self._compare(left, operator, right)
            elif not counts:
                left = ""
            else:
                left = (
                    self._match(left, right)
                    if level == 5
                    else self._calculate(left, operator, right)
                )
        return left

    def _operand(self, counts: bool) -> str:
        """A word, a function of words, or an expression in parentheses."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self._sh.fail(f"expression nests deeper than {MAX_NESTING}", INVALID_STATUS)
        word = self._next_word()
        if word == "(":
            value = self._level(0, counts)
            if self._at >= len(self._words):
                raise self._syntax_error("expecting ')' after", self._words[self._at - 1])
            if self._next_word() != ")":
                raise self._syntax_error("expecting ')' instead of", self._words[self._at - 1])
        elif word == ")":
            raise self._syntax_error("unexpected", word)
        elif word == "+":
            value = self._next_word()
        elif word == "length":
            value = str(len(self._operand(counts)))
        elif word in ("match", "index"):
            text, other = self._operand(counts), self._operand(counts)
            value = self._match(text, other) if word == "match" and counts else ""
            if word == "index":
                value = str(min((text.find(c) + 1 for c in other if c in text), default=0))
        elif word == "substr":
            text, *places = (self._operand(counts) for _ in range(3))
            start, size = (integer_value(place) or 0 for place in places)
            value = text[start - 1 : start - 1 + size] if start > 0 and size > 0 else ""
        else:
            value = word
        self._depth -= 1
        return value

    def _match(self, text: str, pattern: str) -> str:
        """What a pattern finds at the start of a text."""
        try:
            regex = regex_of(pattern, "basic")
            found = regex.match(text, 0, self._sh.tick)
        except (RegexError, RegexLimit) as error:
            raise self._sh.fail(error.message, INVALID_STATUS) from None
        if regex.groups:
            return (found.group(1) or "") if found is not None else ""
        return str(found.end) if found is not None else "0"

    def _compare(self, left: str, operator: str, right: str) -> str:
        """Whether two values stand so to each other: as numbers if both are, else as texts."""
        numbers = integer_value(left), integer_value(right)
        order = 0
        if numbers[0] is not None and numbers[1] is not None:
            order = (numbers[0] > numbers[1]) - (numbers[0] < numbers[1])
        else:
            first, second = octets_of_text(left), octets_of_text(right)
            order = (first > second) - (first < second)
        is_so = {"<": order < 0, "<=": order <= 0, "=": not order, "==": not order,
                 "!=": bool(order), ">=": order >= 0, ">": order > 0}  # fmt: skip
        return str(int(is_so[operator]))

    def _calculate(self, left: str, operator: str, right: str) -> str:
        """Arithmetic, as C has it: a quotient is cut toward zero."""
        first, second = integer_value(left), integer_value(right)
        if first is None or second is None:
            raise self._sh.fail("non-integer argument", INVALID_STATUS)
        if operator in "/%" and not second:
            raise self._sh.fail("division by zero", INVALID_STATUS)
        if operator == "+":
            value = first + second
        elif operator == "-":
            value = first - second
        elif operator == "*":
            value = first * second
        else:
            quotient = abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1)
            value = quotient if operator == "/" else first - second * quotient
        if value.bit_length() > 3 * MAX_NUMBER_DIGITS:
            raise self._sh.fail("number is too large", INVALID_STATUS)
        return str(value)
