"""expr - evaluate an expression."""

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

# From the lowest to the highest.
PRECEDENCE = (("|",), ("&",), ("<", "<=", "=", "==", "!=", ">=", ">"), ("+", "-"), ("*", "/", "%"),
          (":",))  # fmt: skip
USAGE_STATUS, INVALID_STATUS = 2, 2
MAX_NESTING = 100  # of parentheses and functions
MAX_NUMBER_DIGITS = 4000


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(write_error=(3, "write error: {}")),
    refusals=Refusals(usage_status=USAGE_STATUS),
)
def expr(sh: Call, *words: Raw) -> int:
    r"""Print the value of an expression; each operand and operator is an argument.

    words ...  the expression

    A | B, A & B           A if it is neither empty nor 0, else B; A if both are so,
                           else 0
    A < B, <= = != >= >    1 if the comparison holds, else 0; of numbers or strings
    A + B, - * / %         arithmetic on integers of any size
    STRING : REGEX         the text of \( \) in a match at the start, or its length
    match STRING REGEX     same as STRING : REGEX
    substr STRING POS LEN  substring; positions count from 1
    index STRING CHARS     position of the first of CHARS in STRING, or 0
    length STRING          length of STRING
    + WORD, ( ... )        WORD even if it is an operator; a subexpression

    The status is 0, 1 if the value is empty or 0, and 2 if the expression is
    invalid.
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
    """Tell whether a value is neither empty nor zero."""
    return bool(value.removeprefix("-").strip("0")) or value == "-"


def integer_value(value: str) -> int | None:
    """Return the value as an integer, or None."""
    digits = value.removeprefix("-")
    is_number = is_digits(digits) and len(digits) < MAX_NUMBER_DIGITS
    return int(value) if is_number else None


class ExprParser:
    """Evaluates an expression from left to right while parsing it."""

    __slots__ = ("_at", "_depth", "_sh", "_words")

    def __init__(self, sh: Call, words: Sequence[str]) -> None:
        self._sh, self._words, self._at, self._depth = sh, words, 0, 0

    def value(self) -> str:
        """Return the value of the whole expression."""
        value = self._level(0, True)
        if self._at < len(self._words):
            raise self._syntax_error("unexpected argument", self._words[self._at])
        return value

    def _syntax_error(self, what: str, word: str) -> CommandFailure:
        return self._sh.fail(f"syntax error: {what} {locale_quoted_text(word)}", INVALID_STATUS)

    def _next_word(self) -> str:
        """Return the next word; fails at the end."""
        if self._at >= len(self._words):
            raise self._syntax_error("missing argument after", self._words[self._at - 1])
        self._at += 1
        return self._words[self._at - 1]

    def _level(self, level: int, is_needed: bool) -> str:
        """Evaluate operators of a level and higher; errors count only if `is_needed`."""
        if level == len(PRECEDENCE):
            return self._operand(is_needed)
        value = self._level(level + 1, is_needed)
        while self._at < len(self._words) and self._words[self._at] in PRECEDENCE[level]:
            self._sh.tick()
            operator = self._next_word()
            is_decided = operator in "|&" and is_true(value) == (operator == "|")
            right = self._level(level + 1, is_needed and not is_decided)
            if operator == "|":
                value = value if is_true(value) else right if is_true(right) else "0"
            elif operator == "&":
                value = value if is_true(value) and is_true(right) else "0"
            elif level == 2:
                value = self._compare(value, operator, right)
            elif not is_needed:
                value = ""
            else:
                value = (
                    self._match(value, right)
                    if level == 5
                    else self._calculate(value, operator, right)
                )
        return value

    def _operand(self, is_needed: bool) -> str:
        """Evaluate a word, a function, or an expression in parentheses."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self._sh.fail(f"expression nests deeper than {MAX_NESTING}", INVALID_STATUS)
        word = self._next_word()
        if word == "(":
            value = self._level(0, is_needed)
            if self._at >= len(self._words):
                raise self._syntax_error("expecting ')' after", self._words[self._at - 1])
            if self._next_word() != ")":
                raise self._syntax_error("expecting ')' instead of", self._words[self._at - 1])
        elif word == ")":
            raise self._syntax_error("unexpected", word)
        elif word == "+":
            value = self._next_word()
        elif word == "length":
            value = str(len(self._operand(is_needed)))
        elif word in ("match", "index"):
            text, other = self._operand(is_needed), self._operand(is_needed)
            value = self._match(text, other) if word == "match" and is_needed else ""
            if word == "index":
                value = str(min((text.find(c) + 1 for c in other if c in text), default=0))
        elif word == "substr":
            text, *bounds = (self._operand(is_needed) for _ in range(3))
            start, size = (integer_value(place) or 0 for place in bounds)
            value = text[start - 1 : start - 1 + size] if start > 0 and size > 0 else ""
        else:
            value = word
        self._depth -= 1
        return value

    def _match(self, text: str, pattern: str) -> str:
        """Match a pattern at the start of a string."""
        try:
            regex = regex_of(pattern, "basic")
            match = regex.match(text, 0, self._sh.tick)
        except (RegexError, RegexLimit) as error:
            raise self._sh.fail(error.message, INVALID_STATUS) from None
        if regex.groups:
            return (match.group(1) or "") if match is not None else ""
        return str(match.end) if match is not None else "0"

    def _compare(self, left: str, operator: str, right: str) -> str:
        """Compare two values: as numbers if both are integers, else as strings."""
        numbers = integer_value(left), integer_value(right)
        order = 0
        if numbers[0] is not None and numbers[1] is not None:
            order = (numbers[0] > numbers[1]) - (numbers[0] < numbers[1])
        else:
            first, second = octets_of_text(left), octets_of_text(right)
            order = (first > second) - (first < second)
        results = {"<": order < 0, "<=": order <= 0, "=": not order, "==": not order,
                 "!=": bool(order), ">=": order >= 0, ">": order > 0}  # fmt: skip
        return str(int(results[operator]))

    def _calculate(self, left: str, operator: str, right: str) -> str:
        """Calculate as in C: division truncates toward zero."""
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
