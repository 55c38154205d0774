"""Errors of regular expressions: an invalid pattern, or a search that costs too much."""

from __future__ import annotations

from keysh.diagnostics.exceptions import KeyshError

BAD_PATTERN = "Invalid regular expression"
BAD_COLLATION = "Invalid collation character"
BAD_CLASS = "Invalid character class name"
BAD_ESCAPE = "Trailing backslash"
BAD_REFERENCE = "Invalid back reference"
OPEN_BRACKET = "Unmatched [, [^, [:, [., or [="
OPEN_GROUP = "Unmatched ( or \\("
OPEN_INTERVAL = "Unmatched \\{"
BAD_INTERVAL = "Invalid content of \\{\\}"
BAD_RANGE = "Invalid range end"
BAD_REPEAT = "Invalid preceding regular expression"
TOO_BIG = "Regular expression too big"
CLOSED_GROUP = "Unmatched ) or \\)"


class RegexError(KeyshError):
    """An invalid pattern. The message is the C library's, the position approximate."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.message, self.position = message, position


class RegexLimit(KeyshError):
    """A pattern or a search that would cost more than the limit."""

    def __init__(self, message: str = "regular expression takes too many steps here") -> None:
        super().__init__(message)
        self.message = message
