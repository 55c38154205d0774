"""Split an awk program into tokens, each with its position."""

from __future__ import annotations

import re

from keysh.schema.types import UnfitValue
from keysh.tools.awk.parse.escapes import string_warnings, unescape

KEYWORDS = {
    "BEGIN", "BEGINFILE", "END", "ENDFILE", "break", "case", "continue", "default", "delete", "do",
    "else", "exit", "for", "func", "function", "getline", "if", "in", "next", "nextfile", "print",
    "printf", "return", "switch", "while",
}  # fmt: skip

# The minimum and maximum number of arguments of each function.
BUILTIN_FUNCTIONS = {
    "and": (2, 99), "asort": (1, 3), "asorti": (1, 3), "atan2": (2, 2), "close": (1, 2),
    "compl": (1, 1), "cos": (1, 1), "exp": (1, 1), "fflush": (0, 1), "gensub": (3, 4),
    "gsub": (2, 3), "index": (2, 2), "int": (1, 1), "isarray": (1, 1), "length": (0, 1),
    "log": (1, 1), "lshift": (2, 2), "match": (2, 3), "mktime": (1, 2), "or": (2, 99),
    "patsplit": (2, 4), "rand": (0, 0), "rshift": (2, 2), "sin": (1, 1), "split": (2, 4),
    "sprintf": (1, 999), "sqrt": (1, 1), "srand": (0, 1), "strftime": (0, 3), "strtonum": (1, 1),
    "sub": (2, 3), "substr": (2, 3), "system": (1, 1), "systime": (0, 0), "tolower": (1, 1),
    "toupper": (1, 1), "typeof": (1, 1), "xor": (2, 99),
}  # fmt: skip

# Comments and line continuations count as blanks. The order of the alternatives matters.
TOKEN_PATTERN = re.compile(
    r"""(?P<blank>[ \t\r]+|\\\r?\n|\#[^\n]*)
    |(?P<newline>\n)
    |(?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<sign>\*\*=|\*\*|\+\+|--|\+=|-=|\*=|/=|%=|\^=|==|!=|<=|>=|&&|\|\||>>|!~|\|&|[-+*/%^=!<>~?:,;{}()\[\]$|@])
    """,
    re.VERBOSE,
)
OPERAND_ENDS = {"number", "string", "name", "builtin", "regex", ")", "]", "$", "++", "--"}
MAX_PROGRAM_CHARACTERS = 1 << 17

# Control characters that have no escape like \a: for gawk they are no syntax error, but fatal.
FATAL_CHARACTERS = frozenset(map(chr, {*range(7), *range(14, 32), 127}))


class AwkProgramError(UnfitValue):
    """The program is invalid. `message` has gawk's wording and the line."""

    def __init__(self, message: str) -> None:
        super().__init__("an awk program", message)
        self.message = message
        self.status = 2 if "fatal: " in message else 1

    def __str__(self) -> str:
        return self.message

    def message_for(self, what: str) -> str:
        return self.message


class AwkToken:
    """A token. The kind of an operator or keyword is its text."""

    __slots__ = ("end", "kind", "line", "start", "text", "value")

    def __init__(
        self, kind: str, text: str, start: int, end: int, line: int, value: float = 0.0
    ) -> None:
        self.kind, self.text, self.value = kind, text, value
        self.start, self.end, self.line = start, end, line


def tokenize(source: str) -> list[AwkToken]:
    """Return all tokens; the last is "end"."""
    if len(source) > MAX_PROGRAM_CHARACTERS:
        raise AwkProgramError(
            f"fatal: the program is longer than {MAX_PROGRAM_CHARACTERS} characters"
        )
    tokens: list[AwkToken] = []
    position, line, previous = 0, 1, "newline"
    while position < len(source):
        token = token_at(source, position, line, previous)
        line += source.count("\n", position, token.end)
        position = token.end
        if token.kind != "blank":
            tokens.append(token)
            previous = token.kind
    tokens.append(AwkToken("end", "", len(source), len(source), line))
    return tokens


