"""BashSession: run one command after another in a process of the real bash.

    input of bash:  eval -- '…' </dev/null, then REPORT_COMMANDS
    report file:    status NUL directory NUL state
    stdout, stderr: the output of the command, then TOKEN

The state is the exported variables and the functions, which a new bash gets if the old one ends.
Background jobs may print at any time: only the tokens delimit the output of a command.
"""

from __future__ import annotations

import os
from tempfile import TemporaryFile
from time import monotonic

from keysh.adapters.agent.task import FinishedCommand, ProcessTask, UnsupportedRequest
from keysh.audit.secret_patterns import without_secrets
from keysh.interp.run.turn import in_turn
from keysh.process import CAPTURE, OPEN, ProcessSpec, start
from keysh.process.environment import TAG
from keysh.process.keeper import Keeper
from keysh.process.launch import duplicate_above
from keysh.process.resolve import SYSTEM_PATH
from keysh.process.streams.capture import HeadTailCapture, take_both
from keysh.process.tree.kill import end_tagged
from keysh.shell.host.host_files import put_file
from keysh.text.shell_quoting import quoted_text
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.router import Router

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from keysh.adapters.agent.task import Task
    from keysh.adapters.thread import Stop
    from keysh.adapters.tool_result import LimitRecord
    from keysh.interp.run.turn import Turn
    from keysh.process.process import Process
    from keysh.vfs.stream import Stream

MAX_OUTPUT_BYTES = 16 << 20  # kept of each output of a command
MAX_STATE_BYTES = 64 << 10  # of exported variables and functions for a new bash
TERMINAL_SIZE = (80, 24)  # columns and rows
BASH_COMMAND = ("bash", "--noprofile", "--norc")
KILL_GRACE_MILLISECONDS = 500  # between SIGTERM, which bash ignores while it waits, and SIGKILL

# Descriptors for the tokens, whatever commands do to 1 and 2.
FIRST_INPUT = b"exec 198>&1 199>&2\n"
REPORT_COMMANDS = (
    '{ builtin printf \'%s\\0%s\\0%s\' "$?" "$PWD" '
    '"$(builtin declare -px; builtin declare -f)" >&REPORT; '
    "builtin printf %s TOKEN >&198; builtin printf %s TOKEN >&199; } 2>/dev/null\n"
)
MIN_REPORT_FD = 200  # the report file gets at least this number, which no script uses
MAX_STATUS_BYTES = 8 << 10  # of the status and the longest directory
STATE_KEPT_TEXT = (
    "exported variables and functions are as after the last command that ended, everything else "
    "is lost"
)
STATE_TOO_LARGE_TEXT = f"the exported variables and functions are over {MAX_STATE_BYTES} bytes"


class CommandOutput:
    """An output stream of bash: it removes the token, which marks the end of a command."""

    __slots__ = ("_token", "_withheld", "capture", "has_token")

    def __init__(self) -> None:
        self.capture = HeadTailCapture(MAX_OUTPUT_BYTES)
        self.begin(b"\0")

    def begin(self, token: bytes) -> None:
        """Prepare for the next command."""
        self._token, self._withheld = token, b""
        self.has_token = False

    def add(self, piece: bytes) -> None:
        """Add output of bash."""
        if self.has_token:  # printed by a background job
            self.capture.add(piece)
            return
        data = self._withheld + piece
        head, token, rest = data.partition(self._token)
        self.has_token = bool(token)
        size = len(head) - (0 if token else partial_token_length(data, self._token))
        self._withheld = head[size:]
        self.capture.add(head[:size])
        self.capture.add(rest)

    def finish(self) -> None:
        """Add the rest: the output has ended without a token."""
        self.capture.add(self._withheld)
        self._withheld = b""


def partial_token_length(data: bytes, token: bytes) -> int:
    """Return the number of bytes at the end that may be the start of a token."""
    for count in range(min(len(data), len(token) - 1), 0, -1):
        if data.endswith(token[:count]):
            return count
    return 0


class BashReport:
    """The file to which bash reports the end of a command; `fd` is its number in bash too."""

    __slots__ = ("fd",)

    def __init__(self) -> None:
        with TemporaryFile(buffering=0) as file:
            self.fd = duplicate_above(file.fileno(), MIN_REPORT_FD)

    def clear(self) -> None:
        """Prepare for the next command."""
        os.ftruncate(self.fd, 0)
        os.lseek(self.fd, 0, os.SEEK_SET)  # bash shares this file offset

    def read(self) -> tuple[int, str, str | None] | None:
        """Return the status, directory and state (None if too large), or None without a report."""
        data = os.pread(self.fd, MAX_STATUS_BYTES + MAX_STATE_BYTES + 1, 0)
        status, _, rest = data.partition(b"\0")
        cwd, read_report, state = rest.partition(b"\0")
        if not read_report or not status.isdigit():
            return None
        return (
            int(status),
            decoded_text(cwd),
            decoded_text(state) if len(state) <= MAX_STATE_BYTES else None,
        )

    def __del__(self) -> None:
        # Not earlier: a command in the background may be asked for its status at any time.
        os.close(self.fd)


