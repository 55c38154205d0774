"""The progress of a scatter: one line on a terminal, which is removed at the end.

12 of 40 done, 1 failed, 3.1/s, 9 s left
"""

from __future__ import annotations

import os
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Writer

SECONDS_BETWEEN = 0.2
LABEL = "scatter"  # for the host's `on_progress`
CLEAR_LINE = "\r\x1b[K"


class ProgressLine:
    """Shows how far a scatter is, where a terminal shows standard error but not the rows."""

    __slots__ = ("_began", "_done", "_err", "_failed", "_host", "_is_shown", "_shown_at", "_total")

    def __init__(self, sh: Call, total: int) -> None:
        """`total` is 0 if it is unknown."""
        self._err: Writer | None = None
        self._host = sh.progress
        if is_terminal(sh.err) and not is_terminal(sh.out):
            self._err = sh.err
        self._total, self._done, self._failed = total, 0, 0
        self._began = self._shown_at = monotonic()
        self._is_shown = False

    def note(self, *, failed: bool) -> None:
        """Count an item that is done."""
        self._done += 1
        self._failed += failed
        if self._host is not None:
            self._host.tell(self._done, self._total or None, LABEL)
        if self._err is None:
            return
        now = monotonic()
        if now - self._shown_at >= SECONDS_BETWEEN:
            self._shown_at, self._is_shown = now, True
            self._err.write(CLEAR_LINE + self.text(now - self._began))
            self._err.flush()

    def text(self, seconds: float) -> str:
        """Return the line after some seconds."""
        rate = self._done / max(seconds, 0.001)
        parts = [f"{self._done} of {self._total} done" if self._total else f"{self._done} done"]
        if self._failed:
            parts.append(f"{self._failed} failed")
        parts.append(f"{rate:.1f}/s" if rate < 100 else f"{rate:.0f}/s")
        if self._total:
            parts.append(f"{round((self._total - self._done) / rate)} s left")
        return ", ".join(parts)

    def close(self) -> None:
        """Remove the line, and tell the host where it ends."""
        if self._host is not None and self._done:
            self._host.tell(self._done, self._total or None, LABEL, is_last=True)
        if self._is_shown and self._err is not None:
            self._err.write(CLEAR_LINE)
            self._err.flush()


def is_terminal(writer: Writer) -> bool:
    """Whether a writer is a terminal of the machine."""
    return writer.fd >= 0 and os.isatty(writer.fd)
