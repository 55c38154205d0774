"""The result of a run: its status, its output, and the limit that ended it."""

from __future__ import annotations

from keysh.diagnostics.exceptions import KeyshError
from keysh.text.chunks import rejoin_characters
from keysh.values import value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.interp.run.control_flow import LimitReached
    from keysh.shell.history.run_changes import Changes


class ReachedLimit:
    """The limit that ended a run.

    kind     its name, as in `Limits`
    used     how much was used
    allowed  how much is allowed
    place    the position in the script, as file:line:column
    """

    __module__ = "keysh"
    __slots__ = ("allowed", "kind", "place", "used")

    def __init__(self, limit: LimitReached) -> None:
        self.kind, self.used, self.allowed = limit.kind, limit.used, limit.allowed
        self.place = limit.place

    def __str__(self) -> str:
        if self.allowed is None:
            return self.kind
        return f"{self.kind}: {self.used} used, {self.allowed} allowed"

    def __repr__(self) -> str:
        return f"<limit {self}>"


class Failed(KeyshError):
    """A script ended with a status other than 0. `Result.check()` raises it; `result` has it."""

    __module__ = "keysh"

    def __init__(self, result: Result) -> None:
        last = result.stderr.strip().rpartition("\n")[2]
        super().__init__(f"status {result.code}" + (f": {last}" if last else ""))
        self.result = result


class Result:
    """The result of a run: its status, its output, and the limit that ended it.

    code         the status
    stdout       standard output as text; bytes that are not UTF-8 become surrogates
    stderr       standard error as text
    limit        the limit that ended the run, or None
    refusal      the diagnostic by which keysh refused to go on, so that the run ended, or None
    rejected     whether the check refused the script, so that nothing ran
    diagnostics  the findings of the check, warnings included
    error        the exception that a command of the host raised, or None
    duration_ms  the duration in milliseconds
    changes      what the run changed, if the shell has a journal, or None
    unenforced   what the kernel did not hold of the confinement of the run's programs
    """

    __module__ = "keysh"
    __slots__ = (
        "_err", "_out", "changes", "code", "diagnostics", "duration_ms", "error", "limit",
        "refusal", "rejected", "unenforced",
    )  # fmt: skip

    def __init__(
        self,
        code: int,
        out: list[str],
        err: list[str],
        duration_ms: float,
        limit: ReachedLimit | None = None,
        diagnostics: list[Diagnostic] | None = None,
        error: BaseException | None = None,
        rejected: bool = False,
        refusal: Diagnostic | None = None,
        unenforced: tuple[str, ...] = (),
    ) -> None:
        self.code, self._out, self._err = code, out, err
        self.duration_ms, self.limit, self.rejected = duration_ms, limit, rejected
        self.diagnostics = diagnostics or []
        self.error, self.refusal = error, refusal
        self.changes: Changes | None = None
        self.unenforced = unenforced

    @property
    def ok(self) -> bool:
        """Whether the status is 0."""
        return self.code == 0

    @property
    def stdout(self) -> str:
        """Standard output as text."""
        return joined_text(self._out)

    @property
    def stderr(self) -> str:
        """Standard error as text."""
        return joined_text(self._err)

    @property
    def stdout_bytes(self) -> bytes:
        """Standard output as bytes."""
        return self.stdout.encode("utf-8", "surrogateescape")

    @property
    def data(self) -> Any:
        """Standard output parsed as JSON: one value, or a list with the value of each line."""
        text = self.stdout
        try:
            return value_of_json(text)
        except ValueError:
            return [value_of_json(line) for line in text.split("\n") if line.strip()]

    @property
    def truncated(self) -> bool:
        """Whether output is missing because the output limit was reached."""
        return self.limit is not None and self.limit.kind == "output"

    def record(self) -> dict[str, Any]:
        """Return the result as a record for JSON."""
        limit = self.limit
        record = {
            "code": self.code,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "limit": limit and {"kind": limit.kind, "used": limit.used, "allowed": limit.allowed},
            "refusal": self.refusal and self.refusal.record(),
            "rejected": self.rejected,
            "diagnostics": [one.record() for one in self.diagnostics],
            "duration_ms": round(self.duration_ms, 3),
        }
        if self.unenforced:
            record["unenforced"] = list(self.unenforced)
        if self.changes is not None:
            record["changes"] = self.changes.record()
        return record

    def check(self) -> Result:
        """Return this result; raise `Failed` if the status is not 0."""
        if self.code:
            raise Failed(self)
        return self

    def __repr__(self) -> str:
        from keysh.shell.host.result_display import result_text  # noqa: PLC0415 - for people at a prompt

        return result_text(self)

    def _repr_html_(self) -> str:
        """Return the result for a notebook: records as a table, other output as text."""
        from keysh.shell.host.result_display import result_html  # noqa: PLC0415 - for notebooks

        return result_html(self)


def joined_text(pieces: list[str]) -> str:
    """Join the pieces of a text; bytes of one character in several pieces become that character."""
    if len(pieces) == 1:
        return pieces[0]
    text = "".join(pieces)
    return text if text.isascii() else rejoin_characters(text)