def decoded_text(data: bytes) -> str:
    """Decode output of bash, which may contain any bytes."""
    return data.decode("utf-8", "surrogateescape")


class BashProcess:
    """A process of bash, with the output and the report of its current command."""

    __slots__ = ("_report", "err", "out", "process")

    def __init__(self, env: Mapping[str, str], cwd: str, state: str) -> None:
        self.out, self.err = CommandOutput(), CommandOutput()
        self._report = BashReport()
        self.process: Process = start(
            ProcessSpec(
                BASH_COMMAND, env=env, directory=cwd, stdin=OPEN, stdout=self.out.add,
                stderr=self.err.add, descriptors={self._report.fd: self._report.fd},
                grace=KILL_GRACE_MILLISECONDS, tagged=True,
            )
        )  # fmt: skip
        self.process.send(FIRST_INPUT)
        if state:
            self.process.send(f"eval -- {quoted_text(state)} >/dev/null 2>&1\n".encode())

    def begin(self, command: str) -> None:
        """Start a command."""
        token = os.urandom(16).hex()
        self.out.begin(token.encode())
        self.err.begin(token.encode())
        self._report.clear()
        last = REPORT_COMMANDS.replace("TOKEN", token).replace("REPORT", str(self._report.fd))
        text = f"eval -- {quoted_text(command)} </dev/null\n{last}"
        self.process.send(text.encode("utf-8", "surrogateescape"))

    @property
    def is_done(self) -> bool:
        """Whether the command has ended and bash is still there."""
        return self.out.has_token and self.err.has_token

    def read_report(self) -> tuple[int, str, str | None] | None:
        """Return the report of a command that has ended; see `BashReport.read`."""
        return self._report.read() if self.is_done else None

    def status(self) -> int | None:
        """Return the status of the command, or None if it has not ended."""
        report = self.read_report()
        return None if report is None else report[0]

    def take(self) -> tuple[bytes, bytes, int]:
        """Return and remove the output of the command so far, and the number of lost bytes."""
        return take_both(self.out.capture, self.err.capture)


