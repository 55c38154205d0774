"""The words of an awk program: text becomes tokens, each with its place."""

from __future__ import annotations

import re

from keysh.schema.types import UnfitValue
from keysh.tools.awk.parse.escapes import string_warnings, unescape

KEYWORDS = {
    "BEGIN", "BEGINFILE", "END", "ENDFILE", "break", "case", "continue", "default", "delete", "do",
    "else", "exit", "for", "func", "function", "getline", "if", "in", "next", "nextfile", "print",
    "printf", "return", "switch", "while",
}  # fmt: skip

# The fewest and the most arguments of each function.
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

# Comments and joined lines are no tokens; the alternatives are tried in this order.
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


class AwkProgramError(UnfitValue):
    """A program that does not parse; `message` says it in gawk's way, with the place."""

    def __init__(self, message: str) -> None:
        super().__init__("an awk program", message)
        self.message = message
        self.status = 2 if "fatal: " in message else 1

    def __str__(self) -> str:
        return self.message

    def message_for(self, what: str) -> str:
        return self.message


class AwkToken:
    """One word: its kind (a sign or keyword is its own), its text or value, and its place."""

    __slots__ = ("end", "kind", "line", "start", "text", "value")

    def __init__(
        self, kind: str, text: str, at: int, end: int, line: int, value: float = 0.0
    ) -> None:
        self.kind, self.text, self.value = kind, text, value
        self.start, self.end, self.line = at, end, line


def tokenize(source: str) -> list[AwkToken]:
    """All tokens; the last is "end"."""
    if len(source) > MAX_PROGRAM_CHARACTERS:
        raise AwkProgramError(
            f"fatal: the program is longer than {MAX_PROGRAM_CHARACTERS} characters"
        )
    found: list[AwkToken] = []
    at, line, before = 0, 1, "newline"
    while at < len(source):
        token = token_at(source, at, line, before)
        line += source.count("\n", at, token.end)
        at = token.end
        if token.kind != "blank":
            found.append(token)
            before = token.kind
    found.append(AwkToken("end", "", len(source), len(source), line))
    return found


def program_warnings(source: str, words: list[AwkToken]) -> list[tuple[int, str]]:
    """What is said of the texts of a program, each with its line."""
    return [
        (word.line, says)
        for word in words
        if word.kind == "string"
        for says in string_warnings(source[word.start + 1 : word.end - 1])
    ]


def token_at(source: str, at: int, line: int, before: str) -> AwkToken:
    """The token at a place. A `/` behind what can end an operand divides."""
    char = source[at]
    if char == '"':
        return quoted_token(source, at, line, '"', "string")
    if char == "/" and before not in OPERAND_ENDS:
        return quoted_token(source, at, line, "/", "regex")
    found = TOKEN_PATTERN.match(source, at)
    if found is None:
        is_sign = char in ".&"
        what = "syntax error" if is_sign else f"invalid char '{char}' in expression"
        raise syntax_error(source, at, line, what, at)
    kind, text = str(found.lastgroup), found[0]
    if kind == "number":
        return AwkToken("number", text, at, found.end(), line, number_value(text))
    if kind == "name":
        if text in KEYWORDS:
            kind = "function" if text == "func" else text
        elif text in BUILTIN_FUNCTIONS:
            kind = "builtin"
        elif source.startswith("(", found.end()):
            kind = "call"
    elif kind == "sign":
        kind = {"**": "^", "**=": "^="}.get(text, text)
    return AwkToken(kind, text, at, found.end(), line)


def number_value(text: str) -> float:
    """What a number in a program means: `011` is octal, as is no number of the input."""
    base = 16 if text[:2] in ("0x", "0X") else 10
    if text[0] == "0" and text.isdigit() and not text.strip("01234567"):
        base = 8
    try:
        return float(int(text, base)) if base != 10 else float(text)
    except OverflowError:
        return float("inf")


def quoted_token(source: str, at: int, line: int, end: str, kind: str) -> AwkToken:
    """A text or a regular expression, up to its end; a slash in brackets ends no expression."""
    i = at + 1
    while i < len(source) and source[i] != end:
        char = source[i]
        if char == "\n":
            break
        if char == "[" and end == "/":
            i = end_of_bracket(source, i)
            continue
        i += 2 if char == "\\" else 1
    if i >= len(source) or source[i] != end:
        what = "string" if end == '"' else "regexp"
        raise syntax_error(source, at, line, f"unterminated {what}", at + (end == "/"))
    inside = source[at + 1 : i]
    if kind == "string":
        return AwkToken(kind, unescape(inside), at, i + 1, line)
    return AwkToken(kind, inside.replace("\\/", "/").replace("\\\n", ""), at, i + 1, line)


def end_of_bracket(source: str, at: int) -> int:
    """The place behind a bracket expression; the end of the line where it has none."""
    i = at + 1
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


def syntax_error(source: str, at: int, line: int, message: str, mark: int) -> AwkProgramError:
    """A program refused as gawk does it: the line up to the error, and a mark below.

    cmd. line:1: BEGIN { print 1 + }
    cmd. line:1:                   ^ syntax error
    """
    start = source.rfind("\n", 0, at) + 1
    end = source.find("\n", at)
    shown = source[start : len(source) if end < 0 else end]
    margin = "".join("\t" if char == "\t" else " " for char in source[start:mark])
    place = f"cmd. line:{line}: "
    return AwkProgramError(f"{place}{shown}\nawk: {place}{margin}^ {message}")
