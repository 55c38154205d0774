"""The cursor: the tokens of a program, read one by one, and what is said where one is wrong."""

from __future__ import annotations

from keysh.tools.jq.compile.failure import JqProgramError, located_message
from keysh.tools.jq.parse.lexer import BadStringEscape, JqToken, tokenize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

MAX_EXPRESSION_DEPTH = 150  # of expressions in each other


class TokenCursor:
    """The tokens of one program, and how many of them are read."""

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
        """The next token's kind."""
        return self.tokens[self.at].kind

    def take(self) -> JqToken:
        """The next token, which is read now."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def accept(self, kind: str) -> bool:
        """Read a token if it is next."""
        if self.tokens[self.at].kind != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: str, expecting: str = "") -> JqToken:
        """Read a token that must be next."""
        if self.kind != kind:
            self.refuse(expecting)
        return self.take()

    def refuse(self, expecting: str = "") -> NoReturn:
        """The next token cannot stand here."""
        token = self.tokens[self.at]
        says = f"syntax error, unexpected {token.kind}"
        expecting = expecting or ("" if self.at else "end of file")
        if expecting:
            says += f", expecting {expecting}"
        message = f"{says} (Unix shell quoting issues?)"
        raise JqProgramError([located_message(self.text, message, token.at)])

    def fail(self, message: str, at: int) -> NoReturn:
        raise JqProgramError([located_message(self.text, message, at)])

    def enter(self) -> None:
        """One expression more stands in another."""
        self.depth += 1
        if self.depth > MAX_EXPRESSION_DEPTH:
            self.fail(
                f"more than {MAX_EXPRESSION_DEPTH} expressions in each other",
                self.tokens[self.at].at,
            )
