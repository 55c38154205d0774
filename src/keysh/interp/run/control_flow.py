"""Control flow exceptions: `break`, `continue`, `return`, `exit`, limits and closed pipes."""

from __future__ import annotations

from errno import ENOMEM
from sys import getrecursionlimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.diagnostics.diagnostic import Diagnostic

    class Located(Protocol):
        """Something with a location in a script."""

        @property
        def place(self) -> str:
            """The location as file:line:column."""


STATUS_OVER_LIMIT = 125  # unless the limit has its own status
STATUS_NOT_EXECUTABLE, STATUS_NOT_FOUND = 126, 127


class ControlFlow(BaseException):
    """Base of all control flow; not caught by `except Exception` in commands."""


class LoopJump(ControlFlow):
    """`break` or `continue`, with the number of loops still to leave."""

    def __init__(self, count: int, status: int = 0) -> None:
        super().__init__(count)
        self.count, self.status = count, status

    def leave_loop(self) -> int:
        """Leave one loop: return its status, or raise again if outer loops are to be left too."""
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
    """The shell ends: `exit`, a failure under `set -e`, an unset variable under `set -u`.

    `is_bare`: `exit` without a status, which in an EXIT trap keeps the status from before the trap.
    """

    def __init__(self, status: int, *, is_bare: bool = False) -> None:
        super().__init__(status)
        self.status, self.is_bare = status, is_bare


class ScriptAborted(Exit):
    """An error that ends a script but not a prompt: an unset variable under `set -u`."""


class LineDiscarded(ScriptAborted):
    """An error in an expansion of the bash dialect: the rest of its line is not run."""


class Refused(ScriptAborted):
    """A diagnostic that is a refusal has ended the run; only a tested `( … )` stops it."""

    def __init__(self, diagnostic: Diagnostic, status: int) -> None:
        super().__init__(status)
        self.diagnostic = diagnostic


# What a script or its host can do, where the kind of a limit does not say it.
LIMIT_ADVICE = {
    "session_memory": "; unset variables or remove files, or let the host call reset()",
}


LOADER_WITHOUT_MEMORY = ("failed to map segment", "cannot allocate memory", "cannot create shared")


class LimitReached(ControlFlow):
    """A limit was reached, or the run was cancelled: the whole run ends.

    `kind` names the limit; `used` and `allowed` are in its unit. If `allowed` is None, `used` may
    describe what happened. `struck` is the budget of the run that the watchdog ended.
    """

    struck: object = None

    def __init__(
        self, kind: str, used: object, allowed: object, status: int = STATUS_OVER_LIMIT
    ) -> None:
        super().__init__(kind)
        self.kind, self.used, self.allowed, self.status = kind, used, allowed, status
        self.place = ""  # file:line:column

    def with_location(self, placed: Located) -> LimitReached:
        """Add the location, unless a more precise one is known; return self."""
        self.place = self.place or placed.place
        return self

    @property
    def message(self) -> str:
        """The message for the user, with numbers and location."""
        where = f" at {self.place}" if self.place else ""
        if self.allowed is None:
            happened = "" if self.used is None else f": {self.used}"
            return f"{self.kind}{happened}{where}"
        advice = LIMIT_ADVICE.get(self.kind, "")
        return (
            f"limit reached: {self.kind}: {self.used} used, {self.allowed} allowed{where}{advice}"
        )


def limit_of(error: BaseException) -> LimitReached | None:
    """Return the limit that an exception is, or for one that tells of no more stack or memory.

    Of memory the system's loader tells in words, when a module of C is to be loaded, and the kernel
    by a number, when a folder is to be read.
    """
    kind = type(error)  # `isinstance` asks the exception, which may be the host's
    if issubclass(kind, LimitReached):
        return error  # type: ignore[return-value]
    if issubclass(kind, RecursionError):
        return stack_limit_reached()
    said = error.msg if kind is ImportError else None  # type: ignore[attr-defined]
    is_of_loader = said.__class__ is str and any(words in said for words in LOADER_WITHOUT_MEMORY)
    is_of_kernel = kind is OSError and error.errno == ENOMEM  # type: ignore[attr-defined]
    if not is_of_loader and not is_of_kernel and not issubclass(kind, MemoryError):
        return None
    return LimitReached("memory", "the machine has no more of it", None)


def stack_limit_reached() -> LimitReached:
    """Return the error for an exhausted Python stack."""
    most = getrecursionlimit()
    return LimitReached("depth", most, most)


STATUS_READER_GONE = 141  # 128 + SIGPIPE
STATUS_INTERRUPTED = 130  # 128 + SIGINT, by a Ctrl-C that the script traps


class ReaderGone(ControlFlow):
    """The reader of a pipe has ended: the writing command ends with status 141."""


class ReaderAbandoned(ReaderGone):
    """The reader of a `<(…)` has ended, and nothing waits for the command."""
