"""Hearing: signals that come to the program from outside are for the script that it runs."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # `signal` makes enumerations of it
import os
from io import FileIO

from keysh.interp.run.control_flow import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from keysh.shell.shell import Shell

SIGNALS_AT_ONCE = 64
HEARD = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGALRM")

KEYS = (signal.SIGINT, signal.SIGQUIT)


class Hearing:
    """The signals of the program, while it runs a script.

    One that the script traps runs its trap. Any other ends the script, with its EXIT trap, and then
    the program, which dies of it as a program does; a second one at once. What was ignored when the
    program began stays so, as POSIX has it.
    """

    __slots__ = ("_before", "_shell", "_woken", "_woken_before", "fatal", "input")

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self.fatal = 0  # the signal that the program dies of
        # A signal may come when a read has all but begun: this tells of it in any case.
        waking, woken = os.pipe()
        os.set_blocking(waking, False)
        os.set_blocking(woken, False)
        self._woken = woken
        self.input = Input(self, waking)
        self._before: dict[int, Any] = {}
        self._woken_before: int | None = None
        try:
            self._woken_before = signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        except ValueError:  # only the first thread of a process hears
            return
        for number in [getattr(signal, name) for name in HEARD if hasattr(signal, name)]:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._come)

    def _come(self, number: int, frame: FrameType | None) -> None:
        """A signal has come; Python calls this on the thread that the script began on."""
        if self.fatal:
            die(number)
        from keysh.interp.engine.signal_delivery import send_signal  # noqa: PLC0415 - few programs get any
        from keysh.text.signal_names import signal_name  # noqa: PLC0415 - as above

        state = self._shell.state
        send_signal(state, number)
        if number in KEYS and state.traps.get(signal_name(number)) is not None:
            # A terminal sends it to all that runs in front: what is waited for ends, then the
            # trap runs.
            state.budget.interrupt(number)
            if state.session.programs is not None:
                state.session.programs.signal(state.budget, number)
        if state.budget.is_cancelled:
            self.fatal = number
            try:  # noqa: SIM105 - contextlib is more than start-up loads
                os.write(self._woken, b"!")  # a thread that reads may have been woken too early
            except BlockingIOError:  # it is full, and tells enough
                pass

    def end(self) -> None:
        """The script has ended, and maybe the program with it."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._woken_before is not None:
            signal.set_wakeup_fd(self._woken_before)
        os.close(self._woken)
        os.close(self.input.waking)
        if self.fatal:
            die(self.fatal)


class Input(FileIO):
    """Standard input; a read that waits ends with the script."""

    def __init__(self, hearing: Hearing, waking: int) -> None:
        super().__init__(0, "rb", closefd=False)
        self.waking = waking  # can be read where a signal has come
        self._hearing = hearing

    def read(self, size: int | None = -1) -> bytes:
        from select import POLLIN, poll  # noqa: PLC0415 - few scripts read

        waiting = poll()
        waiting.register(0, POLLIN)
        waiting.register(self.waking, POLLIN)
        while (self.waking, POLLIN) in waiting.poll():
            os.read(self.waking, SIGNALS_AT_ONCE)
            if self._hearing.fatal:
                raise LimitReached("cancelled", None, None, 128 + self._hearing.fatal)
        return super().read(size) or b""


def die(number: int) -> None:
    """End the process as a signal does, so that who has started it sees what it died of."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
