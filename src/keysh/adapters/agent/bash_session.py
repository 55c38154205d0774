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

from keysh.adapters.agent.environment import cleaned
from keysh.adapters.agent.task import Finished, ProcessTask, Unsupported
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

MOST = 16 << 20  # bytes that are kept of each output of a command
MOST_STATE = 64 << 10  # bytes of exported variables and functions that are handed on
TERMINAL = (80, 24)  # columns and rows
BASH = ("bash", "--noprofile", "--norc")
GRACE = 500  # milliseconds between SIGTERM, which bash ignores while it waits, and SIGKILL

# Where bash prints the ends: what the command makes of 1 and 2 does not matter then.
FIRST_LINE = b"exec 198>&1 199>&2\n"
LAST_LINE = (
    '{ builtin printf \'%s\\0%s\\0%s\' "$?" "$PWD" '
    '"$(builtin declare -px; builtin declare -f)" >&REPORT; '
    "builtin printf %s TOKEN >&198; builtin printf %s TOKEN >&199; } 2>/dev/null\n"
)
REPORT = 200  # the least number of the file, which no script has for itself
MOST_PLACE = 8 << 10  # bytes of the status and the longest directory
KEPT = (
    "exported variables and functions are as they were after the last command that ended, all else "
    "is gone"
)
TOO_LARGE = f"the exported variables and functions are over {MOST_STATE} bytes"


class Collector:
    """One stream of bash: all that it prints but the token, which says that the command is over."""

    __slots__ = ("_held", "_token", "capture", "is_found")

    def __init__(self) -> None:
        self.capture = HeadTailCapture(MOST)
        self.begin(b"\0")

    def begin(self, token: bytes) -> None:
        """Another command is about to run."""
        self._token, self._held = token, b""
        self.is_found = False

    def add(self, piece: bytes) -> None:
        """Take what bash has printed."""
        if self.is_found:  # what runs in the background has printed it
            self.capture.add(piece)
            return
        data = self._held + piece
        head, found, rest = data.partition(self._token)
        self.is_found = bool(found)
        held = 0 if found else beginning_at_end(data, self._token)
        self._held = head[len(head) - held :]
        self.capture.add(head[: len(head) - held])
        self.capture.add(rest)

    def finish(self) -> None:
        """Nothing more comes, and there was no token."""
        self.capture.add(self._held)
        self._held = b""


def beginning_at_end(data: bytes, token: bytes) -> int:
    """How many bytes at the end may be the beginning of a token."""
    for count in range(min(len(data), len(token) - 1), 0, -1):
        if data.endswith(token[:count]):
            return count
    return 0


class Report:
    """The file into which bash writes how a command has ended; `fd` has that number in bash too."""

    __slots__ = ("fd",)

    def __init__(self) -> None:
        with TemporaryFile(buffering=0) as file:
            self.fd = duplicate_above(file.fileno(), REPORT)

    def clear(self) -> None:
        """Another command is about to run."""
        os.ftruncate(self.fd, 0)
        os.lseek(self.fd, 0, os.SEEK_SET)  # bash writes from there: both have one open file

    def read(self) -> tuple[int, str, str | None] | None:
        """The status, the directory and the state, None where that is too large; None for none."""
        data = os.pread(self.fd, MOST_PLACE + MOST_STATE + 1, 0)
        status, _, rest = data.partition(b"\0")
        cwd, end, state = rest.partition(b"\0")
        if not end or not status.isdigit():
            return None
        return int(status), text_from(cwd), text_from(state) if len(state) <= MOST_STATE else None

    def __del__(self) -> None:
        # Here, for a command that goes on beside the session is asked for its status at any time.
        os.close(self.fd)


def text_from(data: bytes) -> str:
    """What bash has written, whatever bytes that are."""
    return data.decode("utf-8", "surrogateescape")


