"""The cursor: the tokens of a program, read one by one, and what is said where one is wrong."""

from __future__ import annotations

from keysh.tools.jq.compile.failure import ProgramError, located
from keysh.tools.jq.parse.lexer import BadText, Token, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

MOST_DEPTH = 150  # of expressions in each other


class Cursor:
    """The tokens of one program, and how many of them are read."""

    __slots__ = ("at", "depth", "found", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.depth = 0
        try:
            self.found = tokens(text)
        except BadText as error:
            raise ProgramError([located(text, error.message, error.at)]) from None

    @property
    def kind(self) -> str:
        """The next token's kind."""
        return self.found[self.at].kind

    def take(self) -> Token:
        """The next token, which is read now."""
        token = self.found[self.at]
        self.at += 1
        return token

    def passes(self, kind: str) -> bool:
        """Read a token if it is next."""
        if self.found[self.at].kind != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: str, expecting: str = "") -> Token:
        """Read a token that must be next."""
        if self.kind != kind:
            self.refuse(expecting)
        return self.take()

    def refuse(self, expecting: str = "") -> NoReturn:
        """The next token cannot stand here."""
        token = self.found[self.at]
        says = f"syntax error, unexpected {token.kind}"
        expecting = expecting or ("" if self.at else "end of file")
        if expecting:
            says += f", expecting {expecting}"
        message = f"{says} (Unix shell quoting issues?)"
        raise ProgramError([located(self.text, message, token.at)])

    def fail(self, message: str, at: int) -> NoReturn:
        raise ProgramError([located(self.text, message, at)])

    def enter(self) -> None:
        """One expression more stands in another."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.fail(f"more than {MOST_DEPTH} expressions in each other", self.found[self.at].at)
