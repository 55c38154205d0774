"""Signals that the program receives are passed to the script that it runs."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` makes enumerations of it
import os
from io import FileIO

from keysh.interp.run.control_flow import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from keysh.interp.state.state import State
    from keysh.shell.shell import Shell

WAKEUP_READ_BYTES = 64
HANDLED_SIGNALS = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM")
KEYBOARD_SIGNALS = (signal.SIGINT, signal.SIGQUIT)


class SignalHandlers:
    """The program's signal handlers while it runs a script.

    A signal that the script traps runs its trap. Any other ends the script, its EXIT trap included,
    and then the program, which dies of the signal; a second one kills at once. A signal that was
    ignored when the program began stays ignored, as POSIX requires.
    """

    __slots__ = (
        "_earlier_handlers",
        "_earlier_wakeup_fd",
        "_job",
        "_shell",
        "_wakeup_fd",
        "fatal",
        "input",
    )

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._job: State | None = None  # the state of the job that this process runs
        self.fatal = 0  # the signal that the program dies of
        # A signal may come just before a read begins; the pipe wakes the read even then.
        read_end, write_end = os.pipe()
        os.set_blocking(read_end, False)
        os.set_blocking(write_end, False)
        self._wakeup_fd = write_end
        self.input = InterruptibleStdin(self, read_end)
        self._earlier_handlers: dict[int, Any] = {}
        self._earlier_wakeup_fd: int | None = None
        try:
            self._earlier_wakeup_fd = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
        except ValueError:  # only the main thread can handle signals
            return
        for number in [getattr(signal, name) for name in HANDLED_SIGNALS if hasattr(signal, name)]:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._earlier_handlers[number] = signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal; Python calls this on the thread that started the script."""
        if self.fatal:
            die(number)
        from keysh.interp.engine.signal_delivery import send_signal  # noqa: PLC0415 - few programs get any
        from keysh.text.signal_names import signal_name  # noqa: PLC0415 - few programs get any

        state = self._job or self._shell.state
        send_signal(state, number)
        if number in KEYBOARD_SIGNALS and state.traps.get(signal_name(number)) is not None:
            # A terminal sends it to the whole foreground group: the command that the script waits
            # for ends, then the trap runs.
            state.budget.interrupt(number)
            if state.session.programs is not None:
                state.session.programs.signal(state.budget, number)
        if state.budget.is_cancelled:
            self.fatal = number
            try:  # noqa: SIM105 - contextlib is more than start-up loads
                # A reading thread may have woken before `fatal` was set.
                os.write(self._wakeup_fd, b"!")
            except BlockingIOError:  # a full pipe wakes the reader as well
                pass

    def begin_job(self, state: State) -> None:
        """Receive the signals of a job, in its process; as in sh, keys do not reach it."""
        self._job, self.fatal = state, 0
        for number in KEYBOARD_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        # The pipe belongs to the reads of the shell, and a job has no input.
        signal.set_wakeup_fd(-1)
        self._wakeup_fd = os.open(os.devnull, os.O_WRONLY)

    def restore(self) -> None:
        """Restore the earlier handlers after the script, or die of its fatal signal."""
        for number, handler in self._earlier_handlers.items():
            signal.signal(number, handler)
        if self._earlier_wakeup_fd is not None:
            signal.set_wakeup_fd(self._earlier_wakeup_fd)
        os.close(self._wakeup_fd)
        os.close(self.input.wakeup_fd)
        if self.fatal:
            die(self.fatal)


class InterruptibleStdin(FileIO):
    """Standard input whose blocking reads end when a signal ends the script."""

    def __init__(self, handlers: SignalHandlers, wakeup_fd: int) -> None:
        super().__init__(0, "rb", closefd=False)
        self.wakeup_fd = wakeup_fd  # readable after a signal
        self._handlers = handlers

    def read(self, size: int | None = -1) -> bytes:
        from select import POLLIN, poll  # noqa: PLC0415 - few scripts read

        poller = poll()
        poller.register(0, POLLIN)
        poller.register(self.wakeup_fd, POLLIN)
        while (self.wakeup_fd, POLLIN) in poller.poll():
            os.read(self.wakeup_fd, WAKEUP_READ_BYTES)
            if self._handlers.fatal:
                raise LimitReached("cancelled", None, None, 128 + self._handlers.fatal)
        return super().read(size) or b""


def die(number: int) -> None:
    """Die of a signal, so that the parent process sees it as the cause."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
