"""Split the lines of a bc program into tokens, on demand.

A token has a kind and a text. The kinds are number, name, string, newline, end (of all input),
and every keyword and operator itself.
"""

from __future__ import annotations

import re

from keysh.text.chunks import bytes_of_text
from keysh.tools.bc.problem import AbandonProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

KEYWORDS = frozenset((
    "auto", "break", "continue", "define", "else", "for", "halt", "ibase", "if", "last", "length",
    "limits", "obase", "print", "quit", "random", "read", "return", "scale", "sqrt", "void",
    "warranty", "while",
))  # fmt: skip

# A digit of a number, which may go on in the next line after a backslash.
DIGIT_PATTERN = r"(?:[0-9A-Z](?:\\\n)*)"
MATCH_TOKEN = re.compile(
    rf"""(?P<blank>(?:[ \t\r\f\v]|\\\n|\#[^\n]*)+)
    | (?P<newline>\n)
    | (?P<number>{DIGIT_PATTERN}+(?:\.{DIGIT_PATTERN}*)?|\.(?:\\\n)*{DIGIT_PATTERN}+)
    | (?P<name>[a-z][a-z0-9_]*)
    | (?P<comment>/\*)
    | (?P<string>")
    | (?P<operator>[-+*/%^]=|\+\+|--|==|!=|<=|>=|&&|\|\||[-+*/%^=<>!&(){{}}\[\],;.])""",
    re.VERBOSE,
).match


MAX_STATEMENT_CHARACTERS = 1 << 26  # in lines joined by backslashes, a string or a comment


def check_statement_size(size: int) -> None:
    """Abandon a program whose joined lines grow without end."""
    if size > MAX_STATEMENT_CHARACTERS:
        raise AbandonProgram("Program too big.")


class UnterminatedComment(Exception):
    """A comment is not closed."""


class BcLexer:
    """Reads tokens from files; `line` is the number of the current line in its file.

    `complain` reports characters that begin no token.
    """

    __slots__ = (
        "_position",
        "_complain",
        "_files",
        "_read_line",
        "_text",
        "kind",
        "line",
        "file_name",
        "text",
    )

    def __init__(
        self,
        files: Iterable[tuple[str, Callable[[], str]]],
        complain: Callable[[str], object],
    ) -> None:
        self._files, self._complain = iter(files), complain
        self._read_line: Callable[[], str] = str  # of the current file; none at first
        self._text, self._position = "", 0
        self.file_name, self.line = "(standard_in)", 1
        self.kind = self.text = ""

    def advance(self) -> str:
        """Read the next token and return its kind."""
        while True:
            if self._position >= len(self._text) and not self._refill():
                self.kind, self.text = "end", ""
                return "end"
            match = MATCH_TOKEN(self._text, self._position)
            kind = match.lastgroup if match is not None else None
            if match is None or kind is None:
                self._skip_character()
                continue
            text = match[0]
            self._position = match.end()
            if kind == "blank":
                self.line += text.count("\n")
            elif kind == "comment":
                self._skip_comment()
            elif kind == "string":
                if self._read_string():
                    return kind
                self._skip_character()
            else:
                return self._accept(kind, text)

    def _accept(self, kind: str, text: str) -> str:
        """Store a token and return its kind."""
        if kind == "name":
            kind = text if text in KEYWORDS else "name"
        elif kind == "operator":
            kind = text if text != "." else "last"
        elif kind == "newline":
            self.line += 1
        elif kind == "number":
            text = self._normalized_number(text)
        self.kind, self.text = kind, text
        return kind

    def _normalized_number(self, text: str) -> str:
        """Return a number without leading zeros, a final point or line continuations."""
        if "\\" in text:
            self.line += text.count("\n")
            text = text.replace("\\\n", "")
        whole, point, fraction = text.partition(".")
        whole = whole.lstrip("0")
        return whole + point + fraction if fraction else whole or "0"

    def _refill(self) -> bool:
        """Read a line and those that continue it. Return whether there is one."""
        text = self._read_line()
        while not text:
            following = next(self._files, None)
            if following is None:
                self.line = 1
                return False
            self.file_name, self._read_line = following
            self.line = 1
            text = self._read_line()
        parts = [text]
        size = len(text)
        while text.endswith("\\\n"):
            text = self._read_line()
            parts.append(text)
            size += len(text)
            check_statement_size(size)
        self._text, self._position = "".join(parts), 0
        return True

    def _rest_until(self, closing: str) -> int:
        """Return the position of the next `closing`, reading more lines as needed; -1 for none."""
        position = self._text.find(closing, self._position)
        if position >= 0:
            return position
        parts = [self._text[self._position :]]
        size = len(parts[0])
        while position < 0:
            line = self._read_line()
            if not line:
                break
            offset = line.find(closing)
            position = size + offset if offset >= 0 else -1
            parts.append(line)
            size += len(line)
            check_statement_size(size)
        self._text, self._position = "".join(parts), 0
        return position

    def _read_string(self) -> bool:
        """Read a string. Return whether it is closed."""
        end = self._rest_until('"')
        if end < 0:
            self._text = '"' + self._text
            return False
        self.kind, self.text = "string", self._text[self._position : end]
        self.line += self.text.count("\n")
        self._position = end + 1
        return True

    def _skip_comment(self) -> None:
        end = self._rest_until("*/")
        if end < 0:
            self._text, self._position = "", 0
            raise UnterminatedComment
        self.line += self._text.count("\n", self._position, end)
        self._position = end + 2

    def _skip_character(self) -> None:
        """Drop an illegal character and report each of its bytes."""
        char = self._text[self._position]
        self._position += 1
        names = [char] if " " < char <= "~" else [f"^{chr(ord(char) + 64)}"]
        if char > "~":
            names = [f"\\{byte:03o}" for byte in bytes_of_text(char)]
        for name in names:
            self._complain(f"illegal character: {name}")
