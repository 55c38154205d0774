"""What a command has used, in the formats of GNU time; what is not measured is 0."""

from __future__ import annotations

import os
import re
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEFAULT_FORMAT = (
    "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata %Mmaxresident)k\n"
    "%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults %Wswaps"
)
VERBOSE_FORMAT = """\tCommand being timed: "%C"
\tUser time (seconds): %U
\tSystem time (seconds): %S
\tPercent of CPU this job got: %P
\tElapsed (wall clock) time (h:mm:ss or m:ss): %E
\tAverage shared text size (kbytes): %X
\tAverage unshared data size (kbytes): %D
\tAverage stack size (kbytes): %p
\tAverage total size (kbytes): %K
\tMaximum resident set size (kbytes): %M
\tAverage resident set size (kbytes): %t
\tMajor (requiring I/O) page faults: %F
\tMinor (reclaiming a frame) page faults: %R
\tVoluntary context switches: %w
\tInvoluntary context switches: %c
\tSwaps: %W
\tFile system inputs: %I
\tFile system outputs: %O
\tSocket messages sent: %s
\tSocket messages received: %r
\tSignals delivered: %k
\tPage size (bytes): %Z
\tExit status: %x"""
UNMEASURED_LETTERS = "XDpKMtFRwcWIOsrk"
DIRECTIVE = re.compile(r"%(.?)|\\(.?)", re.DOTALL)
CHARACTERS = {"t": "\t", "n": "\n", "\\": "\\"}
SIGNAL_STATUS = 128
HOUR, MINUTE = 3600, 60


class TimedRun:
    """One run of a command: its words, times and status."""

    __slots__ = ("_seconds", "_status", "_system", "_user", "_words")

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._seconds = self._user = self._system = 0.0
        self._status = 0

    def measure(self, run: Callable[[], int]) -> int:
        """Run the command and return its status."""
        began, before = monotonic(), os.times()
        self._status = run()
        after = os.times()
        self._seconds = monotonic() - began
        self._user = after.user + after.children_user - before.user - before.children_user
        self._system = after.system + after.children_system - before.system - before.children_system
        return self._status

    def report(self, template: str | None, *, quiet: bool) -> str:
        """Return the report, by default with the status of a command that has failed."""
        facts = self._facts()

        def replacement(match: re.Match[str]) -> str:
            letter, character = match.groups()
            if letter is not None:
                return facts.get(letter, f"?{letter}")
            return CHARACTERS.get(character, f"?\\{character}")

        failure = "" if quiet else self._failure_line()
        return f"{failure}{DIRECTIVE.sub(replacement, template or DEFAULT_FORMAT)}\n"

    def _failure_line(self) -> str:
        if self._status > SIGNAL_STATUS:
            return f"Command terminated by signal {self._status - SIGNAL_STATUS}\n"
        if self._status:
            return f"Command exited with non-zero status {self._status}\n"
        return ""

    def _facts(self) -> dict[str, str]:
        """Return the text of each directive."""
        work = self._user + self._system
        share = f"{100 * work / self._seconds:.0f}%" if self._seconds else "?%"
        is_signal = self._status > SIGNAL_STATUS
        return {
            **dict.fromkeys(UNMEASURED_LETTERS, "0"),
            "%": "%", "C": " ".join(self._words), "E": clock_text(self._seconds),
            "e": f"{self._seconds:.2f}", "U": f"{self._user:.2f}", "S": f"{self._system:.2f}",
            "P": share, "x": "0" if is_signal else str(self._status), "Z": "4096", "": "?",
        }  # fmt: skip


def clock_text(seconds: float) -> str:
    """Return a duration as `m:ss.cc`, or `h:mm:ss` from one hour on."""
    whole = int(seconds)
    if whole >= HOUR:
        return f"{whole // HOUR}:{whole % HOUR // MINUTE:02}:{whole % MINUTE:02}"
    hundredths = int(seconds * 100) % 100
    return f"{whole // MINUTE}:{whole % MINUTE:02}.{hundredths:02}"