def program_warnings(source: str, tokens: list[AwkToken]) -> list[tuple[int, str]]:
    """Return the warnings about string constants, each with its line."""
    return [
        (token.line, warning)
        for token in tokens
        if token.kind == "string"
        for warning in string_warnings(source[token.start + 1 : token.end - 1])
    ]


def token_at(source: str, start: int, line: int, previous: str) -> AwkToken:
    """Return the token at a position. A `/` after the end of an operand divides."""
    char = source[start]
    if char == '"':
        return quoted_token(source, start, line, '"', "string")
    if char == "/" and previous not in OPERAND_ENDS:
        return quoted_token(source, start, line, "/", "regex")
    match = TOKEN_PATTERN.match(source, start)
    if match is None:
        if char in FATAL_CHARACTERS:
            message = f"error: invalid character '\\{ord(char):03o}' in source code"
            raise AwkProgramError(f"cmd. line:{line}: fatal: {message}")
        is_sign = char in ".&"
        what = "syntax error" if is_sign else f"invalid char '{char}' in expression"
        raise syntax_error(source, start, line, what, start)
    kind, text = str(match.lastgroup), match[0]
    if kind == "number":
        return AwkToken("number", text, start, match.end(), line, number_value(text))
    if kind == "name":
        if text in KEYWORDS:
            kind = "function" if text == "func" else text
        elif text in BUILTIN_FUNCTIONS:
            kind = "builtin"
        elif source.startswith("(", match.end()):
            kind = "call"
    elif kind == "sign":
        kind = {"**": "^", "**=": "^="}.get(text, text)
    return AwkToken(kind, text, start, match.end(), line)


def number_value(text: str) -> float:
    """Return the value of a number constant. `011` is octal, unlike numbers in the input."""
    base = 16 if text[:2] in ("0x", "0X") else 10
    if text[0] == "0" and text.isdigit() and not text.strip("01234567"):
        base = 8
    try:
        return float(int(text, base)) if base != 10 else float(text)
    except OverflowError:
        return float("inf")


def quoted_token(source: str, start: int, line: int, delimiter: str, kind: str) -> AwkToken:
    """Return a string or regex token. A slash in brackets does not end a regex."""
    i = start + 1
    while i < len(source) and source[i] != delimiter:
        char = source[i]
        if char == "\n":
            break
        if char == "[" and delimiter == "/":
            i = end_of_bracket(source, i)
            continue
        i += 2 if char == "\\" else 1
    if i >= len(source) or source[i] != delimiter:
        what = "string" if delimiter == '"' else "regexp"
        raise syntax_error(source, start, line, f"unterminated {what}", start + (delimiter == "/"))
    content = source[start + 1 : i]
    if kind == "string":
        return AwkToken(kind, unescape(content), start, i + 1, line)
    return AwkToken(kind, content.replace("\\/", "/").replace("\\\n", ""), start, i + 1, line)


def end_of_bracket(source: str, start: int) -> int:
    """Return the position after a bracket expression, or the end of the line if it is open."""
    i = start + 1
    if source.startswith("^", i):
        i += 1
    if source.startswith("]", i):
        i += 1
    while i < len(source) and source[i] != "\n":
        if source[i] == "]":
            return i + 1
        if source[i] == "\\":
            i += 1
        elif source[i : i + 2] in ("[:", "[.", "[="):
            close = source.find(source[i + 1] + "]", i + 2)
            i = close + 1 if close > 0 else i
        i += 1
    return i


def syntax_error(source: str, position: int, line: int, message: str, mark: int) -> AwkProgramError:
    """Return gawk's message for a syntax error: the line, and a mark below the error.

    cmd. line:1: BEGIN { print 1 + }
    cmd. line:1:                   ^ syntax error
    """
    start = source.rfind("\n", 0, position) + 1
    end = source.find("\n", position)
    text = source[start : len(source) if end < 0 else end]
    margin = "".join("\t" if char == "\t" else " " for char in source[start:mark])
    prefix = f"cmd. line:{line}: "
    return AwkProgramError(f"{prefix}{text}\nawk: {prefix}{margin}^ {message}")
