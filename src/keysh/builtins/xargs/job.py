"""Run the commands of xargs, one or several at a time, and combine their statuses."""

from __future__ import annotations

from keysh.interp.builtin_operations.all_meanings import BUILTIN, FILE, FUNCTION, meanings
from keysh.interp.engine.background import start_job
from keysh.interp.run.peer_wait import PeerWait
from keysh.interp.state.call import Call
from keysh.interp.state.state import State
from keysh.interp.state.state_of_call import call_state
from keysh.interp.streams.streams import Reader
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.jobs.jobs import ShellJob as Running

LAUNCH_ERROR = "xargs: {name}"
MAX_PARALLEL_COMMANDS = 100  # for -P 0 without a limit on jobs


class SerialRunner:
    """Runs commands one after another; `status` combines their statuses."""

    __slots__ = ("_call", "_sh", "_shows", "is_over", "slot", "status")

    def __init__(self, sh: Call, shows: bool, *, reads_input: bool) -> None:
        self._sh, self._shows = sh, shows
        # Commands must not read the input that holds the words.
        stdin = sh.source if reads_input else Reader(())
        self._call = sh.with_streams(stdin, sh.out, sh.err)
        self.status, self.is_over = 0, False
        self.slot: str | None = None  # the variable for the slot number

    def run(self, words: list[str]) -> None:
        sh = self._sh
        sh.tick()
        if self._shows:
            sh.err.write(" ".join(map(message_name, words)) + "\n")
        self.start(words)

    def start(self, words: list[str]) -> None:
        """Run a command to its end."""
        self.take_status(
            words[0], self._call.run(words, env=self.environment(0), launch_error=LAUNCH_ERROR)
        )

    def environment(self, slot: int) -> Mapping[str, str] | None:
        """Return the environment of a command, or None for the shell's."""
        return None if self.slot is None else {**self._sh.env, self.slot: str(slot)}

    def take_status(self, name: str, status: int) -> None:
        """Combine the status of a command with the others."""
        if status == 255:
            self._sh.warn(f"{name}: exited with status 255; aborting")
            self.status, self.is_over = 124, True
        elif status in (126, 127) and not self.has_run(name):
            self.status, self.is_over = status, True
        elif status >= 128:
            self._sh.warn(f"{name}: terminated by signal {status - 128}")
            self.status, self.is_over = 125, True
        elif status:
            self.status = max(self.status, 123)

    def has_run(self, name: str) -> bool:
        """Tell whether a command exists: 127 may be its own status, as with `sh -c`.

        If the host decides about commands, it is unknown whether the status came from the host.
        """
        state = call_state(self._sh)
        if not isinstance(state, State) or state.session.permissions is not None:
            return False
        return any(kind in (FUNCTION, BUILTIN, FILE) for kind, _ in meanings(state, name))

    def finish(self) -> None:
        """Wait for all running commands."""


class ParallelRunner(SerialRunner):
    """Runs several commands at a time, each as a job of the shell."""

    __slots__ = ("_max_running", "_running", "_state")

    def __init__(self, sh: Call, shows: bool, state: State, max_running: int) -> None:
        super().__init__(sh, shows, reads_input=False)
        self._state, self._max_running = state, max_running
        self._running: dict[int, tuple[str, Running]] = {}  # by slot

    def start(self, words: list[str]) -> None:
        while len(self._running) >= self._room():
            self.collect()
            if self.is_over:
                return
        slot = next(slot for slot in range(self._max_running) if slot not in self._running)
        sh, env = self._sh, self.environment(slot)

        def body(child: State) -> int:
            return Call(sh.name, child, Reader(()), sh.out, sh.err).run(
                words, env=env, launch_error=LAUNCH_ERROR
            )

        job = start_job(self._state, body, " ".join(words), shares_memory=True)
        self._running[slot] = words[0], job

    def _room(self) -> int:
        """Return how many commands may run beside the shell's other jobs, at least one."""
        limit = self._state.session.limits.jobs
        if limit is None:
            return self._max_running
        own = [job for _, job in self._running.values()]  # some may have ended meanwhile
        others = sum(job not in own for job in self._state.session.jobs.running())
        return max(1, min(self._max_running, limit - others))

    def collect(self) -> None:
        """Wait until at least one command has ended, and take the statuses."""
        first = next(iter(self._running.values()))[1]
        with PeerWait(self._state.budget, lambda: any(map(self.has_ended, self._running))):
            while not (ended_slots := [slot for slot in self._running if self.has_ended(slot)]):
                self._state.budget.check()
                first.pause()
        for slot in ended_slots:
            name, job = self._running.pop(slot)
            self._state.session.jobs.forget(job)
            self.take_status(name, job.status or 0)

    def has_ended(self, slot: int) -> bool:
        return self._running[slot][1].status is not None

    def finish(self) -> None:
        while self._running:
            self.collect()


def make_runner(sh: Call, shows: bool, *, reads_input: bool, max_running: int) -> SerialRunner:
    """Return the runner for up to `max_running` commands at a time; 0 means as many as possible."""
    state = call_state(sh)
    if max_running == 1 or not isinstance(state, State):
        return SerialRunner(sh, shows, reads_input=reads_input)
    return ParallelRunner(
        sh, shows, state, max_running or state.session.limits.jobs or MAX_PARALLEL_COMMANDS
    )
