"""Result: what a run has given."""

from __future__ import annotations

from keysh.diagnostics.errors import KeyshError
from keysh.text.chunks import rejoin_characters
from keysh.values import value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.interp.run.control_flow import LimitReached


class Reached:
    """The limit that has ended a run: its kind, what was used, what is allowed, and the place.

    `place` is where in the script, as file:line:column.
    """

    __slots__ = ("allowed", "kind", "place", "used")

    def __init__(self, stopped: LimitReached) -> None:
        self.kind, self.used, self.allowed = stopped.kind, stopped.used, stopped.allowed
        self.place = stopped.place

    def __str__(self) -> str:
        if self.allowed is None:
            return self.kind
        return f"{self.kind}: {self.used} used, {self.allowed} allowed"

    def __repr__(self) -> str:
        return f"<limit {self}>"


class Failed(KeyshError):
    """A script's status was not 0; `result` has it all. Raised by `Result.check()`."""

    def __init__(self, result: Result) -> None:
        last = result.stderr.strip().rpartition("\n")[2]
        super().__init__(f"status {result.code}" + (f": {last}" if last else ""))
        self.result = result


class Result:
    """What a run has given: its status, its output, and what ended it.

    code         the status
    stdout       the output as text; bytes that are no UTF-8 stand as surrogates
    stderr       the messages
    limit        the limit that was reached, or None
    rejected     whether the check refused the script, so that nothing ran
    diagnostics  what the check says, warnings too
    error        the exception that a command of the host raised, or None
    duration_ms  how long it took
    """

    __slots__ = (
        "_err", "_out", "code", "diagnostics", "duration_ms", "error", "limit", "rejected",
    )  # fmt: skip

    def __init__(
        self,
        code: int,
        out: list[str],
        err: list[str],
        duration_ms: float,
        limit: Reached | None = None,
        diagnostics: list[Diagnostic] | None = None,
        error: BaseException | None = None,
        *,
        rejected: bool = False,
    ) -> None:
        self.code, self._out, self._err = code, out, err
        self.duration_ms, self.limit, self.rejected = duration_ms, limit, rejected
        self.diagnostics = diagnostics or []
        self.error = error

    @property
    def ok(self) -> bool:
        """Whether the status is 0."""
        return self.code == 0

    @property
    def stdout(self) -> str:
        """The output."""
        return whole(self._out)

    @property
    def stderr(self) -> str:
        """The messages."""
        return whole(self._err)

    @property
    def stdout_bytes(self) -> bytes:
        """The output as bytes."""
        return self.stdout.encode("utf-8", "surrogateescape")

    @property
    def data(self) -> Any:
        """The output as JSON: one value, or a list of the values of its lines."""
        text = self.stdout
        try:
            return value_of_json(text)
        except ValueError:
            return [value_of_json(line) for line in text.splitlines() if line.strip()]

    @property
    def truncated(self) -> bool:
        """Whether output is missing, because its limit was reached."""
        return self.limit is not None and self.limit.kind == "output"

    def record(self) -> dict[str, Any]:
        """The result as JSON has it."""
        limit = self.limit
        return {
            "code": self.code,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "limit": limit and {"kind": limit.kind, "used": limit.used, "allowed": limit.allowed},
            "rejected": self.rejected,
            "diagnostics": [one.record() for one in self.diagnostics],
            "duration_ms": round(self.duration_ms, 3),
        }

    def check(self) -> Result:
        """This result, or `Failed` where the status is not 0."""
        if self.code:
            raise Failed(self)
        return self

    def __repr__(self) -> str:
        return f"<Result {self.code}{f' {self.limit!r}' if self.limit else ''}>"


def whole(pieces: list[str]) -> str:
    """The pieces of a text as one; bytes of several that make a character together become it."""
    if len(pieces) == 1:
        return pieces[0]
    text = "".join(pieces)
    return text if text.isascii() else rejoin_characters(text)