class BashSession:
    """A session whose variables, functions, options and directory last between commands.

    It has access to the machine's files. `env` is its whole environment; variables that look like
    secrets are removed, except those named in `keep`.
    """

    dialect = "bash"

    def __init__(
        self,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        keep: Iterable[str] = (),
    ) -> None:
        self._tag = os.urandom(8).hex()  # marks the environment of all processes
        self._env = {"PATH": SYSTEM_PATH, **without_secrets(env or {}, keep=keep), TAG: self._tag}
        self._first_cwd = self.cwd = os.path.realpath(cwd or os.getcwd())
        self._local = LocalFS("/")
        self.fs = Router(self._local)
        self._state: str | None = ""  # None if it is too large for a new bash
        self._turn: Turn = {}
        self._keeper = Keeper()
        self._bash: BashProcess | None = None
        self._unread_notice = ""

    def run(
        self, command: str, seconds: float, stop: Stop, *, to_background: bool = False
    ) -> FinishedCommand | Task:
        """Run a command. On a timeout it is ended, or continues as a task if `to_background`."""
        return in_turn(
            self._turn, stop.budget, lambda: self._run(command, seconds, stop, to_background)
        )

    def _run(
        self, command: str, seconds: float, stop: Stop, to_background: bool
    ) -> FinishedCommand | Task:
        notice = self._notice_of_death()
        bash = self._bash or self._new_process()
        process, loop = bash.process, bash.process.loop
        until = monotonic() + seconds
        bash.begin(command)
        cancelled = stop.budget.flag().fd

        def cancel(_: int) -> None:
            loop.forget(cancelled)  # it stays readable
            process.stop("cancelled")

        loop.watch(cancelled, cancel)
        try:
            while not bash.is_done and process.result is None and monotonic() < until:
                process.turn(until)
        finally:
            loop.forget(cancelled)
        if bash.is_done and process.result is None and not stop.is_asked:
            report = bash.read_report()
            if report is not None:
                status, self.cwd, self._state = report
                out, err, lost_bytes = bash.take()
                return FinishedCommand(status, out, err, notice=notice, lost_bytes=lost_bytes)
            process.stop("lost")
        self._bash = None
        if process.result is None and to_background and not stop.is_asked:
            return self._move_to_background(bash)
        return self._end_process(bash, seconds, until)

    def _notice_of_death(self) -> str:
        """Return a notice if bash has ended since the last command, and drop it.

        Nobody reads the result of a command that was cancelled, so its notice comes here.
        """
        bash, unread, self._unread_notice = self._bash, self._unread_notice, ""
        if bash is None:
            return unread
        bash.process.loop.turn_at_once()
        if bash.process.is_running:
            return ""
        self._bash = None
        code = bash.process.wait().code
        return self._notice(f"had ended with status {code} before")

    def _notice(self, why: str) -> str:
        """Return the notice about a new bash."""
        kept = STATE_KEPT_TEXT
        if self._state is None:
            kept = f"everything else is lost, because {STATE_TOO_LARGE_TEXT}"
        return f"the shell {why} and was restarted in {self.cwd}: {kept}"

    def _end_process(self, bash: BashProcess, seconds: float, until: float) -> FinishedCommand:
        """End bash with its command, which had `seconds`; return the command."""
        process = bash.process
        process.stop("timeout")
        result = process.wait()
        bash.out.finish()
        bash.err.finish()
        why = {
            "timeout": "was ended with the command", "cancelled": "was interrupted",
            "lost": "could not tell how the command ended",
        }.get(result.stop, f"ended with status {result.code}")  # fmt: skip
        notice = self._notice(why)
        if result.stop == "cancelled":
            self._unread_notice = notice
        out, err, lost_bytes = bash.take()
        limit: LimitRecord | None = None
        if result.stop == "timeout":
            used = round(monotonic() - until + seconds, 3)
            limit = {"kind": "seconds", "used": used, "allowed": seconds, "place": ""}
        elif result.stop == "cancelled":
            limit = {"kind": "cancelled", "used": None, "allowed": None, "place": ""}
        return FinishedCommand(
            result.code, out, err, result.stop, notice, lost_bytes=lost_bytes, limit=limit
        )  # fmt: skip

    def _move_to_background(self, bash: BashProcess) -> Task:
        """Leave bash to its command, which becomes a task; the next command gets a new bash."""
        bash.process.finish_input()  # bash then ends after the command
        background = self._keeper.keep(bash.process)

        def take() -> tuple[bytes, bytes, int]:
            outputs: list[tuple[bytes, bytes, int]] = []
            self._keeper.do_on_thread(lambda: outputs.append(bash.take()))
            return outputs[0]

        return ProcessTask(background, take, bash.status)

    def start(
        self,
        command: str,
        *,
        pty: bool = False,
        env: Mapping[str, str] | None = None,
        directory: str | None = None,
    ) -> Task:
        """Run a command in the background, with more variables and in another directory."""
        if self._state is None:
            raise UnsupportedRequest(
                f"{STATE_TOO_LARGE_TEXT}, and cannot be passed to another bash"
            )
        added = dict(env or {})
        exports = "".join(f"export {name}={quoted_text(added[name])}\n" for name in added)
        state = f"eval -- {quoted_text(self._state)} >/dev/null 2>&1\n" if self._state else ""
        spec = ProcessSpec(
            [*BASH_COMMAND, "-c", f"{state}{exports}{command}"], env=self._env,
            directory=directory or self.cwd, stdin=OPEN, stdout=CAPTURE, stderr=CAPTURE,
            terminal=TERMINAL_SIZE if pty else None, tagged=True,
        )  # fmt: skip
        return ProcessTask(self._keeper.keep(start(spec)))

    def reset(self) -> None:
        """Reset the state; files stay."""

        def begin_anew() -> None:
            self._end_all()
            self.cwd, self._state = self._first_cwd, ""

        in_turn(self._turn, None, begin_anew)

    def open_file(self, path: str) -> Stream:
        """Open a file for reading."""
        return self.fs.open(path)

    def write_file(self, path: str, content: str | bytes) -> None:
        """Write a file and make its parent directories."""
        put_file(self.fs, path, content)

    def close(self) -> None:
        """End the session."""
        self._end_all()
        self._keeper.close()
        self._local.close()

    def _end_all(self) -> None:
        bash, self._bash = self._bash, None
        if bash is not None:
            bash.process.__exit__()
        end_tagged(self._tag, KILL_GRACE_MILLISECONDS / 1000)

    def _new_process(self) -> BashProcess:
        """Start bash with the state of the previous one, if any."""
        if not os.path.isdir(self.cwd):
            self.cwd = self._first_cwd
        bash = self._bash = BashProcess(self._env, self.cwd, self._state or "")
        return bash
