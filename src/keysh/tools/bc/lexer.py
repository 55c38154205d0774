"""The lexer: the lines of a bc program as tokens, one by one, as they are asked for.

A token is its kind and its text. The kinds: number, name, string, newline, end (of all input), and
each keyword and operator under its own name.
"""

from __future__ import annotations

import re

from keysh.text.chunks import encoded
from keysh.tools.bc.problem import GivenUp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

KEYWORDS = frozenset((
    "auto", "break", "continue", "define", "else", "for", "halt", "ibase", "if", "last", "length",
    "limits", "obase", "print", "quit", "random", "read", "return", "scale", "sqrt", "void",
    "warranty", "while",
))  # fmt: skip

# A digit of a number, be a continued line between it and the next.
DIGIT = r"(?:[0-9A-Z](?:\\\n)*)"
TOKEN = re.compile(
    rf"""(?P<blank>(?:[ \t\r\f\v]|\\\n|\#[^\n]*)+)
    | (?P<newline>\n)
    | (?P<number>{DIGIT}+(?:\.{DIGIT}*)?|\.(?:\\\n)*{DIGIT}+)
    | (?P<name>[a-z][a-z0-9_]*)
    | (?P<comment>/\*)
    | (?P<string>")
    | (?P<operator>[-+*/%^]=|\+\+|--|==|!=|<=|>=|&&|\|\||[-+*/%^=<>!&(){{}}\[\],;.])""",
    re.VERBOSE,
).match


MOST_AT_ONCE = 1 << 26  # characters of lines that hang together


def check_size(size: int) -> None:
    """Give up on what never ends."""
    if size > MOST_AT_ONCE:
        raise GivenUp("Program too big.")


class OpenComment(Exception):
    """A comment without an end."""


class Lexer:
    """Reads tokens from files of lines; `line` is the number of the present one in its file.

    `complain` is told of what is no token.
    """

    __slots__ = ("_at", "_complain", "_files", "_lines", "_text", "kind", "line", "place", "text")

    def __init__(
        self,
        files: Iterable[tuple[str, Callable[[], str]]],
        complain: Callable[[str], object],
    ) -> None:
        self._files, self._complain = iter(files), complain
        self._lines: Callable[[], str] = str  # what reads a line of the file; none at first
        self._text, self._at = "", 0
        self.place, self.line = "(standard_in)", 1
        self.kind = self.text = ""

    def advance(self) -> str:
        """Read the next token; its kind."""
        while True:
            if self._at >= len(self._text) and not self._refill():
                self.kind, self.text = "end", ""
                return "end"
            found = TOKEN(self._text, self._at)
            kind = found.lastgroup if found is not None else None
            if found is None or kind is None:
                self._refuse()
                continue
            text = found[0]
            self._at = found.end()
            if kind == "blank":
                self.line += text.count("\n")
            elif kind == "comment":
                self._skip_comment()
            elif kind == "string":
                if self._read_string():
                    return kind
                self._refuse()
            else:
                return self._take(kind, text)

    def _take(self, kind: str, text: str) -> str:
        """Keep a token."""
        if kind == "name":
            kind = text if text in KEYWORDS else "name"
        elif kind == "operator":
            kind = text if text != "." else "last"
        elif kind == "newline":
            self.line += 1
        elif kind == "number":
            text = self._constant(text)
        self.kind, self.text = kind, text
        return kind

    def _constant(self, text: str) -> str:
        """A number in the one way to write it: no zeros in front, no point at its end."""
        if "\\" in text:
            self.line += text.count("\n")
            text = text.replace("\\\n", "")
        whole, point, fraction = text.partition(".")
        whole = whole.lstrip("0")
        return whole + point + fraction if fraction else whole or "0"

    def _refill(self) -> bool:
        """Read a line, with those that continue it; whether there is one."""
        text = self._lines()
        while not text:
            following = next(self._files, None)
            if following is None:
                self.line = 1
                return False
            self.place, self._lines = following
            self.line = 1
            text = self._lines()
        parts = [text]
        size = len(text)
        while text.endswith("\\\n"):
            text = self._lines()
            parts.append(text)
            size += len(text)
            check_size(size)
        self._text, self._at = "".join(parts), 0
        return True

    def _rest_until(self, end: str) -> int:
        """Where an end stands behind the present place, be it on a later line; -1 for nowhere."""
        at = self._text.find(end, self._at)
        if at >= 0:
            return at
        parts = [self._text[self._at :]]
        size = len(parts[0])
        while at < 0:
            more = self._lines()
            if not more:
                break
            found = more.find(end)
            at = size + found if found >= 0 else -1
            parts.append(more)
            size += len(more)
            check_size(size)
        self._text, self._at = "".join(parts), 0
        return at

    def _read_string(self) -> bool:
        """Read a string up to its quote; whether it has one."""
        end = self._rest_until('"')
        if end < 0:
            self._text = '"' + self._text
            return False
        self.kind, self.text = "string", self._text[self._at : end]
        self.line += self.text.count("\n")
        self._at = end + 1
        return True

    def _skip_comment(self) -> None:
        end = self._rest_until("*/")
        if end < 0:
            self._text, self._at = "", 0
            raise OpenComment
        self.line += self._text.count("\n", self._at, end)
        self._at = end + 2

    def _refuse(self) -> None:
        """Leave out a character that is none of the language; it is told of byte by byte."""
        char = self._text[self._at]
        self._at += 1
        shown = [char] if " " < char <= "~" else [f"^{chr(ord(char) + 64)}"]
        if char > "~":
            shown = [f"\\{byte:03o}" for byte in encoded(char)]
        for one in shown:
            self._complain(f"illegal character: {one}")
