"""`-i inplace`: replace each file by what the program prints while it reads it."""

from __future__ import annotations

from keysh.gnu.copy.replacement import Replacement
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import writer_of
from keysh.tools.awk.parse.problem import AwkFatal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.awk.run.registers import Registers


class InPlaceEditor:
    """Redirects standard output to a replacement of the current input file."""

    __slots__ = ("_name", "_replacement", "_registers", "_suffix", "_standard_output")

    def __init__(self, registers: Registers, suffix: str) -> None:
        self._registers, self._suffix = registers, suffix
        self._standard_output = registers.sh.out
        self._replacement: Replacement | None = None
        self._name = ""

    def begin(self, name: str) -> None:
        """Begin to replace a file. If it cannot be edited, warn and leave output alone."""
        self.end()
        registers = self._registers
        sh = registers.sh
        if name in ("-", "/dev/stdin"):
            self.warn(f"disabling in-place editing for invalid FILENAME `{name}'")
            return
        try:
            status = sh.fs.stat(sh.path(name), follow=True)
        except OSError as error:
            self.warn(f"Cannot stat `{name}' ({os_error_text(error)})")
            return
        if not status.is_file:
            self.warn(f"`{name}' is not a regular file")
            return
        new = Replacement(sh, name, status.mode & 0o7777, "gawk.")
        try:
            new.open()
        except OSError as error:
            raise AwkFatal(
                f"inplace::begin: mkstemp `{new.name}' failed ({os_error_text(error)})"
            ) from None
        registers.flush()
        self._name, self._replacement = name, new
        sh.out = writer_of(new.stream)

    def end(self) -> None:
        """Finish the replacement of the current file."""
        new, self._replacement = self._replacement, None
        if new is None:
            return
        self._registers.flush()
        self._registers.sh.out = self._standard_output
        try:
            new.finish(f"{self._name}{self._suffix}" if self._suffix else "")
        except OSError as error:
            message = (
                f"inplace::end: rename({new.name}, {self._name}) failed ({os_error_text(error)})"
            )
            raise AwkFatal(message) from None

    def abandon(self) -> None:
        """Discard the replacement because the program has failed."""
        new, self._replacement = self._replacement, None
        if new is not None:
            self._registers.sh.out = self._standard_output
            new.abandon()

    def warn(self, message: str) -> None:
        self._registers.warn(f"warning: inplace::begin: {message}")
