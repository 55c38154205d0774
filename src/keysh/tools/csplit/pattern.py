"""The words that say where csplit splits: line numbers and regular expressions."""

from __future__ import annotations

import re

from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.regex.regex import RegexError, regex_of
from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.text.regex.regex import Regex

INFINITE = -1  # repetitions, for {*}
OFFSET = re.compile(r"[+-]?\d+")


class SplitPattern:
    """One place to split at, and how often it is repeated.

    line        a line number, or 0 if there is a regular expression
    is_skipped  whether the lines before the place are left out
    offset      how many lines behind the matching one the place is
    """

    __slots__ = ("is_skipped", "line", "offset", "regex", "repetitions", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.line = self.offset = self.repetitions = 0
        self.regex: Regex | None = None
        self.is_skipped = False


def parse_patterns(sh: Call, words: Sequence[str]) -> list[SplitPattern]:
    """Parse all words; a word in braces repeats the one before it."""
    patterns: list[SplitPattern] = []
    previous_line, is_repeatable = 0, False
    for word in words:
        if word[:1] == "{" and is_repeatable:
            patterns[-1].repetitions = parse_repetitions(sh, word)
            is_repeatable = False
            continue
        is_repeatable = True
        pattern = SplitPattern(word)
        patterns.append(pattern)
        if word[:1] in ("/", "%"):
            parse_regex(sh, pattern)
            continue
        if not is_digits(word):
            raise sh.fail(f"{locale_quoted_text(word)}: invalid pattern")
        pattern.line = int(word[:18])
        if not pattern.line:
            raise sh.fail(f"{word}: line number must be greater than zero")
        if pattern.line < previous_line:
            message = (
                f"line number {locale_quoted_text(word)} is smaller than preceding line number"
            )
            raise sh.fail(f"{message}, {previous_line}")
        if pattern.line == previous_line:
            number = locale_quoted_text(word)
            sh.note(f"warning: line number {number} is the same as preceding line number")
        previous_line = pattern.line
    return patterns


def parse_repetitions(sh: Call, word: str) -> int:
    """Return the number in braces, INFINITE for `{*}`."""
    if word[-1] != "}":
        raise sh.fail(f"{locale_quoted_text(word)}: '}}' is required in repeat count")
    number = word[1:-1]
    if number == "*":
        return INFINITE
    if not is_digits(number):
        raise sh.fail(f"{locale_quoted_text(word[:-1])}}}: integer required between '{{' and '}}'")
    return int(number[:18])


def parse_regex(sh: Call, pattern: SplitPattern) -> None:
    """Parse `/RE/OFFSET` or `%RE%OFFSET`."""
    text, mark = pattern.text, pattern.text[0]
    end = text.rfind(mark)
    if not end:
        raise sh.fail(f"{text}: closing delimiter '{mark}' missing")
    offset = text[end + 1 :]
    if offset:
        if not OFFSET.fullmatch(offset):
            raise sh.fail(f"{locale_quoted_text(text)}: integer expected after delimiter")
        pattern.offset = int(offset[:18])
    pattern.is_skipped = mark == "%"
    try:
        pattern.regex = regex_of(text[1:end], "basic")
    except RegexError as error:
        message = f"{locale_quoted_text(text)}: invalid regular expression: {error.message}"
        raise sh.fail(message) from None
