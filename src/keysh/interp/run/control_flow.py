"""Signals: how `break`, `continue`, `return` and `exit` leave what encloses them."""

from __future__ import annotations

from sys import getrecursionlimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Located(Protocol):
        """What stands in a script."""

        @property
        def place(self) -> str:
            """As file:line:column."""


STATUS_OVER_LIMIT = (
    125  # the status of a run that has reached a limit, where the limit has none of its own
)


class ControlFlow(BaseException):
    """Something is left before its end. No `except Exception` of a command stops it."""


class LoopJump(ControlFlow):
    """`break` or `continue`, and how many loops it goes through yet."""

    def __init__(self, count: int, status: int = 0) -> None:
        super().__init__(count)
        self.count, self.status = count, status

    def leave_loop(self) -> int:
        """The status of the loop that it leaves; raised again if it leaves more than that one."""
        if self.count > 1:
            self.count -= 1
            raise self
        return self.status


class Break(LoopJump):
    """`break`"""


class Continue(LoopJump):
    """`continue`"""


class Return(ControlFlow):
    """`return`, from a function or a sourced script."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Exit(ControlFlow):
    """`exit`, a failed `set -e`, an unset variable under `set -u`: the shell ends.

    `is_bare` says that no status was given: in the EXIT trap it is the one from before the trap.
    """

    def __init__(self, status: int, *, is_bare: bool = False) -> None:
        super().__init__(status)
        self.status, self.is_bare = status, is_bare


class ScriptAborted(Exit):
    """What ends a script but not a prompt: an unset variable under `set -u`."""


class LimitReached(ControlFlow):
    """A limit has been reached, or the run is cancelled: all of it ends.

    `kind` names the limit; `used` and `allowed` are in its unit. Where nothing is allowed `used`
    is what has happened, if there is more to say than the kind.
    """

    def __init__(
        self, kind: str, used: object, allowed: object, status: int = STATUS_OVER_LIMIT
    ) -> None:
        super().__init__(kind)
        self.kind, self.used, self.allowed, self.status = kind, used, allowed, status
        self.place = ""  # where in the script, as file:line:column

    def with_location(self, placed: Located) -> LimitReached:
        """This end of the run with its place, unless a nearer one is known."""
        self.place = self.place or placed.place
        return self

    @property
    def message(self) -> str:
        """What has ended the run, with its numbers and place."""
        where = f" at {self.place}" if self.place else ""
        if self.allowed is None:
            happened = "" if self.used is None else f": {self.used}"
            return f"{self.kind}{happened}{where}"
        return f"limit reached: {self.kind}: {self.used} used, {self.allowed} allowed{where}"


def stack_limit_reached() -> LimitReached:
    """What ends a run that needs more of Python's stack than there is."""
    most = getrecursionlimit()
    return LimitReached("depth", most, most)


STATUS_READER_GONE = 141  # the status of what has written to one that reads no more
STATUS_INTERRUPTED = 130  # by Ctrl-C, which the script traps


class ReaderGone(ControlFlow):
    """Who read what this command writes has gone: it ends with status 141."""


class ReaderAbandoned(ReaderGone):
    """Who read has gone, and nobody waits for the command, which stood in a `<(…)`."""
