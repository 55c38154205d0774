"""InvalidArguments: arguments that a command does not take, and the fix that offers a near name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class InvalidArguments(Exception):
    """Arguments that a command does not take.

    code      the checker's code
    index     the argument's index; -1 for a missing one
    message   the command's message, without its name
    is_value  only a value is wrong: GNU's commands then print no hint at their help
    status    the command's exit status, if it differs from that of other usage errors
    """

    def __init__(
        self, code: str, index: int, message: str, fix: str = "", *, is_value: bool = False,
        status: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.code, self.index, self.message, self.fix = code, index, message, fix
        self.is_value, self.status = is_value, status


def nearest_fix(word: str, known: Iterable[str], before: str, after: str = "") -> str:
    """Return the fix that offers the nearest known name; empty if none is near."""
    from keysh.diagnostics.suggestions import closest_names  # noqa: PLC0415 - only on errors

    names = closest_names(word, known)
    return f"did you mean `{before}{names[0]}{after}`?" if names else ""
