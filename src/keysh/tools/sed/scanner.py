"""The scanner of sed scripts: characters, words, numbers and delimited text."""

from __future__ import annotations

from keysh.tools.sed.script import ScriptError, ScriptPiece

SPACES = " \t\v\f\r"


class ScriptScanner:
    """The text of a script; `at` is the offset of the next character."""

    __slots__ = ("at", "is_posix", "pieces", "text")

    def __init__(self, pieces: list[ScriptPiece], *, is_posix: bool) -> None:
        self.pieces, self.is_posix = pieces, is_posix
        self.text = "\n".join(piece.text for piece in pieces)
        self.at = 0

    def error_at(
        self, message: str, offset: int | None = None, *, is_unclosed: bool = False
    ) -> ScriptError:
        """Make an error at an offset, by default the current one."""
        offset = self.at if offset is None else offset
        before = 0
        for piece in self.pieces:
            size = len(piece.text)
            if offset <= before + size + 1 or piece is self.pieces[-1]:
                return ScriptError(
                    f"{piece.location(min(offset - before, size), is_unclosed)}: {message}"
                )
            before += size + 1
        raise AssertionError("there is a last piece")

    def next_char(self) -> str:
        """Read the next character; "" at the end."""
        char = self.text[self.at : self.at + 1]
        self.at += len(char)
        return char

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def is_at_end(self) -> bool:
        """Whether a piece of the script ends here."""
        end = -1
        for piece in self.pieces:
            end += len(piece.text) + 1
            if end == self.at:
                return True
        return False

    def skip(self, chars: str) -> None:
        text = self.text
        while self.at < len(text) and text[self.at] in chars:
            self.at += 1

    def read_number(self) -> int:
        """Read a number."""
        start = self.at
        self.skip("0123456789")
        return int(self.text[start : self.at][:18] or "0")

    def rest_of_line(self) -> str:
        end = self.text.find("\n", self.at)
        start, self.at = self.at, len(self.text) if end < 0 else end
        return self.text[start : self.at]

    def read_word(self) -> str:
        """Read a label."""
        start = self.at
        while (char := self.peek()) and char not in " \t\v\f\r\n;}#":
            self.at += 1
        return self.text[start : self.at]

    def expect_end_of_step(self) -> None:
        """Read the end of a command: only `;`, `}` or a comment may follow on the line."""
        self.skip(SPACES)
        char = self.peek()
        if char in (";", "\n"):
            self.at += 1
        elif char and char not in "}#":
            self.at += 1
            raise self.error_at("extra characters after command")

    def read_delimited(self, delimiter: str, *, is_regex: bool) -> str | None:
        """Read the text up to the delimiter; None if that is missing."""
        pieces: list[str] = []
        while (char := self.next_char()) and char != delimiter:
            if char == "\\":
                char = self.next_char()
                if not char:
                    return None
                if char == "n" and is_regex and delimiter != "n":
                    char = "\n"
                elif not is_delimiter_escape(char, delimiter, is_regex):
                    pieces.append("\\")
            elif char == "\n":
                self.at -= 1
                return None
            elif char == "[" and is_regex:
                inside = self.read_bracket()
                if inside is None:
                    return None
                char += inside
            pieces.append(char)
        return "".join(pieces) if char else None

    def read_bracket(self) -> str | None:
        """Read the rest of a bracket expression, where no delimiter counts; None without `]`."""
        text, start = self.text, self.at
        if self.peek() == "^":
            self.at += 1
        if self.peek() == "]":
            self.at += 1
        while (char := self.next_char()) != "]":
            if not char or char == "\n":
                self.at -= len(char)
                return None
            if char == "[" and self.peek() in (":", ".", "="):
                close = text.find(f"{self.peek()}]", self.at + 1)
                self.at = len(text) if close < 0 else close + 2
        inside = text[start : self.at]
        return inside if self.is_posix else inside.replace("\\n", "\n")


def is_delimiter_escape(char: str, delimiter: str, is_regex: bool) -> bool:
    """Whether a backslash only protects a character from being read as a delimiter or a newline."""
    if char == "\n":
        return is_regex
    return char == delimiter and (is_regex or char != "&")
