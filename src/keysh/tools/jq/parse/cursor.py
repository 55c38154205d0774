"""The cursor: reads the tokens of a program one by one, and reports syntax errors."""

from __future__ import annotations

from keysh.tools.jq.compile.failure import JqProgramError, located_message
from keysh.tools.jq.parse.lexer import BadStringEscape, JqToken, tokenize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

MAX_EXPRESSION_DEPTH = 150  # of nested expressions


class TokenCursor:
    """The tokens of one program; `at` is the index of the next one."""

    __slots__ = ("at", "depth", "tokens", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.depth = 0
        try:
            self.tokens = tokenize(text)
        except BadStringEscape as error:
            raise JqProgramError([located_message(text, error.message, error.at)]) from None

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens[self.at].kind

    def take(self) -> JqToken:
        """Read the next token."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def accept(self, kind: str) -> bool:
        """Read a token of this kind if it is next; returns whether it was."""
        if self.tokens[self.at].kind != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: str, expecting: str = "") -> JqToken:
        """Read a token of this kind, or fail if another one is next."""
        if self.kind != kind:
            self.refuse(expecting)
        return self.take()

    def refuse(self, expecting: str = "") -> NoReturn:
        """Fail: the next token is not allowed here."""
        token = self.tokens[self.at]
        message = f"syntax error, unexpected {token.kind}"
        expecting = expecting or ("" if self.at else "end of file")
        if expecting:
            message += f", expecting {expecting}"
        message += " (Unix shell quoting issues?)"
        raise JqProgramError([located_message(self.text, message, token.at)])

    def fail(self, message: str, offset: int) -> NoReturn:
        raise JqProgramError([located_message(self.text, message, offset)])

    def enter(self) -> None:
        """Enter a nested expression."""
        self.depth += 1
        if self.depth > MAX_EXPRESSION_DEPTH:
            self.fail(
                f"expressions are nested more than {MAX_EXPRESSION_DEPTH} levels deep",
                self.tokens[self.at].at,
            )
