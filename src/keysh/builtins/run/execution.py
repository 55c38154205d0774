"""Execution: the result of running code, the same for every language.

An error reads `exec: MESSAGE (CODE)` and comes in addition to the output.
"""

from __future__ import annotations

from keysh.diagnostics.exceptions import refuse, shown_value
from keysh.interp.run.limits import NEVER_SECONDS
from keysh.text.signal_names import signal_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keysh.process.result import NotStarted, ProcessResult
    from keysh.process.streams.capture import HeadTailCapture

DEFAULT_TIMEOUT = 30.0  # seconds
MAX_OUTPUT_BYTES = 1 << 20  # kept of stdout and stderr together

# Program and option that run code of a language.
INTERPRETERS = {
    "bash": ("bash", "-c"),
    "javascript": ("node", "-e"),
    "python": ("python3", "-c"),
}


class Execution:
    """The result of running code. `exit_code` is None if the code did not exit by itself."""

    __slots__ = ("error", "exit_code", "stderr", "stdout", "success")

    def __init__(
        self, exit_code: int | None, stdout: str = "", stderr: str = "", error: str | None = None
    ) -> None:
        self.success = exit_code == 0 and error is None
        self.exit_code, self.stdout, self.stderr, self.error = exit_code, stdout, stderr, error

    def record(self) -> dict[str, object]:
        """Return the result as a dict for JSON."""
        return {
            "success": self.success,
            "exit_code": self.exit_code,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "error": self.error,
        }

    def __repr__(self) -> str:
        return f"<Execution {self.exit_code} {self.error or ''}>"


class ExecutionFailure(Exception):
    """Code that did not start; `status` is the exit status of the command."""

    def __init__(self, issue: str, code: str, status: int) -> None:
        super().__init__(error_message(issue, code))
        self.status = status

    def execution(self) -> Execution:
        """Return the result to report."""
        return Execution(None, error=str(self))


class Languages:
    """The languages and the words that run each; the code is appended as the last word."""

    __slots__ = ("_interpreters",)

    def __init__(self, more: Mapping[str, Sequence[str]] | None = None) -> None:
        self._interpreters = {**INTERPRETERS, **({} if more is None else checked_languages(more))}

    def words(self, language: str, code: str) -> list[str]:
        """Return the command line for the code; raise ExecutionFailure for an unknown language."""
        interpreter = self._interpreters.get(language) if isinstance(language, str) else None
        if interpreter is None:
            known = ", ".join(sorted(self._interpreters))
            raise ExecutionFailure(
                f"Unsupported language '{language}', there are {known}", "EINVAL", 2
            )
        return [*interpreter, code]


def checked_languages(more: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the languages that a host adds; TypeError or ValueError for what are none."""
    example = "languages={'ruby': ('ruby', '-e')}"
    if not hasattr(more, "items"):
        refuse("languages", "a mapping", more, example)
    languages = {}
    for name, words in more.items():
        if not isinstance(name, str):
            refuse("a language", "a str", name, example)
        if isinstance(words, str) or not hasattr(words, "__iter__"):
            refuse(f"languages[{name!r:.60}]", "a program and its options", words, example)
        languages[name] = tuple(words)
        if not languages[name] or not all(isinstance(word, str) for word in languages[name]):
            refuse(f"languages[{name!r:.60}]", "a program and its options", words, example)
    return languages


def checked_timeout(timeout: object) -> float:
    """Return the seconds after which code is killed; raise ExecutionFailure for what are none."""
    if isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout > 0:
        return min(timeout, NEVER_SECONDS)
    issue = f"timeout must be seconds above 0, but is {shown_value(timeout)}"
    raise ExecutionFailure(issue, "EINVAL", 2)


def execution_of(
    result: ProcessResult, out: HeadTailCapture, err: HeadTailCapture, timeout: float
) -> Execution:
    """Return the result of a process whose outputs were captured."""
    total = out.total + err.total
    shares = output_share(out.total, err.total), output_share(err.total, out.total)
    texts = [captured_text(capture, most) for capture, most in zip((out, err), shares, strict=True)]
    if result.timed_out:
        error = error_message(f"Process timeout after {timeout:g}s", "TIMEOUT")
    elif result.cancelled:
        error = error_message("Process cancelled", "CANCELLED")
    elif result.limit:
        error = error_message(f"Process over its limit {result.limit}", "ELIMIT")
    elif result.signal is not None:
        name = f"SIG{signal_name(result.signal)}"
        error = error_message(f"Process killed by signal {result.signal}", name)
    elif total > MAX_OUTPUT_BYTES:
        error = error_message(f"Output of {total} bytes exceeds {MAX_OUTPUT_BYTES}", "EMAXBUFFER")
    elif None in texts:
        error = error_message("Output is not UTF-8", "EENCODING")
    else:
        error = None
    return Execution(result.exit_code, texts[0] or "", texts[1] or "", error)


def output_share(mine: int, other: int) -> int:
    """Return how many bytes one output may keep: half, plus what the other one leaves."""
    return min(mine, max(MAX_OUTPUT_BYTES // 2, MAX_OUTPUT_BYTES - other))


def captured_text(capture: HeadTailCapture, max_bytes: int) -> str | None:
    """Return the captured text, shortened in the middle if too long; None if it is not UTF-8."""
    data = capture.content()
    if capture.total > max_bytes:
        # The capture holds at least this much of the beginning and the end.
        head, tail = data[: max_bytes // 2], data[len(data) - (max_bytes - max_bytes // 2) :]
        head, tail = (
            head[: len(head) - partial_bytes_at_end(head)],
            tail[partial_bytes_at_start(tail) :],
        )
        dropped = capture.total - len(head) - len(tail)
        data = head + b"\n[... %d bytes dropped ...]\n" % dropped + tail
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def partial_bytes_at_end(data: bytes) -> int:
    """Return the number of bytes at the end that start an incomplete character."""
    for back in range(1, min(4, len(data) + 1)):
        byte = data[-back]
        if byte & 0xC0 != 0x80:
            length = 4 if byte >= 0xF0 else 3 if byte >= 0xE0 else 2 if byte >= 0xC0 else 1
            return back if length > back else 0
    return 0


def partial_bytes_at_start(data: bytes) -> int:
    """Return the number of bytes at the start that end an incomplete character."""
    count = 0
    while count < min(3, len(data)) and data[count] & 0xC0 == 0x80:
        count += 1
    return count


def start_failure(error: NotStarted) -> ExecutionFailure:
    """Return the error for an interpreter that did not start."""
    subject, status = error.subject, error.status
    issue = f"{subject}: {error.reason or 'No such file or directory'}"
    if error.kind == "directory":
        status = 1
        issue = f"Working directory '{subject}': {error.reason}"
        if error.code == "ENOENT":
            issue = f"Working directory does not exist '{subject}'"
    elif error.kind == "not_found" and "/" not in subject:
        issue = f"{subject} not found in PATH"
    return ExecutionFailure(issue, error.code, status)


def error_message(issue: str, code: str) -> str:
    """Format an error."""
    return f"exec: {issue} ({code})"
