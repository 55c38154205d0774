"""BashSession: commands one after the other in one process of the real bash.

    bash reads:  eval -- '…' </dev/null, and then a line that tells the end of it
    a file:      status NUL directory NUL state
    stdout:      what the command prints, and then TOKEN
    stderr:      the same

The state is what a bash that is begun anew is given: the exported variables and the functions. What
runs in the background goes on printing where it likes: nothing but the tokens is looked for there.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from tempfile import TemporaryFile
from time import monotonic

from keysh.adapters.agent.secret_variables import without_secrets
from keysh.adapters.agent.task import FinishedCommand, ProcessTask, UnsupportedRequest
from keysh.interp.engine.host_loop import wait_for_turn
from keysh.process import CAPTURE, OPEN, ProcessSpec, start
from keysh.process.capture import HeadTailCapture
from keysh.process.environment import TAG
from keysh.process.keeper import Keeper
from keysh.process.kill import kill_tagged
from keysh.process.launch import duplicate_above
from keysh.process.resolve import SYSTEM_PATH
from keysh.text.shell_quoting import quoted_text
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.router import Router

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from keysh.adapters.agent.task import Task
    from keysh.adapters.thread import Stop
    from keysh.process.process import Process

MAX_OUTPUT_BYTES = 16 << 20  # bytes that are kept of each output of a command
MAX_STATE_BYTES = 64 << 10  # bytes of exported variables and functions that are handed on
TERMINAL_SIZE = (80, 24)  # columns and rows
BASH_COMMAND = ("bash", "--noprofile", "--norc")
KILL_GRACE_MILLISECONDS = (
    500  # milliseconds between SIGTERM, which bash ignores while it waits, and SIGKILL
)

# Where bash prints the ends: what the command makes of 1 and 2 does not matter then.
FIRST_INPUT = b"exec 198>&1 199>&2\n"
REPORT_COMMANDS = (
    '{ builtin printf \'%s\\0%s\\0%s\' "$?" "$PWD" '
    '"$(builtin declare -px; builtin declare -f)" >&REPORT; '
    "builtin printf %s TOKEN >&198; builtin printf %s TOKEN >&199; } 2>/dev/null\n"
)
MIN_REPORT_FD = 200  # the least number of the file, which no script has for itself
MAX_STATUS_BYTES = 8 << 10  # bytes of the status and the longest directory
STATE_KEPT_TEXT = (
    "exported variables and functions are as they were after the last command that ended, all else "
    "is gone"
)
STATE_TOO_LARGE_TEXT = f"the exported variables and functions are over {MAX_STATE_BYTES} bytes"


class CommandOutput:
    """One stream of bash: all that it prints but the token, which says that the command is over."""

    __slots__ = ("_token", "_withheld", "capture", "has_token")

    def __init__(self) -> None:
        self.capture = HeadTailCapture(MAX_OUTPUT_BYTES)
        self.begin(b"\0")

    def begin(self, token: bytes) -> None:
        """Another command is about to run."""
        self._token, self._withheld = token, b""
        self.has_token = False

    def add(self, piece: bytes) -> None:
        """Take what bash has printed."""
        if self.has_token:  # what runs in the background has printed it
            self.capture.add(piece)
            return
        data = self._withheld + piece
        head, found, rest = data.partition(self._token)
        self.has_token = bool(found)
        held = 0 if found else partial_token_length(data, self._token)
        self._withheld = head[len(head) - held :]
        self.capture.add(head[: len(head) - held])
        self.capture.add(rest)

    def finish(self) -> None:
        """Nothing more comes, and there was no token."""
        self.capture.add(self._withheld)
        self._withheld = b""


def partial_token_length(data: bytes, token: bytes) -> int:
    """How many bytes at the end may be the beginning of a token."""
    for count in range(min(len(data), len(token) - 1), 0, -1):
        if data.endswith(token[:count]):
            return count
    return 0


class BashReport:
    """The file into which bash writes how a command has ended; `fd` has that number in bash too."""

    __slots__ = ("fd",)

    def __init__(self) -> None:
        with TemporaryFile(buffering=0) as file:
            self.fd = duplicate_above(file.fileno(), MIN_REPORT_FD)

    def clear(self) -> None:
        """Another command is about to run."""
        os.ftruncate(self.fd, 0)
        os.lseek(self.fd, 0, os.SEEK_SET)  # bash writes from there: both have one open file

    def read(self) -> tuple[int, str, str | None] | None:
        """The status, the directory and the state, None where that is too large; None for none."""
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
        # Here, for a command that goes on beside the session is asked for its status at any time.
        os.close(self.fd)


def decoded_text(data: bytes) -> str:
    """What bash has written, whatever bytes that are."""
    return data.decode("utf-8", "surrogateescape")


class BashProcess:
    """One process of bash, and what it has said of the command that runs in it."""

    __slots__ = ("_report", "err", "out", "process")

    def __init__(self, env: Mapping[str, str], cwd: str, state: str) -> None:
        self.out, self.err = CommandOutput(), CommandOutput()
        self._report = BashReport()
        self.process: Process = start(
            ProcessSpec(
                BASH_COMMAND, env=env, directory=cwd, stdin=OPEN, stdout=self.out.add, stderr=self.err.add,
                descriptors={self._report.fd: self._report.fd}, grace=KILL_GRACE_MILLISECONDS, tagged=True,
            )
        )  # fmt: skip
        self.process.send(FIRST_INPUT)
        if state:
            self.process.send(f"eval -- {quoted_text(state)} >/dev/null 2>&1\n".encode())

    def begin(self, command: str) -> None:
        """Have it run a command."""
        token = os.urandom(16).hex()
        self.out.begin(token.encode())
        self.err.begin(token.encode())
        self._report.clear()
        last = REPORT_COMMANDS.replace("TOKEN", token).replace("REPORT", str(self._report.fd))
        text = f"eval -- {quoted_text(command)} </dev/null\n{last}"
        self.process.send(text.encode("utf-8", "surrogateescape"))

    @property
    def is_done(self) -> bool:
        """Whether the command has ended, and bash has not."""
        return self.out.has_token and self.err.has_token

    def read_report(self) -> tuple[int, str, str | None] | None:
        """The status of a command that has ended, the directory, and the state; see `Report`."""
        return self._report.read() if self.is_done else None

    def status(self) -> int | None:
        """The status of a command, if it has ended."""
        told = self.read_report()
        return None if told is None else told[0]

    def take(self) -> tuple[bytes, bytes]:
        """What the command has printed."""
        return self.out.capture.take(), self.err.capture.take()


class BashSession:
    """Variables, functions, options and the directory stay from one command to the next.

    It is a program of the machine and sees the machine's files. `env` is all of its environment;
    what looks like a secret is left out, but for the names in `keep`.
    """

    def __init__(
        self,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        keep: Iterable[str] = (),
    ) -> None:
        self._tag = os.urandom(8).hex()  # in the environment of all that it starts
        self._env = {"PATH": SYSTEM_PATH, **without_secrets(env or {}, keep=keep), TAG: self._tag}
        self._first_cwd = self.cwd = os.path.realpath(cwd or os.getcwd())
        self._local = LocalFS("/")
        self.fs = Router(self._local)
        self._state: str | None = ""  # None where it is too large to be handed on
        self._turn = allocate_lock()
        self._keeper = Keeper()
        self._bash: BashProcess | None = None

    def run(
        self, command: str, seconds: float, stop: Stop, *, to_background: bool = False
    ) -> FinishedCommand | Task:
        """Run a command; after so many seconds it is ended or, if it `moves`, goes on as a task."""
        wait_for_turn(self._turn, stop.budget)
        try:
            return self._run(command, seconds, stop, to_background)
        finally:
            self._turn.release()

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
            told = bash.read_report()
            if told is not None:
                status, self.cwd, self._state = told
                return FinishedCommand(status, *bash.take(), notice=notice)
            process.stop("lost")
        self._bash = None
        if process.result is None and to_background and not stop.is_asked:
            return self._move_to_background(bash)
        return self._end_process(bash)

    def _notice_of_death(self) -> str:
        """What to say where bash has ended since the last command; it is forgotten then."""
        bash = self._bash
        if bash is None:
            return ""
        bash.process.loop.turn_at_once()
        if bash.process.is_running:
            return ""
        self._bash = None
        code = bash.process.wait().code
        return self._notice(f"had ended with status {code} before")

    def _notice(self, why: str) -> str:
        """What to say of a bash that is begun anew."""
        kept = (
            STATE_KEPT_TEXT
            if self._state is not None
            else f"all else is gone, for {STATE_TOO_LARGE_TEXT}"
        )
        return f"the shell {why} and was begun anew in {self.cwd}: {kept}"

    def _end_process(self, bash: BashProcess) -> FinishedCommand:
        """The end of a command that has ended bash too, or has to be ended with it."""
        process = bash.process
        process.stop("timeout")
        result = process.wait()
        bash.out.finish()
        bash.err.finish()
        why = {
            "timeout": "was ended with the command", "cancelled": "was interrupted",
            "lost": "could not tell how the command ended",
        }.get(result.stop, f"ended with status {result.code}")  # fmt: skip
        return FinishedCommand(result.code, *bash.take(), result.stop, self._notice(why))

    def _move_to_background(self, bash: BashProcess) -> Task:
        """Leave bash to the command that runs in it; the next one gets another bash."""
        bash.process.finish_input()  # then it ends with the command
        background = self._keeper.keep(bash.process)

        def take() -> tuple[bytes, bytes]:
            taken: list[tuple[bytes, bytes]] = []
            self._keeper.do_on_thread(lambda: taken.append(bash.take()))
            return taken[0]

        return ProcessTask(background, take, bash.status)

    def start(self, command: str, *, pty: bool = False) -> Task:
        """Run a command beside the session, at a terminal of its own if that is asked for."""
        if self._state is None:
            raise UnsupportedRequest(f"{STATE_TOO_LARGE_TEXT}, and cannot be handed on")
        state = f"eval -- {quoted_text(self._state)} >/dev/null 2>&1\n" if self._state else ""
        spec = ProcessSpec(
            [*BASH_COMMAND, "-c", f"{state}{command}"], env=self._env, directory=self.cwd, stdin=OPEN,
            stdout=CAPTURE, stderr=CAPTURE, terminal=TERMINAL_SIZE if pty else None, tagged=True,
        )  # fmt: skip
        return ProcessTask(self._keeper.keep(start(spec)))

    def reset(self) -> None:
        """Begin anew; what is in files stays."""
        with self._turn:
            self._end_all()
            self.cwd, self._state = self._first_cwd, ""

    def close(self) -> None:
        """End the session."""
        self._end_all()
        self._keeper.close()
        self._local.close()

    def _end_all(self) -> None:
        bash, self._bash = self._bash, None
        if bash is not None:
            bash.process.__exit__()
        kill_tagged(self._tag, KILL_GRACE_MILLISECONDS / 1000)

    def _new_process(self) -> BashProcess:
        """A bash that has what the one before it had, if there was one."""
        if not os.path.isdir(self.cwd):
            self.cwd = self._first_cwd
        bash = self._bash = BashProcess(self._env, self.cwd, self._state or "")
        return bash