class Running:
    """One process of bash, and what it has said of the command that runs in it."""

    __slots__ = ("_report", "err", "out", "process")

    def __init__(self, env: Mapping[str, str], cwd: str, state: str) -> None:
        self.out, self.err = Collector(), Collector()
        self._report = Report()
        self.process: Process = start(
            ProcessSpec(
                BASH, env=env, directory=cwd, stdin=OPEN, stdout=self.out.add, stderr=self.err.add,
                descriptors={self._report.fd: self._report.fd}, grace=GRACE, tagged=True,
            )
        )  # fmt: skip
        self.process.send(FIRST_LINE)
        if state:
            self.process.send(f"eval -- {quoted_text(state)} >/dev/null 2>&1\n".encode())

    def begin(self, command: str) -> None:
        """Have it run a command."""
        token = os.urandom(16).hex()
        self.out.begin(token.encode())
        self.err.begin(token.encode())
        self._report.clear()
        last = LAST_LINE.replace("TOKEN", token).replace("REPORT", str(self._report.fd))
        text = f"eval -- {quoted_text(command)} </dev/null\n{last}"
        self.process.send(text.encode("utf-8", "surrogateescape"))

    @property
    def is_done(self) -> bool:
        """Whether the command has ended, and bash has not."""
        return self.out.is_found and self.err.is_found

    def end(self) -> tuple[int, str, str | None] | None:
        """The status of a command that has ended, the directory, and the state; see `Report`."""
        return self._report.read() if self.is_done else None

    def status(self) -> int | None:
        """The status of a command, if it has ended."""
        told = self.end()
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
        self._env = {"PATH": SYSTEM_PATH, **cleaned(env or {}, keep=keep), TAG: self._tag}
        self._first_cwd = self.cwd = os.path.realpath(cwd or os.getcwd())
        self._local = LocalFS("/")
        self.fs = Router(self._local)
        self._state: str | None = ""  # None where it is too large to be handed on
        self._turn = allocate_lock()
        self._keeper = Keeper()
        self._running: Running | None = None

    def run(
        self, command: str, seconds: float, stop: Stop, *, moves: bool = False
    ) -> Finished | Task:
        """Run a command; after so many seconds it is ended or, if it `moves`, goes on as a task."""
        wait_for_turn(self._turn, stop.budget)
        try:
            return self._run(command, seconds, stop, moves)
        finally:
            self._turn.release()

    def _run(self, command: str, seconds: float, stop: Stop, moves: bool) -> Finished | Task:
        notice = self._notice_of_death()
        running = self._running or self._begun()
        process, loop = running.process, running.process.loop
        until = monotonic() + seconds
        running.begin(command)
        cancelled = stop.budget.flag().fd

        def cancel(_: int) -> None:
            loop.forget(cancelled)  # it stays readable
            process.stop("cancelled")

        loop.watch(cancelled, cancel)
        try:
            while not running.is_done and process.result is None and monotonic() < until:
                process.turn(until)
        finally:
            loop.forget(cancelled)
        if running.is_done and process.result is None and not stop.is_asked:
            told = running.end()
            if told is not None:
                status, self.cwd, self._state = told
                return Finished(status, *running.take(), notice=notice)
            process.stop("lost")
        self._running = None
        if process.result is None and moves and not stop.is_asked:
            return self._moved(running)
        return self._ended(running)

    def _notice_of_death(self) -> str:
        """What to say where bash has ended since the last command; it is forgotten then."""
        running = self._running
        if running is None:
            return ""
        running.process.loop.turn_at_once()
        if running.process.is_running:
            return ""
        self._running = None
        code = running.process.wait().code
        return self._notice(f"had ended with status {code} before")

    def _notice(self, why: str) -> str:
        """What to say of a bash that is begun anew."""
        kept = KEPT if self._state is not None else f"all else is gone, for {TOO_LARGE}"
        return f"the shell {why} and was begun anew in {self.cwd}: {kept}"

    def _ended(self, running: Running) -> Finished:
        """The end of a command that has ended bash too, or has to be ended with it."""
        process = running.process
        process.stop("timeout")
        result = process.wait()
        running.out.finish()
        running.err.finish()
        why = {
            "timeout": "was ended with the command", "cancelled": "was interrupted",
            "lost": "could not tell how the command ended",
        }.get(result.stop, f"ended with status {result.code}")  # fmt: skip
        return Finished(result.code, *running.take(), result.stop, self._notice(why))

    def _moved(self, running: Running) -> Task:
        """Leave bash to the command that runs in it; the next one gets another bash."""
        running.process.finish_input()  # then it ends with the command
        background = self._keeper.keep(running.process)

        def take() -> tuple[bytes, bytes]:
            taken: list[tuple[bytes, bytes]] = []
            self._keeper.do_on_thread(lambda: taken.append(running.take()))
            return taken[0]

        return ProcessTask(background, take, running.status)

    def start(self, command: str, *, pty: bool = False) -> Task:
        """Run a command beside the session, at a terminal of its own if that is asked for."""
        if self._state is None:
            raise Unsupported(f"{TOO_LARGE}, and cannot be handed on")
        state = f"eval -- {quoted_text(self._state)} >/dev/null 2>&1\n" if self._state else ""
        spec = ProcessSpec(
            [*BASH, "-c", f"{state}{command}"], env=self._env, directory=self.cwd, stdin=OPEN,
            stdout=CAPTURE, stderr=CAPTURE, terminal=TERMINAL if pty else None, tagged=True,
        )  # fmt: skip
        return ProcessTask(self._keeper.keep(start(spec)))

    def reset(self) -> None:
        """Begin anew; what is in files stays."""
        with self._turn:
            self._end()
            self.cwd, self._state = self._first_cwd, ""

    def close(self) -> None:
        """End the session."""
        self._end()
        self._keeper.close()
        self._local.close()

    def _end(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.process.__exit__()
        kill_tagged(self._tag, GRACE / 1000)

    def _begun(self) -> Running:
        """A bash that has what the one before it had, if there was one."""
        if not os.path.isdir(self.cwd):
            self.cwd = self._first_cwd
        running = self._running = Running(self._env, self.cwd, self._state or "")
        return running
