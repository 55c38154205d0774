"""ProcessResult: how a process ended. NotStarted: why there was none."""

from __future__ import annotations

from errno import errorcode
from os import strerror

from keysh.diagnostics.exceptions import KeyshError
from keysh.process.exit import UNKNOWN_EXIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.process.streams.capture import HeadTailCapture

# The status of a shell for each kind of failed start.
STATUS_BY_KIND = {
    "not_found": 127,
    "not_executable": 126,
    "refused": 126,  # by the policy
    "arguments": 126,
    "environment": 125,
    "directory": 125,
    "limits": 125,
    "resources": 125,  # the machine has no room for another process, pipe or file
}

# By `stop`; other killed processes have the status of their signal.
STATUS_BY_STOP = {"timeout": 124, "cancelled": 130}
STATUS_OVER_LIMIT = 125
SIGXCPU_NUMBER = 24  # SIGXCPU, on Linux and macOS; the `signal` module costs 3 ms
STATUS_OF_UNKNOWN_EXIT = 125  # it has ended, but something else has collected its status


class NotStarted(KeyshError):
    """A process was not started. `code` is an errno's name, or POLICY.

    `kind` is a key of STATUS_BY_KIND. `subject` is what the reason is about: the command, a
    directory, a variable. `tried` has the paths at which the command was looked for, `rule` the
    parameter of Policy that refused it, and `file` the path of the machine with which the reason
    begins, if it is about one.
    """

    def __init__(
        self,
        kind: str,
        code: int | str,
        subject: str,
        reason: str = "",
        tried: Sequence[str] = (),
        *,
        rule: str = "",
        file: str = "",
    ) -> None:
        if isinstance(code, int):
            reason = reason or strerror(code)
            code = errorcode.get(code, "EIO")
        super().__init__(f"{subject}: {reason}")
        self.kind, self.code, self.subject, self.reason = kind, code, subject, reason
        self.tried = tuple(tried)
        self.rule, self.file = rule, file

    def at_path(self, path: str) -> NotStarted:
        """Return the same error about the same file by another path: a script's own."""
        return NotStarted(
            self.kind, self.code, self.subject, path + self.reason[len(self.file) :], self.tried,
            rule=self.rule, file=path,
        )  # fmt: skip

    @property
    def status(self) -> int:
        return STATUS_BY_KIND[self.kind]


class ProcessResult:
    """The end of a process, or why it never started.

    `code` is the shell's `$?`. `exit_code` is the process's own status, None if a signal ended it;
    `signal` is that signal.
    """

    __slots__ = (
        "argv", "code", "duration_ms", "error", "exit_code", "is_reaped", "limit", "path", "pid",
        "signal", "stderr", "stderr_dropped", "stdout", "stdout_dropped", "stop", "survivors",
        "unenforced",
    )  # fmt: skip

    def __init__(self, argv: Sequence[str]) -> None:
        self.argv = list(argv)
        self.path = ""  # of the file that was executed
        self.pid = 0
        self.code = 0
        self.exit_code: int | None = None
        self.signal: int | None = None
        self.stdout = self.stderr = b""
        self.stdout_dropped = self.stderr_dropped = 0  # bytes that were dropped
        self.duration_ms = 0.0
        self.stop = ""  # why it was stopped: timeout, cancelled, killed, limit
        # The host collects the ends of all processes, and so the status is not known.
        self.is_reaped = False
        self.limit = ""  # the ProcessSpec parameter whose limit ended it
        self.error: NotStarted | None = None
        self.survivors: list[int] = []  # processes of the tree that could not be killed
        self.unenforced: tuple[str, ...] = ()  # what the kernel did not hold of its confinement

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def timed_out(self) -> bool:
        return self.stop == "timeout"

    @property
    def cancelled(self) -> bool:
        return self.stop == "cancelled"

    @property
    def issue(self) -> str:
        """What went wrong beside the code: ENOENT, TIMEOUT, EMAXBUFFER and so on; "" if nothing."""
        if self.error is not None:
            return self.error.code
        if self.stop in ("timeout", "cancelled"):
            return self.stop.upper()
        if self.limit:
            return "LIMIT"
        if self.is_reaped:
            return "reaped"
        if self.stdout_dropped or self.stderr_dropped:
            return "EMAXBUFFER"
        return "" if is_text(self.stdout) and is_text(self.stderr) else "EENCODING"

    def record_failure(self, error: NotStarted) -> ProcessResult:
        """There was no process; return the result."""
        self.error, self.code = error, error.status
        return self

    def set_status(self, status: int | None) -> None:
        """Set the status as `subprocess` gives it: negative for a signal, None if unknown."""
        if status is None or status == UNKNOWN_EXIT:
            self.code, self.is_reaped = STATUS_OF_UNKNOWN_EXIT, status is not None
        elif status < 0:
            self.signal, self.code = -status, 128 - status
        else:
            self.exit_code = self.code = status

    def set_ending_limit(self, exceeded: str, *, is_cpu_limited: bool) -> None:
        """Set the limit, and the code for a limit or a stop, that ended the process."""
        if self.stop == "limit":
            self.limit = exceeded
        elif is_cpu_limited and self.signal == SIGXCPU_NUMBER:
            self.limit = "cpu_seconds"
        self.code = STATUS_OVER_LIMIT if self.limit else STATUS_BY_STOP.get(self.stop, self.code)

    def set_captured(self, stdout: HeadTailCapture, stderr: HeadTailCapture) -> None:
        """Set the captured output."""
        self.stdout, self.stdout_dropped = stdout.content(), stdout.dropped_bytes
        self.stderr, self.stderr_dropped = stderr.content(), stderr.dropped_bytes

    def __repr__(self) -> str:
        return f"<ProcessResult {self.argv[:1]} {self.code} {self.stop or self.limit}>"


def is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8."""
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
